import { parentPort, workerData } from 'node:worker_threads';
import { type Fared, type Others, playOthers } from '../adversaries/others.ts';
import { type Loaded, loadFixture } from '../scenario/load.ts';
import { openTestHarness } from '../world/world.ts';
import { evaluate, type Result } from './evaluate.ts';

// A thread that replays scenarios, one at a time, as they are given to it, and lets others play each. How they are loaded, judged by
// their goldens and reported is up to who starts it.

/** What a lane needs to know once. */
export interface LaneTask {
  readonly fixtures: string;
  readonly version: string;
  /** The Unix time at which the stopwatch of who starts it is zero. */
  readonly zero: number;
  /** Who else plays each scenario; by default nobody. */
  readonly others?: Others | undefined;
}

/** A result that can be sent to another thread: the settings hold functions. */
export type Sendable = Omit<Result, 'run'> & {
  readonly run: Omit<Result['run'], 'configured'>;
  readonly fared: Fared;
};

async function serve({ fixtures, version, zero, others = {} }: LaneTask): Promise<void> {
  const harness = await openTestHarness({ fixture: (name) => loadFixture(fixtures, name), version });
  const watch = { now: () => performance.timeOrigin + performance.now() - zero };
  const tell = (said: Sendable | 'ready'): void => parentPort?.postMessage(said);
  const play = async (one: Loaded): Promise<void> => {
    for (const result of await evaluate([one], harness, { watch, varies: true })) {
      const { configured: _, ...run } = result.run;
      tell({ ...result, run, fared: await playOthers([one], harness, [result.run], others) });
    }
  };
  let turn = Promise.resolve();
  parentPort?.on('message', (one: Loaded) => {
    turn = turn.then(() => play(one));
  });
  tell('ready');
}

if (parentPort !== null) await serve(workerData as LaneTask); // who starts it gives it a task
