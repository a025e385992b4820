import { guards } from '../../../src/domains/index.ts';
import { type Asked, type AskedGuards, asking } from '../coverage/asked.ts';
import type { GoldenGrader } from '../goldens/files.ts';
import { grade } from '../graders/grade.ts';
import type { Loaded } from '../scenario/load.ts';
import type { Alter, TestHarness } from '../world/world.ts';
import { replay } from './replay.ts';
import type { Failure, Run, Verdict } from './run.ts';
import type { Stopwatch } from './stopwatch.ts';

/** The result of one scenario. */
export interface Result {
  readonly id: string;
  readonly file: string;
  readonly verdict: Verdict;
  readonly failures: readonly Failure[];
  readonly run: Run;
  /** The guards that were asked, by operation; absent for an external server. */
  readonly asked?: ReadonlyMap<string, Asked> | undefined;
  /** Stopwatch time. */
  readonly began: number;
  readonly milliseconds: number;
}

export interface EvaluateOptions {
  readonly watch: Stopwatch;
  /** What is replaced of Purser for a scenario; by default nothing. */
  readonly alter?: ((one: Loaded) => Alter) | undefined;
  /** Holds runs against their goldens; by default none is. */
  readonly golden?: GoldenGrader | undefined;
  /** Whether requests are varied where a step says so: by default where goldens are held against it. */
  readonly varies?: boolean;
  readonly onResult?: (result: Result) => void;
}

/** Replays scenarios one after the other, each in a fresh world. */
export async function evaluate(
  loaded: readonly Loaded[],
  harness: TestHarness,
  { watch, alter, golden, varies = golden !== undefined, onResult }: EvaluateOptions,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const one of loaded) {
    const { scenario, file } = one;
    const began = watch.now();
    const asked: AskedGuards = new Map();
    const world = await harness.open(scenario.world, (parts) => noting(asked)(alter?.(one)(parts) ?? parts));
    const run = await replay(scenario, { tools: world.tools, world, stopwatch: watch, varies });
    const graded = grade(run);
    const failures = [...graded, ...(golden?.(one, run, graded) ?? [])];
    const verdict = failures.length === 0 ? 'pass' : 'fail';
    const milliseconds = watch.now() - began;
    const result: Result = { id: scenario.id, file, verdict, failures, run, asked, began, milliseconds };
    results.push(result);
    onResult?.(result);
  }
  return results;
}

/** The same guards, which also note what they were asked. */
const noting =
  (asked: AskedGuards): Alter =>
  (parts) => ({
    ...parts,
    settings: { ...parts.settings, guards: asking(parts.settings.guards ?? guards, asked) },
  });

/** One shard of the scenarios: every nth, so that shards take about equally long. */
export const shardOf = <T>(
  all: readonly T[],
  { index, of }: { readonly index: number; readonly of: number },
): readonly T[] => all.filter((_, place) => place % of === index - 1);
