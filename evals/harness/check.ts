import { type Member, type Performance, perform } from './adversaries/adversaries.ts';
import { coverageOf } from './coverage/coverage.ts';
import { type Fate, mutate } from './mutation/mutate.ts';
import { evaluate, type Result, shardOf } from './replay/evaluate.ts';
import type { Stopwatch } from './replay/stopwatch.ts';
import { castGates, type Gate, mutationGate, rulesGate } from './reports/gates.ts';
import { type Report, reportOf } from './reports/report.ts';
import { purserCatalogue } from './scenario/catalogue.ts';
import { type Loaded, loadFixture, loadScenarios } from './scenario/load.ts';
import { openStage, type Stage } from './world/world.ts';

/** What a check runs, and what it demands. */
export interface CheckOptions {
  readonly paths: readonly string[];
  readonly fixtures: string;
  readonly version: string;
  readonly watch: Stopwatch;
  readonly shard?: { readonly index: number; readonly of: number } | undefined;
  /** The bad agents that also play; none where nothing is said. */
  readonly cast?: readonly Member[] | undefined;
  /** The rules whose mutants are tried; `all`, or none where nothing is said. */
  readonly mutants?: 'all' | readonly string[] | undefined;
  /** Percent of the rules that must be exercised both ways; no gate where nothing is said. */
  readonly minRules?: number | undefined;
  readonly onResult?: ((result: Result, done: number, of: number) => void) | undefined;
  readonly onFate?: ((fate: Fate) => void) | undefined;
}

/** Loads scenarios, replays them, lets the cast play and tries mutants, as far as asked. Throws BadScenario. */
export async function check(options: CheckOptions): Promise<Report> {
  const { version, watch, onResult, onFate } = options;
  const all = await loadScenarios(options.paths, purserCatalogue);
  const loaded = options.shard === undefined ? all : shardOf(all, options.shard);
  const stage = await openStage({ fixture: (name) => loadFixture(options.fixtures, name), version });
  try {
    const began = watch.timeOrigin === undefined ? undefined : new Date(watch.timeOrigin + watch.now());
    let done = 0;
    const results = await evaluate(loaded, stage, {
      watch,
      onResult: (result) => {
        done += 1;
        onResult?.(result, done, loaded.length);
      },
    });
    const coverage = coverageOf(results);
    const cast = await performed(loaded, stage, options.cast);
    const rules = options.mutants === 'all' ? undefined : options.mutants;
    const mutation =
      options.mutants === undefined ? undefined : await mutate(loaded, stage, { rules, ...(onFate && { onFate }) });
    const gates: Gate[] = [
      ...(options.minRules === undefined ? [] : [rulesGate(coverage, options.minRules)]),
      ...(cast === undefined ? [] : castGates(cast)),
      ...(mutation === undefined ? [] : [mutationGate(mutation)]),
    ];
    return reportOf({ by: `purser ${version}`, mode: 'replay', began, results, coverage, cast, mutation, gates });
  } finally {
    await stage.close();
  }
}

async function performed(
  loaded: readonly Loaded[],
  stage: Stage,
  members: readonly Member[] | undefined,
): Promise<readonly Performance[] | undefined> {
  return members === undefined || members.length === 0 ? undefined : perform(loaded, stage, members);
}
