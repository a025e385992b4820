import { z } from 'zod';
import { once } from '../../src/core/once.ts';
import type { Thing } from '../../src/core/thing.ts';
import { transaction as machine } from '../../src/domains/device/machines.ts';
import { entityOf, stateOf, transactionOf } from '../../src/domains/device/transactions.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { thing } from '../../src/engine/resolve.ts';
import { ownWords } from '../../src/engine/shown.ts';
import { localTool, type Observation, platformTool, type ToolSpec } from '../../src/engine/tool.ts';
import { handle, optional, reference } from '../../src/engine/tool-arguments.ts';
import type { ObservationRow } from '../../src/ledger/rows.ts';
import { keysInState } from '../clock-states.ts';
import { isEmpty, many, narrowed, page, paged } from '../pages.ts';
import { asked, begunAt, type TransactionAnswer, type TransactionType, theDevice, transactionEntity } from './parts.ts';
import { printed, receiptOf, showTransaction, transactionOutput } from './presentation.ts';

// The tools that look at transactions.

type Seen = Pick<Facts, 'args' | 'now' | 'ownCall'> & { readonly things: Things };

/** What an answer says of a transaction, with what is known of this very one: of itself, or of Purser's own call for it. */
function readFrom(body: TransactionAnswer, { args, things: { devicePayment: known }, now, ownCall: own }: Seen) {
  if (known?.body.identifier === body.identifier) return transactionOf(body, known.body, begunAt(known));
  const reference = String(args.reference ?? '');
  // A transaction that was there before the call is not the call's own, nor is one beside its own.
  const isOther =
    own?.noted?.before === body.identifier || (known !== undefined && begunAt(known) >= (own?.startedAt ?? 0));
  if (own === undefined || isOther) return transactionOf(body, asked('charge', {}, reference), now);
  return transactionOf(body, asked(makes[own.name] ?? 'charge', own.args, reference), own.startedAt);
}

/** What an operation makes. */
const makes: { readonly [operation: string]: TransactionType | undefined } = {
  chargeDevice: 'charge',
  refundWithoutOriginal: 'credit',
};

/** What the platform has of a transaction, known or not. */
function observed(facts: Facts, body: TransactionAnswer): readonly Observation[] {
  const { now } = facts;
  const read = readFrom(body, facts);
  return [
    {
      kind: 'devicePayment',
      handle: handleFor('devicePayment', body.identifier),
      state: stateOf(read, now),
      body: { ...read, cardReader: theDevice(facts) },
    },
  ];
}

const args = once(() => ({
  transaction: optional(handle('devicePayment', 'Transaction.')),
  reference: optional(reference('Or the order number of its charge.')),
}));

const oneOf = { names: ['transaction', 'reference'], exactly: true } as const;

const input = {
  oneOf,
  goesOnWith: { kind: 'devicePayment', argument: 'reference' },
  computes: ({ args: given, things }: Facts) => ({
    forID: given.transaction === undefined ? given.reference : things.devicePayment?.body.identifier,
  }),
} as const;

export const lookup = platformTool('lookupDeviceTransaction', {
  description:
    'Look a transaction of the reader up at the platform. After a lost charge, look it up by `reference` before anything else.',
  input: {
    args: () => ({
      ...args(),
      printed: optional<never>({ schema: z.boolean().describe("Also the reader's own receipt text."), fills: [] }),
    }),
    ...input,
  },
  observe: {
    looksAt: { kind: 'devicePayment', machine, entity: transactionEntity },
    stateFromResponse: ({ body }, given, things, now, ownCall) =>
      stateOf(readFrom(body, { args: given, things, now, ownCall }), now),
    observations: (facts, { body }) => observed(facts, body),
  },
  present: {
    messages: { done: 'This is the transaction.' },
    outputSchema: () => transactionOutput().extend({ receipt: ownWords, printed: z.string().optional() }),
    toOutput: (things, { args: given, merchant }) => ({
      ...showTransaction(things),
      receipt: receiptOf(things, merchant),
      ...(given.printed === true ? printed(things) : {}),
    }),
  },
});

/** D-91: the platform is asked about a reference before a card is charged under it. */
export const freshReference = {
  tool: lookup,
  args: (given: Facts['args']) => ({ reference: given.reference }),
  mayBeMissing: true,
} as const;

/** Staff can increment, capture and refund on the reader's own Summary screen, so each change looks at the transaction first. */
export const freshTransaction = [
  { tool: lookup, args: (given: Facts['args']) => ({ transaction: given.transaction }) },
] as const;

export const summary: ToolSpec<'showDeviceSummary'> = {
  description:
    "Open a transaction's Summary screen on the reader, for the person who holds it. To read it yourself, use lookup_device_transaction.",
  input: { args, ...input },
  observe: {
    looksAt: { kind: 'devicePayment', machine, entity: transactionEntity },
    stateFromResponse: ({ body }, given, things, now, ownCall) =>
      stateOf(readFrom(body, { args: given, things, now, ownCall }), now),
    observations: (facts, { body }) => observed(facts, body),
  },
  present: {
    messages: { done: 'The summary was shown. This is the transaction.' },
    outputSchema: transactionOutput,
    shows: showTransaction,
  },
};

const states = machine.states.filter((state) => state !== 'none');

/** A transaction, with what time has done to it. */
function settled(row: ObservationRow, now: number): NonNullable<Things['devicePayment']> {
  const it = thing(row) as Thing<unknown> as NonNullable<Things['devicePayment']>; // of this kind, by the search
  return { ...it, state: machine.settle(entityOf(it.body, it.state, now)) };
}

/** Complete for what Purser made and looked up: the SDK lists nothing. */
export const list = localTool('list_device_transactions', {
  title: 'List device transactions',
  description: 'Find transactions of the reader that Purser made or looked up, newest first.',
  inputSchema: () =>
    z.strictObject({
      reference: z.string().max(64).optional().describe('Of its charge.'),
      state: z.enum(states).optional().describe('Only these.'),
      ...page(),
    }),
  outputSchema: () =>
    z.looseObject({ items: z.array(transactionOutput()), total: z.number(), more: ownWords.optional() }),
  run: async ({ reference: wanted, state, limit, cursor }, { tx, now }) => {
    const ranges =
      wanted !== undefined
        ? [{ key: 'reference', value: wanted }]
        : state !== undefined
          ? keysInState(machine, state, now)
          : [{ key: 'all', value: '' }];
    const listed = await tx.observations.listBy({ kind: 'devicePayment', ranges }, { limit, cursor });
    const found =
      wanted === undefined || state === undefined
        ? listed
        : narrowed(listed, cursor, (row) => settled(row, now).state === state);
    const items = found.rows.map((row) => showTransaction({ devicePayment: settled(row, now) }));
    return {
      said: isEmpty(found)
        ? 'There is no such transaction.'
        : `${many(found)} transaction${found.total === 1 ? '' : 's'}.`,
      data: paged(found, items as z.output<ReturnType<typeof transactionOutput>>[]), // each row has its transaction
      next: isEmpty(found) ? ['device_status'] : ['lookup_device_transaction'],
    };
  },
});
