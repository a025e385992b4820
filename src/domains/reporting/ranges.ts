import { limits } from '../../core/limits.ts';
import { day } from '../../core/schedule.ts';

/** A range of time, in milliseconds. The end is not part of it. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const longest = limits.reportRangeDays * day;

/** Whether one report can be about a range (RP-06): it has a length, and at most 31 days. */
export const isReportable = ({ from, to }: Range): boolean => to > from && to - from <= longest;

/** The ranges of the reports that together are about a longer range, oldest first. Empty for a range without a length. */
export function splitRange({ from, to }: Range): readonly Range[] {
  const parts = Math.max(0, Math.ceil((to - from) / longest));
  return Array.from({ length: parts }, (_, part) => ({
    from: from + part * longest,
    to: Math.min(to, from + (part + 1) * longest),
  }));
}
