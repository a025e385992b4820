import type { AdversaryRun } from '../adversaries/adversaries.ts';
import { type Coverage, halfCovered, rulesPercent } from '../coverage/coverage.ts';
import { criticalRules } from '../mutation/critical-rules.ts';

import { type MutantResult, survivorsOf } from '../mutation/mutate.ts';
import type { Verdict } from '../replay/run.ts';

/** A condition of the whole run, beside the verdicts of its scenarios. */
export interface Gate {
  readonly name: string;
  readonly met: boolean;
  readonly says: string;
}

/** Enough rules were exercised in both directions. */
export function rulesGate(coverage: Coverage, minimum: number): Gate {
  const percent = rulesPercent(coverage);
  const lacking = halfCovered(coverage).map(({ rule, lacks }) => `${rule} (never ${lacks})`);
  const says = `${percent.toFixed(1)} % of the rules were both allowed and refused; ${minimum} % are asked for.`;
  return { name: 'rules', met: percent >= minimum, says: [says, ...lacking.slice(0, 20)].join(' ') };
}

/** Every bad agent was noticed, and none of them broke a promise of ours. */
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
        lazy.length === 0
          ? 'An agent that does nothing passes nothing.'
          : `An agent that does nothing passes ${list(lazy)}.`,
    },
    {
      name: 'adversaries',
      met: unnoticed.length === 0,
      says: unnoticed.length === 0 ? 'Every bad agent was noticed.' : `Nobody noticed ${list(unnoticed)}.`,
    },
    {
      name: 'invariants under adversaries',
      met: broken.length === 0,
      says:
        broken.length === 0
          ? 'No bad agent broke an invariant.'
          : `An invariant broke: ${broken.map((it) => `${it.adversary} in ${it.scenario}: ${it.broken[0]?.because}`).join(' ')}`,
    },
  ];
}

/** No mutant of a critical rule survived. */
export function mutationGate(fates: readonly MutantResult[]): Gate {
  const left = survivorsOf(fates).filter(({ rule }) => criticalRules.some((id) => id === rule));
  const says =
    left.length === 0 ? 'No mutant of a critical rule survived.' : `Survived: ${left.map(({ id }) => id).join('; ')}.`;
  return { name: 'mutants', met: left.length === 0, says };
}

/** What changed against an earlier run, by name and not by average. */
export interface Compared {
  /** Fail now and did not before, scenarios that are new among them. */
  readonly broken: readonly string[];
  readonly mended: readonly string[];
  readonly still: readonly string[];
}

/** Compares what failed before with a run of now. What was not played now, or not judged, is not mended. */
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
