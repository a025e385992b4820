// Dates of a subscription, calculated apart from the product: from a table of the lengths of months.

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeap = (year: number): boolean => year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0);
const lengthOf = (year: number, month: number): number =>
  month === 1 && isLeap(year) ? 29 : (lengths[month] ?? Number.NaN);

const hour = 3_600_000;
const day = 24 * hour;
const monthsOfYear = 12;

/** The moment so many periods after another, in UTC: a day that a month has not got is its last one (D-18, D-160). */
export function later(from: number, unit: string, count: number, wanted = new Date(from).getUTCDate()): number {
  if (unit === 'D') return from + count * day;
  if (unit === 'W') return from + count * 7 * day;
  const at = new Date(from);
  const months = at.getUTCFullYear() * monthsOfYear + at.getUTCMonth() + count * (unit === 'Y' ? monthsOfYear : 1);
  const [year, month] = [Math.floor(months / monthsOfYear), months % monthsOfYear];
  const dayOfMonth = Math.min(wanted, lengthOf(year, month));
  return Date.UTC(year, month, dayOfMonth) + (from % day);
}

/** How often a payment that failed is tried again, and how far apart, by the frequency of the subscription (SB-07, D-19). */
export function retriesFor(unit: string, length: number): { readonly times: number; readonly apart: number } {
  const days = length * ({ D: 1, W: 7, M: 31, Y: 372 }[unit] ?? Number.NaN);
  if (days <= 1) return { times: 1, apart: hour };
  if (days <= 7) return { times: 3, apart: day };
  return days <= 31 ? { times: 5, apart: 2 * day } : { times: 3, apart: 15 * day };
}
