import { namesAnother, type Operation } from '../core/operation.ts';
import type { InProgress, Outcome } from '../core/outcome.ts';
import type { ReaderFailure } from '../core/reader.ts';

/** Thrown if a call never reached the reader: it is off, out of range or not paired. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

type Ended = Exclude<Outcome, InProgress>;

// Whether a failed call had an effect is undocumented, so an error proves nothing: the transaction is looked up (DV-08).
const outcomes = {
  cancelledByUser: { kind: 'declined', code: 'CANCELLED', reason: 'CANCELLED_BY_USER' },
  cancelByUser: { kind: 'declined', code: 'CANCELLED', reason: 'CANCELLED_BY_USER' },
  notFound: { kind: 'declined', code: 'NOT_FOUND', reason: 'NOT_FOUND' },
  failure: { kind: 'unknown', because: 'failed' },
  error: { kind: 'unknown', because: 'failed' },
  networkError: { kind: 'unknown', because: 'no-answer' },
  unexpected: { kind: 'unknown', because: 'failed' },
} as const satisfies Readonly<Record<ReaderFailure, Ended>>;

/** How a call of the SDK ended. */
export type End = { readonly case: 'success'; readonly value: unknown } | { readonly case: ReaderFailure };

/** The outcome of a call. A success counts only if it matches the contract's schema and is about what was asked for (EN-08). */
export function outcomeOfEnd(operation: Operation, end: End, input: unknown): Ended {
  if (end.case !== 'success') return outcomes[end.case] ?? { kind: 'unknown', because: 'failed' };
  const parsed = operation.output.success?.safeParse(end.value);
  return parsed?.success === true && namesAnother(operation, input, parsed.data) === undefined
    ? { kind: 'succeeded', status: 'success', body: parsed.data }
    : { kind: 'unknown', because: 'wrong-shape' };
}
