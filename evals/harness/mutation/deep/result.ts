/** What became of a bug. */
export interface DeepResult {
  /** What it does, where somebody wrote it. */
  readonly title?: string | undefined;
  readonly file: string;
  /** In the source. */
  readonly line: number;
  readonly layer: string;
  readonly domain: string;
  readonly operator: string;
  /** The lines of the build that differ. */
  readonly was: string;
  readonly is: string;
  readonly fate: Fate;
  /** The scenario that noticed it. */
  readonly by?: string | undefined;
  /** How it was noticed, or why it changes nothing or does not load. */
  readonly because?: string | undefined;
  /** How many scenarios were played with it. */
  readonly runs: number;
}

/**
 * `tabled`: only a golden of tables differs, which shows that somebody changed a cell, and not that it is wrong.
 * `unreached`: no scenario runs that code, so none notices. `broken`: the build does not load, so nobody could ship it. `equivalent`: nobody
 * can see the change, for a reason that `evals/equivalents.yaml` gives.
 */
export const fates = ['noticed', 'tabled', 'survived', 'unreached', 'equivalent', 'broken'] as const;
export type Fate = (typeof fates)[number];
