import { beforeEach, describe, expect, it } from 'vitest';
import { sandboxes } from '../../src/domains/sandboxes.ts';
import { policyOf, retryAfter } from '../../src/domains/webhooks/sandbox/retries.ts';
import { Bench } from '../sandbox/support.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { numbers } from '../support/numbers.ts';
import { bill, Desk, policy, subscription } from './support.ts';

playRowsOneIn(3);

// When a delivery that nobody took is attempted again (D-72), and what follows when it never is taken (D-71).

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});

const minutesOf = () => desk.sent.map(({ minute }) => minute);
const states = async () => (await desk.deliveries()).map(({ state }) => state);

describe('a delivery that nobody takes', () => {
  // The sample of public models: firstRetry 10, interval 30, three retries.
  it.each([
    ['ARITHMETIC', {}, [0, 10, 40, 70]],
    ['GEOMETRIC', {}, [0, 10, 300, 9_000]],
    ['ARITHMETIC', { numberOfRetries: 0 }, [0]],
    ['ARITHMETIC', { firstRetry: 0, interval: 0 }, [0, 0, 0, 0]],
    ['GEOMETRIC', { interval: 0 }, [0, 10, 10, 10]],
    [
      'ARITHMETIC',
      { firstRetry: 1, interval: 1, repeatSequenceCount: 2, repeatSequenceWaitTime: 60 },
      [0, 1, 2, 3, 64, 65, 66, 127, 128, 129],
    ],
    ['GEOMETRIC', { firstRetry: 2, interval: 3, repeatSequenceCount: 1 }, [0, 2, 6, 18, 20, 24, 36]],
    ['GEOMETRIC', { firstRetry: 60, interval: 100 }, [0, 60, 6_000]], // the third would be after more than a year
  ])('is attempted by %s with %j at minute %j, and then given up', async (algorithm, change, expected) => {
    await desk.on({ retryPolicy: policy({ algorithm, firstRetry: 10, interval: 30, ...change }) });
    desk.always = 503;
    await desk.bill();
    await desk.after('P500D');
    expect(minutesOf()).toEqual(expected);
    expect(await states()).toEqual(['FAILED']);
    const [{ attempts } = { attempts: [] }] = await desk.deliveries();
    expect(attempts.map(({ status }) => status)).toEqual(expected.map(() => 503));
  });

  it('says which retry it is, and stays the same event', async () => {
    await desk.on();
    desk.answers = [null, 302, 204];
    await desk.bill();
    await desk.after('PT1H');
    const heads = desk.sent.map(({ headers }) => [headers['v-c-request-type'], headers['v-c-retry-count']]);
    expect(heads).toEqual([
      ['NEW', '0'],
      ['RETRY', '1'],
      ['RETRY', '2'],
    ]);
    const bodies = desk.sent.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ retryNumber, requestType }) => [requestType, String(retryNumber)])).toEqual(heads);
    const same = bodies.map(({ retryNumber: _, requestType: __, ...rest }) => rest);
    expect([same[1], same[2]]).toEqual([same[0], same[0]]);
    expect(await states()).toEqual(['DELIVERED']);
  });

  it('is attempted no sooner than its time, however often somebody asks', async () => {
    await desk.on();
    desk.always = 500;
    await desk.bill();
    await desk.after('PT59S');
    await desk.sandbox.deliver();
    expect(minutesOf()).toEqual([0]);
    await desk.after('PT1S');
    expect(minutesOf()).toEqual([0, 1]);
  });

  it.each([
    ['switched off', (id: string) => desk.status(id, 'INACTIVE')],
    ['deleted', (id: string) => desk.call('DELETE', `/notification-subscriptions/v2/webhooks/${id}`)],
  ])('is dropped when its subscription is %s', async (_, end) => {
    const id = await desk.on();
    desk.always = 500;
    await desk.bill();
    await desk.sandbox.deliver();
    await end(id);
    await desk.after('P1D');
    expect(minutesOf()).toEqual([0]);
    expect(await states()).toEqual(['DROPPED']);
  });
});

describe('with deactivateFlag', () => {
  const flagged = { retryPolicy: policy({ numberOfRetries: 1, deactivateFlag: 'true' }) };
  const status = async () => (await desk.list()).body[0].status;
  const toHook = () => desk.sent.filter(({ url }) => url.endsWith('/webhooks/platform'));

  it('a subscription is suspended, holds what happens, and is resumed once its address is healthy', async () => {
    await desk.on(flagged);
    desk.always = 500;
    const first = await desk.bill();
    await desk.after('PT10M');
    expect([await status(), await states()]).toEqual(['INACTIVE', ['SUSPENDED']]);
    const second = await desk.bill();
    await desk.after('PT3H');
    expect(desk.sent.slice(2).map(({ url, body, minute }) => [url, body, minute])).toEqual(
      [61, 121, 181].map((minute) => ['http://127.0.0.1:9/health', '', minute]),
    );
    expect(await states()).toEqual(['SUSPENDED', 'SUSPENDED']);
    desk.always = 200;
    await desk.after('PT1H');
    expect([await status(), await states()]).toEqual(['ACTIVE', ['DELIVERED', 'DELIVERED']]);
    const delivered = toHook()
      .slice(2)
      .map(({ body }) => JSON.parse(body));
    expect(delivered.map(({ payload, requestType }) => [payload.data.id, requestType])).toEqual([
      [first, 'NEW'],
      [second, 'NEW'],
    ]);
  });

  it('a person can switch it on again, or off for good', async () => {
    const id = await desk.on({ ...flagged, healthCheckUrl: undefined });
    desk.always = 500;
    await desk.bill();
    await desk.after('P1D');
    expect(desk.sent).toHaveLength(2);
    desk.always = 200;
    await desk.status(id, 'ACTIVE');
    await desk.sandbox.deliver();
    expect([await status(), await states()]).toEqual(['ACTIVE', ['DELIVERED']]);
    desk.always = 500;
    await desk.bill();
    await desk.after('P1D');
    await desk.status(id, 'INACTIVE');
    desk.always = 200;
    await desk.bill();
    await desk.after('P1D');
    expect([await status(), await states()]).toEqual(['INACTIVE', ['DELIVERED', 'DROPPED']]);
  });

  it('a test is never held, and suspends nothing', async () => {
    const id = await desk.on(flagged);
    desk.answers = [500];
    await desk.call('POST', `/notification-subscriptions/v2/webhooks/${id}/tests`, {});
    await desk.after('P1D');
    expect([await status(), await states()]).toEqual(['ACTIVE', ['FAILED']]);
  });
});

it('makes an attempt once, where two processes have seen that it is due', async () => {
  await desk.on();
  await desk.bill();
  expect(await states()).toEqual(['PENDING']);
  const { webhooks } = sandboxes;
  const request = await desk.sandbox.world.transaction((world) => webhooks.outgoing?.next(world));
  if (request === undefined) throw new Error('a delivery is due');
  await desk.sandbox.world.transaction((world) => webhooks.outgoing?.answered(world, request, 200));
  await desk.sandbox.world.transaction((world) => webhooks.outgoing?.answered(world, request, 500));
  expect(await desk.deliveries()).toMatchObject([{ state: 'DELIVERED', attempts: [{ status: 200 }] }]);
});

it.each(Array.from({ length: 200 }, (_, seed) => seed))(
  'a policy of random figures keeps its promises: seed %i',
  (seed) => {
    const draw = numbers(seed);
    const upTo = (most: number) => draw(most + 1);
    const given = policyOf({
      algorithm: draw.of(['ARITHMETIC', 'GEOMETRIC'] as const),
      ...{ firstRetry: upTo(120), interval: upTo(20), numberOfRetries: upTo(12) },
      ...{ repeatSequenceCount: upTo(4), repeatSequenceWaitTime: upTo(600) },
    });
    const most = given.numberOfRetries * (1 + given.repeatSequenceCount);
    const moments = Array.from({ length: most + 3 }, (_, index) => retryAfter(given, index + 1));
    const made = moments.filter((it) => it !== undefined);
    // No more attempts than the policy names, none after one that is left out, none before the one it follows, none after a year.
    expect(made.length).toBeLessThanOrEqual(most);
    expect(moments.slice(made.length).every((it) => it === undefined)).toBe(true);
    expect(made).toEqual(made.toSorted((one, other) => one - other));
    expect(made.every((it) => it <= 525_600 * 60_000)).toBe(true);
    if (made.length === most) expect(retryAfter(given, 1)).toBe(most === 0 ? undefined : given.firstRetry * 60_000);
    // A sequence that is repeated has the same gaps.
    const gaps = (from: number) =>
      moments
        .slice(from + 1, from + given.numberOfRetries)
        .map((it, at) => (it ?? Number.NaN) - (moments[from + at] ?? Number.NaN));
    if (made.length === most)
      for (let from = 0; from < most; from += given.numberOfRetries) expect(gaps(from)).toEqual(gaps(0));
  },
);

it('a thousand events, of whose deliveries half go wrong, are each taken once, by seed 41', async () => {
  const { organizationId: _, ...own } = subscription();
  const draw = numbers(41);
  const taken = new Map<string, number>();
  const bench = new Bench({
    send: async ({ headers }) => {
      const status = draw.of([200, 204, null, 500, 404, 200]);
      const trace = headers['v-c-transaction-trace-id'] ?? '';
      if (status !== null && status < 300) taken.set(trace, (taken.get(trace) ?? 0) + 1);
      return status;
    },
  });
  await bench.control('POST', 'webhooks', { ...own, retryPolicy: policy({ numberOfRetries: 100 }) });
  for (let number = 0; number < 1_000; number += 1) await bench.call('POST', '/invoicing/v2/invoices', bill);
  await bench.control('POST', 'clock', { advance: 'PT2H' });
  await bench.sandbox.deliver();
  const { deliveries } = (await bench.control('GET', 'deliveries')).body;
  expect([deliveries.length, taken.size, new Set(taken.values())]).toEqual([1_000, 1_000, new Set([1])]);
  expect(deliveries.filter(({ state }: { state: string }) => state !== 'DELIVERED')).toEqual([]);
}, 60_000);
