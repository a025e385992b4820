import type { Effect } from '../core/operation.ts';
import type { Caller } from '../ledger/ledger.ts';
import { Refused } from './refusal.ts';

/** A caller's rate limit for an effect: a burst, then one call per interval. */
export interface Rate {
  readonly burst: number;
  readonly everyMilliseconds: number;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * A token bucket per tenant, principal, role and effect (EN-12): a looping agent uses up only its own tokens. Each
 * customer also has a bucket, so a link's holder can't lock others out.
 */
export function createRateLimiter(rates: Readonly<Record<Effect, Rate>>, clock: { now(): number }) {
  const buckets = new Map<string, { readonly bucket: Bucket; readonly isEmpty: boolean }>();
  return {
    /** Takes a token. Throws Refused with the seconds to wait if the bucket is empty. */
    demand({ tenant, principal, role = 'agent', conversation = '' }: Caller, effect: Effect): void {
      const who = role === 'customer' ? conversation : '';
      const key = [tenant, principal, role, who, effect].join('\n');
      const { bucket, isEmpty } = buckets.get(key) ?? { bucket: createBucket(rates[effect]), isEmpty: false };
      const wait = bucket.take(clock.now());
      buckets.set(key, { bucket, isEmpty: wait !== undefined });
      // Only the first refusal of a run is written to the audit, so a loop can't fill the disk.
      if (wait !== undefined) throw new Refused({ ...tooMany, wait }, { isNoted: !isEmpty });
    },
  };
}

export interface Bucket {
  /** Takes one token. Answers the seconds to wait where the bucket is empty. */
  take(now: number): number | undefined;
}

/** A token bucket: it is full at first. */
export function createBucket({ burst, everyMilliseconds }: Rate): Bucket {
  let last: { readonly tokens: number; readonly at: number } | undefined;
  return {
    take: (now) => {
      const { tokens: left, at } = last ?? { tokens: burst, at: now };
      const tokens = Math.min(burst, left + Math.max(0, now - at) / everyMilliseconds);
      if (tokens < 1) return Math.max(1, Math.ceil(((1 - tokens) * everyMilliseconds) / 1_000));
      last = { tokens: tokens - 1, at: now };
      return undefined;
    },
  };
}

const tooMany = {
  code: 'RATE_LIMITED',
  rule: 'EN-12',
  because: 'Too many calls of this kind. Wait, then continue.',
  retry: 'after',
  instead: [],
} as const;

export const defaultRates: Readonly<Record<Effect, Rate>> = {
  read: { burst: 120, everyMilliseconds: 500 },
  write: { burst: 60, everyMilliseconds: 1_000 },
  money: { burst: 30, everyMilliseconds: 2_000 },
};

/** No rate limit, for fixed clocks, with which a bucket would never refill. */
export const unlimitedRates: Readonly<Record<Effect, Rate>> = {
  read: { burst: Number.POSITIVE_INFINITY, everyMilliseconds: 1 },
  write: { burst: Number.POSITIVE_INFINITY, everyMilliseconds: 1 },
  money: { burst: Number.POSITIVE_INFINITY, everyMilliseconds: 1 },
};
