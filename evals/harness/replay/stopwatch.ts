/** Measures durations in milliseconds. No verdict depends on it. */
export interface Stopwatch {
  now(): number;
  /** The Unix time of its zero, in milliseconds, if known. */
  readonly timeOrigin?: number;
}

/** The moment that a stopwatch shows, if its zero is known. */
export const momentOf = (watch: Stopwatch): Date | undefined =>
  watch.timeOrigin === undefined ? undefined : new Date(watch.timeOrigin + watch.now());
