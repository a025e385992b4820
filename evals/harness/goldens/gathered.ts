import type { Run } from '../replay/run.ts';

/** Something about runs that a golden has, as text for people. */
export interface Gathered {
  readonly name: string;
  readonly file: string;
  /** What these runs have. */
  readonly textOf: (runs: readonly Run[]) => string;
  /** What either of two texts has. */
  readonly together: (one: string, other: string) => string;
  /** What a run has that a golden has not, and the other way round, in words. */
  readonly strangeIn: (golden: string, run: Run) => readonly Strange[];
}

export interface Strange {
  readonly at: string;
  readonly says: string;
}
