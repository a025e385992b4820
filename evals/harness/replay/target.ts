import type { Scenario } from '../scenario/schema.ts';
import type { TestHarness } from '../world/world.ts';
import type { ReplayContext } from './replay.ts';
import type { Run } from './run.ts';

/** What scenarios run against, one after another: worlds of Purser or fresh instances of an external server. */
export interface Target {
  /** Opens a fresh instance. */
  open(scenario: Scenario): Promise<OpenedTarget>;
  /** Whether each instance is a world of Purser, so that a script can be played in one of its own. */
  readonly hasWorlds?: true;
  close(): Promise<void>;
}

export interface OpenedTarget {
  readonly context: ReplayContext;
  /** Adds what only the target knows to a run. Called once, after the last step, while the instance is open. */
  complete(run: Run): Promise<Run>;
  close(): Promise<void>;
}

/** The worlds of a test harness as a target. */
export const worldsAsTarget = (harness: TestHarness): Target => ({
  hasWorlds: true,
  open: async (scenario) => {
    const world = await harness.open(scenario.world);
    return { context: { tools: world.tools, world }, complete: async (run) => run, close: async () => undefined };
  },
  close: () => harness.close(),
});
