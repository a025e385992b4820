import { type Others, playOthers, together } from './adversaries/others.ts';
import type { Sample } from './adversaries/sample.ts';
import { coverageOf } from './coverage/coverage.ts';
import { deviations } from './coverage/tables.ts';
import { type Goldens, goldenGates } from './goldens/goldens.ts';
import { recordsOf } from './goldens/records.ts';
import { type MutantResult, mutate, watchBaseline } from './mutation/mutate.ts';
import { evaluate, type Result, shardOf } from './replay/evaluate.ts';
import { evaluateInLanes, type Lanes, worthLanes } from './replay/lanes.ts';
import { momentOf, type Stopwatch } from './replay/stopwatch.ts';
import {
  adversaryGates,
  badAgentsGate,
  clausesGate,
  type Gate,
  mutationGate,
  rulesGate,
  tablesGate,
} from './reports/gates.ts';
import { type Report, reportOf } from './reports/report.ts';
import { purserCatalogue } from './scenario/catalogue.ts';
import { loadFixture, loadScenarios } from './scenario/load.ts';
import { isPursersSuite, isSuite } from './scenario/packaged.ts';
import { type Listing, listingOf } from './world/mcp.ts';
import { agentCaller, fixtureOf, settingsOf } from './world/settings.ts';
import { openTestHarness, type TestHarness } from './world/world.ts';

/** What a check runs and requires. */
export interface CheckOptions extends Others {
  readonly paths: readonly string[];
  readonly fixtures: string;
  readonly version: string;
  readonly watch: Stopwatch;
  /** Threads that replay the scenarios, where there are enough for them; by default this one does. */
  readonly lanes?: Lanes | undefined;
  readonly shard?: { readonly index: number; readonly of: number } | undefined;
  /** The rules whose mutants to run, or `all`; by default none. */
  readonly mutants?: 'all' | readonly string[] | undefined;
  /** How many of those mutants run; by default all. */
  readonly mutantSample?: Sample | undefined;
  /** The percentage of rules that must be exercised both ways; by default no gate. */
  readonly minRules?: number | undefined;
  /** The same for rules in each of their operations. */
  readonly minClauses?: number | undefined;
  /** What becomes of goldens: by default nothing. */
  readonly goldens?: Goldens | undefined;
  readonly onResult?: ((result: Result, done: number, of: number) => void) | undefined;
  readonly onFate?: ((fate: MutantResult) => void) | undefined;
}

let known: readonly string[] | undefined;
/** Where machines deviate from the documents. Found once: neither changes while a process runs. */
const deviationsOnce = (): readonly string[] => {
  known ??= deviations();
  return known;
};

/** Loads and replays scenarios, and runs adversaries and mutants if requested. Throws BadScenario. */
export async function check(options: CheckOptions): Promise<Report> {
  const { version, watch, onResult, onFate, goldens } = options;
  const all = await loadScenarios(options.paths, purserCatalogue);
  const loaded = options.shard === undefined ? all : shardOf(all, options.shard);
  // What a scenario touches is noted in the thread that replays it.
  const lanes = options.mutants === undefined ? worthLanes(loaded.length, options.lanes) : undefined;
  const fixture = (name: string) => loadFixture(options.fixtures, name);
  const harness = await openTestHarness({ fixture, version });
  try {
    const began = momentOf(watch);
    let done = 0;
    const watching = options.mutants === undefined ? undefined : watchBaseline();
    const told = {
      watch,
      alter: watching?.alter,
      golden: goldens?.grader,
      onResult: (result: Result) => {
        done += 1;
        onResult?.(result, done, loaded.length);
      },
    };
    const others: Others = { adversaries: options.adversaries, badAgents: sampled(options.badAgents, loaded.length) };
    const listed = async (): Promise<readonly Gate[]> =>
      goldens === undefined || !isRecorded(options) ? [] : goldens.list(recordsOf(await listingIn(harness, version)));
    // While other threads replay, this one records the build.
    const [inLanes, listedBeside] = await Promise.all([
      lanes &&
        evaluateInLanes(loaded, lanes, {
          ...{ ...told, fixtures: options.fixtures, version, others },
          settingsOf: ({ scenario: { world } }) => settingsOf(world, fixtureOf(world, fixture)),
        }),
      lanes && listed(),
    ]);
    const results = inLanes ?? (await evaluate(loaded, harness, told));
    const coverage = coverageOf(results);
    const played = results.map(({ run }) => run);
    const fared = inLanes ? together(inLanes.map((it) => it.fared)) : await playOthers(loaded, harness, played, others);
    const adversaries = others.adversaries?.length ? fared.adversaries : undefined;
    const conduct = others.badAgents && { ...others.badAgents, agents: fared.conduct };
    const rules = options.mutants === 'all' ? undefined : options.mutants;
    const mutation =
      watching &&
      (await mutate(loaded, harness, {
        of: rules,
        sample: options.mutantSample,
        baseline: watching.baselineOf(results),
        ...(onFate && { onFate }),
      }));
    const gates: Gate[] = [
      ...(goldens === undefined ? [] : goldenGates(goldens, options.paths, all)),
      ...(listedBeside ?? (await listed())),
      ...(goldens === undefined ? [] : goldens.gathered({ loaded, runs: played, isWhole: isWhole(options) })),
      ...(options.minRules === undefined ? [] : [rulesGate(coverage, options.minRules)]),
      ...(options.minClauses === undefined ? [] : [clausesGate(coverage, options.minClauses)]),
      tablesGate(deviationsOnce()),
      ...(adversaries === undefined ? [] : adversaryGates(adversaries)),
      ...(conduct === undefined ? [] : [badAgentsGate(conduct.agents)]),
      ...(mutation === undefined ? [] : [mutationGate(mutation)]),
    ];
    return reportOf({
      by: `purser ${version}`,
      mode: 'replay',
      began,
      results,
      coverage,
      adversaries,
      badAgents: conduct,
      mutation,
      gates,
    });
  } finally {
    await harness.close();
  }
}

/** The fewest scenarios of which a sample is played. Own choice: fewer take seconds. */
const fewestSampled = 100;

const sampled = (sample: Sample | undefined, count: number): Sample | undefined =>
  sample && count < fewestSampled ? { ...sample, oneIn: 1 } : sample;

/** Whether all scenarios are played. */
const isWhole = ({ paths, shard }: CheckOptions): boolean => shard === undefined && isSuite(paths);

/** Whether what is recorded of the build is compared, too. Of parts of the suite the first one has it. */
const isRecorded = ({ paths, shard }: CheckOptions): boolean =>
  isPursersSuite(paths) && (shard === undefined || shard.index === 1);

/** What a host gets to read of Purser. */
async function listingIn(harness: TestHarness, version: string): Promise<Listing> {
  const { engine } = await harness.open(undefined);
  return listingOf({ engine, caller: agentCaller, version });
}
