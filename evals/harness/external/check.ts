import type { Coverage, Covered } from '../coverage/coverage.ts';
import type { GoldenGrader } from '../goldens/files.ts';
import { type Goldens, goldenGates } from '../goldens/goldens.ts';
import { grade } from '../graders/grade.ts';
import { type Result, shardOf } from '../replay/evaluate.ts';
import { replay } from '../replay/replay.ts';
import { callsOf, type Failure, type Run } from '../replay/run.ts';
import { momentOf, type Stopwatch } from '../replay/stopwatch.ts';
import type { OpenedTarget, Target } from '../replay/target.ts';
import { adversaryGates, badAgentsGate, type Gate, rulesGate } from '../reports/gates.ts';
import { type Report, reportOf } from '../reports/report.ts';
import type { Catalogue } from '../scenario/catalogue.ts';
import { BadScenario, type Fault } from '../scenario/faults.ts';
import { type Loaded, loadScenarios } from '../scenario/load.ts';
import { refusedRules, type Scenario } from '../scenario/schema.ts';
import { ServerLost } from '../world/mcp.ts';
import { conductIn, idleIn } from './bad-agents.ts';
import { type AnswerMutant, mutateAnswers } from './mutants.ts';

/** What a check of an external MCP server runs and requires. */
export interface ServerCheckOptions {
  readonly paths: readonly string[];
  readonly catalogue: Catalogue;
  readonly place: Target;
  readonly by: string;
  readonly watch: Stopwatch;
  readonly shard?: { readonly index: number; readonly of: number } | undefined;
  /** The percentage of declared rules that must be exercised both ways; by default no gate. */
  readonly minRules?: number | undefined;
  /** Whether bad agents are judged, and the seed that chooses what they say. */
  readonly badAgents?: { readonly seed: number } | undefined;
  /** What becomes of goldens: by default nothing. */
  readonly goldens?: Goldens | undefined;
  readonly onResult?: ((result: Result, done: number, of: number) => void) | undefined;
}

/** Replays scenarios against an external MCP server, each against a fresh instance. Throws BadScenario. */
export async function checkServer(options: ServerCheckOptions): Promise<Report> {
  const { catalogue, by, shard, minRules } = options;
  const all = await loadServerScenarios(options.paths, catalogue);
  const loaded = shard === undefined ? all : shardOf(all, shard);
  const began = momentOf(options.watch);
  const results = await playAll(loaded, options);
  const coverage = coverageOfServer(results, catalogue);
  const { badAgents } = options;
  const passed = results.filter(({ verdict }) => verdict === 'pass').map(({ run }) => run);
  const bad = badAgents && { adversaries: idleIn(passed), agents: conductIn(passed, badAgents.seed) };
  const gates: readonly Gate[] = [
    ...(bad === undefined ? [] : [...adversaryGates(bad.adversaries).slice(0, 1), badAgentsGate(bad.agents)]),
    ...(options.goldens === undefined ? [] : goldenGates(options.goldens, options.paths, all)),
    ...(minRules === undefined ? [] : [rulesGate(coverage, minRules)]),
  ];
  return reportOf({
    ...{ by, mode: 'replay', began, results, coverage, gates },
    ...(bad && { adversaries: bad.adversaries, badAgents: { seed: badAgents.seed, oneIn: 1, agents: bad.agents } }),
  });
}

/** Plays scenarios once, and then judges each change of each answer. Throws BadScenario. */
export async function mutateServer(
  options: ServerCheckOptions & { readonly goldens: Goldens },
): Promise<{ readonly results: readonly Result[]; readonly mutants: readonly AnswerMutant[] }> {
  const loaded = await loadServerScenarios(options.paths, options.catalogue);
  const results = await playAll(loaded, options);
  return { results, mutants: mutateAnswers(loaded, results, options.goldens.grader) };
}

async function playAll(
  loaded: readonly Loaded[],
  { place, watch, goldens, onResult }: ServerCheckOptions,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const one of loaded) {
    const result = await play(one, place, watch, goldens?.grader);
    results.push(result);
    onResult?.(result, results.length, loaded.length);
  }
  return results;
}

/** Loads an external server's scenarios. Files that declare the same rule must declare the same sentence. */
export async function loadServerScenarios(paths: readonly string[], catalogue: Catalogue): Promise<readonly Loaded[]> {
  const loaded = await loadScenarios(paths, catalogue);
  const faults: Fault[] = [];
  const said = new Map<string, { readonly says: string; readonly file: string }>();
  for (const { scenario, file } of loaded)
    for (const [id, { says }] of Object.entries(scenario.declares ?? {})) {
      const before = said.get(id);
      if (before !== undefined && before.says !== says)
        faults.push({ file, path: ['declares', id, 'says'], because: `${before.file} declares a different sentence.` });
      said.set(id, { says, file });
    }
  if (faults.length > 0) throw new BadScenario(faults);
  return loaded;
}

async function play(
  loaded: Loaded,
  place: Target,
  watch: Stopwatch,
  golden: GoldenGrader | undefined,
): Promise<Result> {
  const { scenario, file } = loaded;
  const begun = watch.now();
  try {
    return await playOn(await place.open(scenario), loaded, begun, watch, golden);
  } catch (error) {
    if (!(error instanceof ServerLost)) throw error;
    const lost: Failure = { grader: 'server', at: 'server', because: error.message };
    const milliseconds = watch.now() - begun;
    return {
      id: scenario.id,
      file,
      verdict: 'judge error',
      failures: [lost],
      run: unplayed(scenario),
      began: begun,
      milliseconds,
    };
  }
}

/** A run of which nothing is known: its server gave no answer. */
const unplayed = (scenario: Scenario): Run => ({
  ...{ scenario, entries: [], captures: new Map(), requests: [], canaries: [], failures: [] },
  ...{ before: undefined, after: undefined, retried: undefined, configured: undefined },
});

async function playOn(
  opened: OpenedTarget,
  loaded: Loaded,
  begun: number,
  watch: Stopwatch,
  golden: GoldenGrader | undefined,
): Promise<Result> {
  const { scenario, file } = loaded;
  try {
    const run = await opened.complete(await replay(scenario, { ...opened.context, stopwatch: watch }));
    const graded = grade(run);
    const failures = [...graded, ...(golden?.(loaded, run, graded) ?? [])];
    const verdict = failures.length === 0 ? 'pass' : 'fail';
    return { id: scenario.id, file, verdict, failures, run, began: begun, milliseconds: watch.now() - begun };
  } finally {
    await opened.close();
  }
}

/** Coverage of the declared rules and of the server's tools. */
function coverageOfServer(results: readonly Result[], { tools }: Catalogue): Coverage {
  const passed = results.filter(({ verdict }) => verdict === 'pass');
  const rules = [...new Set(results.flatMap(({ run }) => Object.keys(run.scenario.declares ?? {})))].toSorted();
  const about = (rule: string) => passed.filter(({ run }) => run.scenario.rules.includes(rule));
  const isRefused = ({ run }: Result, rule: string): boolean => refusedRules(run.scenario).includes(rule);
  const used = [...tools].map(
    (name): Covered => ({
      name,
      by: passed.filter(({ run }) => callsOf(run).some(({ tool }) => tool === name)).map(({ id }) => id),
    }),
  );
  return {
    rules: Object.fromEntries(
      rules.map((rule) => [
        rule,
        {
          allowed: about(rule)
            .filter((it) => !isRefused(it, rule) && callsOf(it.run).some(({ isError }) => !isError))
            .map(({ id }) => id),
          refused: about(rule)
            .filter((it) => isRefused(it, rule))
            .map(({ id }) => id),
          refuses: results.some(({ run }) => run.scenario.declares?.[rule]?.refusal !== undefined),
        },
      ]),
    ),
    tools: used,
    ...{ clauses: [], transitions: [], forbidden: [], outcomes: [], codes: [], faults: [] },
  };
}
