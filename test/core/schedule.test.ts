import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cycleDate, dayOf, isBillable, type Period, paymentsWithin, retriesOf } from '../../src/core/schedule.ts';

const at = (text: string) => Date.parse(text);
const dates = (anchor: string, period: Period, cycles: number) =>
  Array.from({ length: cycles }, (_, index) =>
    new Date(cycleDate(at(anchor), period, index + 1)).toISOString().slice(0, 16),
  );

describe('the dates of the cycles', () => {
  it.each([
    ['2026-01-29T10:30:00Z', ['2026-01-29', '2026-02-28', '2026-03-29', '2026-04-29']],
    ['2026-01-30T10:30:00Z', ['2026-01-30', '2026-02-28', '2026-03-30', '2026-04-30']],
    ['2026-01-31T10:30:00Z', ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']],
    ['2028-01-29T10:30:00Z', ['2028-01-29', '2028-02-29', '2028-03-29', '2028-04-29']],
    ['2028-01-31T10:30:00Z', ['2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30']],
    ['2026-11-30T10:30:00Z', ['2026-11-30', '2026-12-30', '2027-01-30', '2027-02-28']],
  ])('are counted from the anchor %s, clipped at month ends', (anchor, days) => {
    expect(dates(anchor, { length: 1, unit: 'M' }, 4)).toEqual(days.map((day) => `${day}T10:30`));
  });

  it('bill 29 February on 28 February until there is one again', () => {
    expect(dates('2028-02-29T00:00:00Z', { length: 1, unit: 'Y' }, 5)).toEqual(
      ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'].map((day) => `${day}T00:00`),
    );
    expect(dates('2028-02-29T00:00:00Z', { length: 12, unit: 'M' }, 5)).toEqual(
      dates('2028-02-29T00:00:00Z', { length: 1, unit: 'Y' }, 5),
    );
  });

  it('keep the time of the day in UTC while the clocks of people change', () => {
    // Europe changes on 29 March and 25 October 2026, North America on 8 March and 1 November.
    const days = dates('2026-03-01T01:30:00Z', { length: 1, unit: 'W' }, 40);
    expect(new Set(days.map((it) => it.slice(11)))).toEqual(new Set(['01:30']));
    expect(dates('2026-03-28T01:30:00Z', { length: 1, unit: 'D' }, 3)).toEqual([
      '2026-03-28T01:30',
      '2026-03-29T01:30',
      '2026-03-30T01:30',
    ]);
  });

  it('grow with every cycle, and never fall on another day than the anchor’s but at the end of a month', () => {
    const anchors = fc.integer({ min: at('2000-01-01T00:00:00Z'), max: at('2080-01-01T00:00:00Z') });
    fc.assert(
      fc.property(
        anchors,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 200 }),
        (anchor, length, cycle) => {
          const [one, next] = [cycle, cycle + 1].map((it) => cycleDate(anchor, { length, unit: 'M' }, it)) as [
            number,
            number,
          ];
          const [wanted, found] = [new Date(anchor), new Date(one)];
          const following = new Date(Date.UTC(found.getUTCFullYear(), found.getUTCMonth(), found.getUTCDate() + 1));
          expect(next).toBeGreaterThan(one);
          expect(one % 86_400_000).toBe(anchor % 86_400_000);
          expect(
            found.getUTCDate() === wanted.getUTCDate() ||
              (found.getUTCDate() < wanted.getUTCDate() && following.getUTCDate() === 1),
          ).toBe(true);
          expect((found.getUTCMonth() - wanted.getUTCMonth() + 1200) % 12).toBe(((cycle - 1) * length) % 12);
        },
      ),
      { seed: 4217, numRuns: 500 },
    );
  });
});

it('bills by at least one unit and at most twelve months', () => {
  const longest: readonly Period[] = [
    { length: 365, unit: 'D' },
    { length: 52, unit: 'W' },
    { length: 12, unit: 'M' },
    { length: 1, unit: 'Y' },
  ];
  const more = longest.map((it) => ({ ...it, length: it.length + 1 }));
  const none = longest.map((it) => ({ ...it, length: 0 }));
  expect([longest, more, none].map((all) => all.map(isBillable))).toEqual([
    [true, true, true, true],
    [false, false, false, false],
    [false, false, false, false],
  ]);
});

it('retries by the billing frequency, and a frequency of its own by the length of its period', () => {
  const [hour, day] = [3_600_000, 86_400_000];
  const daily = { attempts: 1, every: hour };
  const weekly = { attempts: 3, every: day };
  const monthly = { attempts: 5, every: 2 * day };
  const yearly = { attempts: 3, every: 15 * day };
  const of = (length: number, unit: Period['unit']) => retriesOf({ length, unit });
  expect([of(1, 'D'), of(1, 'W'), of(1, 'M'), of(1, 'Y')]).toEqual([daily, weekly, monthly, yearly]);
  expect([of(2, 'D'), of(7, 'D'), of(8, 'D'), of(31, 'D'), of(32, 'D')]).toEqual([
    weekly,
    weekly,
    monthly,
    monthly,
    yearly,
  ]);
  expect([of(2, 'W'), of(4, 'W'), of(5, 'W'), of(2, 'M'), of(12, 'M')]).toEqual([
    monthly,
    monthly,
    yearly,
    yearly,
    yearly,
  ]);
});

it('counts the payments of a span of months', () => {
  const anchor = at('2026-01-31T00:00:00Z');
  const counts = (['D', 'W', 'M', 'Y'] as const).map((unit) => paymentsWithin(anchor, { length: 1, unit }, 12));
  expect(counts).toEqual([365, 53, 12, 1]);
});

it('knows the start of a day', () => {
  expect(new Date(dayOf(at('2026-03-29T23:59:59.999Z'))).toISOString()).toBe('2026-03-29T00:00:00.000Z');
});
