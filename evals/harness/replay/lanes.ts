import { Worker } from 'node:worker_threads';
import type { Fared } from '../adversaries/others.ts';
import type { Loaded } from '../scenario/load.ts';
import type { EvaluateOptions, Result } from './evaluate.ts';
import type { LaneTask, Sendable } from './lane.ts';

/** Threads that replay scenarios beside each other. */
export interface Lanes {
  readonly count: number;
  /** The file of `lane.ts`, or its build. */
  readonly file: URL;
}

interface LanesOptions extends Omit<EvaluateOptions, 'alter'>, Omit<LaneTask, 'zero'> {
  /** The settings of a scenario's world, which no thread can send. */
  readonly settingsOf: (loaded: Loaded) => Result['run']['configured'];
}

/** The result of one scenario, and how others fared in it. */
type LaneResult = Result & { readonly fared: Fared };

/** Fewer scenarios than this for each thread are replayed sooner than it starts. Own choice. */
const leastOfLane = 20;

/** Scenarios that a thread has been given and not finished. Own choice: one to replay and one to go on with. */
const ahead = 2;

/** As many threads as are worth their start; undefined where none is, and the caller's own replays them. */
export function worthLanes(scenarios: number, lanes: Lanes | undefined): Lanes | undefined {
  const count = Math.min(lanes?.count ?? 1, Math.floor(scenarios / leastOfLane));
  return lanes === undefined || count < 2 ? undefined : { ...lanes, count };
}

/**
 * Replays scenarios in several threads, each in a fresh world, as `evaluate` does in one. Whoever is free takes the next. Results are
 * judged and told in the order of the scenarios. Ends with the first thread's error.
 */
export async function evaluateInLanes(
  loaded: readonly Loaded[],
  { count, file }: Lanes,
  { watch, golden, onResult, settingsOf, ...task }: LanesOptions,
): Promise<readonly LaneResult[]> {
  const found = new Map<number, Sendable>();
  const results: LaneResult[] = [];
  const judge = (): void => {
    for (let sent = found.get(results.length); sent !== undefined; sent = found.get(results.length)) {
      const one = loaded[results.length] as Loaded; // it was given to a lane
      // Its scenario is this very one, and not the copy that came back: runs are found by it.
      const run = { ...sent.run, scenario: one.scenario, configured: settingsOf(one) };
      const failures = [...sent.failures, ...(golden?.(one, run, sent.failures) ?? [])];
      const result: LaneResult = { ...sent, run, failures, verdict: failures.length === 0 ? 'pass' : 'fail' };
      results.push(result);
      onResult?.(result);
    }
  };
  let next = 0;
  const workerData: LaneTask = { ...task, zero: watch.timeOrigin ?? 0 };
  const workers = Array.from({ length: Math.min(count, loaded.length) }, () => new Worker(file, { workerData }));
  try {
    await Promise.all(
      workers.map(
        (worker) =>
          new Promise<void>((resolve, reject) => {
            const given: number[] = [];
            const give = (): void => {
              if (next < loaded.length) {
                given.push(next);
                worker.postMessage(loaded[next]);
                next += 1;
              } else if (given.length === 0) resolve();
            };
            worker.on('message', (said: Sendable | 'ready') => {
              const done = said === 'ready' ? undefined : given.shift();
              try {
                give(); // first, so that nobody waits while this thread judges
                if (said === 'ready') for (let more = 1; more < ahead; more++) give();
                else if (done !== undefined) found.set(done, said);
                judge();
              } catch (error) {
                reject(error);
              }
            });
            worker.once('error', reject);
            worker.once('exit', () => reject(new Error('A thread that replays scenarios ended before its last one.')));
          }),
      ),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return results;
}
