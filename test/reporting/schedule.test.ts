import { describe, expect, it } from 'vitest';
import { nextDue, type Schedule } from '../../src/domains/reporting/sandbox/schedule.ts';
import { Bench } from '../sandbox/support.ts';

const daily: Schedule = { frequency: 'DAILY', timeZone: 'GMT', time: '0630' };

/** The next moments at which a schedule is due, from one on. */
function dues(it: Schedule, from: string, count: number): readonly string[] {
  const found: number[] = [];
  for (let at = Date.parse(from); found.length < count; at = found.at(-1) ?? at) {
    const due = nextDue(it, at);
    if (found.length > 0) expect(due.from).toBe(found.at(-1));
    found.push(due.at);
  }
  return found.map((at) => new Date(at).toISOString().replace(':00.000Z', 'Z'));
}

describe('a schedule', () => {
  it('is due on its day: day 31 of a shorter month is its last day', () => {
    expect(dues({ ...daily, frequency: 'MONTHLY', startDay: 31 }, '2026-01-15T00:00:00Z', 5)).toEqual([
      ...['2026-01-31T06:30Z', '2026-02-28T06:30Z', '2026-03-31T06:30Z', '2026-04-30T06:30Z', '2026-05-31T06:30Z'],
    ]);
    expect(dues({ ...daily, frequency: 'MONTHLY', startDay: 29 }, '2028-02-01T00:00:00Z', 1)).toEqual([
      '2028-02-29T06:30Z',
    ]);
    // 2026-01-18 is a Sunday.
    expect(dues({ ...daily, frequency: 'WEEKLY' }, '2026-01-15T00:00:00Z', 2)).toEqual([
      ...['2026-01-18T06:30Z', '2026-01-25T06:30Z'],
    ]);
    expect(dues({ ...daily, frequency: 'WEEKLY', startDay: 7 }, '2026-01-15T00:00:00Z', 1)).toEqual([
      '2026-01-17T06:30Z',
    ]);
    expect(dues({ ...daily, frequency: 'USER_DEFINED', interval: 'PT6H' }, '2026-01-15T00:00:00Z', 2)).toEqual([
      ...['2026-01-15T06:00Z', '2026-01-15T12:00Z'],
    ]);
  });

  it.each([
    ['P1M', '2026-01-31T10:00:00Z', ['2026-02-28T10:00Z', '2026-03-31T10:00Z', '2026-04-30T10:00Z']],
    [
      'P1Y',
      '2028-02-29T10:00:00Z',
      ['2029-02-28T10:00Z', '2030-02-28T10:00Z', '2031-02-28T10:00Z', '2032-02-29T10:00Z'],
    ],
    ['P1M1DT1H', '2026-01-31T10:00:00Z', ['2026-03-01T11:00Z', '2026-04-02T12:00Z', '2026-05-03T13:00Z']],
  ])('D-162: counts intervals of %s from its beginning', (interval, begun, wanted) => {
    const since = Date.parse(begun);
    expect(dues({ ...daily, frequency: 'USER_DEFINED', interval, since }, begun, wanted.length)).toEqual(wanted);
    // Where nobody has looked for years.
    const late = nextDue({ ...daily, frequency: 'USER_DEFINED', interval, since }, Date.parse('2126-05-05T00:00:00Z'));
    expect(late.from).toBeLessThanOrEqual(Date.parse('2126-05-05T00:00:00Z'));
    expect(late.at).toBeGreaterThan(Date.parse('2126-05-05T00:00:00Z'));
  });

  // The day of the change, what is due the day before, and on it: written by hand from the zones' rules of 2026.
  it.each([
    ['Europe/London', '0630', '2026-03-28', '2026-03-28T06:30Z', '2026-03-29T05:30Z'],
    ['Europe/London', '0630', '2026-10-24', '2026-10-24T05:30Z', '2026-10-25T06:30Z'],
    ['Europe/Berlin', '0230', '2026-03-28', '2026-03-28T01:30Z', '2026-03-29T01:30Z'], // skipped: 03:30 in summer time
    ['Europe/Berlin', '0230', '2026-10-24', '2026-10-24T00:30Z', '2026-10-25T00:30Z'], // shown twice: the first
    ['America/New_York', '0800', '2026-03-07', '2026-03-07T13:00Z', '2026-03-08T12:00Z'],
    ['America/Los_Angeles', '0800', '2026-10-31', '2026-10-31T15:00Z', '2026-11-01T16:00Z'],
    ['America/St_Johns', '0800', '2026-03-07', '2026-03-07T11:30Z', '2026-03-08T10:30Z'],
    ['Australia/Sydney', '0800', '2026-04-03', '2026-04-03T21:00Z', '2026-04-04T22:00Z'],
    ['Australia/Lord_Howe', '0800', '2026-10-02', '2026-10-02T21:30Z', '2026-10-03T21:00Z'], // half an hour, at 02:00 on the 4th
    ['Pacific/Auckland', '0800', '2026-09-25', '2026-09-25T20:00Z', '2026-09-26T19:00Z'],
    ['America/Halifax', '0800', '2026-03-07', '2026-03-07T12:00Z', '2026-03-08T11:00Z'],
    ['America/Chicago', '0800', '2026-03-07', '2026-03-07T14:00Z', '2026-03-08T13:00Z'],
    ['Asia/Calcutta', '0630', '2026-03-28', '2026-03-28T01:00Z', '2026-03-29T01:00Z'],
  ])('in %s at %s goes by the clocks there: from %s', (timeZone, time, day, first, second) => {
    expect(dues({ frequency: 'DAILY', timeZone, time }, `${day}T00:00:00Z`, 2)).toEqual([first, second]);
  });
});

describe('the platform', () => {
  it('makes the report of a subscription each time that it is due, until it is deleted', async () => {
    const bench = new Bench();
    const subscriptions = '/reporting/v3/report-subscriptions';
    await bench.call('PUT', subscriptions, {
      ...{ reportDefinitionName: 'TransactionRequestClass', reportFields: ['Request.RequestID'] },
      ...{ reportMimeType: 'text/csv', reportFrequency: 'Daily', reportName: 'Sales', startTime: '0630' },
      timezone: 'Europe/London',
    });
    const made = async () =>
      (
        await bench.call(
          'GET',
          '/reporting/v3/reports?startTime=2026-01-01T00:00:00Z&endTime=2026-12-31T00:00:00Z&timeQueryType=executedTime&reportFrequency=Daily',
        )
      ).body?.reportSearchResults.map((it: Record<string, string>) => [
        it.reportName,
        it.reportStartTime,
        it.reportEndTime,
      ]);
    expect(await made()).toBeUndefined();
    await bench.control('POST', 'clock', { advance: 'P2D' });
    const days = ['15', '16', '17'].map((day) => `2026-01-${day}T06:30:00.000Z`);
    const two = [
      ['Sales', days[0], days[1]],
      ['Sales', days[1], days[2]],
    ];
    expect(await made()).toEqual(two);
    await bench.call('DELETE', `${subscriptions}/Sales`);
    await bench.control('POST', 'clock', { advance: 'P2D' });
    expect(await made()).toEqual(two);
  });
});
