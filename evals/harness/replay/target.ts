import type { Scenario } from '../scenario/schema.ts';
import type { Stage } from '../world/world.ts';
import type { Scene } from './replay.ts';
import type { Run } from './run.ts';

/** Where scenarios are played, one after the other: worlds of Purser, or fresh instances of another server. */
export interface Place {
  /** A scene that nothing has happened in. */
  open(scenario: Scenario): Promise<Opened>;
  close(): Promise<void>;
}

export interface Opened {
  readonly scene: Scene;
  /** Adds to a run what only the place knows of it. Called once, when the story is over and the scene still open. */
  complete(run: Run): Promise<Run>;
  close(): Promise<void>;
}

/** The worlds of a stage as a place: a world ends when the next one begins. */
export const worldsOf = (stage: Stage): Place => ({
  open: async (scenario) => {
    const world = await stage.open(scenario.world);
    return { scene: { tools: world.tools, world }, complete: async (run) => run, close: async () => undefined };
  },
  close: () => stage.close(),
});
