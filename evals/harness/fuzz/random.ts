/** Chances from a seed: the same seed gives the same ones, on every machine. */
export interface Random {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  chance(percent: number): boolean;
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
}

/** Mulberry32. 32 bits of state suffice for runs of a few hundred steps. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: (list) => {
      const one = list[below(list.length)];
      if (one === undefined) throw new Error('There is nothing to pick from.');
      return one;
    },
  };
}
