import { everyScenario, isDrawn, type Sample } from '../adversaries/sample.ts';
import { firstFailureOf } from '../graders/grade.ts';
import { evaluate, type Result } from '../replay/evaluate.ts';
import { replay } from '../replay/replay.ts';
import type { Loaded } from '../scenario/load.ts';
import { refusedRules } from '../scenario/schema.ts';
import type { Alter, TestHarness } from '../world/world.ts';
import { watched } from './guards.ts';
import type { Mutant, Seen } from './mutant.ts';
import { everyMutant } from './mutants.ts';
import { termsSet } from './terms.ts';

/** The first scenario that fails with a mutant, if any. */
export interface MutantResult {
  readonly id: string;
  readonly rule: string;
  readonly how: string;
  readonly killedBy?: string | undefined;
  readonly because?: string | undefined;
  /** The number of scenarios that ran with it. */
  readonly runs: number;
}

/** Runs each mutant, or those `of` these rules or parts of rules, against the scenarios that touch its rule, those about the rule first, until one fails. */
export async function mutate(
  loaded: readonly Loaded[],
  harness: TestHarness,
  options: {
    readonly of?: readonly string[] | undefined;
    /** Which of those to run; by default all. */
    readonly sample?: Sample | undefined;
    /** What the scenarios touch, where they have been replayed already. */
    readonly baseline?: Baseline | undefined;
    readonly onFate?: (fate: MutantResult) => void;
  } = {},
): Promise<readonly MutantResult[]> {
  const { seen, read } = options.baseline ?? (await playUnmutated(loaded, harness));
  const chosen = everyMutant(read)
    .filter(({ id, rule }) => options.of?.some((it) => it === rule || id.startsWith(`${it} `)) ?? true)
    .filter(({ id }) => isDrawn(options.sample ?? everyScenario, id, ''));
  const fates: MutantResult[] = [];
  for (const mutant of chosen) {
    const fate = await tryMutant(
      mutant,
      inOrder(mutant, loaded).filter((one) => mutant.touches(seenBy(one, seen))),
      harness,
    );
    fates.push(fate);
    options.onFate?.(fate);
  }
  return fates;
}

/** What scenarios touch as they are, and what guards read there, by their place. */
export interface Baseline {
  readonly seen: ReadonlyMap<string, Seen>;
  readonly read: ReadonlyMap<number, ReadonlySet<string>>;
}

/** Notes what scenarios touch while they are replayed. */
export interface BaselineWatch {
  readonly alter: (one: Loaded) => Alter;
  /** What was noted, once they have been judged: a scenario that fails by itself can't kill a mutant. */
  readonly baselineOf: (results: readonly Pick<Result, 'id' | 'verdict'>[]) => Baseline;
}

export function watchBaseline(): BaselineWatch {
  const noted = new Map<string, Seen>();
  const notedOf = (id: string): Seen => {
    const seen = noted.get(id);
    if (seen === undefined) throw new Error(`Nothing was noted of ${id}: it was replayed without this watch.`);
    return seen;
  };
  return {
    alter:
      ({ scenario }) =>
      (parts) => {
        const [guards, tools] = [new Map<number, Set<string>>(), new Set<string>()];
        noted.set(scenario.id, { guards, tools, terms: termsSet(parts.settings) });
        return watched(guards, tools)(parts);
      },
    baselineOf: (results) => {
      const passed = results.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
      const seen = new Map(passed.map((id) => [id, notedOf(id)]));
      const read = new Map<number, Set<string>>();
      for (const { guards } of seen.values())
        for (const [place, paths] of guards) read.set(place, new Set([...(read.get(place) ?? []), ...paths]));
      return { seen, read };
    },
  };
}

async function playUnmutated(loaded: readonly Loaded[], harness: TestHarness): Promise<Baseline> {
  const watching = watchBaseline();
  return watching.baselineOf(await evaluate(loaded, harness, { watch: performance, alter: watching.alter }));
}

const nothing: Seen = { guards: new Map(), tools: new Set(), terms: new Set() };
const seenBy = ({ scenario }: Loaded, seen: ReadonlyMap<string, Seen>): Seen => seen.get(scenario.id) ?? nothing;

/** Scenarios that the rule refuses, then those about the rule, then the rest. */
function inOrder({ rule }: Mutant, loaded: readonly Loaded[]): readonly Loaded[] {
  const rank = ({ scenario }: Loaded): number =>
    refusedRules(scenario).includes(rule) ? 0 : scenario.rules.includes(rule) ? 1 : 2;
  return loaded.toSorted((one, other) => rank(one) - rank(other));
}

async function tryMutant(
  { id, rule, kind: how, alter }: Mutant,
  scenarios: readonly Loaded[],
  harness: TestHarness,
): Promise<MutantResult> {
  let runs = 0;
  for (const { scenario } of scenarios) {
    runs += 1;
    const because = await firstFailure(scenario, harness, alter);
    if (because !== undefined) return { id, rule, how, runs, killedBy: scenario.id, because };
  }
  return { id, rule, how, runs };
}

async function firstFailure(
  scenario: Loaded['scenario'],
  harness: TestHarness,
  alter: Mutant['alter'],
): Promise<string | undefined> {
  const world = await harness.open(scenario.world, alter);
  const failure = firstFailureOf(await replay(scenario, { tools: world.tools, world }));
  return failure === undefined ? undefined : `${failure.grader}, ${failure.at}: ${failure.because}`;
}

export const survivorsOf = (fates: readonly MutantResult[]): readonly MutantResult[] =>
  fates.filter(({ killedBy }) => killedBy === undefined);
