import type { PlatformError } from './answer.ts';
import type { Merchant } from './documents.ts';
import { tooMany } from './faults.ts';
import type { World } from './world.ts';

/** The most requests of one merchant in a window of the virtual clock. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** Counts a request. Returns the platform's 429 if it exceeds the limit. */
export function checkRate(world: World, { id }: Merchant, limit: RateLimit | undefined): PlatformError | null {
  if (limit === undefined) return null;
  const { now } = world;
  const held = world.get('rate', id);
  const ends = (held?.since ?? now) + limit.seconds * 1000;
  const { since, requests } = held !== undefined && now < ends ? held : { since: now, requests: 0 };
  if (requests >= limit.requests) return tooMany(Math.ceil((ends - now) / 1000));
  world.put('rate', { id, since, requests: requests + 1 });
  return null;
}
