import type { AdversaryRun } from '../adversaries/adversaries.ts';
import type { Conduct } from '../adversaries/bad-agents.ts';
import { clausesPercent, halfClauses } from '../coverage/clauses.ts';
import { type Coverage, halfCovered, rulesPercent } from '../coverage/coverage.ts';
import { criticalRules } from '../mutation/critical-rules.ts';
import { type MutantResult, survivorsOf } from '../mutation/mutate.ts';
import type { Verdict } from '../replay/run.ts';

/** A condition of the whole run, besides its scenarios' verdicts. */
export interface Gate {
  readonly name: string;
  readonly met: boolean;
  readonly says: string;
}

/** Requires a percentage of rules to be exercised both ways. */
export function rulesGate(coverage: Coverage, minimum: number): Gate {
  if (Object.keys(coverage.rules).length === 0)
    return { name: 'rules', met: false, says: 'There is no rule to measure: declare some in the scenarios.' };
  const percent = rulesPercent(coverage);
  const says = `${percent.toFixed(1)} % of the rules were both allowed and refused; ${minimum} % are asked for.`;
  return shareGate(
    'rules',
    { percent, minimum, says },
    halfCovered(coverage).map(({ rule, lacks }) => ({ name: rule, lacks })),
  );
}

/** Requires a percentage of clauses, each a rule in an operation, to be exercised both ways. */
export function clausesGate({ clauses }: Coverage, minimum: number): Gate {
  const percent = clausesPercent(clauses);
  const says = `${percent.toFixed(1)} % of the rules were allowed and refused in each of their operations; ${minimum} % are asked for.`;
  return shareGate('clauses', { percent, minimum, says }, halfClauses(clauses));
}

/** A gate that asks for a share: it lists what lacks only where it is not met. */
function shareGate(
  name: string,
  { percent, minimum, says }: { readonly percent: number; readonly minimum: number; readonly says: string },
  half: readonly { readonly name: string; readonly lacks: string }[],
): Gate {
  if (percent >= minimum) return { name, met: true, says };
  return { name, met: false, says: `${says} ${inShort(half.map((it) => `${it.name} (never ${it.lacks})`))}` };
}

/** What a gate lists at most. Own choice: about a screen. */
const mostListed = 20;

/** A list as a sentence, and how many more there are. */
function inShort(all: readonly string[]): string {
  const more = all.length - mostListed;
  return `${all.slice(0, mostListed).join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

/** Requires that nothing of a kind was found. */
const none = (name: string, found: readonly string[], good: string, bad: string): Gate => ({
  name,
  met: found.length === 0,
  says: found.length === 0 ? good : `${bad}${inShort(found)}`,
});

/** Requires that the state machines do what the documents say. */
export const tablesGate = (found: readonly string[]): Gate =>
  none('tables', found, 'Every state machine does what the documents say.', '');

/** Requires that every adversary was noticed and none broke an invariant. */
export function adversaryGates(runs: readonly AdversaryRun[]): readonly Gate[] {
  const named = (is: (run: AdversaryRun) => boolean): readonly string[] =>
    runs.filter(is).map(({ adversary, scenario }) => `${adversary} in ${scenario}`);
  const lazy = runs.filter(({ adversary, by }) => adversary === 'noop' && by.length === 0);
  const broken = runs.flatMap(({ adversary, scenario, broken: [first] }) =>
    first === undefined ? [] : [`${adversary} in ${scenario}: ${first.because.replace(/\.$/, '')}`],
  );
  return [
    none(
      'do-nothing',
      lazy.map(({ scenario }) => scenario),
      'The do-nothing agent passes no scenario.',
      'The do-nothing agent passes ',
    ),
    none(
      'adversaries',
      named(({ outcome }) => outcome === 'unnoticed'),
      'Every adversary was noticed.',
      'Unnoticed: ',
    ),
    none('invariants under adversaries', broken, 'No adversary broke an invariant.', 'An invariant broke: '),
  ];
}

/** The share of its scenarios that a bad agent may pass. Own choice: a lie that happens to be true is none. */
const mostPassed = 0.05;

/** Requires that no bad agent passes more than a few of the scenarios in which it does anything bad. */
export function badAgentsGate(agents: readonly Conduct[]): Gate {
  const above = agents
    .filter(({ played, passed }) => passed.length > played * mostPassed)
    .map(({ agent, played, passed }) => `${agent} passes ${passed.length} of ${played}: ${inShort(passed)}`);
  const percent = mostPassed * 100;
  return {
    name: 'bad agents',
    met: above.length === 0,
    says:
      above.length === 0
        ? `No bad agent passes more than ${percent} %.`
        : `At most ${percent} % may be passed. ${above.join(' ')}`,
  };
}

/** Requires that no mutant of a critical rule survived. */
export const mutationGate = (results: readonly MutantResult[]): Gate =>
  none(
    'mutants',
    survivorsOf(results)
      .filter(({ rule }) => criticalRules.some((id) => id === rule))
      .map(({ id }) => id),
    'No mutant of a critical rule survived.',
    'Survived: ',
  );

/** What changed since an earlier run, by scenario. */
export interface Compared {
  /** Scenarios that fail now and didn't before, including new ones. */
  readonly broken: readonly string[];
  readonly mended: readonly string[];
  readonly still: readonly string[];
  /** Scenarios that the later run could not judge: whether they fail is not known. */
  readonly unjudged: readonly string[];
}

/** Compares the failures of two runs. A scenario that didn't run counts as unchanged. */
export function compared(before: Ended, now: Ended): Compared {
  const [earlier, failed, passed] = [idsOf(before, 'fail'), idsOf(now, 'fail'), idsOf(now, 'pass')];
  return {
    broken: failed.filter((id) => !earlier.includes(id)),
    mended: earlier.filter((id) => passed.includes(id)),
    still: failed.filter((id) => earlier.includes(id)),
    unjudged: idsOf(now, 'judge error'),
  };
}

/** How each scenario of a run ended. */
type Ended = readonly { readonly id: string; readonly verdict: Verdict }[];

const idsOf = (ended: Ended, verdict: Verdict): readonly string[] =>
  ended.filter((it) => it.verdict === verdict).map(({ id }) => id);
