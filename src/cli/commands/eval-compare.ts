import { type Comparison, compareRuns, type RunFigures } from '../../../evals/harness/reports/compare.ts';
import { guarded, notJudged } from '../evals/ending.ts';
import { comparison } from '../evals/figures.ts';
import { reportAt, requireMode } from '../evals/options.ts';
import { lined, type Rich, say, sayJson } from '../output.ts';
import { table } from '../table.ts';

/**
 * `purser eval compare`: two reports beside each other. Ends with 1 if a scenario fails that did not fail before, and with 4 if
 * one was not judged.
 */
export const compareReports = (before: string, after: string, options: { readonly json?: true }): Promise<number> =>
  guarded(options, async () => {
    const [earlier, later] = [reportAt(before), reportAt(after)];
    requireMode(after, later, `${before} one in ${earlier.mode} mode`, earlier.mode);
    const found = compareRuns(earlier, later);
    if (options.json) sayJson(found);
    else say(lined(linesOf(found)));
    if (found.broken.length > 0) return 1;
    return found.unjudged.length > 0 ? notJudged : 0;
  });

const linesOf = (found: Comparison): readonly Rich[] => [
  ...comparison(found),
  ...found.added.map((id) => `new scenario: ${id}`),
  ...found.gone.map((id) => `gone: ${id}`),
  ...found.lost.map((name) => `no longer exercised: ${name}`),
  ...found.gained.map((name) => `now exercised: ${name}`),
  ...(found.changed.length === 0
    ? []
    : [
        table(
          found.changed.map(({ id, calls, tokens, milliseconds }) => [
            ...[id, pair(calls), pair(tokens), pair(milliseconds.map(Math.round))],
          ]),
          ['SCENARIO', 'CALLS', 'TOKENS', 'MS'],
        ),
      ]),
  table(
    [
      ['by', nameOf(found.before), nameOf(found.after), ''],
      ...figures.map(([name, of]) => [
        ...[name, String(of(found.before)), String(of(found.after))],
        signed(of(found.after) - of(found.before)),
      ]),
    ],
    ['', 'BEFORE', 'AFTER', 'DIFFERENCE'],
  ),
];

const figures: readonly (readonly [string, (it: RunFigures) => number])[] = [
  ['failed', (it) => it.failed],
  ['scenarios', (it) => it.scenarios],
  ['calls', (it) => it.calls],
  ['tokens read, about', (it) => it.tokens],
  ['ms', (it) => Math.round(it.milliseconds)],
];

const nameOf = ({ by, model }: RunFigures): string => model ?? by;
const pair = ([was, is]: readonly number[]): string => (was === is ? String(was) : `${was} → ${is}`);
const signed = (difference: number): string => (difference > 0 ? `+${difference}` : String(difference));
