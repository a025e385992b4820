import { existsSync, readdirSync, readFileSync } from 'node:fs';

// What the benchmarks of calls share: medians, and the time that a process has computed, which other programs of the machine change little.

export const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

/** Milliseconds that a process has computed until now, where the operating system tells; NaN elsewhere. */
export function computedBy(pid: number): number {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return Number.NaN;
  const nanoseconds = readdirSync(threads).map((thread) =>
    Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, it) => sum + it, 0) / 1_000_000;
}

/** Milliseconds that this process has computed until now. */
export function computedHere(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** A number as a cell of a table. */
export const cell = (value: number, digits = 2): string => (Number.isNaN(value) ? 'unknown' : value.toFixed(digits));

/** The rates of a caller who never waits. */
const rate = { burst: 1_000_000, perMinute: 60_000 };
const rates = { read: rate, write: rate, money: rate };

/** A configuration file without limits of rates, so that no call is refused for its speed. */
export const unhurried = JSON.stringify({ rates: { conversation: rates, principal: rates } });
