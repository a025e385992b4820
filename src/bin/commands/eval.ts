import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { members } from '../../evals/cast.ts';
import { check } from '../../evals/check.ts';
import { halfCovered, rulesPercent, tally } from '../../evals/coverage.ts';
import type { Result } from '../../evals/evaluate.ts';
import { fileOf, fuzz } from '../../evals/fuzz.ts';
import { type Compared, compared } from '../../evals/gates.ts';
import { BadScenario, loadFixture } from '../../evals/load.ts';
import { survivorsOf } from '../../evals/mutate.ts';
import { junit } from '../../evals/reports/junit.ts';
import { markdown } from '../../evals/reports/markdown.ts';
import { type Report, reportSchema } from '../../evals/reports/report.ts';
import { scenarioJsonSchema } from '../../evals/scenario.ts';
import { openStage } from '../../evals/world.ts';
import { BadConfiguration } from '../config.ts';
import { columns, say, sayJson, tell } from '../say.ts';
import { version } from '../version.ts';

/** What `purser eval` may be told. */
export interface EvalOptions {
  readonly fixtures: string;
  readonly cast?: true;
  readonly shard?: string;
  readonly report?: string;
  readonly out: string;
  readonly baseline?: string;
  readonly minRules?: string;
  readonly json?: true;
}

/** What `purser eval fuzz` may be told. */
export interface FuzzOptions {
  readonly fixtures: string;
  readonly fixture: string;
  readonly seed: string;
  readonly runs: string;
  readonly out: string;
  readonly json?: true;
}

const usualPaths = ['evals/scenarios'];

/** `purser eval [paths]`: 0 passed · 1 a scenario failed · 2 a gate was not met · 3 a bad scenario file · 4 it could not be judged. */
export const evaluateScenarios = (paths: readonly string[], options: EvalOptions): Promise<number> =>
  guarded(async () => {
    const formats = formatsOf(options.report);
    if (options.shard !== undefined && options.minRules !== undefined)
      throw new BadConfiguration(
        'A shard is a part of the scenarios and can not cover every rule: leave --min-rules away.',
      );
    const report = await check({
      ...common(paths, options),
      shard: shardIn(options.shard),
      cast: options.cast === true ? members : undefined,
      minRules: percentIn(options.minRules),
      onResult: progress(),
    });
    write(report, formats, options.out);
    const against =
      options.baseline === undefined ? undefined : compared(failedIn(baselineAt(options.baseline)), failedIn(report));
    if (options.json) sayJson(report);
    else say([...failures(report), ...figures(report), ...comparison(against)].join('\n'));
    return codeOf(report, against);
  });

/** `purser eval mutate`: which rules could be wrong without anybody noticing. */
export const mutateRules = (
  paths: readonly string[],
  options: { readonly fixtures: string; readonly rule?: readonly string[]; readonly json?: true },
): Promise<number> =>
  guarded(async () => {
    const report = await check({
      ...common(paths, options),
      mutants: options.rule ?? 'all',
      onFate: ({ id, killedBy }) => tell(`${killedBy === undefined ? 'survives' : 'noticed '}  ${id}`),
    });
    const fates = report.mutation ?? [];
    if (options.json) sayJson(fates);
    else
      say(
        [
          ...survivorsOf(fates).map(({ id }) => `survives: ${id}`),
          `${fates.length - survivorsOf(fates).length} of ${fates.length} mutants were noticed, in ${fates.reduce((sum, { runs }) => sum + runs, 0)} runs.`,
          ...unmet(report),
        ].join('\n'),
      );
    return codeOf(report, undefined);
  });

/** `purser eval coverage`: what the scenarios exercise, and what not. */
export const showCoverage = (
  paths: readonly string[],
  options: { readonly fixtures: string; readonly json?: true },
): Promise<number> =>
  guarded(async () => {
    const report = await check(common(paths, options));
    const { coverage } = report;
    if (coverage === undefined) throw new Error('A check always counts what it covered.');
    if (options.json) sayJson(coverage);
    else {
      const rows = Object.entries(coverage.rules).map(([rule, { allowed, refused }]) => [
        rule,
        String(allowed.length),
        String(refused.length),
      ]);
      const missing = lists.flatMap((name) =>
        coverage[name].filter(({ by }) => by.length === 0).map((it) => `never: ${name}: ${it.name}`),
      );
      say([columns([['RULE', 'ALLOWED', 'REFUSED'], ...rows]), ...missing, ...figures(report)].join('\n'));
    }
    return codeOf(report, undefined);
  });

/** `purser eval fuzz`: walks without aim; only what must always hold is looked at. Each break is written as a scenario. */
export const walkAbout = (options: FuzzOptions): Promise<number> =>
  guarded(async () => {
    const [seed, runs] = [wholeIn(options.seed, '--seed'), wholeIn(options.runs, '--runs')];
    const stage = await openStage({ fixture: (name) => loadFixture(options.fixtures, name), version });
    try {
      const bar = progressOf();
      const { finds, calls } = await fuzz(stage, {
        ...{ seed, runs, fixture: options.fixture },
        onRun: (find, done) => {
          bar(done, runs, `seed ${seed + done - 1}`);
          if (find !== undefined) tell(`found: seed ${find.seed}: ${find.failure.because}`);
        },
      });
      if (finds.length > 0) mkdirSync(options.out, { recursive: true });
      const files = finds.map((find) => {
        const { name, text } = fileOf(find);
        writeFileSync(join(options.out, name), text);
        return join(options.out, name);
      });
      if (options.json)
        sayJson({
          seed,
          runs,
          calls,
          finds: finds.map(({ scenario: _, ...find }, at) => ({ ...find, file: files[at] })),
        });
      else
        say(
          [
            ...finds.map(({ failure }, at) => `${failure.at}: ${failure.because}  (${files[at]})`),
            `${runs} walks from seed ${seed}, ${calls} calls; ${finds.length} invariants broke.`,
          ].join('\n'),
        );
      return finds.length === 0 ? 0 : 1;
    } finally {
      await stage.close();
    }
  });

/** `purser eval schema`: the JSON Schema of scenario files, for editors. */
export async function showSchema(): Promise<number> {
  sayJson(scenarioJsonSchema());
  return 0;
}

/** A bad file ends with 3; what went wrong inside is no verdict about anybody, and ends with 4. */
async function guarded(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BadConfiguration) throw error;
    tell(error instanceof Error ? error.message : 'something unknown was thrown');
    return error instanceof BadScenario ? 3 : 4;
  }
}

const common = (paths: readonly string[], { fixtures }: { readonly fixtures: string }) => ({
  paths: paths.length === 0 ? usualPaths : paths,
  fixtures,
  version,
  watch: performance,
});

/** A bar on a terminal; a plain line for each failure, and nothing else, where there is none. */
function progress() {
  const show = progressOf();
  return ({ id, verdict }: Result, done: number, of: number): void => {
    show(done, of, id);
    if (!process.stderr.isTTY && verdict !== 'pass') tell(`${verdict}: ${id}`);
  };
}

/** One line that is written over on a terminal. */
const progressOf = () => {
  const { stderr } = process;
  return (done: number, of: number, about: string): void => {
    if (stderr.isTTY) stderr.write(done === of ? '\r\u001b[2K' : `\r\u001b[2K${bar(done, of)} ${done}/${of}  ${about}`);
  };
};

const barWidth = 24;
const bar = (done: number, of: number): string => {
  const full = Math.round((barWidth * done) / of);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`;
};

const writers = {
  json: { file: 'report.json', text: (report: Report) => `${JSON.stringify(report)}\n` },
  junit: { file: 'junit.xml', text: junit },
  md: { file: 'summary.md', text: markdown },
} as const;
type Format = keyof typeof writers;

function formatsOf(given: string | undefined): readonly Format[] {
  const names = (given ?? '').split(',').filter((name) => name !== '');
  const stranger = names.find((name) => !Object.hasOwn(writers, name));
  if (stranger === undefined) return names as Format[];
  throw new BadConfiguration(
    `There is no report ${stranger}: say ${Object.keys(writers).join(', ')}, separated by commas.`,
  );
}

function write(report: Report, formats: readonly Format[], folder: string): void {
  if (formats.length > 0) mkdirSync(folder, { recursive: true });
  for (const format of formats) {
    const { file, text } = writers[format];
    writeFileSync(join(folder, file), text(report));
  }
}

function shardIn(given: string | undefined) {
  if (given === undefined) return undefined;
  const [, index, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(given) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index >= 1 && shard.index <= shard.of) return shard;
  throw new BadConfiguration('A shard is a part of a whole, such as 1/4.');
}

function wholeIn(given: string, option: string): number {
  if (/^\d{1,9}$/.test(given)) return Number(given);
  throw new BadConfiguration(`${option} must be a whole number.`);
}

function percentIn(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const percent = Number(given);
  if (given !== '' && percent >= 0 && percent <= 100) return percent;
  throw new BadConfiguration('--min-rules must be a number from 0 to 100.');
}

function baselineAt(file: string): Report {
  if (!existsSync(file))
    throw new BadConfiguration(`There is no baseline ${file}: name a report.json of an earlier run.`);
  try {
    return reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new BadConfiguration(`${file} is no report of purser eval: name a report.json of an earlier run.`, {
      cause: error,
    });
  }
}

const failedIn = ({ scenarios }: Report): readonly string[] =>
  scenarios.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id);

const lists = ['transitions', 'forbidden', 'tools', 'outcomes', 'codes', 'faults'] as const;

const failures = ({ scenarios }: Report): readonly string[] =>
  scenarios
    .filter(({ verdict }) => verdict !== 'pass')
    .flatMap(({ id, title, file, failures: found }) => [
      `${id}: ${title}  (${file})`,
      ...found.map(({ grader, at, because }) => `    ${grader}, ${at}: ${because}`),
    ]);

const figures = (report: Report): readonly string[] => {
  const { summary, coverage, cast } = report;
  return [
    `${summary.passed} of ${summary.scenarios} scenarios passed, ${summary.calls} calls, ${Math.round(summary.milliseconds)} ms.`,
    ...(coverage === undefined
      ? []
      : [
          `${rulesPercent(coverage).toFixed(1)} % of the rules were allowed and refused${
            halfCovered(coverage).length === 0
              ? ''
              : `; not ${halfCovered(coverage)
                  .map(({ rule, lacks }) => `${rule} ${lacks}`)
                  .join(', ')}`
          }.`,
          `${lists.map((name) => `${name} ${tally(coverage[name]).covered}/${tally(coverage[name]).of}`).join(', ')}.`,
        ]),
    ...(cast === undefined
      ? []
      : [
          `${cast.length} performances of bad agents, ${cast.filter(({ ending }) => ending === 'unnoticed').length} unnoticed.`,
        ]),
    ...unmet(report),
  ];
};

const unmet = ({ gates }: Report): readonly string[] =>
  gates.filter(({ met }) => !met).map(({ name, says }) => `The gate "${name}" was not met. ${says}`);

const comparison = (against: Compared | undefined): readonly string[] =>
  against === undefined
    ? []
    : [
        ...against.broken.map((id) => `failed only now: ${id}`),
        ...against.mended.map((id) => `mended: ${id}`),
        ...against.still.map((id) => `failed before, too: ${id}`),
      ];

/** With a baseline only what failed since counts: an old failure is known, and a new one is never averaged away. */
function codeOf({ summary, gates }: Report, against: Compared | undefined): number {
  const failed = against === undefined ? summary.failed > 0 : against.broken.length > 0;
  if (failed) return 1;
  if (gates.some(({ met }) => !met)) return 2;
  return summary.judgeErrors > 0 ? 4 : 0;
}
