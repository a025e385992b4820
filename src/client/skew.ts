import { limits } from '../core/limits.ts';
import type { Platform } from './platform.ts';

/** The platform, and what its clock says. */
export interface Watched {
  readonly platform: Platform;
  /** How far the platform's clock is ahead of ours, in milliseconds; undefined where it has not said so lately. */
  readonly skew: () => number | undefined;
  /** Sends one request that needs no signature, for the date of its answer. Answers whether any came; never throws. */
  readonly askTime: () => Promise<boolean>;
}

/** An HTTP date counts whole seconds: the true moment is half a second later on average. */
const halfSecond = 500;

/**
 * The same platform, watched for what its answers say of the time. The date is the platform's own, so an answer that has
 * none, or nonsense, changes nothing of what was known. What was said is good for some minutes.
 */
export function watchSkew(platform: Platform, clock: { now(): number }, baseUrl: string): Watched {
  let known: { readonly skew: number; readonly at: number } | undefined;
  let asking: Promise<boolean> | undefined;
  const watched: Platform = async (request) => {
    const left = clock.now();
    const response = await platform(request);
    const now = clock.now();
    const said = Date.parse(response.headers.get('date') ?? '');
    // The date was written somewhere between leaving and now.
    if (!Number.isNaN(said)) known = { skew: said + halfSecond - (left + now) / 2, at: now };
    return response;
  };
  const ask = async (): Promise<boolean> => {
    try {
      const response = await watched(new Request(baseUrl, { method: 'HEAD', redirect: 'manual' }));
      await response.body?.cancel();
      return true;
    } catch {
      return false; // what can't be asked has said nothing
    }
  };
  return {
    platform: watched,
    // Where our own clock was set meanwhile, what it was compared with is old, too.
    skew: () => (known !== undefined && Math.abs(clock.now() - known.at) <= lastsMilliseconds ? known.skew : undefined),
    askTime: () => {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
  };
}

const lastsMilliseconds = limits.skewMinutes * 60_000;

/** Whether two clocks differ so much that windows and deadlines mean something else on each. */
export const isAstray = (skew: number): boolean => Math.abs(skew) > limits.skewSeconds * 1_000;
