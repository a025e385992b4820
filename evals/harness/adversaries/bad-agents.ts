import { isFaultless } from '../graders/grade.ts';
import { replay } from '../replay/replay.ts';
import type { Run } from '../replay/run.ts';
import type { Loaded } from '../scenario/load.ts';
import type { Scenario } from '../scenario/schema.ts';
import { subjectsOf } from '../speech/people.ts';
import { strangersOf } from '../speech/timeline.ts';
import type { TestHarness } from '../world/world.ts';
import { badCalls } from './bad-calls.ts';
import { type BadWords, badWords, type Scene } from './bad-words.ts';
import { isDrawn, pickOf, type Sample } from './sample.ts';

/** Agents that do the story's work and something bad beside it. A scenario that notices nothing is passed by them. */
export type BadAgent = keyof typeof badCalls | keyof typeof badWords;
export const badAgents = [...Object.keys(badCalls), ...Object.keys(badWords)] as readonly BadAgent[]; // their own names

/** Which scenarios a bad agent passed, of those in which it did anything bad. */
export interface Conduct {
  readonly agent: BadAgent;
  readonly played: number;
  readonly passed: readonly string[];
}

/** Lets each bad agent play the scenarios that it changes, beside the runs as they are written. */
export async function runBadAgents(
  loaded: readonly Loaded[],
  harness: TestHarness,
  played: readonly Run[],
  sample: Sample,
): Promise<readonly Conduct[]> {
  const golds = new Map(played.map((run) => [run.scenario, run]));
  const counts = new Map(badAgents.map((agent) => [agent, { played: 0, passed: [] as string[] }]));
  for (const { scenario } of loaded) {
    const gold = golds.get(scenario);
    if (gold === undefined) throw new Error(`Bad agents need the run of ${scenario.id} as it is written.`);
    const scene = sceneOf(gold, sample.seed);
    for (const agent of badAgents) {
      const run =
        agent in badWords
          ? said(gold, agent as keyof typeof badWords, scene)
          : await done(gold, agent as keyof typeof badCalls, scene, harness, sample);
      const count = counts.get(agent);
      if (run === undefined || count === undefined) continue;
      count.played += 1;
      if (isFaultless(run)) count.passed.push(scenario.id);
    }
  }
  return [...counts].map(([agent, it]) => ({ agent, ...it }));
}

/** What an agent knows of a run to say something wrong. */
export function sceneOf(gold: Run, seed: number): Scene {
  const strangers = strangersOf(gold, subjectsOf(gold));
  return { scenario: gold.scenario, strangers, pick: pickOf({ seed }, gold.scenario.id) };
}

/** The run with other words; undefined where the agent says nothing else. */
export function said(gold: Run, agent: keyof typeof badWords, scene: Scene): Run | undefined {
  const change: BadWords = badWords[agent];
  const entries = gold.entries.map((entry) =>
    entry.kind === 'say' ? { ...entry, text: change(entry.text, scene) } : entry,
  );
  const isChanged = entries.some(
    (entry, at) => entry.kind === 'say' && entry.text !== (gold.entries[at] as { text?: string }).text,
  );
  return isChanged ? { ...gold, entries, reference: gold } : undefined;
}

/** The script with other calls; undefined where they are the same, or not in the sample. */
async function done(
  gold: Run,
  agent: keyof typeof badCalls,
  scene: Scene,
  harness: TestHarness,
  sample: Sample,
): Promise<Run | undefined> {
  const { id, steps } = gold.scenario;
  if (!isDrawn(sample, id, agent)) return undefined;
  const changed = badCalls[agent](steps, scene);
  if (changed.length === steps.length && changed.every((step, at) => step === steps[at])) return undefined;
  const scenario: Scenario = { ...gold.scenario, steps: [...changed] };
  const world = await harness.open(scenario.world);
  return { ...(await replay(scenario, { tools: world.tools, world })), reference: gold };
}
