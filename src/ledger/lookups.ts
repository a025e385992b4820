import type { ChecksummedTable, StoredApproval, StoredOperation, StoredReservation, Tables } from './tables.ts';

/**
 * How a decision finds rows other than by key. The proof tree counts the rows of each lookup, so a missing row is
 * noticed.
 */
export type Lookup = readonly [name: string, ...of: readonly string[]];

/**
 * Milliseconds of a bucket of recent calls. Own choice. The proofs of every ledger are stored by it, so it never changes, even
 * if `limits.similarMinutes` does.
 */
const BUCKET = 600_000;

export const bucketOf = (at: number): number => Math.floor(at / BUCKET);
/** The first millisecond of a bucket. */
export const startOfBucket = (bucket: number): number => bucket * BUCKET;

const open: readonly string[] = ['SENDING', 'UNKNOWN'];
/** Whether an operation in this state was sent, and its outcome is not final. */
export const isOpen = (state: string): boolean => open.includes(state);
const notEnded: readonly string[] = ['PROPOSED', 'APPROVED', ...open];
/** Ended without effect: the reference is free again. */
export const withoutEffect: readonly string[] = ['FAILED', 'EXPIRED', 'WITHDRAWN'];
/** States of a recent call that a near-duplicate would repeat. */
export const repeatable = ['PROPOSED', 'APPROVED', 'SUCCEEDED', 'RESOLVED'] as const;

/** The lookups that find a row, by table. */
export const lookupsOf: { readonly [T in ChecksummedTable]: (row: Tables[T]) => readonly Lookup[] } = {
  operations: ({
    name,
    subject,
    reference,
    argsDigest,
    essenceDigest,
    principal,
    state,
    result,
    createdAt,
  }: StoredOperation) => [
    ...only(isOpen(state), ['under way'], ['under way like', name, essenceDigest]),
    ...only(isOpen(state) && subject !== '', ['open on', subject]),
    ...only(notEnded.includes(state), ['call', name, argsDigest, principal]),
    ...only(state === 'FAILED' && result === null, ['denied', name, argsDigest, principal]),
    ...only(reference !== '' && !withoutEffect.includes(state), ['reference', name, reference]),
    ...only((repeatable as readonly string[]).includes(state), [
      'made',
      name,
      essenceDigest,
      String(bucketOf(createdAt)),
    ]),
  ],
  approvals: ({ operationId }: StoredApproval) => [['approval of', operationId]],
  reservations: ({ operationId, state }: StoredReservation) => only(state === 'HELD', ['held by', operationId]),
  observations: () => [],
  budgets: () => [],
  sealed: () => [],
  events: () => [],
};

const only = (holds: boolean, ...lookups: readonly Lookup[]): readonly Lookup[] => (holds ? lookups : []);
