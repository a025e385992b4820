import { limits } from '../core/limits.ts';
import type { Operation } from '../core/operation.ts';

/**
 * What calls share their places and their circuit breaker: short HTTP calls, files that arrive over HTTP, and calls of the
 * reader. A sleeping reader never pauses the platform, and a long download takes no place of a short call.
 */
export type Lane = 'http' | 'file' | 'reader';

export const laneOf = ({ transport, streams }: Pick<Operation, 'transport' | 'streams'>): Lane =>
  streams ? 'file' : transport;

/** Seconds after sending during which silence proves nothing. */
export const quietSecondsOf = ({ transport }: Pick<Operation, 'transport'>): number => quietSeconds[transport];

const quietSeconds = { http: limits.quietSeconds, reader: limits.readerQuietSeconds } as const;
