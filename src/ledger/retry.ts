import { setTimeout as wait } from 'node:timers/promises';
import { isTransient } from './postgres-errors.ts';

/** How long the database may be unavailable before a step fails: longer than a crash and its recovery take. */
const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 250;

/** How time passes, in milliseconds. */
interface Time {
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}
const machineTime: Time = { now: () => performance.now(), pause: wait };

/** Runs work, and retries it after temporary errors for a limited time. A failed run commits nothing. */
export async function retryTransient<T>(work: () => Promise<T>, { now, pause }: Time = machineTime): Promise<T> {
  const begun = now();
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || now() - begun >= PATIENCE_MS) throw error;
    }
    await pause(pauseMs);
  }
}
