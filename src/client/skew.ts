import { limits } from '../contract/limits.ts';
import type { Platform } from './platform.ts';

/** How far the platform's clock is ahead of ours, in milliseconds; undefined until the platform has said what time it is. */
export type Skew = () => number | undefined;

/** An HTTP date counts whole seconds: the true moment is half a second later on average. */
const halfSecond = 500;

/**
 * The same platform, watched for what its answers say of the time. The date is the platform's own, so an answer that has
 * none, or nonsense, changes nothing of what was known.
 */
export function watchSkew(
  platform: Platform,
  clock: { now(): number },
): { readonly platform: Platform; readonly skew: Skew } {
  let known: number | undefined;
  return {
    platform: async (request) => {
      const left = clock.now();
      const response = await platform(request);
      const said = Date.parse(response.headers.get('date') ?? '');
      // The date was written somewhere between leaving and now.
      if (!Number.isNaN(said)) known = said + halfSecond - (left + clock.now()) / 2;
      return response;
    },
    skew: () => known,
  };
}

/** Whether two clocks differ so much that windows and deadlines mean something else on each. */
export const isAstray = (skew: number | undefined): boolean => Math.abs(skew ?? 0) > limits.skewSeconds * 1_000;
