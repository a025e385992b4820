import { addMonths } from '../core/schedule.ts';
import type { ClockDocument } from './documents.ts';

// The virtual clock: the wall clock and an offset, or a time that stands still. It is a document of the world, so that
// every process on the same file sees the same time.

/** The clock of a new world. */
export const startOf = (frozenAt: number | null): ClockDocument =>
  frozenAt === null ? { id: 'clock', runs: true, offset: 0 } : { id: 'clock', runs: false, at: frozenAt };

/** What a clock shows, in milliseconds. */
export const timeOf = (clock: ClockDocument, wall: number): number => (clock.runs ? wall + clock.offset : clock.at);

/** A clock set forward. */
export const advanced = (clock: ClockDocument, milliseconds: number): ClockDocument =>
  clock.runs ? { ...clock, offset: clock.offset + milliseconds } : { ...clock, at: clock.at + milliseconds };

/** A clock that shows a certain time now. What was settled before stays settled. */
export const setTo = (clock: ClockDocument, wall: number, at: number): ClockDocument =>
  clock.runs ? { ...clock, offset: at - wall } : { ...clock, at };

/** A moment as people and the platform write it. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Text holding seconds since the epoch, as milliseconds. */
export const epochMilliseconds = (seconds: string): number => Number(seconds) * 1000;

/** A length of time: months differ in length, so they are counted apart. */
export interface Duration {
  readonly months: number;
  readonly milliseconds: number;
}

const duration = /^P(?!$)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const monthsOfYear = 12;
const unitMilliseconds = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000] as const;

/** An ISO 8601 duration, such as `P1M` or `PT2H`; undefined where the text is not one. */
export function parseDuration(text: string): Duration | undefined {
  const [, years = 0, months = 0, ...rest] = duration.exec(text) ?? [];
  if (!duration.test(text)) return undefined;
  return {
    months: monthsOfYear * Number(years) + Number(months),
    milliseconds: unitMilliseconds.reduce((sum, unit, index) => sum + unit * Number(rest[index] ?? 0), 0),
  };
}

/** The moment a duration later: months first, on the same day or the last of a shorter month, in UTC. */
export const after = (from: number, { months, milliseconds }: Duration): number =>
  addMonths(from, months) + milliseconds;
