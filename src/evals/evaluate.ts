import { grade } from './graders/grade.ts';
import type { Loaded } from './load.ts';
import { replay } from './replay.ts';
import type { Failure, Run, Verdict } from './run.ts';
import type { Stopwatch } from './watch.ts';
import type { Alter, Stage } from './world.ts';

/** What came of one scenario. */
export interface Result {
  readonly id: string;
  readonly file: string;
  readonly verdict: Verdict;
  readonly failures: readonly Failure[];
  readonly run: Run;
  /** On the stopwatch. */
  readonly began: number;
  readonly milliseconds: number;
}

/** Replays scenarios one after the other, each in a fresh world. */
export async function evaluate(
  loaded: readonly Loaded[],
  stage: Stage,
  {
    watch,
    alter,
    onResult,
  }: { readonly watch: Stopwatch; readonly alter?: Alter; readonly onResult?: (result: Result) => void },
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const { scenario, file } of loaded) {
    const began = watch.now();
    const world = await stage.open(scenario.world, alter);
    const run = await replay(scenario, { tools: world.tools, world, watch });
    const failures = grade(run);
    const verdict = failures.length === 0 ? 'pass' : 'fail';
    const milliseconds = watch.now() - began;
    const result: Result = { id: scenario.id, file, verdict, failures, run, began, milliseconds };
    results.push(result);
    onResult?.(result);
  }
  return results;
}

/** The part of the scenarios that one of several machines runs: every nth, so that the parts take about as long. */
export const shardOf = <T>(
  all: readonly T[],
  { index, of }: { readonly index: number; readonly of: number },
): readonly T[] => all.filter((_, place) => place % of === index - 1);
