import { rulesPercent, tally } from '../coverage.ts';
import { survivorsOf } from '../mutate.ts';
import type { Report } from './report.ts';

/** One figure of a report: what it counts, its value, and whether it is all that it can be, where that is a question. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly complete?: boolean;
}

/** The figures that every report for people shows, in the same words. */
export function figuresOf({ summary, coverage, cast, mutation }: Report): readonly Figure[] {
  const part = (name: string, some: number, all: number): Figure => ({
    name,
    value: `${some} of ${all}`,
    complete: some === all,
  });
  return [
    part('Scenarios passed', summary.passed, summary.scenarios),
    ...(coverage === undefined
      ? []
      : [
          {
            name: 'Rules allowed and refused',
            value: `${rulesPercent(coverage).toFixed(1)} %`,
            complete: rulesPercent(coverage) === 100,
          },
          ...(['transitions', 'forbidden', 'tools', 'outcomes', 'codes', 'faults'] as const).map((name) => {
            const { covered, of } = tally(coverage[name]);
            return part(listNames[name], covered, of);
          }),
        ]),
    ...(cast === undefined
      ? []
      : [
          part(
            'Bad agents noticed or harmless',
            cast.filter(({ ending }) => ending !== 'unnoticed').length,
            cast.length,
          ),
        ]),
    ...(mutation === undefined
      ? []
      : [part('Mutants noticed', mutation.length - survivorsOf(mutation).length, mutation.length)]),
    { name: 'Calls', value: summary.calls.toLocaleString('en') },
    { name: 'Bytes that the agent reads', value: summary.bytes.toLocaleString('en') },
  ];
}

/** What the lists of a coverage are called. */
export const listNames = {
  transitions: 'Transitions taken',
  forbidden: 'Forbidden transitions refused',
  tools: 'Tools',
  outcomes: 'Outcomes',
  codes: 'Error codes',
  faults: 'Faults',
} as const;
