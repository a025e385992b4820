import { limits } from '../../core/limits.ts';
import { day } from '../../core/schedule.ts';
import { defaultZone, momentOf, wallTime } from './zoned-time.ts';

/** A range of time, in milliseconds. The end is not part of it. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const longest = limits.reportRangeDays * day;

/** When so many times 31 days are over, by the clocks of a time zone: where these change, 31 days are not 744 hours (D-161). */
function endAfter(from: number, times: number, timeZone: string): number {
  const second = Math.floor(from / 1_000) * 1_000;
  return momentOf(wallTime(second, timeZone) + times * longest, timeZone) + (from - second);
}

/** Whether one report can be about a range (RP-06): it has a length, and at most 31 days in the report's time zone. */
export const isReportable = ({ from, to }: Range, timeZone = defaultZone): boolean =>
  to > from && to <= endAfter(from, 1, timeZone);

/** How many reports together are about a longer range. None is about a range without a length. */
export function partsOf({ from, to }: Range, timeZone = defaultZone): number {
  if (to <= from) return 0;
  // A clock that goes back can take a part's last hour out of it.
  let parts = Math.max(1, Math.floor((to - from) / longest));
  while (endAfter(from, parts, timeZone) < to) parts += 1;
  return parts;
}

/** The ranges of these reports, oldest first; at most so many of them. */
export function splitRange(range: Range, timeZone = defaultZone, most = Number.POSITIVE_INFINITY): readonly Range[] {
  const { from, to } = range;
  return Array.from({ length: Math.min(most, partsOf(range, timeZone)) }, (_, part) => ({
    from: part === 0 ? from : endAfter(from, part, timeZone),
    to: Math.min(to, endAfter(from, part + 1, timeZone)),
  }));
}
