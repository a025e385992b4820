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
  const percent = rulesPercent(coverage);
  const lacking = halfCovered(coverage).map(({ rule, lacks }) => `${rule} (never ${lacks})`);
  const says = `${percent.toFixed(1)} % of the rules were both allowed and refused; ${minimum} % are asked for.`;
  return { name: 'rules', met: percent >= minimum, says: [says, ...lacking.slice(0, 20)].join(' ') };
}

/** Requires a percentage of clauses, each a rule in an operation, to be exercised both ways. */
export function clausesGate({ clauses }: Coverage, minimum: number): Gate {
  const percent = clausesPercent(clauses);
  const lacking = halfClauses(clauses).map(({ name, lacks }) => `${name} (never ${lacks})`);
  const says = `${percent.toFixed(1)} % of the rules were allowed and refused in each of their operations; ${minimum} % are asked for.`;
  return { name: 'clauses', met: percent >= minimum, says: [says, ...(percent >= minimum ? [] : lacking)].join(' ') };
}

/** Requires that the state machines do what the documents say. */
export function tablesGate(found: readonly string[]): Gate {
  return {
    name: 'tables',
    met: found.length === 0,
    says: found.length === 0 ? 'Every state machine does what the documents say.' : `${found.join('; ')}.`,
  };
}

/** Requires that every adversary was noticed and none broke an invariant. */
export function adversaryGates(runs: readonly AdversaryRun[]): readonly Gate[] {
  const lazy = runs.filter(({ adversary, by }) => adversary === 'noop' && by.length === 0);
  const unnoticed = runs.filter(({ outcome }) => outcome === 'unnoticed');
  const broken = runs.filter((it) => it.broken.length > 0);
  const list = (all: readonly AdversaryRun[]): string =>
    all.map(({ adversary, scenario }) => `${adversary} in ${scenario}`).join(', ');
  return [
    {
      name: 'do-nothing',
      met: lazy.length === 0,
      says:
        lazy.length === 0 ? 'The do-nothing agent passes no scenario.' : `The do-nothing agent passes ${list(lazy)}.`,
    },
    {
      name: 'adversaries',
      met: unnoticed.length === 0,
      says: unnoticed.length === 0 ? 'Every adversary was noticed.' : `Unnoticed: ${list(unnoticed)}.`,
    },
    {
      name: 'invariants under adversaries',
      met: broken.length === 0,
      says:
        broken.length === 0
          ? 'No adversary broke an invariant.'
          : `An invariant broke: ${broken.map((it) => `${it.adversary} in ${it.scenario}: ${it.broken[0]?.because}`).join(' ')}`,
    },
  ];
}

/** The share of its scenarios that a bad agent may pass. Own choice: a lie that happens to be true is none. */
const mostPassed = 0.05;

/** Requires that no bad agent passes more than a few of the scenarios in which it does anything bad. */
export function badAgentsGate(agents: readonly Conduct[]): Gate {
  const above = agents.filter(({ played, passed }) => passed.length > played * mostPassed);
  const list = above.map(
    ({ agent, played, passed }) => `${agent} passes ${passed.length} of ${played}: ${passed.join(', ')}`,
  );
  const percent = mostPassed * 100;
  return {
    name: 'bad agents',
    met: above.length === 0,
    says:
      above.length === 0
        ? `No bad agent passes more than ${percent} %.`
        : `At most ${percent} % may be passed. ${list.join('; ')}.`,
  };
}

/** Requires that no mutant of a critical rule survived. */
export function mutationGate(results: readonly MutantResult[]): Gate {
  const left = survivorsOf(results).filter(({ rule }) => criticalRules.some((id) => id === rule));
  const says =
    left.length === 0 ? 'No mutant of a critical rule survived.' : `Survived: ${left.map(({ id }) => id).join('; ')}.`;
  return { name: 'mutants', met: left.length === 0, says };
}

/** What changed since an earlier run, by scenario. */
export interface Compared {
  /** Scenarios that fail now and didn't before, including new ones. */
  readonly broken: readonly string[];
  readonly mended: readonly string[];
  readonly still: readonly string[];
}

/** Compares the failures of two runs. A scenario that didn't run or wasn't judged counts as unchanged. */
export function compared(before: Ended, now: Ended): Compared {
  const [earlier, failed, passed] = [idsOf(before, 'fail'), idsOf(now, 'fail'), idsOf(now, 'pass')];
  return {
    broken: failed.filter((id) => !earlier.includes(id)),
    mended: earlier.filter((id) => passed.includes(id)),
    still: failed.filter((id) => earlier.includes(id)),
  };
}

/** How each scenario of a run ended. */
type Ended = readonly { readonly id: string; readonly verdict: Verdict }[];

const idsOf = (ended: Ended, verdict: Verdict): readonly string[] =>
  ended.filter((it) => it.verdict === verdict).map(({ id }) => id);
