import { createBulkhead } from './bulkhead.ts';
import { type Attempt, createCircuitBreaker } from './circuit-breaker.ts';
import type { Lane } from './lanes.ts';

/** How calls to the platform are limited. */
export interface PlatformLimits {
  /** Concurrent calls, and calls that may wait for a place. */
  readonly concurrent: number;
  readonly queued: number;
  /** Consecutive calls without a response that open the circuit breaker, and how long it stays open. */
  readonly failures: number;
  readonly pauseMilliseconds: number;
}

export const defaultPlatformLimits: PlatformLimits = {
  concurrent: 16,
  queued: 64,
  failures: 5,
  pauseMilliseconds: 10_000,
};

/** A place for a call to the platform. Release it in a `finally`. */
export interface Slot extends Pick<Attempt, 'check' | 'record'> {
  release(): void;
}

/** The places for calls. Each lane has its own bulkhead and circuit breaker. */
export interface PlatformSlots {
  /** Waits for a place. Throws Refused if too many are waiting. */
  acquire(lane?: Lane): Promise<Slot>;
}

/**
 * Own choices: few files at once, because each may take minutes. Lock keys limit a reader to one customer at a time.
 */
const otherLimits: Readonly<Record<Exclude<Lane, 'http'>, PlatformLimits>> = {
  file: { concurrent: 2, queued: 8, failures: 5, pauseMilliseconds: 10_000 },
  reader: { concurrent: 4, queued: 16, failures: 3, pauseMilliseconds: 10_000 },
};

export function createPlatformSlots(http: PlatformLimits, clock: { now(): number }): PlatformSlots {
  const lanes: Readonly<Record<Lane, () => Promise<Slot>>> = {
    http: createLane(http, clock),
    file: createLane(otherLimits.file, clock),
    reader: createLane(otherLimits.reader, clock),
  };
  return { acquire: (lane = 'http') => lanes[lane]() };
}

function createLane(limits: PlatformLimits, clock: { now(): number }): () => Promise<Slot> {
  const bulkhead = createBulkhead(limits);
  const breaker = createCircuitBreaker(limits, clock);
  return async () => {
    await bulkhead.enter();
    const { check, record, end } = breaker.attempt();
    const release = (): void => {
      end();
      bulkhead.leave();
    };
    return { check, record, release };
  };
}
