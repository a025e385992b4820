import { describe, expect, it } from 'vitest';
import { type BillingBench, fresh } from './sandbox-support.ts';

// One millisecond before a boundary of billing, at it, and one after it; and the calendar, in which not all months are one.

const minute = 60_000;
const hour = 60 * minute;
const own = { every: '1', unit: 'M', amount: '7.50', currency: 'GBP' } as const;
const iso = (at: number) => new Date(at).toISOString();

/** What a step answers one millisecond before a moment, at it and after it, each on a subscription of its own. */
async function swept(moment: number, make: Make, step: (bench: BillingBench, id: string) => Promise<number>) {
  const answers = [];
  for (const off of [-1, 0, 1]) {
    const bench = fresh();
    const id = await make(bench);
    await bench.to(moment + off);
    answers.push(await step(bench, id));
  }
  return answers;
}
type Make = (bench: BillingBench) => Promise<string>;

const starting =
  (startDate: string, unit = 'M'): Make =>
  (bench) =>
    bench.subscription(undefined, { startDate, own: { ...own, unit } });
const cancel = async (bench: BillingBench, id: string) => (await bench.act(id, 'cancel')).status;
const skip = async (bench: BillingBench, id: string) => (await bench.passOver(id, [1])).status;

/** A common day, the day on which Europe's clocks go forward, the one on which they go back, and a leap day. */
const payments = ['2026-02-10T10:00:00Z', '2026-03-29T01:30:00Z', '2026-10-25T00:30:00Z', '2028-02-29T00:00:00Z'];

describe.each(payments)('around a payment at %s', (start) => {
  const at = Date.parse(start);

  it.each([
    ['ten minutes before', -10 * minute, [202, 400, 400]],
    ['the payment', 0, [400, 400, 400]],
    ['ten minutes after', 10 * minute, [400, 400, 202]],
  ])('SB-11: cancelling by the millisecond, %s', async (_, after, statuses) => {
    expect(await swept(at + after, starting(start), cancel)).toEqual(statuses);
  });

  it.each([
    ['two hours before', -2 * hour, [200, 400, 400]],
    ['the payment', 0, [400, 400, 400]],
  ])('SB-14: skipping by the millisecond, %s', async (_, after, statuses) => {
    expect(await swept(at + after, starting(start), skip)).toEqual(statuses);
  });

  it.each([
    ['two hours before', -2 * hour, [200, 400, 400]],
    // What was skipped and is over has nothing left to restore.
    ['the payment', 0, [400, 200, 200]],
  ])('SB-14: restoring by the millisecond, %s', async (_, after, statuses) => {
    const skipped: Make = async (bench) => {
      const id = await starting(start)(bench);
      await bench.passOver(id, [1]);
      return id;
    };
    const restore = async (bench: BillingBench, id: string) => (await bench.passOver(id, [])).status;
    expect(await swept(at + after, skipped, restore)).toEqual(statuses);
  });

  it('is charged at its moment, not before it', async () => {
    const count = async (bench: BillingBench, id: string) => (await bench.payments(id)).length;
    expect(await swept(at, starting(start), count)).toEqual([0, 1, 1]);
  });
});

describe('a retry', () => {
  it('has the ten minutes, too, and can be skipped at no time', async () => {
    const declined: Make = async (bench) => {
      await bench.card('shopper_ada', { charges: ['declined'] });
      return starting('2026-02-10T10:00:00Z')(bench);
    };
    const retry = Date.parse('2026-02-12T10:00:00Z');
    const cancelled = [];
    for (const after of [-10 * minute, 10 * minute]) cancelled.push(await swept(retry + after, declined, cancel));
    expect(cancelled).toEqual([
      [202, 400, 400],
      [400, 400, 202],
    ]);
    expect(await swept(retry - 2 * hour, declined, skip)).toEqual([400, 400, 400]);
  });
});

describe('SB-01: a start at midnight UTC', () => {
  const midnight = '2026-01-16T00:00:00Z';
  const lastSecond = '2026-01-15T23:59:59Z';

  it.each([
    [midnight, ['201 PENDING', '201 ACTIVE', '201 ACTIVE']],
    [lastSecond, ['201 ACTIVE', '400', '400']],
    ['2026-01-16T23:59:59Z', ['201 PENDING', '201 ACTIVE', '201 ACTIVE']],
    ['2026-01-17T00:00:00Z', ['201 PENDING', '201 PENDING', '201 PENDING']],
  ])('%s is of the day that it is by then', async (startDate, answers) => {
    const told = [];
    for (const off of [-1, 0, 1]) {
      const bench = fresh();
      await bench.to(Date.parse(midnight) + off);
      const { status, body } = await bench.subscribe(undefined, { startDate, own });
      told.push(`${status} ${body.subscriptionInformation?.status ?? ''}`.trim());
    }
    expect(told).toEqual(answers);
  });
});

describe('the calendar', () => {
  const monthEnds = {
    29: '02-28 03-29 04-29 05-29 06-29 07-29 08-29 09-29 10-29 11-29 12-29',
    30: '02-28 03-30 04-30 05-30 06-30 07-30 08-30 09-30 10-30 11-30 12-30',
    31: '02-28 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31',
  };
  const months = Object.entries(monthEnds).flatMap(([day, rest]) =>
    [2027, 2028].map((year) => {
      const days = `01-${day} ${year === 2028 ? rest.replace('02-28', '02-29') : rest}`.split(' ');
      return [`${year}-01-${day}`, days.map((it) => `${year}-${it}`)] as const;
    }),
  );
  const years = ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'];
  const forward = ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30'];
  const back = ['2026-10-18', '2026-10-25', '2026-11-01', '2026-11-08'];
  const cases: readonly (readonly [from: string, days: readonly string[], unit: string])[] = [
    ...months.map(([from, days]) => [from, days, 'M'] as const),
    ['2028-02-29', years, 'Y'],
    ['2026-03-27', forward, 'D'],
    ['2026-10-18', back, 'W'],
  ];

  it.each(cases)('from %s bills each of %j to the millisecond, by %s', async (from, days, unit) => {
    const bench = fresh();
    const id = await starting(`${from}T01:30:00Z`, unit)(bench);
    const counts = [];
    for (const day of days)
      for (const off of [-1, 0, 1]) {
        await bench.to(Date.parse(`${day}T01:30:00Z`) + off);
        counts.push((await bench.payments(id)).length);
      }
    expect(counts).toEqual(days.flatMap((_, index) => [index, index + 1, index + 1]));
    expect(await bench.payments(id)).toEqual(days.map((day, index) => `${index + 1} STANDARD PAID ${day}T01:30`));
  });

  it('ends a cycle one millisecond before the next begins', async () => {
    const bench = fresh();
    const id = await starting('2026-01-31T10:00:00Z')(bench);
    const { body } = await bench.call('GET', `/rbs/v1/subscriptions/${id}/payments?scheduledPaymentsCount=2`);
    const [first, second] = body.subscriptionPayment;
    expect([first.billingEndDate, second.billingStartDate]).toEqual([
      iso(Date.parse('2026-02-28T10:00:00Z') - 1),
      '2026-02-28T10:00:00.000Z',
    ]);
  });
});
