import type { Operation } from '../core/operation.ts';
import type { InProgress, Outcome } from '../core/outcome.ts';

/** Thrown where a call never reached the reader: it is off, away or not paired. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

type Ended = Exclude<Outcome, InProgress>;

// The result cases of the SDK, as document 3 prints them ("SDK operations"). What an error says of the effect isn't shown, so
// it proves nothing: the transaction is looked up (DV-08).
const outcomes = {
  cancelledByUser: { kind: 'declined', code: 'CANCELLED', reason: 'CANCELLED_BY_USER' },
  cancelByUser: { kind: 'declined', code: 'CANCELLED', reason: 'CANCELLED_BY_USER' },
  notFound: { kind: 'declined', code: 'NOT_FOUND', reason: 'NOT_FOUND' },
  failure: { kind: 'unknown', because: 'failed' },
  error: { kind: 'unknown', because: 'failed' },
  networkError: { kind: 'unknown', because: 'no-answer' },
  unexpected: { kind: 'unknown', because: 'failed' },
} as const satisfies Readonly<Record<string, Ended>>;

/** How a call of the SDK ended. */
export type End = { readonly case: 'success'; readonly value: unknown } | { readonly case: keyof typeof outcomes };

/** What the end of a call means. A success counts only in the shape that the contract states (EN-08). */
export function outcomeOfEnd(operation: Operation, end: End): Ended {
  if (end.case !== 'success') return outcomes[end.case] ?? { kind: 'unknown', because: 'failed' };
  const parsed = operation.output.success?.safeParse(end.value);
  return parsed?.success === true
    ? { kind: 'succeeded', status: 'success', body: parsed.data }
    : { kind: 'unknown', because: 'wrong-shape' };
}
