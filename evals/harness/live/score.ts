// Figures of repeated trials: n were counted, c of them passed.

/** The share of ways to choose k trials of which all passed, C(c, k) / C(n, k): how far one can rely on it. */
export function passHat(n: number, c: number, k: number): number {
  let share = 1;
  for (let taken = 0; taken < k; taken++) share *= Math.max(0, c - taken) / (n - taken);
  return share;
}

/** The share of ways to choose k trials of which at least one passed, 1 − C(n − c, k) / C(n, k): how far it can be done. */
export const passAt = (n: number, c: number, k: number): number => 1 - passHat(n, n - c, k);

/** Normal quantile of a two-sided interval of 95 %. */
const quantile = 1.959964;

/** Wilson's score interval of a share, at 95 %: honest with few trials, and never outside of 0 to 1. */
export function wilson(n: number, c: number): readonly [number, number] {
  if (n === 0) return [0, 1];
  const share = c / n;
  const square = quantile ** 2;
  const middle = (share + square / (2 * n)) / (1 + square / n);
  const half = (quantile / (1 + square / n)) * Math.sqrt((share * (1 - share)) / n + square / (4 * n * n));
  return [c === 0 ? 0 : middle - half, c === n ? 1 : middle + half];
}

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, it) => sum + it, 0) / values.length;
