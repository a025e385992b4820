import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { type AdversaryRun, runAdversaries } from '../../../evals/harness/adversaries/adversaries.ts';
import { loadServerScenarios } from '../../../evals/harness/external/check.ts';
import { isUrl } from '../../../evals/harness/external/server.ts';
import { catalogueWith, listedBy, serverPlace } from '../../../evals/harness/external/target.ts';
import { type Ground, type Journal, openJournal, UnusableJournal } from '../../../evals/harness/live/journal.ts';
import { type Lost, live } from '../../../evals/harness/live/live.ts';
import { type Api, MissingPackage, type Model, type ModelOptions } from '../../../evals/harness/live/model.ts';
import { openModel } from '../../../evals/harness/live/open-model.ts';
import type { Trial } from '../../../evals/harness/live/trial.ts';
import { shardOf } from '../../../evals/harness/replay/evaluate.ts';
import { type Target, worldsAsTarget } from '../../../evals/harness/replay/target.ts';
import type { Compared } from '../../../evals/harness/reports/gates.ts';
import type { Report } from '../../../evals/harness/reports/report.ts';
import { purserCatalogue } from '../../../evals/harness/scenario/catalogue.ts';
import { type Loaded, loadFixture, loadScenarios } from '../../../evals/harness/scenario/load.ts';
import { packagedPath } from '../../../evals/harness/scenario/packaged.ts';
import { fixtureOf } from '../../../evals/harness/world/settings.ts';
import { openTestHarness } from '../../../evals/harness/world/world.ts';
import { Secret } from '../../core/secret.ts';
import { isThere } from '../../files/check.ts';
import { readText } from '../../files/read.ts';
import { BadConfiguration, checkedFile } from '../bad-configuration.ts';
import { refuseServerOptions } from '../evals/applies.ts';
import { codeOf, guarded, notJudged } from '../evals/ending.ts';
import { comparison, failures, figures } from '../evals/figures.ts';
import { againstBaseline, refuseGiven, shardIn } from '../evals/options.ts';
import { formatsOf, write } from '../evals/writers.ts';
import { listed } from '../listed.ts';
import { lined, say, sayJson, tell } from '../output.ts';
import { version } from '../version.ts';
import { common } from './eval.ts';
import { demandResetTool, refuseReplayOptions, type ServerOptions, serverOf } from './eval-server.ts';

/** Further options of `purser eval --mode live`. */
export interface LiveCommandOptions extends ServerOptions {
  readonly mode?: 'replay' | 'live';
  readonly model?: string;
  readonly baseUrl?: string;
  readonly api?: Api;
  readonly keyFile?: string;
  readonly stream?: true;
  readonly temperature?: string;
  readonly policy?: string;
  readonly simulate?: true;
  readonly customerModel?: string;
  readonly judgeModel?: string;
  readonly trials?: string;
  readonly threshold?: string;
  readonly maxTurns?: string;
  readonly timeout?: string;
  readonly jobs?: string;
  readonly journal?: string;
}

const usualPolicy = 'evals/policy.md';
/** Shorter keys are placeholders for servers without keys; redacting them would hide ordinary words. */
const leastKeyCharacters = 16;

/**
 * `purser eval --mode live`: a model plays the scenarios. Exits with 4 if a trial was lost or a verdict of the judge
 * was unreadable.
 */
export const evaluateLive = (paths: readonly string[], options: LiveCommandOptions): Promise<number> =>
  guarded(options, async () => {
    const formats = formatsOf(options.report, options.out);
    refuseReplayOptions(
      options,
      options.server === undefined ? ['minRules', 'coverage'] : ['adversaries', 'minRules', 'coverage'],
    );
    if (options.server === undefined) refuseServerOptions(options);
    refuseGiven(options, ['keepServer'], 'applies only to replays: a command is started for each trial.');
    if (!isUrl(options.server ?? ''))
      refuseGiven(options, ['resetTool'], 'applies to a model only with a URL: a command is started for each trial.');
    const since = againstBaseline(options.baseline, 'live');
    if (options.model === undefined) throw new BadConfiguration('Live mode needs --model.');
    const key = keyOf(options.keyFile);
    const asked = modelOptions(options, options.model, key);
    const policy = policyOf(options);
    const named = namesOf(options, options.model);
    const mostTurns = wholeNumber(options.maxTurns, 40, '--max-turns');
    const simulate = options.simulate === true;
    const agent = await openModel(asked).catch(asConfiguration);
    const other = (name: string): Promise<Model> => openModel({ ...asked, model: name });
    const customer = simulate ? await other(options.customerModel ?? options.model) : undefined;
    const judge = options.judgeModel === undefined ? undefined : await other(options.judgeModel);
    const { loaded, places, tools, ground } = await stageOf(paths, options);
    try {
      const run = {
        ...{ ...named, baseUrl: options.baseUrl, temperature: asked.temperature, policy, mostTurns, simulate },
        ...{ server: options.server, serverEnv: options.serverEnv, tools, program: programText() },
      };
      const journal = journalOf(options, run, ground);
      const report = await live({
        ...{ loaded, places, journal, named, by: `purser ${version}`, watch: performance, onTrial: progress() },
        trials: wholeNumber(options.trials, 1, '--trials'),
        threshold: shareIn(options.threshold),
        adversaries: options.adversaries === true ? await adversaryRunsOf(loaded, options) : undefined,
        players: {
          ...{ agent, customer, judge, policy, mostTurns },
          secrets: key.length < leastKeyCharacters ? [] : [key],
        },
      });
      await write(report, formats, options.out);
      const against = since?.(report);
      if (options.json) sayJson(report);
      else say(lined([...failures(report), ...figures(report), ...liveFigures(report), ...comparison(against)]));
      return codeOfLive(report, against);
    } finally {
      for (const place of places) await place.close();
    }
  });

/** A missing package or a journal of another run is a configuration error, not a result of the model. */
function asConfiguration(error: unknown): never {
  if (error instanceof MissingPackage || error instanceof UnusableJournal)
    throw new BadConfiguration(error.message, { cause: error });
  throw error;
}

/** Identifies the build: the built command begins with the names of its chunks, which are content digests. */
const programText = (): string => `${version} ${readText('program', process.argv[1] ?? '')}`;

function journalOf({ journal, out }: LiveCommandOptions, run: object, ground: Ground): Journal {
  try {
    return openJournal(journal ?? join(out, 'live.jsonl'), run, ground);
  } catch (error) {
    return asConfiguration(error);
  }
}

/** What trials are played on. */
interface Staged {
  readonly loaded: readonly Loaded[];
  /** One for each concurrent trial. */
  readonly places: readonly Target[];
  /** As listed to a model. */
  readonly tools: readonly object[];
  readonly ground: Ground;
}

/** Trials at the same time, where nobody says. Own choice: most interfaces of models take as many. */
const usualJobs = 4;
const jobsIn = ({ jobs }: LiveCommandOptions, usual: number): number => wholeNumber(jobs, usual, '--jobs');

async function stageOf(paths: readonly string[], options: LiveCommandOptions): Promise<Staged> {
  const shard = shardIn(options.shard);
  const part = (all: readonly Loaded[]) => (shard === undefined ? all : shardOf(all, shard));
  if (options.server !== undefined) {
    if (paths.length === 0) throw new BadConfiguration('Name the folder with the scenarios for this server.');
    const server = serverOf(options);
    // Trials on a server that runs already share its state.
    const most = jobsIn(options, isUrl(server.at) ? 1 : usualJobs);
    if (options.resetTool !== undefined && most > 1)
      throw new BadConfiguration(
        '--jobs must be 1 with --reset-tool: trials on one server can only follow each other.',
      );
    const tools = await listedBy(server);
    const catalogue = catalogueWith(tools);
    demandResetTool(options.resetTool, catalogue);
    const kept = options.resetTool === undefined ? undefined : { reset: options.resetTool };
    const loaded = part(await loadServerScenarios(paths, catalogue));
    return {
      ...{ loaded, tools, ground: () => ({}) },
      places: Array.from({ length: most }, () => serverPlace(server, kept)),
    };
  }
  const loaded = part(await loadScenarios(common(paths, options).paths, purserCatalogue));
  const fixture = (name: string) => loadFixture(options.fixtures, name);
  const places = await Promise.all(
    Array.from({ length: jobsIn(options, usualJobs) }, async () =>
      worldsAsTarget(await openTestHarness({ fixture, version })),
    ),
  );
  return { loaded, places, tools: listed, ground: ({ world }) => fixtureOf(world, fixture) };
}

/** Runs the adversaries on the scripts: they need no model, and show which attacks these scenarios notice. */
async function adversaryRunsOf(
  loaded: readonly Loaded[],
  { fixtures }: LiveCommandOptions,
): Promise<readonly AdversaryRun[]> {
  const harness = await openTestHarness({ fixture: (name) => loadFixture(fixtures, name), version });
  try {
    return await runAdversaries(loaded, harness);
  } finally {
    await harness.close();
  }
}

/** Reads the key from a file or the environment, never from an argument: other users of the machine can read those. */
function keyOf(file: string | undefined): string {
  const key = file === undefined ? process.env.OPENAI_API_KEY : checkedFile(() => readText('modelKey', file)).trim();
  delete process.env.OPENAI_API_KEY;
  if (key !== undefined && key !== '') return key;
  throw new BadConfiguration('The API key is missing: set OPENAI_API_KEY, or name a file with --key-file.');
}

const modelOptions = (options: LiveCommandOptions, model: string, key: string): ModelOptions => ({
  ...{ model, api: options.api ?? 'chat', baseUrl: options.baseUrl, key: new Secret(key) },
  stream: options.stream === true,
  temperature: options.temperature === undefined ? undefined : numberIn(options.temperature, '--temperature'),
  timeoutMilliseconds: wholeNumber(options.timeout, 120, '--timeout') * 1_000,
  waiting: { wait: async (milliseconds) => void (await wait(milliseconds)), now: () => Date.now() },
});

const namesOf = ({ api = 'chat', stream, simulate, customerModel, judgeModel }: LiveCommandOptions, model: string) => ({
  ...{ model, api, stream: stream === true },
  ...(simulate === true ? { customer: customerModel ?? model } : {}),
  ...(judgeModel === undefined ? {} : { judge: judgeModel }),
});

function policyOf({ policy = usualPolicy, server }: LiveCommandOptions): string {
  if (server !== undefined && policy === usualPolicy && !isThere(policy))
    return 'You are a helpful assistant with tools.';
  return checkedFile(() => readText('policy', packagedPath(policy)));
}

function wholeNumber(given: string | undefined, usual: number, name: string): number {
  const number = given === undefined ? usual : Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= 10_000) return number;
  throw new BadConfiguration(`${name} must be a whole number from 1 to 10000.`);
}

function numberIn(given: string, name: string): number {
  const number = Number(given);
  if (given.trim() !== '' && Number.isFinite(number)) return number;
  throw new BadConfiguration(`${name} must be a number.`);
}

function shareIn(given: string | undefined): number {
  const share = given === undefined ? 1 : numberIn(given, '--threshold');
  if (share > 0 && share <= 1) return share;
  throw new BadConfiguration('--threshold must be above 0 and at most 1.');
}

/** A status line on a terminal; otherwise a line for each trial, because trials take long. */
function progress() {
  const { stderr } = process;
  return (it: Trial | Lost, done: number, of: number): void => {
    const ended = 'because' in it ? `lost: ${it.because}` : it.verdict;
    const line = `${done}/${of}  ${it.scenario}, trial ${it.trial}: ${ended}`;
    if (stderr.isTTY) stderr.write(done === of ? '\r\u001b[2K' : `\r\u001b[2K${line}`);
    else tell(line);
  };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function liveFigures({ live: it }: Report): readonly string[] {
  if (it === undefined) return [];
  const { interval, counted, tokens, infrastructure } = it;
  return [
    `${it.passed} of ${counted} trials passed, ${percent(interval[0])} to ${percent(interval[1])} at 95 %; ${it.harmed} did harm.`,
    `pass^k: ${it.hat.map((share, index) => `${index + 1} ${percent(share)}`).join(', ') || 'none'}.`,
    `pass@k: ${it.at.map((share, index) => `${index + 1} ${percent(share)}`).join(', ') || 'none'}.`,
    `${it.turns} turns, ${it.refusals} refusals, ${it.malformed} malformed calls.`,
    ...(['agent', 'customer', 'judge'] as const)
      .filter((who) => tokens[who].input + tokens[who].output > 0)
      .map(
        (who) => `${who}: ${tokens[who].input} tokens in (${tokens[who].cached} cached), ${tokens[who].output} out.`,
      ),
    ...(it.fromJournal === undefined ? [] : [`${it.fromJournal} of the trials came from the journal.`]),
    ...(it.judgeErrors === 0 ? [] : [`${it.judgeErrors} verdicts of the judge were unreadable.`]),
    ...(it.unjudged.length === 0 ? [] : [`Rubrics without a verdict: ${it.unjudged.join(', ')}.`]),
    ...infrastructure.map(({ scenario, trial, because }) => `lost: ${scenario}, trial ${trial}: ${because}`),
    ...(it.notBegun === 0 ? [] : [`${it.notBegun} trials were not started. Run the same command to continue.`]),
  ];
}

function codeOfLive(report: Report, against: Compared | undefined): number {
  const code = codeOf(report, against);
  const { judgeErrors = 0, infrastructure = [], notBegun = 0 } = report.live ?? {};
  return code === 0 && judgeErrors + infrastructure.length + notBegun > 0 ? notJudged : code;
}
