import type { FileType } from '../core/file-answer.ts';
import { limits } from '../core/limits.ts';
import { isStreamed, type Operation } from '../core/operation.ts';

/**
 * Calls of a lane share a bulkhead and a circuit breaker: short HTTP calls, files over HTTP, and calls of the reader. A
 * sleeping reader never pauses the platform, and a long download takes no place from short calls.
 */
export const lanes = ['http', 'file', 'reader'] as const;
export type Lane = (typeof lanes)[number];

export const laneOf = (operation: Pick<Operation, 'transport' | 'streams'>, accept?: FileType): Lane =>
  isStreamed(operation, accept) ? 'file' : operation.transport;

/** When a missing response on a lane becomes evidence. */
interface Silence {
  /** Seconds after sending in which a missing response proves nothing. */
  readonly quietSeconds: number;
  /** Seconds after an outcome was lost until it is first read back; by default the quiet period. */
  readonly askSeconds?: number;
  /** Seconds between two read-backs of the same call. */
  readonly againSeconds: number;
}

const silences: Readonly<Record<Lane, Silence>> = {
  http: { quietSeconds: limits.quietSeconds, againSeconds: limits.readBackSeconds },
  file: { quietSeconds: limits.quietSeconds, againSeconds: limits.readBackSeconds },
  // A shop needs to know soon whether a customer was charged. That nothing was charged is only certain once the
  // customer can no longer pay.
  reader: {
    quietSeconds: limits.readerQuietSeconds,
    askSeconds: limits.readerAskSeconds,
    againSeconds: limits.readerAskSeconds,
  },
};

type Carried = Pick<Operation, 'transport' | 'streams'>;

export const quietSecondsOf = (operation: Carried): number => silences[laneOf(operation)].quietSeconds;

/** Seconds until a call on a lane is read back again. */
export const againSecondsOf = (lane: Lane): number => silences[lane].againSeconds;

/** Seconds after a lost call until its operation may know more. */
export function tellingSecondsOf(operation: Carried): number {
  const { askSeconds, quietSeconds } = silences[laneOf(operation)];
  return askSeconds ?? quietSeconds;
}

/**
 * The change of an operation's row when its outcome becomes unknown: the time of the first read-back, if its lane sets
 * one.
 */
export function askedLater(
  operation: Carried,
  { quietUntil }: { readonly quietUntil: number | null },
  now: number,
): { readonly quietUntil?: number } {
  const { askSeconds } = silences[laneOf(operation)];
  return askSeconds === undefined || quietUntil === null
    ? {}
    : { quietUntil: Math.min(quietUntil, now + askSeconds * 1_000) };
}

/**
 * When a person may record that a lost call had no effect. On a lane that is read back early, one more read-back comes first: it
 * may still find the call running.
 */
export function mayBeNothingAt(
  operation: Carried,
  { quietUntil }: { readonly quietUntil: number | null },
): number | null {
  const { askSeconds = 0 } = silences[laneOf(operation)];
  return quietUntil === null ? null : quietUntil + askSeconds * 1_000;
}

/** Whether it proves something if the platform can't find the call. */
export const isQuiet = (
  operation: Carried,
  { startedAt }: { readonly startedAt: number | null },
  now: number,
): boolean => startedAt === null || now >= startedAt + quietSecondsOf(operation) * 1_000;
