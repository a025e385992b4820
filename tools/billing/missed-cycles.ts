import { limits } from '../../src/core/limits.ts';
import { decimal } from '../../src/core/money.ts';
import { platformTime } from '../../src/core/platform-time.ts';
import { cycleDate, dayOf, isBillable, type Period } from '../../src/core/schedule.ts';
import { chargeOf, periodIn } from '../../src/domains/billing/charges.ts';
import type { ListedPayment, SubscriptionFacts } from '../../src/domains/billing/facts.ts';
import { owesNothing } from '../../src/domains/billing/machines.ts';
import { iso } from '../../src/engine/render.ts';

/** A missed billing cycle of a suspended subscription, and what reactivating with `collect_missed` charges for it. */
export interface MissedCycle {
  readonly cycle: number;
  readonly date: string;
  readonly amount: string;
}

/**
 * The missed cycles (D-39): the latest cycles that were due and neither paid nor skipped. Undefined if their count and sum
 * don't match what the platform states, if the listed payments don't reach back far enough, or if a payment was on an
 * unexpected day. Any list would then be a guess.
 */
export function missedCycles(it: SubscriptionFacts, isWhole: boolean): readonly MissedCycle[] | undefined {
  const { missedAt = 0, payments: listed = [] } = it;
  const period = periodIn(it);
  const start = platformTime(it.startDate);
  if (period === undefined || !isBillable(period) || Number.isNaN(start)) return undefined;
  const isElsewhere = ({ type, cycle, at }: ListedPayment): boolean =>
    type === 'STANDARD' && dayOf(at) !== dayOf(cycleDate(start, period, cycle));
  if (listed.some(isElsewhere)) return undefined;
  const settled = listed.filter(({ status }) => owesNothing(status)).map(({ cycle }) => cycle);
  const over = new Set([...settled, ...(it.skipped ?? [])]);
  const due = dueBy(missedAt, start, period, Number(it.total ?? limits.billingCycleElements)).filter(
    (cycle) => !over.has(cycle),
  );
  // What fell due since the last past cycle is missed. If that is more than the platform states, these aren't the cycles' dates.
  if (due.filter((cycle) => cycle > Number(it.current ?? cycle)).length > Number(it.missedCount ?? 0)) return undefined;
  const owed = due.slice(-Number(it.missedCount ?? 0));
  const charges = owed.map((cycle) => chargeOf({ ...it, setupFee: cycle === 1 ? it.setupFee : undefined }));
  const known = charges.filter((charge) => charge !== null);
  const [each] = known;
  const sum = known.reduce((minor, charge) => minor + charge.minor, 0n);
  const reaches = isWhole || listed.some(({ cycle }) => cycle < (owed[0] ?? 0));
  const agrees =
    reaches && String(known.length) === it.missedCount && each && decimal({ ...each, minor: sum }) === it.missedAmount;
  if (!agrees) return undefined;
  return known.map((charge, index) => {
    const cycle = owed[index] ?? 0;
    return { cycle, date: iso(cycleDate(start, period, cycle)), amount: decimal(charge) };
  });
}

/** The cycles that are due, oldest first. */
function dueBy(now: number, start: number, period: Period, most: number): readonly number[] {
  const cycles: number[] = [];
  for (let cycle = 1; cycle <= Math.min(most, limits.billingCycleElements); cycle += 1) {
    if (cycleDate(start, period, cycle) > now) break;
    cycles.push(cycle);
  }
  return cycles;
}
