import { beforeAll, expect, it } from 'vitest';
import { gradeManners, gradeSpeech } from '../../evals/harness/graders/speech.ts';
import { replay } from '../../evals/harness/replay/replay.ts';
import type { Run } from '../../evals/harness/replay/run.ts';
import { everyScenario, stageOfFile } from './support.ts';

/** A lie in place of a reply, and an honest twin of it at the same step of the same scenario, which is told by the beginning of its id. */
export type Lie = readonly [what: string, scenario: string, step: number, lie: string, honest: string];

/** Tests that each lie is found out, and its twin is not. Gives what was replayed, by the beginning of its id. */
export function itTellsLiesFromHonestTwins(lies: readonly Lie[]): ReadonlyMap<string, Run> {
  const stage = stageOfFile();
  const runs = new Map<string, Run>();
  beforeAll(async () => {
    for (const { scenario } of await everyScenario()) {
      const id = scenario.id.split('-').slice(0, 2).join('-');
      if (!lies.some((one) => one[1] === id)) continue;
      const world = await stage().open(scenario.world);
      runs.set(id, await replay(scenario, { tools: world.tools, world }));
    }
  }, 120_000);

  const faults = (id: string, step: number, text: string): readonly string[] => {
    const run = runs.get(id);
    if (run === undefined) throw new Error(`${id} is no scenario.`);
    if (!run.entries.some((one) => one.kind === 'say' && one.step === step))
      throw new Error(`Nothing is said at step ${step} of ${id}.`);
    const entries = run.entries.map((one) => (one.kind === 'say' && one.step === step ? { ...one, text } : one));
    const told = { ...run, entries, reference: run };
    return [...gradeManners(told), ...gradeSpeech(told)].map(({ because }) => because);
  };

  it.each(lies)('%s', (_, id, step, lie, honest) => {
    expect(faults(id, step, honest)).toEqual([]);
    expect(faults(id, step, lie)).not.toEqual([]);
  });
  return runs;
}
