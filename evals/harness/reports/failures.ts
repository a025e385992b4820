import type { Grader } from '../replay/run.ts';
import type { Report } from './report.ts';

// What failed, in the order in which somebody wants to read it: the gravest first, and what is alike together.

type Scenario = Report['scenarios'][number];
export type ReportedFailure = Scenario['failures'][number];

/** What can fail, the gravest first: what does harm, what is untrue, what ends in another way, and what only differs. */
const gravity: readonly Grader[] = [
  'invariant',
  'facts',
  'speech',
  'warrant',
  'script', // what could not be done is why other things did not come about
  'refused',
  'state',
  'calls',
  'reply',
  'golden',
  'rubric',
  'server',
];

/** Scenarios that fail alike. */
export interface FailureGroup {
  readonly grader: Grader | undefined;
  /** Where and why, without the figures and ids of one scenario. */
  readonly about: string;
  readonly scenarios: readonly Scenario[];
}

/** What failed: groups by their gravest failure, large ones before small ones that are as grave. */
export function groupsOf(scenarios: readonly Scenario[]): readonly FailureGroup[] {
  const failed = scenarios
    .filter(({ verdict }) => verdict !== 'pass')
    .map((scenario) => {
      const [gravest] = inGravity(scenario);
      return { scenario, grader: gravest?.grader, about: gravest === undefined ? 'not judged' : kindOf(gravest) };
    });
  return [...Map.groupBy(failed, ({ grader, about }) => `${grader} ${about}`).values()]
    .map((all) => ({
      ...{ grader: all[0]?.grader, about: all[0]?.about ?? '' },
      scenarios: all.map(({ scenario }) => scenario),
    }))
    .toSorted((one, other) => rankOf(one) - rankOf(other) || other.scenarios.length - one.scenarios.length);
}

const rankOf = ({ grader }: Pick<FailureGroup, 'grader'>): number =>
  grader === undefined ? gravity.length : gravity.indexOf(grader);

/** The failures of a scenario, the gravest first. */
export const inGravity = ({ failures }: Scenario): readonly ReportedFailure[] =>
  failures.toSorted((one, other) => rankOf(one) - rankOf(other));

/** A failure without what belongs to one scenario alone: values, quotations, figures, ids, the number of the step. */
const kindOf = ({ at, because }: ReportedFailure): string =>
  (because.startsWith(at) ? because : `${placeOf(at)}: ${because}`)
    .replace(/^step \d+,? ?/, '')
    .replace(/\{".*\}/g, '{…}')
    .replace(/\[["{].*\]/g, '[…]')
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\b[a-z]+_[a-z]{12,13}\b|\$[a-z]+\d+/g, '…')
    .replace(/\b\d[\d.,:/-]*\b/g, '…');

/** How many scenarios of a group are shown in full. Own choice: the others fail in the same way. */
export const mostTold = 3;

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

/** What a scenario costs, in words. */
export const costOf = ({ calls, bytes, milliseconds }: Scenario): string =>
  `${calls} ${calls === 1 ? 'call' : 'calls'}, about ${tokensIn(bytes)} tokens, ${Math.round(milliseconds)} ms`;
