import { limits } from '../../../core/limits.ts';
import { cycleDate, day, minute } from '../../../core/schedule.ts';
import { isBilledState } from '../machines.ts';
import type { SubscriptionDocument } from './documents.ts';

// The schedule of a subscription. Pure: everything follows from the document and a moment.

/** When a cycle is billed. One from before an amended period keeps its date. */
export function dateOf(it: SubscriptionDocument, cycle: number): number {
  const { anchor, first, dayOfMonth, period } = (it.earlier ?? []).find(
    (_, at, all) => cycle < (all[at + 1] ?? it).first,
  ) ?? { ...it, period: it.terms.period };
  return cycleDate(anchor, period, cycle - first + 1, dayOfMonth);
}

/** Whether a subscription has such a cycle. */
export const hasCycle = ({ terms: { total } }: SubscriptionDocument, cycle: number): boolean =>
  total === null || cycle <= total;

/** Whether its payments are processed. */
export const isBilled = ({ state }: SubscriptionDocument): boolean => isBilledState(state);

/** When the next payment begins processing: a retry, or a cycle that is not skipped; undefined if there is none. */
function nextAttempt(it: SubscriptionDocument): number | undefined {
  if (!isBilled(it)) return undefined;
  let cycle = it.next;
  while (it.skips.includes(cycle)) cycle += 1;
  const moments = [it.retries[0]?.at, hasCycle(it, cycle) ? dateOf(it, cycle) : undefined];
  return least(moments);
}

/** The cycle whose payment carries the setup fee: the first that is not skipped (D-151). */
export function feeCycleOf({ setupCycle, skips }: Pick<SubscriptionDocument, 'setupCycle' | 'skips'>): number {
  let cycle = setupCycle;
  while (skips.includes(cycle)) cycle += 1;
  return cycle;
}

/** What changes where a subscription goes on with a later cycle: cycles skipped before it can't carry the setup fee any more. */
export function goingOnWith(
  { setupCycle, skips }: Pick<SubscriptionDocument, 'setupCycle' | 'skips'>,
  next: number,
): Pick<SubscriptionDocument, 'next' | 'setupCycle' | 'skips'> {
  const passed = skips.filter((cycle) => cycle < next);
  const ahead = skips.filter((cycle) => cycle >= next);
  return { next, skips: ahead, setupCycle: feeCycleOf({ setupCycle, skips: passed }) };
}

/** When the customer is notified of a cycle. */
const noticeOf = (it: SubscriptionDocument, cycle: number): number =>
  dateOf(it, cycle) - (it.noticeDays ?? limits.prepaymentNoticeDays) * day;

/** When the next event of a subscription is due; undefined if there is none. */
export function dueOf(it: SubscriptionDocument): number | undefined {
  if (!isBilled(it)) return undefined;
  const told = it.noticed + 1;
  return least([
    it.retries[0]?.at,
    hasCycle(it, it.next) ? dateOf(it, it.next) : undefined,
    hasCycle(it, told) ? noticeOf(it, told) : undefined,
  ]);
}

/** The last cycle whose notice was due before a moment. */
export function noticedBefore(it: SubscriptionDocument, now: number): number {
  let cycle = it.next - 1;
  while (hasCycle(it, cycle + 1) && noticeOf(it, cycle + 1) < now) cycle += 1;
  return cycle;
}

/** The first cycle after a moment, counted from the next one. */
export function cycleAfter(it: SubscriptionDocument, now: number): number {
  let cycle = it.next;
  while (hasCycle(it, cycle) && dateOf(it, cycle) <= now) cycle += 1;
  return cycle;
}

/** Cycles that reactivating a subscription can collect: those given up, and those that passed since. */
export function missedAt(it: SubscriptionDocument, now: number): readonly number[] {
  const passed = Array.from({ length: cycleAfter(it, now) - it.next }, (_, index) => it.next + index);
  return [...it.missed, ...passed.filter((cycle) => !it.skips.includes(cycle))];
}

/** Whether a cycle can be skipped or restored: it begins in more than two hours, and is not a retry (SB-14). */
export const isModifiable = (it: SubscriptionDocument, cycle: number, now: number): boolean =>
  isBilled(it) &&
  cycle >= it.next &&
  hasCycle(it, cycle) &&
  now < dateOf(it, cycle) - limits.skipWindowMinutes * minute;

/** Whether a payment begins processing within ten minutes, or began within the last ten (SB-11). */
export function isProcessing(it: SubscriptionDocument, now: number): boolean {
  const near = (at: number | null | undefined) =>
    at !== null && at !== undefined && Math.abs(at - now) <= limits.cancelWindowMinutes * minute;
  return near(it.lastAttempt) || near(nextAttempt(it));
}

const least = (moments: readonly (number | undefined)[]): number | undefined =>
  moments.reduce((best, at) => (at === undefined || (best !== undefined && best <= at) ? best : at), undefined);
