import type { Effect } from '../core/operation.ts';
import type { Caller } from '../ledger/ledger.ts';
import { type Refusal, Refused } from './refusal.ts';

/** How often one caller may call tools of a class: so many at once, and one more every so many milliseconds. */
export interface Rate {
  readonly burst: number;
  readonly everyMilliseconds: number;
}

/** How calls to the platform are held back when it is slow or gone. */
export interface PlatformLimits {
  /** Calls under way at once, and calls that may wait for a place. */
  readonly concurrent: number;
  readonly queued: number;
  /** Calls in a row without an answer after which nothing is sent for a while. */
  readonly failures: number;
  readonly pauseMilliseconds: number;
}

export const defaultRates: Readonly<Record<Effect, Rate>> = {
  read: { burst: 120, everyMilliseconds: 500 },
  write: { burst: 60, everyMilliseconds: 1_000 },
  money: { burst: 30, everyMilliseconds: 2_000 },
};

/** No rate at all: for clocks that stand still, on which no bucket would ever fill again. */
export const unlimitedRates: Readonly<Record<Effect, Rate>> = {
  read: { burst: Number.POSITIVE_INFINITY, everyMilliseconds: 1 },
  write: { burst: Number.POSITIVE_INFINITY, everyMilliseconds: 1 },
  money: { burst: Number.POSITIVE_INFINITY, everyMilliseconds: 1 },
};

export const defaultPlatformLimits: PlatformLimits = {
  concurrent: 16,
  queued: 64,
  failures: 5,
  pauseMilliseconds: 10_000,
};

export type Valve = ReturnType<typeof createValve>;

/** A call that comes too soon. `first`: the ones before it were let through. */
export interface RateLimited {
  readonly refusal: Refusal;
  readonly first: boolean;
}

/** Lets a caller through or holds it by EN-12: a looping agent uses up its own tokens and nobody else's. */
export function createRateLimiter(rates: Readonly<Record<Effect, Rate>>, clock: { now(): number }) {
  const buckets = new Map<string, { readonly tokens: number; readonly at: number; readonly held: boolean }>();
  return (caller: Caller, effect: Effect): RateLimited | undefined => {
    const { burst, everyMilliseconds } = rates[effect];
    const key = `${caller.tenant}\n${caller.principal}\n${effect}`;
    const now = clock.now();
    const last = buckets.get(key) ?? { tokens: burst, at: now, held: false };
    const tokens = Math.min(burst, last.tokens + Math.max(0, now - last.at) / everyMilliseconds);
    if (tokens < 1) {
      const wait = Math.ceil(((1 - tokens) * everyMilliseconds) / 1_000);
      buckets.set(key, { ...last, held: true });
      return {
        refusal: held('RATE_LIMITED', 'You make more calls of this kind than are allowed; wait and go on.', wait),
        first: !last.held,
      };
    }
    buckets.set(key, { tokens: tokens - 1, at: now, held: false });
    return undefined;
  };
}

/**
 * Runs calls, so many at once. After several in a row without an answer of the platform nothing is sent for a while; then
 * one call tries, and the others wait for what it finds.
 */
export function createValve(pressure: PlatformLimits, clock: { now(): number }) {
  let running = 0;
  let silent = 0;
  let shutUntil = 0;
  let trying = false;
  const queue: (() => void)[] = [];
  const leave = () => {
    const next = queue.shift();
    if (next === undefined) running--;
    else next();
  };
  const take = async (): Promise<void> => {
    if (running < pressure.concurrent) running++;
    else if (queue.length < pressure.queued) await new Promise<void>((place) => queue.push(place));
    else throw new Refused(held('RATE_LIMITED', 'Too many calls wait for the platform; nothing was sent.', 1));
  };
  const gone = (milliseconds: number): Refused =>
    new Refused(
      held('UNREACHABLE', 'The platform does not answer just now; nothing was sent.', Math.ceil(milliseconds / 1_000)),
    );
  return {
    /**
     * Runs a call when there is a place; refuses when too many wait already. The call asks `admit` before it sends anything:
     * that refuses while the platform is taken for gone. `answered` tells from the result whether the platform is there;
     * undefined where it was not asked.
     */
    run: async <T>(
      work: (admit: () => void) => Promise<T>,
      answered: (result: T) => boolean | undefined,
    ): Promise<T> => {
      await take();
      let tries = false;
      const admit = (): void => {
        const pause = shutUntil - clock.now();
        if (pause > 0) throw gone(pause);
        if (silent < pressure.failures || tries) return;
        if (trying) throw gone(1_000);
        trying = true;
        tries = true;
      };
      try {
        const result = await work(admit);
        const there = answered(result);
        silent = there === undefined ? silent : there ? 0 : silent + 1;
        if (there === false && silent >= pressure.failures) shutUntil = clock.now() + pressure.pauseMilliseconds;
        return result;
      } finally {
        if (tries) trying = false;
        leave();
      }
    },
  };
}

const held = (code: 'RATE_LIMITED' | 'UNREACHABLE', because: string, wait: number): Refusal => ({
  code,
  rule: 'EN-12',
  because,
  retry: 'after',
  wait: Math.max(1, wait),
  instead: [],
});
