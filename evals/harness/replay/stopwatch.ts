/** Measures durations in milliseconds. No verdict depends on it. */
export interface Stopwatch {
  now(): number;
  /** The Unix time of its zero, in milliseconds, if known. */
  readonly timeOrigin?: number;
}
