import { createBulkhead } from './bulkhead.ts';
import { type Attempt, createCircuitBreaker } from './circuit-breaker.ts';

/** How calls to the platform are limited. */
export interface PlatformLimits {
  /** Calls at once, and calls that may wait for a place. */
  readonly concurrent: number;
  readonly queued: number;
  /** Calls in a row without an answer that open the circuit breaker, and how long it stays open. */
  readonly failures: number;
  readonly pauseMilliseconds: number;
}

export const defaultPlatformLimits: PlatformLimits = {
  concurrent: 16,
  queued: 64,
  failures: 5,
  pauseMilliseconds: 10_000,
};

/** A place among the calls to the platform. Release it in a `finally`. */
export interface Slot extends Pick<Attempt, 'check' | 'record'> {
  release(): void;
}

/** The places for calls to one platform: a bulkhead with a circuit breaker. */
export interface PlatformSlots {
  /** Waits for a place. Throws Refused where too many wait already. */
  acquire(): Promise<Slot>;
}

export function createPlatformSlots(limits: PlatformLimits, clock: { now(): number }): PlatformSlots {
  const bulkhead = createBulkhead(limits);
  const breaker = createCircuitBreaker(limits, clock);
  return {
    async acquire() {
      await bulkhead.enter();
      const { check, record, end } = breaker.attempt();
      const release = (): void => {
        end();
        bulkhead.leave();
      };
      return { check, record, release };
    },
  };
}
