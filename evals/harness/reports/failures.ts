import type { Grader } from '../replay/run.ts';
import type { Report } from './report.ts';

// What failed, in the order in which somebody wants to read it: the gravest first, and what is alike together.

type Scenario = Report['scenarios'][number];
export type ReportedFailure = Scenario['failures'][number];

/** Graders, the gravest first: harm, then untruth, then a wrong answer or end, then a difference. */
const gravity: readonly Grader[] = [
  ...(['invariant', 'facts', 'speech', 'warrant', 'refused', 'state', 'calls', 'reply'] as const),
  ...(['script', 'golden', 'rubric'] as const),
];
const gravityOf = ({ grader }: ReportedFailure): number => gravity.indexOf(grader);

/** Scenarios that fail alike. */
export interface FailureGroup {
  readonly grader: Grader | undefined;
  /** Where and why, without the figures and ids of one scenario. */
  readonly about: string;
  readonly scenarios: readonly Scenario[];
}

/** What failed: groups by their gravest failure, large ones before small ones that are as grave. */
export function groupsOf(scenarios: readonly Scenario[]): readonly FailureGroup[] {
  const failed = scenarios.filter(({ verdict }) => verdict !== 'pass');
  const groups = Map.groupBy(failed, (it) => {
    const [first] = inGravity(it);
    return first === undefined ? it.verdict : `${gravityOf(first)} ${kindOf(first)}`;
  });
  const rank = ([first]: readonly Scenario[]): number => {
    const [gravest] = first === undefined ? [] : inGravity(first);
    return gravest === undefined ? gravity.length : gravityOf(gravest);
  };
  return [...groups.values()]
    .toSorted((one, other) => rank(one) - rank(other) || other.length - one.length)
    .map((all) => {
      const [first] = all[0] === undefined ? [] : inGravity(all[0]);
      return { grader: first?.grader, about: first === undefined ? 'not judged' : kindOf(first), scenarios: all };
    });
}

/** The failures of a scenario, the gravest first. */
export const inGravity = ({ failures }: Scenario): readonly ReportedFailure[] =>
  failures.toSorted((one, other) => gravityOf(one) - gravityOf(other));

/** A failure without what belongs to one scenario alone: quotations, figures, ids, the number of the step. */
const kindOf = ({ at, because }: ReportedFailure): string =>
  `${placeOf(at)}: ${because}`
    .replace(/^step \d+,? ?/, '')
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\b[a-z]+_[a-z]{12,13}\b|\$[a-z]+\d+/g, '…')
    .replace(/\b\d[\d.,:/-]*\b/g, '…');

/** A place of a failure, as people count: steps from 1 on. */
export const placeOf = (at: string): string =>
  at
    .replace(/^steps\[(\d+)\] ?/, (_, index: string) => `step ${Number(index) + 1} `)
    .replace(/^(\d+)\. /, 'step $1 ')
    .trim();

/** The number of the step, from 1 on, that a failure is about. */
export function stepOf({ at }: Pick<ReportedFailure, 'at'>): number | undefined {
  const number = /^step (\d+)/.exec(placeOf(at))?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Tokens that a model would read of so many bytes, about: English and JSON have about four characters to a token. */
export const tokensIn = (bytes: number): number => Math.ceil(bytes / bytesOfToken);
const bytesOfToken = 4;
