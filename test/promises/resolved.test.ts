import { describe, expect, it } from 'vitest';
import type { Replacements } from '../../src/cli/compose.ts';
import { limits } from '../../src/core/limits.ts';
import { markOverdueUnknown } from '../../src/engine/recover.ts';
import { operationOf } from '../../src/engine/tool.ts';
import { everyTool } from '../../tools/index.ts';
import { authorized, captured, chosen, converted, refunded } from '../engine/conversion.ts';
import { held, sold } from '../engine/device.ts';
import { order, type Said, settle, type World, world } from '../engine/support.ts';

// A person who finds that a lost call took effect leaves the same sums behind as the answer would have: what may still be taken or
// paid back is counted from them.

type Prepare = (it: World) => Promise<object>;

async function bought(it: World): Promise<Said> {
  await it.through('enroll_card', { card: 'card_ada' });
  return it.through('initiate_purchase', order());
}

/** A call, what it begins with, and the operation of the platform. */
const calls: readonly (readonly [what: string, tool: string, operation: string, prepare: Prepare])[] = [
  [
    'a payment at a rate that the customer chose',
    'authorize_payment',
    'authorizePayment',
    async (it) => ({ offer: await chosen(it), reference: 'order-1' }),
  ],
  [
    'a capture of a part',
    'capture_payment',
    'capturePayment',
    async (it) => ({ charge: await authorized(it), amount: '40.00' }),
  ],
  ['a capture of all', 'capture_payment', 'capturePayment', async (it) => ({ charge: await authorized(it) })],
  [
    'a capture in another currency',
    'capture_payment',
    'capturePayment',
    async (it) => ({ charge: await converted(it) }),
  ],
  ['a capture that is voided', 'void_capture', 'voidCapture', async (it) => ({ capture: await captured(it) })],
  [
    'a refund of a part',
    'refund_capture',
    'refundCapture',
    async (it) => ({ capture: await captured(it), amount: '60.00' }),
  ],
  ['a refund of all', 'refund_capture', 'refundCapture', async (it) => ({ capture: await captured(it) })],
  ['a refund that is voided', 'void_refund', 'voidRefund', async (it) => ({ refund: await refunded(it) })],
  ['a payment that is reversed', 'reverse_payment', 'reversePayment', async (it) => ({ charge: await authorized(it) })],
  [
    'a hold at the reader that grows',
    'increment_preauthorization',
    'incrementPreauthorization',
    async (it) => ({ transaction: await held(it), amount: '10.00' }),
  ],
  [
    'a capture at the reader',
    'capture_preauthorization',
    'capturePreauthorization',
    async (it) => ({ transaction: await held(it), amount: '15.00' }),
  ],
  [
    'a refund at the reader',
    'refund_device_transaction',
    'refundDeviceTransaction',
    async (it) => ({ transaction: await sold(it), amount: '15.00' }),
  ],
  [
    'credentials of a purchase',
    'retrieve_credentials',
    'retrieveCredentials',
    async (it) => {
      const { data } = await bought(it);
      return { instruction: data.instruction, amount: '40.00', currency: 'GBP' };
    },
  ],
  [
    'a purchase that changes',
    'update_purchase',
    'updatePurchase',
    async (it) => {
      const { data } = await bought(it);
      const { until, description } = order();
      return { instruction: data.instruction, limit: { amount: '50.00', currency: 'GBP' }, until, description };
    },
  ],
];

/** What an answer alone can tell of a thing. */
const onlyTold: readonly string[] = ['credentials', 'receiptText', 'status', 'agreed', 'charge'];

/** The things that a world knew before a call, as they are known after it. */
async function after(it: World, known: readonly string[]): Promise<object> {
  const rows = await Promise.all(known.map((handle) => it.thing(handle)));
  return rows.map(({ kind, state, body }) => ({
    ...{ kind, state },
    body: Object.fromEntries(Object.entries(body).filter(([name]) => !onlyTold.includes(name))),
  }));
}

const kinds = ['offer', 'charge', 'capture', 'refund', 'devicePayment', 'instruction'];
const handlesIn = (it: World): Promise<readonly string[]> =>
  it.parts.ledger.transaction('default', async (tx) => {
    const lists = await Promise.all(kinds.map((kind) => tx.observations.list({ kind }, { limit: 50 })));
    return lists.flatMap(({ rows }) => rows.map(({ handle }) => handle));
  });

/** What is known after a call that is answered, or lost and then resolved by a person. */
async function known([, tool, operation, prepare]: (typeof calls)[number], isLost: boolean): Promise<object> {
  const it = await world();
  const args = await prepare(it);
  const before = await handlesIn(it);
  if (isLost) await it.fault(operation, 'timeout-after-commit');
  const said = await it.through(tool, args);
  expect(said.outcome).toBe(isLost ? 'unknown' : 'done');
  if (isLost) expect((await settle(it, said.operation, true)).ok).toBe(true);
  return after(it, before);
}

/** What moves money of a thing and of which only the state is to be known: the credentials are lost with their answer. */
const onlyState: readonly string[] = ['create_payment_credentials'];
/** What makes a thing and changes no other. */
const onlyMakes: readonly string[] = ['initiate_purchase'];

describe('a lost call that a person found to have happened', () => {
  it('is tried with every tool that moves money, of things which nothing reads again before the next call', () => {
    const counted = everyTool.filter(
      (tool) => tool.kind === 'platform' && operationOf(tool).effect === 'money' && (tool.refresh ?? []).length === 0,
    );
    const tried = new Set([...calls.map(([, tool]) => tool), ...onlyState, ...onlyMakes]);
    expect(
      counted.map(({ name }) => name).filter((name) => !tried.has(name)),
      'list each in `calls`, or in `onlyState` or `onlyMakes`',
    ).toEqual([]);
  });

  it.each(calls)('is counted as if it had been answered: %s', async (...call) => {
    expect(await known(call, true)).toEqual(await known(call, false));
  });
});

/** A way to the platform and the reader that can hold back the answer to the next change. */
function gate() {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  let isShut = false;
  const held = async <T>(answer: T): Promise<T> => {
    if (!isShut) return answer;
    isShut = false;
    reached.resolve();
    await opened.promise;
    return answer;
  };
  const replace: Replacements = {
    platform: (real) => async (request) => {
      const answer = await real(request);
      return request.method === 'GET' ? answer : held(answer);
    },
    reader: (_, real) =>
      real && {
        ...real,
        send: async (call, ...sent) => {
          const answer = await real.send(call, ...sent);
          return call.effect === 'read' ? answer : held(answer);
        },
      },
  };
  return {
    ...{ replace, reached: reached.promise, open: opened.resolve },
    shut: () => {
      isShut = true;
    },
  };
}

describe('a call whose answer comes after a person found it to have happened', () => {
  it.each(calls)('is counted once: %s', async (...call) => {
    const [, tool, , prepare] = call;
    const way = gate();
    const it = await world({ replace: way.replace });
    const args = await prepare(it);
    const before = await handlesIn(it);
    way.shut();
    const answer = it.through(tool, args);
    await way.reached;
    await it.advance(limits.readerQuietSeconds + 1);
    await markOverdueUnknown(it.parts);
    const [row] = (await it.operations()).filter(({ state }) => state === 'UNKNOWN');
    expect((await settle(it, row?.id ?? '', true)).ok).toBe(true);
    way.open();
    expect(await answer).toMatchObject({ outcome: 'done', replayed: true, operation: row?.id });
    expect(await after(it, before)).toEqual(await known(call, false));
  });
});

describe('what is left after it', () => {
  const all = { amount: '100.00' };
  it.each([
    [
      'a capture',
      'capture_payment',
      'capturePayment',
      'DC-09',
      async (it: World) => ({ charge: await authorized(it) }),
    ],
    ['a refund', 'refund_capture', 'refundCapture', 'DC-10', async (it: World) => ({ capture: await captured(it) })],
  ] as const)('is nothing: %s of all was lost', async (_, tool, operation, rule, prepare) => {
    const it = await world();
    const args = await prepare(it);
    await it.fault(operation, 'timeout-after-commit');
    const lost = await it.through(tool, { ...args, ...all, reference: 'order-1-a' });
    await settle(it, lost.operation, true);
    const before = it.sent.length;
    const again = await it.through(tool, { ...args, reference: 'order-1-b' });
    expect(again).toMatchObject({ outcome: 'refused', error: { rule } });
    expect(it.sent.length).toBe(before);
  });
});
