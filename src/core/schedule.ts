import { limits } from './limits.ts';

/** Days, weeks, months, years. */
export const periodUnits = ['D', 'W', 'M', 'Y'] as const;
export type PeriodUnit = (typeof periodUnits)[number];

/** How agents read and write the units. */
export const unitWords = { day: 'D', week: 'W', month: 'M', year: 'Y' } as const satisfies Record<string, PeriodUnit>;
export type UnitWord = keyof typeof unitWords;
/** The word for a unit of the platform; undefined for anything else that it says. */
export const wordOfUnit = (unit: string): UnitWord | undefined =>
  (Object.keys(unitWords) as UnitWord[]).find((word) => unitWords[word] === unit.toUpperCase());

/** What lies between two payments of a subscription. */
export interface Period {
  readonly length: number;
  readonly unit: PeriodUnit;
}

/** Milliseconds. */
export const minute = 60_000;
export const day = 1_440 * minute;

/**
 * When a cycle of a subscription is billed, in milliseconds: cycle 1 at the anchor, each other one counted from there and
 * not from the one before, so that 31 January is followed by 28 February and then by 31 March. All in UTC (D-18).
 */
export function cycleDate(anchor: number, { length, unit }: Period, cycle: number): number {
  const periods = (cycle - 1) * length;
  const days = daysOf[unit];
  return days === undefined ? addMonths(anchor, periods * (monthsOf[unit] ?? 0)) : anchor + periods * days * day;
}

/** Whether a period is one that the platform bills by: at least one unit, at most twelve months (PL-03). */
export function isBillable({ length, unit }: Period): boolean {
  const most = longest[unit];
  return Number.isSafeInteger(length) && length >= 1 && length <= most;
}

/** How often a failed payment is retried, and after how many milliseconds each time (SB-07, D-19). */
export function retriesOf(period: Period): { readonly attempts: number; readonly every: number } {
  const days = period.length * (daysOf[period.unit] ?? (monthsOf[period.unit] ?? 0) * daysOfMonth);
  return (retries.find(([most]) => days <= most) ?? yearly)[1];
}

/** How many payments fall into a number of months, from the anchor on. */
export function paymentsWithin(anchor: number, period: Period, months: number): number {
  const end = addMonths(anchor, months);
  let payments = 0;
  while (cycleDate(anchor, period, payments + 1) < end) payments += 1;
  return payments;
}

/** The start of the day in UTC. */
export const dayOf = (at: number): number => Math.floor(at / day) * day;

/** Days or months of a unit: it has either. */
const daysOf: { readonly [U in PeriodUnit]?: number } = { D: 1, W: 7 };
const monthsOf: { readonly [U in PeriodUnit]?: number } = { M: 1, Y: limits.billingIntervalMonths };

/** The most units within twelve months: no year is shorter than 365 days. */
const longest: { readonly [U in PeriodUnit]: number } = { D: 365, W: 52, M: limits.billingIntervalMonths, Y: 1 };

const daysOfMonth = 31;
const yearly = [
  Number.POSITIVE_INFINITY,
  { attempts: limits.retriesYearlyAttempts, every: limits.retriesYearlyDays * day },
] as const;
const retries: readonly (readonly [mostDays: number, { readonly attempts: number; readonly every: number }])[] = [
  [1, { attempts: limits.retriesDailyAttempts, every: limits.retriesDailyMinutes * minute }],
  [7, { attempts: limits.retriesWeeklyAttempts, every: limits.retriesWeeklyDays * day }],
  [daysOfMonth, { attempts: limits.retriesMonthlyAttempts, every: limits.retriesMonthlyDays * day }],
  yearly,
];

/** The same day and time so many months later, or the last day of a month that has no such day. */
export function addMonths(from: number, months: number): number {
  const at = new Date(from);
  const first = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1);
  const date = new Date(first);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return first + (Math.min(at.getUTCDate(), last) - 1) * day + (from - dayOf(from));
}
