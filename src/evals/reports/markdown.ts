import { halfCovered, rulesPercent, tally } from '../coverage.ts';
import { survivorsOf } from '../mutate.ts';
import type { Report } from './report.ts';

/** The report as a page of Markdown, for the summary of a CI run: what failed first, then the figures. */
export function markdown({ summary, scenarios, coverage, cast, mutation, gates }: Report): string {
  const failed = scenarios.filter(({ verdict }) => verdict !== 'pass');
  const unmet = gates.filter(({ met }) => !met);
  const good = failed.length === 0 && unmet.length === 0;
  const figures: readonly (readonly [string, string])[] = [
    ['Scenarios passed', `${summary.passed} of ${summary.scenarios}`],
    ...(coverage === undefined
      ? []
      : ([
          ['Rules allowed and refused', `${rulesPercent(coverage).toFixed(1)} %`],
          ...(['transitions', 'forbidden', 'tools', 'outcomes', 'codes', 'faults'] as const).map((name) => {
            const { covered, of } = tally(coverage[name]);
            return [words[name], `${covered} of ${of}`] as const;
          }),
        ] as const)),
    ...(cast === undefined
      ? []
      : [
          [
            'Bad agents noticed or harmless',
            `${cast.filter(({ ending }) => ending !== 'unnoticed').length} of ${cast.length}`,
          ] as const,
        ]),
    ...(mutation === undefined
      ? []
      : [['Mutants noticed', `${mutation.length - survivorsOf(mutation).length} of ${mutation.length}`] as const]),
    ['Calls', String(summary.calls)],
    ['Bytes that the agent reads', String(summary.bytes)],
  ];
  return [
    `# ${good ? 'Passed' : 'Not passed'}: ${summary.passed} of ${summary.scenarios} scenarios`,
    ...(failed.length === 0 ? [] : ['## What failed', ...failed.map(failureOf)]),
    ...(unmet.length === 0
      ? []
      : ['## Gates that were not met', unmet.map(({ name, says }) => `- **${cell(name)}**: ${cell(says)}`).join('\n')]),
    '## Figures',
    ['| | |', '|---|---|', ...figures.map(([name, value]) => `| ${name} | ${value} |`)].join('\n'),
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

const words = {
  transitions: 'Transitions taken',
  forbidden: 'Forbidden transitions refused',
  tools: 'Tools',
  outcomes: 'Outcomes',
  codes: 'Error codes',
  faults: 'Faults',
} as const;

const failureOf = ({ id, title, file, failures }: Report['scenarios'][number]): string =>
  [
    `- **${cell(id)}**: ${cell(title)} (\`${cell(file)}\`)`,
    ...failures.map(({ grader, at, because }) => `  - ${grader}, ${cell(at)}: ${cell(because)}`),
  ].join('\n');

/** Text in a line of Markdown: no sign of it is markup. */
const cell = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#]/g, '\\$&');
