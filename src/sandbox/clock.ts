import { addMonths, day, hour, minute } from '../core/schedule.ts';
import type { ClockDocument } from './documents.ts';

// The virtual clock: the wall clock plus an offset, or a frozen time. It is a document of the world, so every process on
// the same file has the same time.

/** The clock of a new world. */
export const startOf = (frozenAt: number | null): ClockDocument =>
  frozenAt === null ? { id: 'clock', runs: true, offset: 0 } : { id: 'clock', runs: false, at: frozenAt };

/** The time of a clock, in milliseconds. */
export const timeOf = (clock: ClockDocument, wall: number): number => (clock.runs ? wall + clock.offset : clock.at);

/** A clock moved forward. */
export const advanced = (clock: ClockDocument, milliseconds: number): ClockDocument =>
  clock.runs ? { ...clock, offset: clock.offset + milliseconds } : { ...clock, at: clock.at + milliseconds };

/** A clock set to a time. What was settled before stays settled. */
export const setTo = (clock: ClockDocument, wall: number, at: number): ClockDocument =>
  clock.runs ? { ...clock, offset: at - wall } : { ...clock, at };

/** A moment in ISO 8601. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Text holding seconds since the epoch, as milliseconds. */
export const epochMilliseconds = (seconds: string): number => Number(seconds) * 1000;

/** A length of time. Months differ in length, so they are counted separately. */
export interface Duration {
  readonly months: number;
  readonly milliseconds: number;
}

const duration = /^P(?!$)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const monthsOfYear = 12;
const unitMilliseconds = [7 * day, day, hour, minute, 1_000] as const;

/** Parses an ISO 8601 duration, such as `P1M` or `PT2H`; undefined if the text is not one. */
export function parseDuration(text: string): Duration | undefined {
  const [, years = 0, months = 0, ...rest] = duration.exec(text) ?? [];
  if (!duration.test(text)) return undefined;
  return {
    months: monthsOfYear * Number(years) + Number(months),
    milliseconds: unitMilliseconds.reduce((sum, unit, index) => sum + unit * Number(rest[index] ?? 0), 0),
  };
}

/** The moment a duration later, in UTC. Months are added first; a day that the month doesn't have becomes its last day. */
export const after = (from: number, { months, milliseconds }: Duration): number =>
  addMonths(from, months) + milliseconds;
