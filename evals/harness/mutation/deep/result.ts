/** What became of a bug. */
export interface DeepResult {
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
  /** The scenario that noticed it, or why it changes nothing. */
  readonly by?: string | undefined;
  readonly because?: string | undefined;
  /** Scenarios that were played. */
  readonly runs: number;
}

/**
 * `unreached`: no scenario comes there, which counts as unnoticed. `broken`: the build does not load, so it is no bug that could be shipped.
 * `equivalent`: it changes nothing that anybody sees, as a list says.
 */
export const fates = ['noticed', 'survived', 'unreached', 'equivalent', 'broken'] as const;
export type Fate = (typeof fates)[number];
