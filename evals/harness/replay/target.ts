import type { Scenario } from '../scenario/schema.ts';
import type { TestHarness } from '../world/world.ts';
import type { ReplayContext } from './replay.ts';
import type { Run } from './run.ts';

/** Where scenarios are played, one after the other: worlds of Purser, or fresh instances of another server. */
export interface Target {
  /** A scene that nothing has happened in. */
  open(scenario: Scenario): Promise<OpenedTarget>;
  close(): Promise<void>;
}

export interface OpenedTarget {
  readonly context: ReplayContext;
  /** Adds to a run what only the place knows of it. Called once, when the story is over and the scene still open. */
  complete(run: Run): Promise<Run>;
  close(): Promise<void>;
}

/** The worlds of a harness as a place: a world ends when the next one begins. */
export const worldsAsTarget = (harness: TestHarness): Target => ({
  open: async (scenario) => {
    const world = await harness.open(scenario.world);
    return { context: { tools: world.tools, world }, complete: async (run) => run, close: async () => undefined };
  },
  close: () => harness.close(),
});
