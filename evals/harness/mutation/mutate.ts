import { grade } from '../graders/grade.ts';
import { replay } from '../replay/replay.ts';
import type { Loaded } from '../scenario/load.ts';
import { refusedRules } from '../scenario/schema.ts';
import type { TestHarness } from '../world/world.ts';
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
  options: { readonly of?: readonly string[] | undefined; readonly onFate?: (fate: MutantResult) => void } = {},
): Promise<readonly MutantResult[]> {
  const { seen, read } = await playUnmutated(loaded, harness);
  const chosen = everyMutant(read).filter(
    ({ id, rule }) => options.of?.some((it) => it === rule || id.startsWith(`${it} `)) ?? true,
  );
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

/** Runs every scenario unmutated and records what it touches. A scenario that fails by itself can't kill a mutant. */
async function playUnmutated(loaded: readonly Loaded[], harness: TestHarness) {
  const seen = new Map<string, Seen>();
  const all = new Map<number, Set<string>>();
  for (const { scenario } of loaded) {
    const read = new Map<number, Set<string>>();
    const looked = new Set<string>();
    const world = await harness.open(scenario.world, watched(read, looked));
    const terms = termsSet(world.engine.parts.settings);
    const run = await replay(scenario, { tools: world.tools, world });
    if (grade(run).length > 0) continue;
    seen.set(scenario.id, { guards: read, tools: looked, terms });
    for (const [place, paths] of read) all.set(place, new Set([...(all.get(place) ?? []), ...paths]));
  }
  return { seen, read: all };
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
  const [failure] = grade(await replay(scenario, { tools: world.tools, world }));
  return failure === undefined ? undefined : `${failure.grader}, ${failure.at}: ${failure.because}`;
}

export const survivorsOf = (fates: readonly MutantResult[]): readonly MutantResult[] =>
  fates.filter(({ killedBy }) => killedBy === undefined);
