/** Whole numbers below a bound, and picks, the same for the same seed (mulberry32). */
export interface Numbers {
  (below: number): number;
  of<T>(from: readonly T[]): T;
}

export function numbers(seed: number): Numbers {
  let state = seed;
  const next = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  return Object.assign(next, { of: <T>(from: readonly T[]): T => from[next(from.length)] as T }); // of a list that is not empty
}
