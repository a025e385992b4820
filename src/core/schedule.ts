import { limits } from './limits.ts';

/** Days, weeks, months, years. */
export const periodUnits = ['D', 'W', 'M', 'Y'] as const;
export type PeriodUnit = (typeof periodUnits)[number];

/** The units as agents read and write them. */
export const unitWords = { day: 'D', week: 'W', month: 'M', year: 'Y' } as const satisfies Record<string, PeriodUnit>;
export type UnitWord = keyof typeof unitWords;
/** The word for a unit of the platform; undefined for an unknown one. */
export const wordOfUnit = (unit: string): UnitWord | undefined =>
  (Object.keys(unitWords) as UnitWord[]).find((word) => unitWords[word] === unit.toUpperCase());

/** The interval between two payments of a subscription. */
export interface Period {
  readonly length: number;
  readonly unit: PeriodUnit;
}

/** Milliseconds. */
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/**
 * When a cycle of a subscription is billed, in milliseconds. Each cycle is counted from the anchor (cycle 1), not from
 * the cycle before, so 28 February is followed by 31 March for an anchor on 31 January. All in UTC (D-18). `dayOfMonth`
 * is that of the start, where the anchor is the last day of a month that is too short for it.
 */
export function cycleDate(anchor: number, { length, unit }: Period, cycle: number, dayOfMonth?: number): number {
  const periods = (cycle - 1) * length;
  const days = daysOf[unit];
  return days === undefined
    ? addMonths(anchor, periods * (monthsOf[unit] ?? 0), dayOfMonth)
    : anchor + periods * days * day;
}

/** Whether a period is counted in months. */
export const isInMonths = ({ unit }: Period): boolean => monthsOf[unit] !== undefined;

/** Whether the platform bills by this period: from one unit to twelve months (PL-03). */
export function isBillable({ length, unit }: Period): boolean {
  const most = longest[unit];
  return Number.isSafeInteger(length) && length >= 1 && length <= most;
}

/** The number of retries of a failed payment, and milliseconds between them (SB-07, D-19). */
export function retriesOf(period: Period): { readonly attempts: number; readonly every: number } {
  const days = period.length * (daysOf[period.unit] ?? (monthsOf[period.unit] ?? 0) * daysOfMonth);
  return (retries.find(([most]) => days <= most) ?? yearly)[1];
}

/** The number of payments within some months from the anchor on. */
export function paymentsWithin(anchor: number, period: Period, months: number): number {
  const end = addMonths(anchor, months);
  let payments = 0;
  while (cycleDate(anchor, period, payments + 1) < end) payments += 1;
  return payments;
}

/** The start of the day in UTC. */
export const dayOf = (at: number): number => Math.floor(at / day) * day;

/** The days of a unit, unless it is counted in months. */
const daysOf: { readonly [U in PeriodUnit]?: number } = { D: 1, W: 7 };
const monthsOf: { readonly [U in PeriodUnit]?: number } = { M: 1, Y: limits.billingIntervalMonths };

/** The most units within twelve months. No year is shorter than 365 days. */
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

/** The same day and time some months later, or another day of that month; the last day of a month that is too short. */
export function addMonths(from: number, months: number, dayOfMonth = new Date(from).getUTCDate()): number {
  const at = new Date(from);
  const first = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1);
  const date = new Date(first);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return first + (Math.min(dayOfMonth, last) - 1) * day + (from - dayOf(from));
}
