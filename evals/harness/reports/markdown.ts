import { halfClauses } from '../coverage/clauses.ts';
import { halfCovered } from '../coverage/coverage.ts';
import { survivorsOf } from '../mutation/mutate.ts';
import { costOf, type FailureGroup, groupsOf, inGravity, mostTold, placeOf } from './failures.ts';
import { figuresOf, scoreNames, scoreOf, verdictOf } from './figures.ts';
import type { Report } from './report.ts';

type Scenario = Report['scenarios'][number];

/** The report as a page of Markdown, for the summary of a CI run: what failed first, then the figures. */
export function markdown(report: Report): string {
  const { scenarios, coverage, gates, live } = report;
  const groups = groupsOf(scenarios);
  const unmet = gates.filter(({ met }) => !met);
  const lost = live?.infrastructure ?? [];
  const survivors = survivorsOf(report.mutation ?? []);
  return [
    `# ${verdictOf(report).says}`,
    ...(groups.length === 0 ? [] : ['## What failed', ...groups.map(groupOf)]),
    ...(unmet.length === 0
      ? []
      : ['## Gates that were not met', unmet.map(({ name, says }) => `- **${cell(name)}**: ${cell(says)}`).join('\n')]),
    ...(lost.length === 0
      ? []
      : [
          '## Trials that were lost',
          lost
            .map(({ scenario, trial, because }) => `- **${cell(scenario)}**, trial ${trial}: ${cell(because)}`)
            .join('\n'),
        ]),
    '## Figures',
    ['| | |', '|---|---|', ...figuresOf(report).map(({ name, value }) => `| ${name} | ${value} |`)].join('\n'),
    ...(live === undefined
      ? []
      : [
          '## Trials of each scenario',
          [
            `| scenario | ${scoreNames.join(' | ')} |`,
            `|---|${scoreNames.map(() => '---|').join('')}`,
            ...live.scenarios.map((it) => `| ${cell(it.id)} | ${scoreOf(it).join(' | ')} |`),
          ].join('\n'),
        ]),
    ...(survivors.length === 0
      ? []
      : ['## Mutants that survive', survivors.map(({ id }) => `- ${cell(id)}`).join('\n')]),
    ...(coverage === undefined || halfClauses(coverage.clauses).length === 0
      ? []
      : [
          '## Rules in one direction only, by operation',
          halfClauses(coverage.clauses)
            .map(({ name, lacks }) => `- ${cell(name)}: never ${lacks}`)
            .join('\n'),
        ]),
    ...(coverage === undefined || halfCovered(coverage).length === 0
      ? []
      : [
          '## Rules in one direction only',
          halfCovered(coverage)
            .map(({ rule, lacks }) => `- ${rule}: never ${lacks}`)
            .join('\n'),
        ]),
  ]
    .join('\n\n')
    .concat('\n');
}

const groupOf = ({ grader, about, scenarios }: FailureGroup): string =>
  [
    ...(scenarios.length === 1 ? [] : [`**${scenarios.length} alike:** ${grader ?? ''} ${cell(about)}\n`]),
    ...scenarios.slice(0, mostTold).map(failureOf),
    ...scenarios.slice(mostTold).map(headingOf),
  ].join('\n');

const headingOf = ({ id, title, file }: Scenario): string => `- **${cell(id)}**: ${cell(title)} (\`${cell(file)}\`)`;

function failureOf(scenario: Scenario): string {
  return [
    `${headingOf(scenario)}, ${costOf(scenario)}`,
    ...inGravity(scenario).flatMap(({ grader, at, because, sides }) => {
      const where = `  - ${grader}, ${cell(placeOf(at))}:`;
      if (sides === undefined) return [`${where} ${cell(because)}`];
      return [where, `    - expected: ${sideOf(sides.expected)}`, `    - got: ${sideOf(sides.found)}`];
    }),
  ].join('\n');
}

const sideOf = (text: string): string => (text === '' ? 'nothing' : cell(text));

/** Text in a line of Markdown: no sign of it is markup. */
const cell = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#]/g, '\\$&');
