import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { InProgress, Outcome, Progress } from '../../src/core/outcome.ts';
import { type End, ReaderGone } from '../../src/reader/ends.ts';
import { type Reader, readerTransport } from '../../src/reader/transport.ts';
import { loyalty } from '../support/made-up-domain.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const sale = { amount: '40.00', currency: 'EUR', customIdentifier: 'order-1' };
const charged = { case: 'success', value: { id: 'charge-1', status: 'APPROVED' } } as const;

/** A reader that does what a test says: its call goes on until the test ends it. It notices when it is cancelled. */
function reader(onCancel?: End) {
  const calls: unknown[] = [];
  const call = Promise.withResolvers<End>();
  let report: (progress: Progress) => void = () => undefined;
  const it: Reader = {
    send: (name, input, { signal, onProgress }) => {
      calls.push([name, input]);
      report = onProgress;
      signal.addEventListener('abort', () => onCancel && call.resolve(onCancel));
      return call.promise;
    },
  };
  return {
    it,
    calls,
    waits: () => report({ step: 'WAITING_FOR_CARD', fraction: 0.5 }),
    ends: (end: End | Error) => (end instanceof Error ? call.reject(end) : call.resolve(end)),
  };
}

const charge = (it: Reader, watch = {}) => readerTransport(it).send(loyalty.chargeCard, sale, watch);
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);

describe('a call of the reader', () => {
  it('sends the input once, reports progress and answers what the contract states', async () => {
    const one = reader();
    const seen: Progress[] = [];
    const sent = charge(one.it, { onProgress: (it: Progress) => seen.push(it) });
    await seconds(10);
    one.waits();
    one.ends(charged);
    expect(await sent).toEqual({ kind: 'succeeded', status: 'success', body: charged.value });
    expect([one.calls, seen]).toEqual([
      [['startChargeTransaction', sale]],
      [{ step: 'WAITING_FOR_CARD', fraction: 0.5 }],
    ]);
  });

  it('that takes longer is in progress first, and its end comes later', async () => {
    const one = reader();
    const sent = charge(one.it);
    one.waits();
    await seconds(45);
    const outcome = (await sent) as InProgress;
    expect(outcome).toMatchObject({ kind: 'inProgress', progress: { step: 'WAITING_FOR_CARD' } });
    await seconds(15);
    one.ends(charged);
    expect(await outcome.end).toEqual({ kind: 'succeeded', status: 'success', body: charged.value });
  });

  it.each<[End | Error, Outcome]>([
    [{ case: 'cancelledByUser' }, { kind: 'declined', code: 'CANCELLED', reason: 'CANCELLED_BY_USER' }],
    [{ case: 'notFound' }, { kind: 'declined', code: 'NOT_FOUND', reason: 'NOT_FOUND' }],
    [{ case: 'failure' }, { kind: 'unknown', because: 'failed' }],
    [{ case: 'error' }, { kind: 'unknown', because: 'failed' }],
    [{ case: 'networkError' }, { kind: 'unknown', because: 'no-answer' }],
    [
      { case: 'success', value: { id: 1 } },
      { kind: 'unknown', because: 'wrong-shape' },
    ],
    [new ReaderGone(), { kind: 'noEffect', because: 'unreachable' }],
    [new Error('lost'), { kind: 'unknown', because: 'no-answer' }],
  ])('that ends with %j', async (end, outcome) => {
    const one = reader();
    const sent = charge(one.it);
    one.ends(end);
    expect(await sent).toEqual(outcome);
  });

  it('whose input does not match the contract is not sent', async () => {
    const { it: one, calls } = reader();
    const outcome = await readerTransport(one).send(loyalty.chargeCard, { ...sale, currency: 'XXX1' }, {});
    expect([outcome, calls]).toEqual([{ kind: 'noEffect', because: 'incomplete', paths: ['currency'] }, []]);
  });
});

describe('cancelling', () => {
  it('has no effect on the customer where the reader had not charged yet', async () => {
    const stop = new AbortController();
    const sent = charge(reader({ case: 'cancelledByUser' }).it, { signal: stop.signal });
    await seconds(5);
    stop.abort();
    expect(await sent).toMatchObject({ kind: 'declined', code: 'CANCELLED' });
  });

  it('comes too late where the reader charges all the same', async () => {
    const stop = new AbortController();
    const one = reader();
    const sent = charge(one.it, { signal: stop.signal });
    stop.abort();
    await seconds(8);
    one.ends(charged);
    expect(await sent).toMatchObject({ kind: 'succeeded' });
  });

  it('leaves the outcome unknown where the reader says nothing more', async () => {
    const stop = new AbortController();
    const sent = charge(reader().it, { signal: stop.signal });
    stop.abort();
    await seconds(10);
    expect(await sent).toEqual({ kind: 'unknown', because: 'no-answer' });
  });
});

it('gives a call up after five minutes: its outcome is unknown', async () => {
  const sent = charge(reader().it);
  await seconds(45);
  const outcome = (await sent) as InProgress;
  await seconds(255);
  expect(await outcome.end).toEqual({ kind: 'unknown', because: 'no-answer' });
});
