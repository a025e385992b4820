import { setTimeout as pause } from 'node:timers/promises';
import { isTransient } from './postgres-errors.ts';

/** How long the database may be unavailable before a step fails: longer than a crash and its recovery take. */
const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 250;

/** Runs work, and retries it after temporary errors for a limited time. A failed run commits nothing. */
export async function retryTransient<T>(work: () => Promise<T>): Promise<T> {
  for (let waitedMs = 0, pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const begun = performance.now();
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || waitedMs >= PATIENCE_MS) throw error;
    }
    await pause(pauseMs);
    waitedMs += pauseMs + performance.now() - begun;
  }
}
