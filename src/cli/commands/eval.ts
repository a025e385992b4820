import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { adversaryNames } from '../../../evals/harness/adversaries/adversaries.ts';
import { check } from '../../../evals/harness/check.ts';
import { survivorsOf } from '../../../evals/harness/mutation/mutate.ts';
import { scenarioJsonSchema } from '../../../evals/harness/scenario/schema.ts';
import { isRuleId, rules } from '../../core/rules.ts';
import { didYouMean } from '../../engine/closest-name.ts';
import { BadConfiguration } from '../bad-configuration.ts';
import { refuseModelOptions, refuseServerOptions } from '../evals/applies.ts';
import { codeOf, guarded, notJudged } from '../evals/ending.ts';
import { covered, figures, lines, unmet } from '../evals/figures.ts';
import { usualFolders } from '../evals/folders.ts';
import { goldensOf } from '../evals/goldens.ts';
import { laneFile } from '../evals/lane-file.ts';
import { againstBaseline, countIn, ofToday, percentIn, refuseGiven, shardIn, wholeIn } from '../evals/options.ts';
import { progress } from '../evals/progress.ts';
import { formatsOf, write } from '../evals/writers.ts';
import { lined, say, sayJson, tell } from '../output.ts';
import { version } from '../version.ts';

/** Options of `purser eval`. */
export interface EvalOptions {
  readonly fixtures: string;
  readonly adversaries?: true;
  readonly everyAdversary?: true;
  readonly seed?: string;
  readonly shard?: string;
  readonly lanes?: string;
  readonly report?: string;
  readonly out: string;
  readonly baseline?: string;
  readonly minRules?: string;
  readonly minClauses?: string;
  readonly coverage?: true;
  readonly accept?: true;
  readonly json?: true;
}

const usualPaths = ['evals/scenarios'];

/** `purser eval [paths]`: 0 passed · 1 a scenario failed · 2 a gate was not met · 3 a bad scenario file · 4 it could not be judged. */
export const evaluateScenarios = (paths: readonly string[], options: EvalOptions): Promise<number> =>
  guarded(options, async () => {
    refuseServerOptions(options);
    refuseModelOptions(options);
    const formats = formatsOf(options.report, options.out);
    if (options.shard !== undefined && (options.minRules ?? options.minClauses) !== undefined)
      throw new BadConfiguration("A shard can't exercise every rule: omit --min-rules and --min-clauses.");
    const since = againstBaseline(options.baseline, 'replay');
    const report = await check({
      ...common(paths, options),
      shard: shardIn(options.shard),
      lanes: lanesIn(options.lanes),
      adversaries: options.adversaries === true ? adversaryNames : undefined,
      badAgents: options.adversaries === true ? sampleOf(options) : undefined,
      minRules: percentIn(options.minRules, '--min-rules'),
      minClauses: percentIn(options.minClauses, '--min-clauses'),
      goldens: goldensOf(options),
      onResult: progress(),
    });
    await write(report, formats, options.out);
    const against = since?.(report);
    if (options.json) sayJson(report);
    else say(lined(lines(report, options, against)));
    return codeOf(report, against);
  });

/** Above this, more threads replay hardly faster than they start. Own choice. */
const mostLanes = 4;

/** The threads that replay scenarios: by default one for each processor. One needs no thread of its own. */
function lanesIn(given: string | undefined) {
  const count = given === undefined ? Math.min(availableParallelism(), mostLanes) : countIn(given, '--lanes');
  return laneFile === undefined || count === 1 ? undefined : { count, file: laneFile };
}

/** One in so many scenarios, where not every one is asked for. Own choice: a fifth of the time of the replay. */
const oneInSample = 8;

const sampleOf = ({ everyAdversary, seed }: EvalOptions) => ({
  seed: wholeIn(seed ?? '1', '--seed'),
  oneIn: everyAdversary === true ? 1 : oneInSample,
});

/** Options of `purser eval mutate`. */
export interface MutateOptions extends Pick<EvalOptions, 'fixtures' | 'report' | 'json'> {
  readonly out?: string;
  readonly rule?: readonly string[];
  /** Plant bugs into the whole source instead. */
  readonly deep?: true;
  readonly sample?: string;
  readonly seed?: string;
  readonly oneIn?: string;
  readonly lanes?: string;
  readonly most?: string;
  readonly only?: readonly string[];
  /** Files of bugs that somebody wrote. */
  readonly bugs?: readonly string[];
  readonly minNoticed?: string;
}

/** `purser eval mutate`: finds rules that could be wrong without failing a scenario. */
export const mutateRules = (paths: readonly string[], options: MutateOptions): Promise<number> =>
  guarded(options, async () => {
    refuseServerOptions(options);
    refuseGiven(options, ['sample', 'only', 'bugs', 'lanes', 'most', 'minNoticed'], 'applies only to --deep.');
    if (options.oneIn === undefined) refuseGiven(options, ['seed'], 'applies only to --deep and --one-in.');
    const sample = {
      seed: wholeIn(options.seed ?? ofToday(), '--seed'),
      oneIn: countIn(options.oneIn ?? '1', '--one-in'),
    };
    for (const rule of options.rule ?? []) demandRule(rule);
    const formats = formatsOf(options.report, options.out ?? usualFolders.out);
    const report = await check({
      ...common(paths, options),
      mutants: options.rule ?? 'all',
      mutantSample: sample,
      onFate: ({ id, killedBy }) => tell(`${killedBy === undefined ? 'survives' : 'noticed '}  ${id}`),
    });
    await write(report, formats, options.out ?? usualFolders.out);
    const fates = report.mutation ?? [];
    if (options.json) sayJson(fates);
    else
      say(
        lined([
          ...survivorsOf(fates).map(({ id }) => `survives: ${id}`),
          `${options.oneIn === undefined ? '' : `Seed ${sample.seed}, one in ${sample.oneIn}: `}${fates.length - survivorsOf(fates).length} of ${fates.length} mutants were killed, in ${fates.reduce((sum, { runs }) => sum + runs, 0)} runs.`,
          ...unmet(report),
        ]),
      );
    const code = codeOf(report, undefined);
    return code === 0 && fates.length === 0 ? notJudged : code; // no mutant says nothing of the scenarios
  });

/** Throws unless it is a rule, or a part of one such as "AP-12/guard 3": playing takes minutes. */
function demandRule(given: string): void {
  const [id = ''] = given.split('/');
  if (isRuleId(id)) return;
  throw new BadConfiguration(
    `--rule: there is no rule ${id}${didYouMean(id, Object.keys(rules))}; docs/rules.md lists them.`,
  );
}

/** `purser eval coverage`: what the scenarios exercise and what they miss. */
export const showCoverage = (
  paths: readonly string[],
  options: { readonly fixtures: string; readonly json?: true },
): Promise<number> =>
  guarded(options, async () => {
    const report = await check(common(paths, options));
    const { coverage } = report;
    if (coverage === undefined) throw new Error('The run has no coverage.');
    if (options.json) sayJson(coverage);
    else say(lined([...covered(coverage), ...figures(report)]));
    return codeOf(report, undefined);
  });

/** `purser eval schema`: the JSON Schema of scenario files, for editors. */
export async function showSchema(): Promise<number> {
  sayJson(scenarioJsonSchema());
  return 0;
}

export const common = (paths: readonly string[], { fixtures }: { readonly fixtures: string }) => ({
  paths: paths.length === 0 ? usualPaths : paths,
  fixtures,
  version,
  watch: performance,
});
