import { halfCovered, rulesPercent, tally } from '../../evals/coverage.ts';
import type { Compared } from '../../evals/gates.ts';
import type { Report } from '../../evals/reports/report.ts';

// A report in the lines that a person reads.

export const lists = ['transitions', 'forbidden', 'tools', 'outcomes', 'codes', 'faults'] as const;

export const failures = ({ scenarios }: Report): readonly string[] =>
  scenarios
    .filter(({ verdict }) => verdict !== 'pass')
    .flatMap(({ id, title, file, failures: found }) => [
      `${id}: ${title}  (${file})`,
      ...found.map(({ grader, at, because }) => `    ${grader}, ${at}: ${because}`),
    ]);

export const figures = (report: Report): readonly string[] => {
  const { summary, coverage, cast } = report;
  const { time, fault, poison, actor } = summary.having;
  return [
    `${summary.passed} of ${summary.scenarios} scenarios passed, ${summary.calls} calls, ${Math.round(summary.milliseconds)} ms.`,
    `Time goes by in ${time}, something fails in ${fault}, text is hostile in ${poison}, others act in ${actor}.`,
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

export const unmet = ({ gates }: Report): readonly string[] =>
  gates.filter(({ met }) => !met).map(({ name, says }) => `The gate "${name}" was not met. ${says}`);

export const comparison = (against: Compared | undefined): readonly string[] =>
  against === undefined
    ? []
    : [
        ...against.broken.map((id) => `failed only now: ${id}`),
        ...against.mended.map((id) => `mended: ${id}`),
        ...against.still.map((id) => `failed before, too: ${id}`),
      ];
