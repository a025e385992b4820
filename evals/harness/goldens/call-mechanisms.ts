import type { EngineParts } from '../../../src/engine/parts.ts';
import { StaleRow } from '../../../src/ledger/errors.ts';
import { agentCaller, plainSpec } from '../world/settings.ts';
import type { TestHarness } from '../world/world.ts';
import { allowed } from './concurrent-mechanisms.ts';
import { endOf } from './ledger-steps.ts';
import { type Lines, type Mechanisms, told } from './lines.ts';
import {
  type Alter,
  asAgent,
  eachFrom,
  grouped,
  inWorlds,
  onPlain,
  plain,
  replies,
  spoilt,
} from './prepared-worlds.ts';

// Calls by what the engine is given: few tools, an unread clock, a platform that fails, arguments that are too large.

const tea = { name: 'Tea', reference: 'tea', every: 1, unit: 'month', amount: '10.00', currency: 'GBP', draft: false };
const payment = { card: 'card_ada', reference: 'order-1', price: { amount: '10.00', currency: 'GBP' } };
const calls: readonly (readonly [tool: string, args: object])[] = [
  ['find_shopper', {}],
  ['list_cards', { shopper: 'shopper_ada' }],
  ['list_plans', {}],
  ['create_plan', tea],
  ['get_plan', { plan: 'plan_none' }],
  ['authorize_payment', payment],
  ['preview_call', { tool: 'authorize_payment', arguments: payment }],
];

/** The tools that answers name next, where only those are offered whose names begin so. */
const next = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, async (again) => {
    const lines: [string, unknown][] = [];
    for (const begins of ['', 'list_', 'get_', 'c']) {
      const few: Alter = (parts) => ({
        ...parts,
        offered: parts.tools.filter(({ name }) => name.startsWith(begins)),
      });
      for (const [tool, args] of calls)
        lines.push([
          `${tool}, of ${begins}…`,
          await again(few, async (engine) => {
            const { outcome, error, next } = await asAgent(engine, tool, args);
            return [outcome, error?.code, next];
          }),
        ]);
    }
    return lines;
  });

/** What an engine says of itself. */
const itself = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, (again) =>
    again(plain, async ({ environment, tenants, tools }) => [
      ['its environment', environment],
      ['its tenants', tenants],
      ['the tools that it offers', tools.length],
    ]),
  );

/** What comes of a look at the platform that gets no answer, or another one. */
const failing = (harness: TestHarness): Promise<Lines> =>
  eachFrom(
    harness,
    plainSpec,
    (again) => again(plain, (engine) => asAgent(engine, 'create_plan', tea)),
    async (again) =>
      grouped(replies, async ([, error]) =>
        again(
          spoilt('listPlans', () => error),
          async (engine) => {
            try {
              const { outcome, error, next } = await asAgent(engine, 'list_plans', {});
              return told([outcome, error, next]);
            } catch (fault) {
              return String(fault);
            }
          },
        ),
      ),
  );

/** Arguments that are larger than any call needs. */
const tooLarge = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, async (again) => {
    const deep: unknown = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`);
    const many = Array.from({ length: 20_000 }, () => 1);
    const given: readonly (readonly [what: string, args: object])[] = [
      ['a name of its own', { name: 'Te' }],
      ['a list of twenty thousand', { name: many }],
      ['sixty levels', { name: deep }],
      ['a long text', { name: 'x'.repeat(300_000) }],
    ];
    const lines: [string, unknown][] = [];
    for (const [what, args] of given)
      lines.push([
        what,
        await again(plain, async (engine) => {
          const { outcome, error } = await asAgent(engine, 'find_shopper', args);
          return [outcome, error];
        }),
      ]);
    return lines;
  });

/** Calls before which the platform is asked for its time, and how they end where it answers, is far off, or doesn't answer. */
const clocks = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, async (again) => {
    const lines: [string, unknown][] = [];
    for (const [what, skew] of [
      ['the same', 0],
      ['a day away', 86_400_000],
      ['no answer', undefined],
    ] as const)
      for (const [tool, args] of calls) {
        let asked = 0;
        const unread: Alter = (parts): EngineParts => ({
          ...parts,
          ports: {
            ...parts.ports,
            skew: () => (asked === 0 ? undefined : skew),
            askTime: async () => {
              asked += 1;
              return skew !== undefined;
            },
          },
        });
        const end = await again(unread, async (engine) => {
          const { outcome, error } = await asAgent(engine, tool, args);
          return [outcome, error?.code, error?.rule];
        });
        lines.push([`${tool}, ${what}`, [...end, `asked ${asked} times`]]);
      }
    return lines;
  });

/** A refusal whose transaction the ledger runs twice, or which another writer overtakes: how often it is noted. */
const decidedAgain = (harness: TestHarness): Promise<Lines> => {
  let plan: unknown;
  const prepare: Parameters<typeof eachFrom>[2] = (again) =>
    again(plain, async (engine) => {
      plan = (await asAgent(engine, 'create_plan', tea)).data?.plan;
    });
  return eachFrom(harness, plainSpec, prepare, async (again) => {
    const lines: [string, unknown][] = [];
    const trouble = { none: 0, 'run twice by the ledger': 0, overtaken: 1, 'broken off': 99 } as const;
    for (const [what, failures] of Object.entries(trouble)) {
      let left: number = failures;
      const troubled: Alter = (parts) => {
        const { ledger } = parts;
        const transaction: typeof ledger.transaction = async (tenant, work) => {
          if (what === 'run twice by the ledger') {
            await ledger
              .transaction(tenant, async (tx) => {
                await work(tx);
                throw new Error('It is run again.');
              })
              .catch(() => undefined);
          }
          return ledger.transaction(tenant, async (tx) => {
            const before = await tx.audit.end();
            const end = await work(tx);
            const isWritten = (await tx.audit.end()) > before;
            if (isWritten && left > 0) {
              left -= 1;
              throw new StaleRow('Another writer was first.');
            }
            return end;
          });
        };
        return { ...parts, ledger: { ...ledger, transaction } };
      };
      lines.push([
        what,
        await again(troubled, async (engine) => {
          const ends: unknown[] = [];
          for (let time = 0; time < 3; time++) {
            const end = await endOf(async () => {
              const { outcome, error } = await asAgent(engine, 'activate_plan', { plan });
              return [outcome, error?.code, error?.rule].join(' ');
            });
            ends.push(end);
          }
          const { rows } = await engine.parts.ledger.transaction(agentCaller.tenant, (tx) =>
            tx.audit.list({ limit: 100 }),
          );
          const noted = rows.filter(({ event }) => event === 'refused');
          return [...ends, `${noted.length} noted`];
        }),
      ]);
    }
    return lines;
  });
};

/** Whether a thing remembers the position of the change in the audit. */
const positions = (harness: TestHarness): Promise<Lines> =>
  onPlain(harness, async (again) =>
    again(plain, async (engine) => {
      const made = await asAgent(engine, 'create_plan', { ...tea, draft: true });
      const plan = made.data?.plan;
      const lines: [string, unknown][] = [];
      const said = async (what: string) => {
        const { tenant } = agentCaller;
        const [row, end] = await engine.parts.ledger.transaction(tenant, async (tx) => [
          await tx.observations.find(String(plan)),
          await tx.audit.end(),
        ]);
        lines.push([what, row === undefined ? 'not known' : `${end - row.changeSeq} after it, ${row.state}`]);
      };
      await said('made');
      await allowed(engine, 'activate_plan', { plan });
      await said('changed');
      await asAgent(engine, 'get_plan', { plan });
      await said('looked at');
      await asAgent(engine, 'activate_plan', { plan: 'plan_none' });
      await said('another call is refused');
      return lines;
    }),
  );

export const callMechanisms: Mechanisms = inWorlds({
  'an engine by itself': itself,
  'tools that are named next where few are offered': next,
  'calls before which the clocks are compared': clocks,
  'a look at the platform that fails': failing,
  'arguments that are too large for any call': tooLarge,
  'a refusal whose decision is made again': decidedAgain,
  'the position by which a change is remembered': positions,
});
