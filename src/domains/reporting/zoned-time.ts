import { day as dayMilliseconds } from '../../core/schedule.ts';
/** The time zone of a report that names none (D-85). */
export const defaultZone = 'GMT';

const formats = new Map<string, Intl.DateTimeFormat>();

/** What a zone's clocks show at a moment, as if it were UTC: milliseconds. */
export function wallTime(at: number, timeZone: string): number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The moment at which a zone's clocks show a time. A time that they skip is as much later; of one shown twice, the first. */
export function momentOf(wall: number, timeZone: string): number {
  const offsets = [wall - dayMilliseconds, wall + dayMilliseconds].map((near) => wallTime(near, timeZone) - near);
  const moments = offsets.map((offset) => wall - offset).toSorted((one, other) => one - other);
  return moments.find((at) => wallTime(at, timeZone) === wall) ?? moments.at(-1) ?? wall;
}

/** A moment as a zone's clocks show it, with the offset: `2026-03-29T02:30:00+01:00`. */
export function zonedTime(at: number, timeZone: string): string {
  const seconds = Math.floor(at / 1_000) * 1_000;
  const wall = wallTime(seconds, timeZone);
  const minutes = Math.round((wall - seconds) / 60_000);
  const two = (number: number): string => String(number).padStart(2, '0');
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return `${new Date(wall).toISOString().slice(0, 19)}${offset}`;
}
