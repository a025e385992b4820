import { day as dayMilliseconds } from '../../../core/schedule.ts';
import { after, parseDuration } from '../../../sandbox/clock.ts';
import { momentOf, wallTime } from '../zoned-time.ts';

// When a report subscription is due: at its time of day in its time zone, on its days (D-83).

export interface Schedule {
  /** In capitals. */
  readonly frequency: string;
  readonly timeZone: string;
  /** `HHMM`. */
  readonly time: string;
  /** Of the week, 1 for Sunday, or of the month; by default the first. */
  readonly startDay?: number | undefined;
  /** ISO 8601, for USER_DEFINED; and the moment from which intervals are counted. */
  readonly interval?: string | undefined;
  readonly since?: number | undefined;
}

/** The next moment at which a report is due, and where its range begins: both in milliseconds. */
export interface Due {
  readonly at: number;
  readonly from: number;
}

/** The first moment after another one at which a report is due. Its range begins where the one before it was due. */
export function nextDue(it: Schedule, now: number): Due {
  if (it.frequency === 'USER_DEFINED') {
    return nextInterval(it, now);
  }
  const today = Math.floor(wallTime(now, it.timeZone) / dayMilliseconds) * dayMilliseconds;
  const around = Array.from(
    { length: 2 * longestDays + 1 },
    (_, index) => today + (index - longestDays) * dayMilliseconds,
  ).filter((date) => isDueOn(it, new Date(date)));
  const momentOn = (date: number): number => momentOf(date + timeOfDay(it.time), it.timeZone);
  // What was due before yesterday is over, whatever the clocks show: a time zone's moments are costly to find.
  const next = around.findIndex((date) => date >= today - dayMilliseconds && momentOn(date) > now);
  const [from, at] = [around[next - 1], around[next]];
  if (from === undefined || at === undefined) throw new Error('A report is due at least every two months.');
  return { at: momentOn(at), from: momentOn(from) };
}

/** The next of the intervals since a moment. Each is counted from there, so a month after 28 February is 31 March where the first began on 31 January. */
function nextInterval({ interval: text = '', since }: Schedule, now: number): Due {
  const interval = parseDuration(text);
  if (interval === undefined) throw new Error('A user-defined frequency has no interval.');
  const begun = since ?? now;
  const ended = (count: number): number =>
    after(begun, { months: count * interval.months, milliseconds: count * interval.milliseconds });
  // No interval is longer than this.
  const longest = interval.months * longestMonth + interval.milliseconds;
  let count = Math.floor((now - begun) / longest) + 1;
  while (ended(count) <= now) count += 1;
  return { at: ended(count), from: ended(count - 1) };
}

const longestMonth = 31 * dayMilliseconds;

/** Days within which every frequency is due at least twice. */
const longestDays = 63;

/** Whether a report is due on a day, given as its midnight in UTC. Day 31 of a shorter month is its last day. */
const isDueOn = ({ frequency, startDay = 1 }: Schedule, date: Date): boolean =>
  days[frequency]?.(date, startDay) === true;

const days: { readonly [frequency: string]: ((date: Date, startDay: number) => boolean) | undefined } = {
  DAILY: () => true,
  WEEKLY: (date, startDay) => date.getUTCDay() + 1 === startDay,
  MONTHLY: (date, startDay) =>
    date.getUTCDate() ===
    Math.min(startDay, new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()),
};

const timeOfDay = (time: string): number => (Number(time.slice(0, 2)) * 60 + Number(time.slice(2))) * 60_000;
