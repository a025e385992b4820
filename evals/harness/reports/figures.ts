import { halfClauses } from '../coverage/clauses.ts';
import { rulesPercent, tally } from '../coverage/coverage.ts';
import type { Live } from '../live/report.ts';
import { survivorsOf } from '../mutation/mutate.ts';
import { tokensIn } from './failures.ts';
import type { Report } from './report.ts';

/** One figure of a report: what it counts, its value, and whether it is all that it can be, where that is a question. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly complete?: boolean;
}

/** The figures of every human-readable report. */
export function figuresOf({ summary, coverage, adversaries, mutation, live }: Report): readonly Figure[] {
  const part = (name: string, some: number, all: number): Figure => ({
    name,
    value: `${whole(some)} of ${whole(all)}`,
    complete: some === all,
  });
  return [
    part('Scenarios passed', summary.passed, summary.scenarios),
    ...(live === undefined ? [] : figuresOfLive(live)),
    ...(coverage === undefined
      ? []
      : [
          {
            name: 'Rules allowed and refused',
            value: `${rulesPercent(coverage).toFixed(1)} %`,
            complete: rulesPercent(coverage) === 100,
          },
          // Another server has only rules and tools.
          ...(coverage.clauses.length === 0
            ? []
            : [
                part(
                  'Rules in an operation, both ways',
                  coverage.clauses.length - halfClauses(coverage.clauses).length,
                  coverage.clauses.length,
                ),
              ]),
          ...(['transitions', 'forbidden', 'tools', 'outcomes', 'codes', 'faults'] as const).flatMap((name) => {
            const { covered, of } = tally(coverage[name]);
            return of === 0 ? [] : [part(listNames[name], covered, of)];
          }),
        ]),
    ...(adversaries === undefined
      ? []
      : [
          part(
            'Adversaries noticed or harmless',
            adversaries.filter(({ outcome }) => outcome !== 'unnoticed').length,
            adversaries.length,
          ),
        ]),
    ...(mutation === undefined
      ? []
      : [part('Mutants noticed', mutation.length - survivorsOf(mutation).length, mutation.length)]),
    { name: 'Calls', value: summary.calls.toLocaleString('en') },
    { name: 'Tokens that the agent reads, about', value: tokensIn(summary.bytes).toLocaleString('en') },
  ];
}

/** The report in a line: scenarios, and everything that didn't pass. */
export function verdictOf({ summary, gates, live }: Report): { readonly good: boolean; readonly says: string } {
  const unmet = gates.filter(({ met }) => !met).length;
  const lost = (live?.infrastructure.length ?? 0) + (live?.notBegun ?? 0);
  const good = summary.passed === summary.scenarios && unmet + lost === 0;
  const more = [
    ...(unmet === 0 ? [] : [`${unmet} ${unmet === 1 ? 'gate' : 'gates'} not met`]),
    ...(lost === 0 ? [] : [`${lost} ${lost === 1 ? 'trial' : 'trials'} lost or not begun`]),
  ];
  return { good, says: [countOf(summary), ...more].join(', ') };
}

/** How many failed, or that none did. */
export function countOf({ scenarios, passed, failed, judgeErrors }: Report['summary']): string {
  const all = `${scenarios} ${scenarios === 1 ? 'scenario' : 'scenarios'}`;
  if (judgeErrors > 0) return `${failed} of ${all} failed, ${judgeErrors} could not be judged`;
  return passed === scenarios ? `${all} passed` : `${scenarios - passed} of ${all} failed`;
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

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Figures of repeated trials; a curve tells its values from k = 1 on. */
function figuresOfLive(live: Live): readonly Figure[] {
  const { counted, passed, harmed, interval, infrastructure, notBegun, judgeErrors, tokens, fromJournal = 0 } = live;
  const none = (name: string, count: number): Figure => ({ name, value: String(count), complete: count === 0 });
  return [
    { name: 'Trials passed', value: `${passed} of ${counted}`, complete: passed === counted },
    { name: 'Share of trials at 95 %', value: interval.map(percent).join(' to ') },
    { name: 'pass^k', value: curve(live.hat) },
    { name: 'pass@k', value: curve(live.at) },
    none('Trials that did harm', harmed),
    none('Trials lost or not begun', infrastructure.length + notBegun),
    ...(fromJournal === 0 ? [] : [{ name: 'Trials from the journal', value: String(fromJournal) }]),
    none('Verdicts that could not be read', judgeErrors),
    ...(['agent', 'customer', 'judge'] as const)
      .filter((who) => sumOf(tokens[who]) > 0)
      .map((who) => ({ name: `Tokens of the ${who}`, value: inAndOut(tokens[who]) })),
  ];
}

type Tokens = Live['tokens']['agent'];
const sumOf = ({ input, output }: Tokens): number => input + output;
const inAndOut = ({ input, cached, output, reasoning }: Tokens): string =>
  `${whole(input)} in (${whole(cached)} cached), ${whole(output)} out (${whole(reasoning)} for reasoning)`;
const whole = (count: number): string => count.toLocaleString('en');
const curve = (shares: readonly number[]): string =>
  shares.length === 0 ? 'none' : `${shares.map((share) => (100 * share).toFixed(1)).join(', ')} %`;

/** The figures of a scenario with several trials, in the order of `scoreNames`. */
export const scoreOf = (it: Live['scenarios'][number]): readonly string[] => [
  `${it.passed} of ${it.counted}`,
  it.interval.map(percent).join(' to '),
  curve(it.hat),
  curve(it.at),
  String(it.harmed),
  String(it.infrastructure + it.judgeErrors),
  whole(sumOf(it.tokens)),
];
export const scoreNames = [
  'trials passed',
  'at 95 %',
  'pass^k',
  'pass@k',
  'did harm',
  'not counted',
  'tokens',
] as const;
