import type { AdversaryRun } from '../adversaries/adversaries.ts';
import { redactor } from '../redaction/redact.ts';
import type { Verdict } from '../replay/run.ts';
import { momentOf, type Stopwatch } from '../replay/stopwatch.ts';
import type { Target } from '../replay/target.ts';
import { adversaryGates } from '../reports/gates.ts';
import { havingIn, type Report, reportSchema } from '../reports/report.ts';
import { badScenario } from '../scenario/faults.ts';
import type { Loaded } from '../scenario/load.ts';
import { ServerLost } from '../world/mcp.ts';
import type { Journal } from './journal.ts';
import { noTokens, plus, type Tokens } from './model.ts';
import { InfrastructureError } from './patience.ts';
import type { Live } from './report.ts';
import { mean, passAt, passHat, wilson } from './score.ts';
import { type Players, type Trial, tryOnce } from './trial.ts';

/** A run in live mode. */
export interface LiveOptions {
  readonly loaded: readonly Loaded[];
  /** One place for each trial that may be under way at the same time. */
  readonly places: readonly Target[];
  readonly players: Players;
  readonly trials: number;
  /** The share of its counted trials that a scenario must pass, unless it says another one. */
  readonly threshold: number;
  readonly journal: Journal;
  readonly watch: Stopwatch;
  readonly by: string;
  /** How the report names who played. */
  readonly named: Pick<Live, 'model' | 'api' | 'stream' | 'customer' | 'judge'>;
  /** What the bad agents made of the same scenarios, where they played. */
  readonly adversaries?: readonly AdversaryRun[] | undefined;
  readonly onTrial?: ((trial: Trial | Lost, done: number, of: number) => void) | undefined;
}

/** A trial that says nothing about the agent: its model could not be asked, or the server on trial was gone. */
export interface Lost {
  readonly scenario: string;
  readonly trial: number;
  readonly because: string;
}

/** Runs every scenario several times with a model. Throws BadScenario for one without a line for the agent. */
export async function live(options: LiveOptions): Promise<Report> {
  const { loaded, trials, places, onTrial } = options;
  const began = momentOf(options.watch);
  for (const { scenario, file } of loaded) demandLine(scenario, file, options.players.customer !== undefined);
  const queue = loaded.flatMap((one) => Array.from({ length: trials }, (_, index) => ({ one, trial: index + 1 })));
  const of = queue.length;
  const ended: Trial[] = [];
  const lost: Lost[] = [];
  let [isHopeless, taken] = [false, 0];
  const work = async (place: Target): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = isHopeless ? undefined : queue.shift()) {
      const known = options.journal.finished(next.one.scenario, next.trial);
      if (known !== undefined) taken += 1;
      const it = known ?? (await attempt(next.one, next.trial, place, options));
      if ('because' in it) lost.push(it);
      else ended.push(it);
      if ('because' in it && it.hopeless) isHopeless = true;
      onTrial?.(it, ended.length + lost.length, of);
    }
  };
  await Promise.all(places.map(work));
  if (ended.length === of) options.journal.end();
  return reportOfLive(options, { began, ended, lost, left: queue.length, taken });
}

function demandLine({ steps, user }: Loaded['scenario'], file: string, simulated: boolean): void {
  if (user?.goal !== undefined || (!simulated && steps.some((it) => 'user' in it))) return;
  throw badScenario(file, ['user'], 'the agent is given nothing to do: add a goal.');
}

async function attempt(
  one: Loaded,
  trial: number,
  place: Target,
  { journal, players, watch }: LiveOptions,
): Promise<Trial | (Lost & { readonly hopeless: boolean })> {
  try {
    const it = await tryOnce(one, trial, place, players, watch);
    journal.add(one.scenario, it);
    return it;
  } catch (error) {
    // The next trial has a fresh server, so one that is gone costs this trial alone.
    const isLost = error instanceof InfrastructureError || error instanceof ServerLost;
    if (!isLost) throw error;
    const hopeless = error instanceof InfrastructureError && error.permanent;
    return { scenario: one.scenario.id, trial, because: error.message, hopeless };
  }
}

/** The results of the trials. */
interface Tried {
  readonly ended: readonly Trial[];
  readonly lost: readonly Lost[];
  /** How many were not begun, and how many an earlier run had finished. */
  readonly left: number;
  readonly taken: number;
  /** When the first trial began. */
  readonly began: Date | undefined;
}

function reportOfLive(options: LiveOptions, { began, ended, lost, left, taken }: Tried): Report {
  const { loaded, named, trials, threshold, players, by, adversaries } = options;
  const rows = loaded.map((one) => rowOf(one, options, ended, lost));
  const scenarios = rows.map(({ told }) => told);
  const count = (verdict: Verdict): number => scenarios.filter((it) => it.verdict === verdict).length;
  const total = (of: (it: (typeof scenarios)[number]) => number): number =>
    scenarios.reduce((sum, it) => sum + of(it), 0);
  const redact = redactor(players.secrets.map((value) => ({ what: 'key', value })));
  const figures = figuresOf(ended);
  const scores = rows.map(({ score }) => score).filter(({ counted }) => counted > 0);
  const curve = (name: 'hat' | 'at'): readonly number[] =>
    Array.from({ length: trials }, (_, index) => scores.flatMap((it) => it[name][index] ?? []))
      .filter((shares) => shares.length > 0)
      .map(mean);
  const report = {
    version: 1,
    by,
    began: began?.toISOString(),
    mode: 'live',
    summary: {
      scenarios: scenarios.length,
      passed: count('pass'),
      failed: count('fail'),
      judgeErrors: count('judge error'),
      calls: total((it) => it.calls),
      bytes: total((it) => it.bytes),
      milliseconds: total((it) => it.milliseconds),
      having: havingIn(loaded.map(({ scenario }) => scenario)),
    } satisfies Report['summary'],
    scenarios,
    live: {
      ...{ ...named, trials, threshold, ...figures, hat: curve('hat'), at: curve('at') },
      // Trials were redacted one by one, with the secrets of their worlds; figures are no text.
      infrastructure: lost.map(({ scenario, trial, because }) => ({ scenario, trial, because: redact(because) })),
      notBegun: left,
      ...(taken > 0 && { fromJournal: taken }),
      unjudged: loaded
        .filter(({ scenario }) => scenario.expect.rubric !== undefined && players.judge === undefined)
        .map(({ scenario }) => scenario.id),
      tokens: {
        agent: sum(ended.map(({ tokens }) => tokens.agent)),
        customer: sum(ended.map(({ tokens }) => tokens.customer)),
        judge: sum(ended.map(({ tokens }) => tokens.judge)),
      },
      scenarios: rows.map(({ score }) => score),
    },
    ...redactor()({ adversaries, gates: adversaries === undefined ? [] : adversaryGates(adversaries) }),
  };
  return reportSchema.parse(report);
}

function rowOf(
  { scenario, file }: Loaded,
  { trials, threshold: usual }: LiveOptions,
  ended: readonly Trial[],
  lost: readonly Lost[],
) {
  const own = ended.filter((it) => it.scenario === scenario.id);
  const { counted, passed, harmed, judgeErrors, interval } = figuresOf(own);
  const curve = (share: typeof passHat): readonly number[] =>
    Array.from({ length: Math.min(counted, trials) }, (_, index) => share(counted, passed, index + 1));
  const score = {
    ...{ id: scenario.id, counted, passed, harmed, judgeErrors, interval, hat: curve(passHat), at: curve(passAt) },
    infrastructure: lost.filter((it) => it.scenario === scenario.id).length,
    tokens: sum(own.map(({ tokens }) => tokens.agent)),
  };
  const threshold = scenario.user?.threshold ?? usual;
  const verdict: Verdict = counted === 0 ? 'judge error' : passed / counted >= threshold ? 'pass' : 'fail';
  // The trial that says most is shown: one that ended as the scenario did.
  const shown = own.toSorted((one, other) => one.trial - other.trial);
  const told = (shown.find((it) => it.verdict === verdict) ?? shown[0])?.told ?? untold(scenario, file);
  return { score, told: { ...told, verdict } };
}

/** A scenario of which no trial came to an end. */
const untold = ({ id, title, rules, twin }: Loaded['scenario'], file: string) => ({
  ...{ id, title, file, rules, twin, began: 0, milliseconds: 0, calls: 0, bytes: 0, transcript: [], changes: [] },
  failures: [{ grader: 'script' as const, at: 'trials', because: 'no trial of it came to a verdict.' }],
});

/** What a set of trials shows. Judge errors are no verdicts, so they are not counted. */
function figuresOf(trials: readonly Trial[]) {
  const counted = trials.filter(({ verdict }) => verdict !== 'judge error');
  const passed = counted.filter(({ verdict }) => verdict === 'pass').length;
  const total = (of: (it: Trial) => number): number => trials.reduce((all, it) => all + of(it), 0);
  return {
    counted: counted.length,
    passed,
    harmed: counted.filter(({ harm }) => harm).length,
    interval: wilson(counted.length, passed),
    judgeErrors: trials.length - counted.length,
    ...{ turns: total(({ turns }) => turns), refusals: total(({ refusals }) => refusals) },
    malformed: total(({ malformed }) => malformed),
  };
}

const sum = (all: readonly Tokens[]): Tokens => all.reduce(plus, noTokens);
