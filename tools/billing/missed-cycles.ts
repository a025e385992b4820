import { limits } from '../../src/core/limits.ts';
import { decimal } from '../../src/core/money.ts';
import { cycleDate, dayOf, isBillable, type Period } from '../../src/core/schedule.ts';
import { chargeOf, periodIn } from '../../src/domains/billing/charges.ts';
import type { ListedPayment, SubscriptionFacts } from '../../src/domains/billing/facts.ts';
import { iso } from '../../src/engine/render.ts';

/** A cycle that a suspended subscription has missed, and what reactivating it with `collect_missed` charges for it. */
export interface MissedCycle {
  readonly cycle: number;
  readonly date: string;
  readonly amount: string;
}

/**
 * The cycles behind the number and the sum that the platform last stated as missed (D-39): the last ones that had fallen due
 * by then and were neither paid nor skipped. Undefined where they do not come to that number and sum, where the listed payments
 * do not reach back to them, or where one was on another day: then a list would be a guess.
 */
export function missedCycles(it: SubscriptionFacts, isWhole: boolean): readonly MissedCycle[] | undefined {
  const { missedAt = 0, payments: listed = [] } = it;
  const period = periodIn(it);
  const start = Date.parse(it.startDate);
  if (period === undefined || !isBillable(period) || Number.isNaN(start)) return undefined;
  const isElsewhere = ({ type, cycle, at }: ListedPayment): boolean =>
    type === 'STANDARD' && dayOf(at) !== dayOf(cycleDate(start, period, cycle));
  if (listed.some(isElsewhere)) return undefined;
  const settled = listed.filter(({ status }) => endings.includes(status)).map(({ cycle }) => cycle);
  const over = new Set([...settled, ...(it.skipped ?? [])]);
  const owed = dueBy(missedAt, start, period, Number(it.total ?? limits.billingCycleElements))
    .filter((cycle) => !over.has(cycle))
    .slice(-Number(it.missedCount ?? 0));
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

/** Ends of a payment after which nothing is owed for its cycle. */
const endings: readonly string[] = ['PAID', 'SKIPPED'];

/** The cycles that fell due, the first one first. */
function dueBy(now: number, start: number, period: Period, most: number): readonly number[] {
  const cycles: number[] = [];
  for (let cycle = 1; cycle <= Math.min(most, limits.billingCycleElements); cycle += 1) {
    if (cycleDate(start, period, cycle) > now) break;
    cycles.push(cycle);
  }
  return cycles;
}
