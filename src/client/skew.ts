import { limits } from '../core/limits.ts';
import type { Platform } from './platform.ts';

/** The platform with its clock. */
export interface Watched {
  readonly platform: Platform;
  /** Milliseconds that the platform's clock is ahead of ours; undefined without a recent observation. */
  readonly skew: () => number | undefined;
  /** Sends an unsigned request for the date of its response. Returns whether a response arrived; never throws. */
  readonly askTime: () => Promise<boolean>;
}

/** An HTTP date has whole seconds, so the true time is half a second later on average. */
const halfSecond = 500;

/**
 * Wraps the platform and observes the dates of its responses. A missing or invalid date changes nothing. An observation
 * is valid for some minutes, by our clock and by a stopwatch that nobody can set.
 */
export function watchSkew(
  platform: Platform,
  clock: { now(): number },
  baseUrl: string,
  stopwatch: { now(): number } = clock,
): Watched {
  let known: { readonly skew: number; readonly at: number; readonly stopwatch: number } | undefined;
  let asking: Promise<boolean> | undefined;
  const watched: Platform = async (request, exchange) => {
    const left = clock.now();
    const response = await platform(request, exchange);
    const now = clock.now();
    const said = Date.parse(response.headers.get('date') ?? '');
    // The date was written between sending and now.
    if (!Number.isNaN(said))
      known = { skew: said + halfSecond - (left + now) / 2, at: now, stopwatch: stopwatch.now() };
    return response;
  };
  const ask = async (): Promise<boolean> => {
    try {
      const response = await watched(new Request(baseUrl, { method: 'HEAD', redirect: 'manual' }));
      await response.body?.cancel();
      return true;
    } catch {
      return false; // unreachable, so no observation
    }
  };
  /** What was observed; undefined if it is old, or our own clock was set since. */
  const recent = (): number | undefined => {
    if (known === undefined) return undefined;
    const passed = stopwatch.now() - known.stopwatch;
    return Math.abs(passed) <= lastsMilliseconds && !isAstray(clock.now() - known.at - passed) ? known.skew : undefined;
  };
  return {
    platform: watched,
    skew: recent,
    askTime: () => {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
  };
}

const lastsMilliseconds = limits.skewMinutes * 60_000;

/** Whether two clocks differ too much for time windows and deadlines. */
export const isAstray = (skew: number): boolean => Math.abs(skew) > limits.skewSeconds * 1_000;
