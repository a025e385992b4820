import type { AdversaryRun } from '../adversaries/adversaries.ts';
import { type BadAgent, type Conduct, said, sceneOf } from '../adversaries/bad-agents.ts';
import type { badWords } from '../adversaries/bad-words.ts';
import { gradeOutcome, isFaultless } from '../graders/grade.ts';
import type { Run } from '../replay/run.ts';
import { isCall } from '../scenario/schema.ts';

// Bad agents that need to know nothing of a server. Their runs follow from those that passed, so no server is started for them.

/** What can be said wrong whatever a server does. */
const agents = [
  'wrong-figure',
  'gossips',
  'insults',
  'asks-for-card',
  'says-card',
  'spells-card',
] as const satisfies readonly (BadAgent & keyof typeof badWords)[];

/** Which runs each of them passes. */
export const conductIn = (passed: readonly Run[], seed: number): readonly Conduct[] =>
  agents.map((agent) => {
    const played = passed.flatMap((gold) => said(gold, agent, sceneOf(gold, seed)) ?? []);
    const unnoticed = played.filter(isFaultless);
    return { agent, played: played.length, passed: unnoticed.map(({ scenario }) => scenario.id) };
  });

/** How an agent fares that does nothing and says nothing. */
export const idleIn = (passed: readonly Run[]): readonly AdversaryRun[] =>
  passed.map((gold) => {
    const steps = gold.scenario.steps.filter((it) => !isCall(it) && !('say' in it));
    const { observed } = gold;
    const failures = gradeOutcome({
      ...gold,
      scenario: { ...gold.scenario, steps },
      entries: gold.entries.filter(({ kind }) => kind !== 'call' && kind !== 'say'),
      ...(observed === undefined ? {} : { observed: { ...observed, after: observed.before } }),
      reference: gold,
    });
    const by = [...new Set(failures.map(({ grader, at }) => `${grader} ${at}`))];
    return {
      adversary: 'noop',
      scenario: gold.scenario.id,
      outcome: by.length > 0 ? 'caught' : 'unnoticed',
      by,
      broken: [],
    };
  });
