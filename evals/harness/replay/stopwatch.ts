/** The time, in milliseconds, for how long things take; no verdict depends on it. */
export interface Stopwatch {
  now(): number;
  /** When it was at zero, in milliseconds since 1970; absent where it tells no moments. */
  readonly timeOrigin?: number;
}
