import { transactionStatuses } from '../../../src/domains/device/statuses.ts';
import { againSecondsOf, isQuiet, lanes, quietSecondsOf, tellingSecondsOf } from '../../../src/engine/lanes.ts';
import type { Finding } from '../../../src/engine/sent-request.ts';
import { operationOf, type PlatformTool } from '../../../src/engine/tool.ts';
import { everyTool } from '../../../tools/index.ts';
import { isAsSent } from '../../../tools/read-back.ts';
import type { Lines, Mechanisms } from './lines.ts';

// What a lost call is taken for by what is found of it, from the functions that say so.

/** A thing that is in a state, as each operation that asks for one answers. */
const things: Readonly<Record<string, (status: string) => unknown>> = {
  getInvoice: (status) => ({ id: 'one', status }),
  getPlan: (status) => ({ id: 'one', planInformation: { status } }),
  getSubscription: (status) => ({ id: 'one', subscriptionInformation: { status } }),
  getPayment: (status) => ({ id: 'one', status }),
  getCapture: (status) => ({ id: 'one', status }),
  getRefund: (status) => ({ id: 'one', status }),
  getReportSubscription: () => ({}),
};

/** What comes of what, shorter. */
function byEnd<T>(all: readonly T[], end: (it: T) => string): string {
  const ends = new Map<string, string[]>();
  for (const it of all) ends.set(end(it), [...(ends.get(end(it)) ?? []), String(it ?? 'none')]);
  return [...ends].map(([comes, of]) => `${comes}: ${of.join(' ')}`).join('; ');
}

/** What is concluded of a lost change from each state in which its thing is found. */
function concludedBy(tool: PlatformTool): Lines {
  const { moves } = operationOf(tool);
  const { readBack } = tool.reconcile;
  const thing = readBack && things[readBack.asks];
  if (moves === undefined || thing === undefined) return [];
  const { rows, assumed, existing } = moves.machine;
  const changes = [...rows, ...assumed].filter(
    ([from, trigger, , to]) => trigger === moves.trigger && from !== 'none' && from !== to,
  );
  return changes.map(([from, , , reaches]) => {
    const sent = { names: {}, body: undefined, reference: 'one', from, reaches, sentAt: 0 };
    const finds = (state: string) => said(readBack?.finds(state === 'gone' ? undefined : thing(state), sent));
    return [
      `${tool.name}, ${from} → ${reaches}`,
      byEnd(['gone', ...existing.filter((it) => !/^deleted$/i.test(it))], finds),
    ];
  });
}

const said = (found: Finding<unknown> | undefined): string => (typeof found === 'object' ? 'happened' : `${found}`);

/** Transactions that the reader finds under a reference or an identifier; the amounts are the one before and what is added. */
const [before, by] = ['10.00', '2.50'];
const found = [undefined, before, '12.50', '12.5', '12.51', '2.50', '0'] as const;

/** What is concluded of a lost call at the reader from the transaction that it finds. */
function concludedAtReader(tool: PlatformTool): Lines {
  const { readBack } = tool.reconcile;
  if (readBack?.asks !== 'lookupDeviceTransaction') return [];
  const noted = { before, by, currency: 'GBP' };
  const sent = { names: {}, body: { withID: 'one' }, reference: 'one', from: '', reaches: '', sentAt: 0 };
  if (!tool.input.args.transaction) {
    const finds = (identifier: string) => (status: string) =>
      said(readBack.finds({ identifier, status }, { ...sent, noted: { before: 'one' } }));
    return ['one', 'two'].map((it): readonly [string, unknown] => [
      `${tool.name}, ${it === 'one' ? 'the one before' : 'another one'}`,
      byEnd(transactionStatuses, finds(it)),
    ]);
  }
  const finds = (more: object) => (amount: string | undefined) => {
    const amounts = { amount, capturedAmount: amount, refundedAmount: amount };
    return said(readBack.finds({ identifier: 'one', currency: 'GBP', ...amounts, ...more }, { ...sent, noted }));
  };
  return [
    [tool.name, byEnd(found, finds({}))],
    [`${tool.name}, another one`, byEnd(found, finds({ identifier: 'two' }))],
    [`${tool.name}, in another currency`, byEnd(found, finds({ currency: 'USD' }))],
    [`${tool.name}, none`, said(readBack.finds(undefined, { ...sent, noted }))],
  ];
}

/** What was sent, and what is found of it. */
const pairs: readonly (readonly [what: string, thing: unknown, sent: unknown])[] = [
  ['the same', { a: 'x', b: { c: 1 } }, { a: 'x', b: { c: 1 } }],
  ['more than was sent', { a: 'x', b: 'y' }, { a: 'x' }],
  ['less than was sent', { a: 'x' }, { a: 'x', b: 'y' }],
  ['nothing of it', { b: 'y' }, { a: 'x' }],
  ['nothing at all', {}, { a: 'x' }],
  ['half of it', { a: 'x', b: 'z' }, { a: 'x', b: 'y' }],
  ['other values', { a: 'z', b: 'z' }, { a: 'x', b: 'y' }],
  ['another part', { b: { c: 'z' } }, { b: { c: 'x' } }],
  ['a value in the place of a part', { b: 'x' }, { b: { c: 'x' } }],
  ['a part in the place of a value', { b: { c: 'x' } }, { b: 'x' }],
  ['a list', ['x', 'y'], ['x', 'y']],
  ['a list in another order', ['y', 'x'], ['x', 'y']],
  ['an amount with other decimals', { a: '10.00' }, { a: '10' }],
  ['another amount', { a: '10.01' }, { a: '10' }],
  ['a time in another zone', { a: '2026-01-15T10:00:00+01:00' }, { a: '2026-01-15T09:00:00Z' }],
  ['a day and a time', { a: '2026-01-15' }, { a: '2026-01-15T00:00:00Z' }],
];

const platformTools = everyTool.filter((tool) => tool.kind === 'platform');

export const readBackMechanisms: Mechanisms = {
  'what a lost change is taken for, by the state of its thing': () => platformTools.flatMap(concludedBy),
  'what a lost call at the reader is taken for': () => platformTools.flatMap(concludedAtReader),
  'when a lost call is asked about': () =>
    lanes.map((lane) => {
      const call = { transport: lane === 'reader' ? lane : 'http', streams: lane === 'file' } as const;
      const quiet = quietSecondsOf(call) * 1_000;
      const proves = [quiet - 1, quiet].map((at) => (isQuiet(call, { startedAt: 0 }, at) ? 'something' : 'nothing'));
      const times = `after ${tellingSecondsOf(call)} s, then every ${againSecondsOf(lane)} s`;
      return [lane, `${times}; that it is not found proves ${proves.join(' before, ')} after ${quiet / 1_000} s`];
    }),
  'whether a thing is as it was sent': () =>
    pairs.map(([what, thing, sent]) => [what, isAsSent(thing, sent) ? 'as sent' : 'not as sent']),
};
