import { limits } from '../core/limits.ts';
import type { Effect } from '../core/operation.ts';
import type { Caller } from '../ledger/ledger.ts';
import { Refused } from './refusal.ts';

/** A caller's rate limit for an effect: a burst, then one call per interval. */
export interface Rate {
  readonly burst: number;
  readonly everyMilliseconds: number;
}

/** The rates of calls by what they do. */
export type Rates = Readonly<Record<Effect, Rate>>;

/** The rates of one conversation, and of all conversations of a principal together. */
export interface RateLimits {
  readonly conversation: Rates;
  readonly principal: Rates;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Token buckets per tenant, principal, role and effect (EN-12): one for each conversation, so that a looping agent uses up only its
 * own tokens, and one for all conversations of a principal together, so that opening more of them gains little. Customers have
 * nothing together: a link's holder can't lock others out.
 */
export function createRateLimiter(rates: RateLimits, clock: { now(): number }) {
  const buckets = new Map<string, { readonly bucket: Bucket; readonly isEmpty: boolean }>();
  const take = (key: string, rate: Rate): void => {
    if (!buckets.has(key)) forgetFull(buckets, clock.now());
    const { bucket, isEmpty } = buckets.get(key) ?? { bucket: createBucket(rate), isEmpty: false };
    const wait = bucket.take(clock.now());
    buckets.set(key, { bucket, isEmpty: wait !== undefined });
    // Only the first refusal of a run is written to the audit, so a loop can't fill the disk.
    if (wait !== undefined) throw new Refused({ ...tooMany, wait }, { isNoted: !isEmpty });
  };
  return {
    /** Takes a token. Throws Refused with the seconds to wait if a bucket is empty. */
    demand({ tenant, principal, role = 'agent', conversation = '' }: Caller, effect: Effect): void {
      const own = [tenant, principal, role, effect];
      // First its own: a conversation that loops takes nothing from the others.
      take(['conversation', conversation, ...own].join('\n'), rates.conversation[effect]);
      if (role !== 'customer') take(['principal', ...own].join('\n'), rates.principal[effect]);
    },
  };
}

/** Forgets the buckets that are full again, now and then: a full one is like a new one. */
function forgetFull(buckets: Map<string, { readonly bucket: Bucket }>, now: number): void {
  if (buckets.size < limits.rateBuckets) return;
  for (const [key, { bucket }] of buckets) if (bucket.isFull(now)) buckets.delete(key);
}

export interface Bucket {
  /** Takes one token. Answers the seconds to wait where the bucket is empty. */
  take(now: number): number | undefined;
  /** Whether nothing is missing from it. */
  isFull(now: number): boolean;
}

/** A token bucket: it is full at first. */
export function createBucket({ burst, everyMilliseconds }: Rate): Bucket {
  let last: { readonly tokens: number; readonly at: number } | undefined;
  const tokensAt = (now: number): number => {
    const { tokens, at } = last ?? { tokens: burst, at: now };
    return Math.min(burst, tokens + Math.max(0, now - at) / everyMilliseconds);
  };
  return {
    isFull: (now) => tokensAt(now) >= burst,
    take: (now) => {
      const tokens = tokensAt(now);
      // The clock may have gone back: the bucket fills from now on.
      if (last !== undefined && now < last.at) last = { tokens, at: now };
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

/** The usual rates. A principal has twenty times those of a conversation. Own choices. */
export const defaultRates: RateLimits = {
  conversation: {
    read: { burst: 120, everyMilliseconds: 500 },
    write: { burst: 60, everyMilliseconds: 1_000 },
    money: { burst: 30, everyMilliseconds: 2_000 },
  },
  principal: {
    read: { burst: 2_400, everyMilliseconds: 25 },
    write: { burst: 1_200, everyMilliseconds: 50 },
    money: { burst: 600, everyMilliseconds: 100 },
  },
};

/** No rate limit, for fixed clocks, with which a bucket would never refill. */
const unlimited: Rate = { burst: Number.POSITIVE_INFINITY, everyMilliseconds: 1 };
const allUnlimited: Rates = { read: unlimited, write: unlimited, money: unlimited };
export const unlimitedRates: RateLimits = { conversation: allUnlimited, principal: allUnlimited };
