import { setTimeout as wait } from 'node:timers/promises';
import { mutateDeep, NothingToPlant, type Toolkit } from '../../../evals/harness/mutation/deep/deep.ts';
import { type Equivalent, equivalentsSchema } from '../../../evals/harness/mutation/deep/equivalents.ts';
import { type OwnBug, ownBugsSchema, UnplantableBug } from '../../../evals/harness/mutation/deep/own-bugs.ts';
import type { DeepResult } from '../../../evals/harness/mutation/deep/result.ts';
import { isNoticed, type Score, scoreOfAll, scoresBy, unnoticed } from '../../../evals/harness/mutation/deep/score.ts';
import { loadYaml } from '../../../evals/harness/scenario/load.ts';
import { packagedPath } from '../../../evals/harness/scenario/packaged.ts';
import { isThere } from '../../files/check.ts';
import { removeFolder, temporaryFolder } from '../../files/write.ts';
import { BadConfiguration } from '../bad-configuration.ts';
import { deepDefaults } from '../evals/deep-defaults.ts';
import { guarded, notJudged } from '../evals/ending.ts';
import { countIn, ofToday, percentIn, refuseGiven, wholeIn } from '../evals/options.ts';
import { progressOf } from '../evals/progress.ts';
import { lined, paint, type Rich, say, sayJson, tell } from '../output.ts';
import { table } from '../table.ts';
import type { MutateOptions } from './eval.ts';

const usualEquivalents = 'evals/equivalents.yaml';

/** `purser eval mutate --deep`: plants bugs into the build, and says which of them the scenarios notice. */
export const mutateDeeply = (paths: readonly string[], options: MutateOptions): Promise<number> =>
  guarded(options, async () => {
    refuseGiven(
      options,
      ['rule', 'oneIn', 'report', 'out'],
      'does not apply to --deep, which only prints what it finds.',
    );
    const sample = countIn(options.sample ?? deepDefaults.sample, '--sample');
    const seed = wholeIn(options.seed ?? ofToday(), '--seed');
    const lanes = countIn(options.lanes ?? deepDefaults.lanes, '--lanes');
    const most = countIn(options.most ?? deepDefaults.most, '--most');
    const least = percentIn(options.minNoticed, '--min-noticed');
    const bugs = options.bugs === undefined ? undefined : ownBugs(options);
    const folder = temporaryFolder('purser-deep-');
    const bar = progressOf();
    let failing: readonly string[] = [];
    let possible = 0;
    try {
      const results = await mutateDeep(
        {
          ...{ paths: paths.length === 0 ? ['evals/scenarios'] : paths, fixtures: options.fixtures },
          ...{ bugs, sample, seed, lanes, most, folder, only: options.only, equivalents: equivalents() },
          onBaseline: ({ failed }, sites) => {
            failing = failed;
            possible = sites;
            for (const it of failed) tell(`it fails without a bug, and plays no part: ${it}`);
          },
          onResult: (result, done, of) => {
            bar(done, of, result.file);
            if (!process.stderr.isTTY) tell(`${result.fate}: ${placeOf(result)}`);
          },
        },
        await toolkit(),
      ).catch(asConfiguration);
      if (options.json) sayJson({ seed, results });
      else
        say(
          lined([
            ...scores(results),
            ...survivors(results),
            `${bugs === undefined ? `Seed ${seed}, ${results.length} of ${possible} possible` : results.length} bugs. ` +
              noticedOf(scoreOfAll(results)),
          ]),
        );
      if (failing.length > 0) return notJudged;
      return isNoticed(results, least ?? 0) ? 0 : 2;
    } finally {
      removeFolder(folder);
    }
  });

function ownBugs(options: MutateOptions): readonly OwnBug[] {
  refuseGiven(options, ['sample', 'seed', 'only'], 'does not apply to --bugs, of which every one is planted.');
  return (options.bugs ?? []).flatMap((file) => loadYaml(ownBugsSchema, file));
}

function asConfiguration(error: unknown): never {
  if (error instanceof NothingToPlant) throw new BadConfiguration(error.message, { cause: error });
  if (error instanceof UnplantableBug) throw new BadConfiguration(`--bugs: ${error.message}`, { cause: error });
  throw error;
}

async function toolkit(): Promise<Toolkit> {
  try {
    const [{ build }, { parseSync }] = await Promise.all([import('esbuild'), import('oxc-parser')]);
    return { build, parse: parseSync, wait: (milliseconds, signal) => wait(milliseconds, undefined, { signal }) };
  } catch (error) {
    throw new BadConfiguration('Bugs are planted into the source: run --deep in a checkout, after npm ci.', {
      cause: error,
    });
  }
}

function equivalents(): readonly Equivalent[] {
  const file = packagedPath(usualEquivalents);
  return isThere(file) ? loadYaml(equivalentsSchema, file) : [];
}

const placeOf = ({ title, operator, file, line }: DeepResult): string =>
  `${operator}, ${file}:${line}${title === undefined ? '' : `: ${title}`}`;

const percent = (share: number | undefined): string => (share === undefined ? '–' : share.toFixed(1));
const noticedOf = ({ noticed, tabled, survived, ofReached, ofReachedUntabled }: Score): string =>
  ofReached === undefined
    ? 'Scenarios reach none of them.'
    : `The evals notice ${noticed} of the ${noticed + survived} that scenarios reach: ${percent(ofReached)} %; ` +
      `without the goldens of tables ${noticed - tabled}: ${percent(ofReachedUntabled)} %.`;
const row = (it: Score): readonly string[] => [
  it.name,
  ...[it.planted, it.noticed, it.tabled, it.survived, it.unreached].map(String),
  ...[it.ofReached, it.ofReachedUntabled, it.ofAll].map(percent),
];

const scores = (results: readonly DeepResult[]): readonly Rich[] => {
  const fates = (fate: DeepResult['fate']): number => results.filter((it) => it.fate === fate).length;
  return [
    ...(['layer', 'domain', 'operator'] as const).flatMap((group) => [
      table([...scoresBy(results, group), scoreOfAll(results)].map(row), [
        group.toUpperCase(),
        'PLANTED',
        'NOTICED',
        'BY TABLES ONLY',
        'SURVIVED',
        'NOT REACHED',
        '% OF REACHED',
        '% WITHOUT TABLES',
        '% OF ALL',
      ]),
      '',
    ]),
    `${fates('broken')} do not load and ${fates('equivalent')} change nothing: they count for nothing.`,
  ];
};

const fateOf = ({ fate, runs }: DeepResult): string =>
  fate === 'unreached' ? 'not reached' : `survived ${runs} scenarios${fate === 'tabled' ? ', not the tables' : ''}`;

/** What nobody noticed, or only a golden of tables, as a diff. */
const survivors = (results: readonly DeepResult[]): readonly Rich[] =>
  unnoticed(results).flatMap((it) => [
    '',
    paint('bad', `${fateOf(it)}: ${placeOf(it)}`),
    ...it.was.split('\n').map((line) => paint('bad', `- ${line.trim()}`)),
    ...it.is.split('\n').map((line) => paint('good', `+ ${line.trim()}`)),
  ]);
