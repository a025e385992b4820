import type { DeepResult } from './result.ts';

/** How many bugs of a group were planted and noticed. */
export interface Score {
  readonly name: string;
  /** Those that could be shipped and change something. */
  readonly planted: number;
  readonly noticed: number;
  /** Those of them that only a golden of tables noticed. */
  readonly tabled: number;
  readonly survived: number;
  readonly unreached: number;
  /** Of those that scenarios reach, in percent; undefined where they reach none. */
  readonly ofReached: number | undefined;
  /** The same without the goldens of tables. */
  readonly ofReachedUntabled: number | undefined;
  /** Of all, in percent. */
  readonly ofAll: number;
}

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);

function scoreOf(name: string, results: readonly DeepResult[]): Score {
  const count = (fate: DeepResult['fate']): number => results.filter((it) => it.fate === fate).length;
  const [played, tabled] = [count('noticed'), count('tabled')];
  const [survived, unreached] = [count('survived'), count('unreached')];
  const noticed = played + tabled;
  const reached = noticed + survived;
  const planted = reached + unreached;
  return {
    ...{ name, planted, noticed, tabled, survived, unreached },
    ofReached: reached === 0 ? undefined : percent(noticed, reached),
    ofReachedUntabled: reached === 0 ? undefined : percent(played, reached),
    ofAll: percent(noticed, planted),
  };
}

/** The scores of each group, the most planted first, and that of everything. */
export const scoresBy = (results: readonly DeepResult[], group: 'layer' | 'domain' | 'operator'): readonly Score[] =>
  [...Map.groupBy(results, (it) => it[group])]
    .map(([name, all]) => scoreOf(name, all))
    .filter(({ planted }) => planted > 0)
    .toSorted((one, other) => other.planted - one.planted);

export const scoreOfAll = (results: readonly DeepResult[]): Score => scoreOf('all', results);

/** Whether so much was noticed in every layer and of all, in percent. A layer in which nothing was reached shows nothing. */
export const isNoticed = (results: readonly DeepResult[], least: number): boolean =>
  [...scoresBy(results, 'layer'), scoreOfAll(results)].every(({ ofReached = 0 }) => ofReached >= least);

/** The bugs that nobody noticed, or only a golden of tables. */
export const unnoticed = (results: readonly DeepResult[]): readonly DeepResult[] =>
  results.filter(({ fate }) => fate === 'survived' || fate === 'unreached' || fate === 'tabled');
