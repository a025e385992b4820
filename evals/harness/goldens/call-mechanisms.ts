import type { EngineParts } from '../../../src/engine/parts.ts';
import { plainSpec } from '../world/settings.ts';
import type { TestHarness } from '../world/world.ts';
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

export const callMechanisms: Mechanisms = inWorlds({
  'an engine by itself': itself,
  'tools that are named next where few are offered': next,
  'calls before which the clocks are compared': clocks,
  'a look at the platform that fails': failing,
  'arguments that are too large for any call': tooLarge,
});
