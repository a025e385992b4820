import { halfClauses } from '../../../evals/harness/coverage/clauses.ts';
import {
  type Coverage,
  halfCovered,
  missingIn,
  restingOnOne,
  tally,
} from '../../../evals/harness/coverage/coverage.ts';
import { costOf, groupsOf, inGravity, mostTold, placeOf, tokensIn } from '../../../evals/harness/reports/failures.ts';
import { countOf } from '../../../evals/harness/reports/figures.ts';
import type { Compared } from '../../../evals/harness/reports/gates.ts';
import type { Report } from '../../../evals/harness/reports/report.ts';
import { oneLine, paint, type Rich } from '../output.ts';
import { table } from '../table.ts';

// Formats a report for the terminal.

const lists = ['transitions', 'forbidden', 'tools', 'outcomes', 'codes', 'faults'] as const;

/** The output of a replay. */
export const lines = (
  report: Report,
  options: { readonly coverage?: true },
  against: Compared | undefined,
): readonly Rich[] => [
  ...failures(report),
  ...(options.coverage === true && report.coverage !== undefined ? covered(report.coverage) : []),
  ...figures(report),
  ...comparison(against),
];

/** What failed: the gravest first and what is alike together, each with what was expected and what was found. */
export const failures = ({ scenarios }: Report): readonly Rich[] =>
  groupsOf(scenarios).flatMap(({ grader, about, scenarios: all }) => [
    ...(all.length === 1 ? [] : [paint('strong', oneLine(`${all.length} alike, ${grader ?? ''}: ${about}`))]),
    ...all.slice(0, mostTold).flatMap(failureOf),
    ...all.slice(mostTold).map(({ id, title }) => paint('bad', oneLine(`${id}: ${title}`))),
  ]);

function failureOf(scenario: Report['scenarios'][number]): readonly Rich[] {
  const { id, title, file } = scenario;
  return [
    paint('bad', oneLine(`${id}: ${title}  (${file})`)),
    paint('faint', `    ${costOf(scenario)}`),
    ...inGravity(scenario).flatMap(({ grader, at, because, sides }) =>
      sides === undefined
        ? `    ${grader}, ${placeOf(at)}: ${because}`.split('\n') // what a server wrote keeps its lines
        : [
            `    ${grader}, ${placeOf(at)}:`,
            paint('good', oneLine(`        expected  ${sides.expected || 'nothing'}`)),
            paint('bad', oneLine(`        got       ${sides.found || 'nothing'}`)),
          ],
    ),
    ...scenario.changes
      .slice(0, mostChanges)
      .map(({ path, before, after }) =>
        paint('faint', oneLine(`    world: ${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`)),
      ),
    ...(scenario.changes.length > mostChanges ? [`    world: ${scenario.changes.length - mostChanges} more`] : []),
  ];
}

/** Differences of the world that are told of a scenario. Own choice: a report has them all. */
const mostChanges = 6;

export const figures = (report: Report): readonly Rich[] => {
  const { summary, coverage, adversaries } = report;
  const { time, fault, poison, actor } = summary.having;
  return [
    [
      paint(summary.passed === summary.scenarios ? 'good' : 'bad', countOf(summary)),
      `: ${summary.calls} ${summary.calls === 1 ? 'call' : 'calls'}, about ${tokensIn(summary.bytes)} tokens, ${Math.round(summary.milliseconds)} ms.`,
    ],
    // Only Purser's own scenarios have such steps, and another server need not have rules.
    ...(time + fault + poison + actor === 0
      ? []
      : [`Scenarios with time steps: ${time}; faults: ${fault}; hostile text: ${poison}; actors: ${actor}.`]),
    ...(coverage === undefined || Object.keys(coverage.rules).length === 0 ? [] : [exercised(coverage)]),
    ...(adversaries === undefined
      ? []
      : [
          `${adversaries.length} adversarial ${adversaries.length === 1 ? 'run' : 'runs'}, ${adversaries.filter(({ outcome }) => outcome === 'unnoticed').length} unnoticed.`,
        ]),
    ...(report.badAgents === undefined ? [] : conduct(report.badAgents)),
    ...unmet(report),
  ];
};

/** What bad agents passed. */
const conduct = ({ seed, oneIn, agents }: NonNullable<Report['badAgents']>): readonly Rich[] => [
  table(
    agents.map(({ agent, played, passed }) => [
      agent,
      String(played),
      paint(passed.length === 0 ? 'good' : 'bad', String(passed.length)),
    ]),
    ['BAD AGENT', 'PLAYED', 'PASSED'],
  ),
  oneIn === 1
    ? `Bad agents played with seed ${seed}, in every scenario.`
    : `Adversaries and bad agents played with seed ${seed}; their calls in one scenario of ${oneIn}, their words in all.`,
];

/** One line: a partial run leaves most rules out. `--coverage` lists them. */
function exercised(coverage: Coverage): string {
  const all = Object.keys(coverage.rules).length;
  const missing = halfCovered(coverage).length;
  const isDeclared = Object.values(coverage.rules).some(({ refuses }) => refuses !== undefined);
  const rules = `${all} ${all === 1 ? 'rule' : 'rules'}`;
  if (missing > 0) return `${missing} of ${rules} not exercised both ways; --coverage lists them.`;
  return isDeclared
    ? `${rules} exercised: allowed and, where a refusal is declared, refused.`
    : `All ${rules} were exercised: allowed and, where Purser enforces them, refused.`;
}

/** What the scenarios exercise and what they miss. */
export const covered = (coverage: Coverage): readonly Rich[] => [
  table(
    Object.entries(coverage.rules).map(([rule, { allowed, refused }]) => [
      ...[rule, String(allowed.length), String(refused.length)],
      paint('bad', halfCovered(coverage).find((it) => it.rule === rule)?.lacks ?? ''),
    ]),
    ['RULE', 'ALLOWED', 'REFUSED', 'NEVER'],
  ),
  ...halfClauses(coverage.clauses).map(({ name, lacks }) => `never ${lacks}: ${name}`),
  ...restingOnOne(coverage).map(({ name, scenario }) => `on one scenario: ${name}: ${scenario}`),
  ...lists.flatMap((name) => [
    ...missingIn(coverage[name]).map((it) => `never: ${name}: ${it.name}`),
    ...coverage[name].flatMap((it) =>
      it.beyond === undefined ? [] : [`not reachable by a scenario: ${name}: ${it.name}: ${it.beyond}`],
    ),
  ]),
  `Rules in an operation, both ways ${coverage.clauses.length - halfClauses(coverage.clauses).length}/${coverage.clauses.length}.`,
  `${lists.map((name) => `${name} ${tally(coverage[name]).covered}/${tally(coverage[name]).of}`).join(', ')}.`,
];

export const unmet = ({ gates }: Report): readonly Rich[] =>
  gates
    .filter(({ met }) => !met)
    .map(({ name, says }) => paint('bad', oneLine(`The gate "${name}" was not met. ${says}`)));

export const comparison = (against: Compared | undefined): readonly Rich[] =>
  against === undefined
    ? []
    : [
        ...against.broken.map((id) => paint('bad', `newly failing: ${id}`)),
        ...against.mended.map((id) => paint('good', `mended: ${id}`)),
        ...against.still.map((id) => `still failing: ${id}`),
        ...against.unjudged.map((id) => paint('warned', `not judged: ${id}`)),
      ];
