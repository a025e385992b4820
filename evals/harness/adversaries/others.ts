import type { Run } from '../replay/run.ts';
import type { Loaded } from '../scenario/load.ts';
import type { TestHarness } from '../world/world.ts';
import { type Adversary, type AdversaryRun, runAdversaries } from './adversaries.ts';
import { badAgents, type Conduct, runBadAgents } from './bad-agents.ts';
import type { Sample } from './sample.ts';

/** Who plays scenarios besides their own scripts. */
export interface Others {
  /** By default none. */
  readonly adversaries?: readonly Adversary[] | undefined;
  /** How many of the scenarios they play; without it bad agents play none, and adversaries all. */
  readonly badAgents?: Sample | undefined;
}

/** How they fared. */
export interface Fared {
  readonly adversaries: readonly AdversaryRun[];
  readonly conduct: readonly Conduct[];
}

/** Lets them play scenarios that were played as they are written. */
export async function playOthers(
  loaded: readonly Loaded[],
  harness: TestHarness,
  played: readonly Run[],
  others: Others,
): Promise<Fared> {
  return {
    adversaries: await runAdversaries(loaded, harness, others.adversaries ?? [], played, others.badAgents),
    conduct: others.badAgents === undefined ? [] : await runBadAgents(loaded, harness, played, others.badAgents),
  };
}

/** How they fared in all of these scenarios. */
export function together(each: readonly Fared[]): Fared {
  const conduct = Map.groupBy(
    each.flatMap((it) => it.conduct),
    ({ agent }) => agent,
  );
  return {
    adversaries: each.flatMap((it) => it.adversaries),
    conduct: badAgents.flatMap((agent) => {
      const all = conduct.get(agent) ?? [];
      const played = all.reduce((sum, it) => sum + it.played, 0);
      return all.length === 0 ? [] : [{ agent, played, passed: all.flatMap(({ passed }) => passed) }];
    }),
  };
}
