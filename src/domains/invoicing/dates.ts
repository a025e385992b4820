import { z } from 'zod';

// Dates of invoices are days in GMT. Document 2 prints `YYYY-MM-DD` for the due date and `DD-MM-YYYY` for the
// expiration date. Responses have `YYYY-MM-DD`, which real clients parse (D-23).

/** A day as `YYYY-MM-DD`, or the day of a date-time: real clients send both. */
export const dueDate = z
  .string()
  .refine((value) => dayText(value) !== undefined, 'must be a date such as "2026-03-01"');

/** A day as `DD-MM-YYYY`, as `YYYY-MM-DD`, or the day of a date-time: real clients send all three. */
export const expirationDate = z
  .string()
  .refine((value) => expiryText(value) !== undefined, 'must be a date such as "31-03-2026"');

/** A due date as `YYYY-MM-DD`; undefined if it is invalid. */
export function dayText(value: string): string | undefined {
  const day = /^(\d{4}-\d{2}-\d{2})(T.*)?$/.exec(value)?.[1];
  return day !== undefined && isDay(day) && (value === day || !Number.isNaN(Date.parse(value))) ? day : undefined;
}

/** An expiration date in any of its formats as `YYYY-MM-DD`; undefined if it is invalid. */
export function expiryText(value: string): string | undefined {
  const [, day, month, year] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(value) ?? [];
  return dayText(year === undefined ? value : `${year}-${month}-${day}`);
}

/** A day in document 2's format of expiration dates: `DD-MM-YYYY`. */
export const printedExpiry = (day: string): string => day.split('-').reverse().join('-');

/** Milliseconds of 00:00 GMT of a day. */
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Whether the day exists in the calendar. */
const isDay = (day: string): boolean => {
  const at = startOfDay(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
};
