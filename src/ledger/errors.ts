/** A compare-and-set found another version: another writer got there first. Nothing was changed. */
export class StaleRow extends Error {
  override readonly name = 'StaleRow';
}

/** What a unique index of the ledger has refused, on either database. */
export const alreadyOpen = {
  lockKey: 'Another operation with this lock key is in progress or has an unknown outcome.',
  reference: 'This reference is already used by an operation of this name.',
  approval: 'This operation already has an approval.',
  other: 'A row with this key already exists.',
} as const;

/** A second open operation on one lock key, or a second use of one reference. */
export class AlreadyOpen extends Error {
  override readonly name = 'AlreadyOpen';
}

/** The database can't be opened or written, or is full. The message says which one, and what to do. */
export class LedgerUnavailable extends Error {
  override readonly name: string = 'LedgerUnavailable';
}

/** A row that a decision reads is not as Purser wrote it. The message quotes nothing of the row. */
export class CorruptRow extends LedgerUnavailable {
  override readonly name = 'CorruptRow';
}

/**
 * The connection broke between a commit and its response, and the database did not return in time to be asked. The
 * caller must read again, and conclude nothing from this error.
 */
export class CommitUnknown extends LedgerUnavailable {
  override readonly name = 'CommitUnknown';
}

/** A cursor that this ledger did not issue for this list. Start again without one. */
export class BadCursor extends RangeError {
  override readonly name = 'BadCursor';
}
