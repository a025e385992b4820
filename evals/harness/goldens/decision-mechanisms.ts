import { findApproval, listApprovals, listOperations, recordDecision } from '../../../src/engine/approval-service.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { settleUnknown } from '../../../src/engine/settle-unknown.ts';
import { CorruptRow, LedgerUnavailable } from '../../../src/ledger/errors.ts';
import type { Caller } from '../../../src/ledger/ledger.ts';
import type { Page } from '../../../src/ledger/ledger-transaction.ts';
import { agentCaller, plainSpec } from '../world/settings.ts';
import type { TestHarness } from '../world/world.ts';
import { endOf } from './ledger-steps.ts';
import type { Lines, Mechanisms } from './lines.ts';
import { type Alter, asAgent, eachFrom, inWorlds, lost, plain, spoilt } from './prepared-worlds.ts';

// What persons decide and find out, and what previews and proposals say of calls that are not made.

const { tenant } = agentCaller;
const pat = { tenant, approver: 'pat', channel: 'cli' } as const;
const paying = (reference: string) => ({ price: { amount: '10.00', currency: 'GBP' }, card: 'card_ada', reference });
const tea = { name: 'Tea', reference: 'tea', every: 1, unit: 'month', amount: '10.00', currency: 'GBP' };

type Work = (engine: Engine, passes: (seconds: number) => void) => Promise<unknown>;

/** Lines of works that begin with the same things each. */
const on = (
  harness: TestHarness,
  prepare: Work,
  works: readonly (readonly [what: string, work: Work, alter?: Alter])[],
  alter: Alter = plain,
): Promise<Lines> =>
  eachFrom(
    harness,
    plainSpec,
    (again) => again(alter, prepare),
    async (again) => {
      const lines: [string, unknown][] = [];
      for (const [what, work, own = plain] of works)
        lines.push([what, await again(own, (engine, passes) => endOf(() => work(engine, passes)))]);
      return lines;
    },
  );

/** Names of approvals by the calls that they are of. */
async function named({ parts }: Engine): Promise<ReadonlyMap<string, string>> {
  const { rows } = await parts.ledger.read(tenant, (tx) => tx.operations.list({}, { limit: 99 }));
  const ids = await Promise.all(rows.map((row) => parts.ledger.read(tenant, (tx) => tx.approvals.ofOperation(row.id))));
  return new Map(rows.map((row, at) => [ids[at]?.id ?? '', row.reference]));
}
const idOf = async (engine: Engine, reference: string): Promise<string> =>
  [...(await named(engine))].find(([, it]) => it === reference)?.[0] ?? 'ap_none';

async function listed(engine: Engine, state: string | undefined, size: number): Promise<string> {
  const names = await named(engine);
  const pages: string[] = [];
  for (let page: Page | undefined = { limit: size }; page !== undefined; ) {
    const { rows, total, more } = await listApprovals(engine.parts, tenant, page, state);
    pages.push(`${rows.map((row) => `${names.get(row.id)} ${row.state}`).join(', ') || 'none'} of ${total}`);
    page = more === undefined ? undefined : { limit: size, cursor: more };
  }
  return pages.join('; ');
}

/** Four payments that wait, the last one ten minutes later. */
const asked: Work = async (engine, passes) => {
  for (const reference of ['one', 'two', 'three', 'four']) {
    await asAgent(engine, 'authorize_payment', paying(reference));
    passes(reference === 'three' ? 600 : 1);
  }
};
const decide = async (engine: Engine, reference: string, verdict: 'approve' | 'deny', by: object = {}) =>
  JSON.parse(
    JSON.stringify(await recordDecision(engine.parts, await idOf(engine, reference), verdict, { ...pat, ...by })),
    (name, it: unknown) => (name === 'operation' ? 'its operation' : it),
  ) as unknown;
const corrupt =
  (error: Error): Alter =>
  (parts) => ({ ...parts, ledger: { ...parts.ledger, transaction: async () => Promise.reject(error) } });
const again = (engine: Engine, reference: string) =>
  asAgent(engine, 'authorize_payment', paying(reference)).then(({ outcome, error }) =>
    `${outcome} ${error?.code ?? ''}`.trim(),
  );

const decisions = (harness: TestHarness): Promise<Lines> =>
  on(harness, asked, [
    ...[undefined, 'REQUESTED', 'EXPIRED', 'APPROVED', 'DENIED', 'CONSUMED', 'OTHER'].map(
      (state) =>
        [
          `approvals ${state ?? 'in any state'}, by pages of two and at once, and as their time is over`,
          async (engine: Engine, passes: (seconds: number) => void) => {
            await decide(engine, 'two', 'approve');
            await decide(engine, 'three', 'deny');
            const lines: unknown[] = [];
            for (const seconds of [0, 899 - 611, 1, 1, 1, 600]) {
              passes(seconds);
              lines.push([await listed(engine, state, 2), await listed(engine, state, 9)]);
            }
            return lines;
          },
        ] as const,
    ),
    [
      'one approval, until its end',
      async (engine, passes) => {
        const id = await idOf(engine, 'one');
        const states: unknown[] = [];
        for (const seconds of [0, 280, 5, 1, 1, 1, 600]) {
          passes(seconds);
          states.push((await findApproval(engine.parts, tenant, id))?.state);
        }
        return [...states, (await findApproval(engine.parts, tenant, 'ap_none')) ?? 'none'];
      },
    ],
    [
      'approved, and again',
      async (engine) => [
        await decide(engine, 'one', 'approve'),
        await decide(engine, 'one', 'approve'),
        await again(engine, 'one'),
        await decide(engine, 'one', 'deny'),
      ],
    ],
    [
      'denied, and again',
      async (engine) => [
        await decide(engine, 'one', 'deny'),
        await decide(engine, 'one', 'approve'),
        await again(engine, 'one'),
        await again(engine, 'one'),
      ],
    ],
    [
      'denied while the call waits',
      async (engine) => [await decide(engine, 'one', 'deny', { isAwaited: true }), await again(engine, 'one')],
    ],
    [
      'approved, and then denied',
      async (engine) => [
        await decide(engine, 'one', 'approve'),
        await decide(engine, 'one', 'deny'),
        await again(engine, 'one'),
      ],
    ],
    [
      'decided on when its time is over',
      async (engine, passes) => [
        passes(900),
        await decide(engine, 'one', 'approve'),
        await decide(engine, 'one', 'approve'),
        await again(engine, 'one'),
      ],
    ],
    [
      'none of this id',
      async (engine) => [
        await decide(engine, 'none', 'approve'),
        await recordDecision(engine.parts, await idOf(engine, 'one'), 'approve', { ...pat, tenant: 'other' }),
      ],
    ],
    [
      'by a channel that is off',
      async (engine) => [await decide(engine, 'one', 'approve', { channel: 'page' }), await again(engine, 'one')],
      (parts) => ({ ...parts, settings: { ...parts.settings, channels: ['cli'] } }),
    ],
    ...[new CorruptRow('It is corrupt.'), new LedgerUnavailable('It is closed.')].map(
      (error) =>
        [
          `by a ledger that fails: ${error.name}`,
          (engine: Engine) => recordDecision(engine.parts, 'ap_one', 'approve', pat),
          corrupt(error),
        ] as const,
    ),
    ['two at once', async (engine) => Promise.all([decide(engine, 'one', 'approve'), decide(engine, 'one', 'deny')])],
  ]);

const operations = async ({ parts }: Engine, states?: readonly string[]) =>
  (await listOperations(parts, tenant, { limit: 9 }, states)).rows.map(({ name, state, result }) =>
    `${name} ${state} ${String((result as { readonly said?: string } | null)?.said ?? '')}`.trim(),
  );
const unknownOf = async ({ parts }: Engine): Promise<string> =>
  (await listOperations(parts, tenant, { limit: 9 }, ['UNKNOWN'])).rows[0]?.id ?? 'op_none';
const find = async (engine: Engine, happened: boolean, note = 'Looked at.', id?: string) =>
  JSON.parse(
    JSON.stringify(await settleUnknown(engine.parts, id ?? (await unknownOf(engine)), { happened, note }, pat)),
    (name, it: unknown) => (name === 'operation' ? 'its operation' : it),
  ) as unknown;

/** A reader whose app says of every call that it still runs it. */
const saysItRuns = ({ parts: { reader } }: Engine): typeof reader =>
  reader && { ...reader, callState: () => 'running' };

/** A lost change of a plan, and what a person finds out about it. */
const findings = (harness: TestHarness): Promise<Lines> => {
  let plan: unknown;
  const states = async (engine: Engine) => [
    await operations(engine),
    (await engine.parts.ledger.read(tenant, (tx) => tx.observations.find(String(plan))))?.state,
  ];
  return on(
    harness,
    async (engine) => {
      plan = (await asAgent(engine, 'create_plan', tea)).data?.plan;
      await asAgent(engine, 'deactivate_plan', { plan });
    },
    [
      [
        'what is known',
        async (engine) => [await states(engine), await operations(engine, ['UNKNOWN']), await operations(engine, [])],
      ],
      ...[0, 118, 119, 120, 121].flatMap((seconds) =>
        [true, false].map(
          (happened) =>
            [
              `after ${seconds} s: it ${happened ? 'happened' : 'did not'}`,
              async (engine: Engine, passes: (seconds: number) => void) => [
                passes(seconds) ?? 'a person says',
                await find(engine, happened),
                await states(engine),
                await find(engine, happened),
              ],
            ] as const,
        ),
      ),
      [
        "while a reader's app says that it runs it, although it is no call of the reader",
        async (engine, passes) => [
          passes(121) ?? 'a person says',
          await find({ ...engine, parts: { ...engine.parts, reader: saysItRuns(engine) } }, false),
        ],
      ],
      ['a note with a card', (engine) => find(engine, true, 'It was 4111 1111 1111 1111.')],
      ['a note with half a character', (engine) => find(engine, true, 'Half \ud83d.')],
      ['none of this id', (engine) => find(engine, true, 'Looked at.', 'op_none')],
      [
        'of a call that is known',
        async (engine) =>
          find(
            engine,
            true,
            'Looked at.',
            (await listOperations(engine.parts, tenant, { limit: 9 }, ['SUCCEEDED'])).rows[0]?.id,
          ),
      ],
    ],
    spoilt('deactivatePlan', () => lost),
  );
};

/** A text without the names of approvals and operations, which count what was made before. */
const unnumbered = (it: unknown): unknown =>
  typeof it === 'string' ? it.replaceAll(/\b(op|apr)_[a-z]+/g, '$1_one') : it;

/** What is said of a call that is not made. */
const previews = (harness: TestHarness): Promise<Lines> => {
  let plan: unknown;
  const shown = async (engine: Engine, tool: string, args: unknown, caller: Caller = agentCaller) => {
    const { outcome, said, data, next, error } = await engine.call('preview_call', { tool, arguments: args }, caller);
    return JSON.parse(
      JSON.stringify([outcome, said, data ?? 'no data', next, error ?? 'no error']),
      (name, it: unknown) => (typeof it === 'string' && /^(?:op|apr)_/.test(it) ? `its ${name}` : unnumbered(it)),
    ) as unknown;
  };
  const proposed = async (engine: Engine, tool: string, args: unknown) => {
    const { outcome, said, next, error, replayed } = await engine.propose(tool, args, agentCaller);
    return [outcome, unnumbered(said), next, error ?? 'no error', replayed ?? 'not replayed'];
  };
  const broken: Alter = (parts) => ({
    ...parts,
    ledger: { ...parts.ledger, verify: async () => ({ ok: false, because: 'It is broken.' }) },
  });
  const calls: readonly (readonly [what: string, tool: string, args: () => unknown])[] = [
    ['no tool', 'none', () => ({})],
    ['a tool of others', 'choose_nothing', () => ({})],
    ['wrong arguments', 'create_plan', () => ({})],
    ['a local tool', 'list_operations', () => ({})],
    ['a local tool with wrong arguments', 'list_operations', () => ({ limit: 'all' })],
    ['a preview', 'preview_call', () => ({ tool: 'list_plans', arguments: {} })],
    ['a search in the ledger', 'list_plans', () => ({ name: 'Te' })],
    ['a read', 'get_plan', () => ({ plan })],
    ['a read of nothing', 'get_plan', () => ({ plan: 'plan_none' })],
    ['a call', 'create_plan', () => ({ ...tea, reference: 'other', name: 'Coffee' })],
    ['the same call', 'create_plan', () => tea],
    ['its reference for another', 'create_plan', () => ({ ...tea, amount: '11.00' })],
    ['one nearly like it', 'create_plan', () => ({ ...tea, reference: 'other' })],
    ['a payment', 'authorize_payment', () => paying('five')],
    ['a payment that is asked for', 'authorize_payment', () => paying('asked')],
    ['a payment that is approved', 'authorize_payment', () => paying('approved')],
    ['a call that was lost', 'deactivate_plan', () => ({ plan })],
    ['another call on what it locks', 'amend_plan', () => ({ plan, apply_to: 'NEW', amount: '12.00' })],
  ];
  return on(
    harness,
    async (engine) => {
      plan = (await asAgent(engine, 'create_plan', tea)).data?.plan;
      for (const reference of ['asked', 'approved']) await asAgent(engine, 'authorize_payment', paying(reference));
      await decide(engine, 'approved', 'approve');
      await asAgent(engine, 'deactivate_plan', { plan });
    },
    [
      ...calls.map(
        ([what, tool, args]) => [`shown: ${what}`, (engine: Engine) => shown(engine, tool, args())] as const,
      ),
      ...calls.map(
        ([what, tool, args]) => [`proposed: ${what}`, (engine: Engine) => proposed(engine, tool, args())] as const,
      ),
      ...calls.slice(-5).map(
        ([what, tool, args]) =>
          [
            `shown two hours later: ${what}`,
            (engine: Engine, passes: (seconds: number) => void) => {
              passes(7_200);
              return shown(engine, tool, args());
            },
          ] as const,
      ),
      [
        'shown while the ledger is broken',
        async (engine) => [
          await shown(engine, 'create_plan', { ...tea, reference: 'other' }),
          await shown(engine, 'get_plan', { plan }),
        ],
        broken,
      ],
      [
        'proposed while the ledger is broken',
        (engine) => proposed(engine, 'create_plan', { ...tea, reference: 'other' }),
        broken,
      ],
      [
        'by another tenant',
        async (engine) => {
          const caller = { ...agentCaller, tenant: 'other' };
          const all: readonly (() => Promise<unknown>)[] = [
            () => engine.call('list_plans', {}, caller),
            () => engine.propose('list_plans', {}, caller),
            () => engine.askReader('other'),
            () => engine.openFile('other', 'file_a'),
            () => engine.filePage(caller, 'file_a', 1),
            () => engine.fileChart(caller, 'file_a'),
            () => engine.files(caller),
            () => engine.redeem('other', 'secret_a'),
            () => engine.redeem(tenant, 'secret_a'),
            () => engine.receiveDelivery('other', '{}'),
            async () => engine.of('other').environment,
            async () => engine.of(tenant).environment,
          ];
          return Promise.all(all.map(endOf));
        },
      ],
    ],
    spoilt('deactivatePlan', () => lost),
  );
};

export const decisionMechanisms: Mechanisms = inWorlds({
  'what persons decide': decisions,
  'what a person finds out about a lost call': findings,
  'calls that are previewed, and proposed': previews,
});
