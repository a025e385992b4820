import type { Effect } from '../core/operation.ts';
import type { Caller } from '../ledger/ledger.ts';
import { Refused } from './refusal.ts';

/** How often one caller may call tools of a class: a burst, then one call per interval. */
export interface Rate {
  readonly burst: number;
  readonly everyMilliseconds: number;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** A token bucket per tenant, principal and effect (EN-12): a looping agent uses up its own tokens only. */
export function createRateLimiter(rates: Readonly<Record<Effect, Rate>>, clock: { now(): number }) {
  const buckets = new Map<string, { readonly tokens: number; readonly at: number; readonly isEmpty: boolean }>();
  return {
    /** Takes one token. Throws Refused with the seconds to wait where the bucket is empty. */
    demand({ tenant, principal }: Caller, effect: Effect): void {
      const { burst, everyMilliseconds } = rates[effect];
      const key = `${tenant}\n${principal}\n${effect}`;
      const now = clock.now();
      const last = buckets.get(key) ?? { tokens: burst, at: now, isEmpty: false };
      const tokens = Math.min(burst, last.tokens + Math.max(0, now - last.at) / everyMilliseconds);
      if (tokens >= 1) {
        buckets.set(key, { tokens: tokens - 1, at: now, isEmpty: false });
        return;
      }
      buckets.set(key, { ...last, isEmpty: true });
      const wait = Math.max(1, Math.ceil(((1 - tokens) * everyMilliseconds) / 1_000));
      // Only the first refusal of a run is written to the audit, so a loop fills no disk.
      throw new Refused({ ...tooMany, wait }, { isNoted: !last.isEmpty });
    },
  };
}

const tooMany = {
  code: 'RATE_LIMITED',
  rule: 'EN-12',
  because: 'You make more calls of this kind than are allowed. Wait, then continue.',
  retry: 'after',
  instead: [],
} as const;

export const defaultRates: Readonly<Record<Effect, Rate>> = {
  read: { burst: 120, everyMilliseconds: 500 },
  write: { burst: 60, everyMilliseconds: 1_000 },
  money: { burst: 30, everyMilliseconds: 2_000 },
};

/** No rate limit: for clocks that stand still, on which no bucket would ever refill. */
export const unlimitedRates: Readonly<Record<Effect, Rate>> = {
  read: { burst: Number.POSITIVE_INFINITY, everyMilliseconds: 1 },
  write: { burst: Number.POSITIVE_INFINITY, everyMilliseconds: 1 },
  money: { burst: Number.POSITIVE_INFINITY, everyMilliseconds: 1 },
};
