import { UnsafeFile } from '../files/check.ts';
import { AlreadyOpen, LedgerUnavailable } from './errors.ts';

/** SQLite's primary result codes that are about the file, and what a person can do. */
const unavailable: { readonly [code: number]: ((file: string) => string) | undefined } = {
  3: (file) => `The ledger ${file} may not be opened by this user: change its owner or its rights.`,
  5: (file) => `The ledger ${file} is held by another process: find what keeps it busy, then try again.`,
  6: (file) => `The ledger ${file} is locked by another connection of this process: try again.`,
  7: (file) => `There is not enough memory to use the ledger ${file}: free some, then try again.`,
  8: (file) => `The ledger ${file} can't be written: give this user the right to write it, its folder and its disk.`,
  10: (file) => `The disk of the ledger ${file} reported an error: check it, then restore the last backup if needed.`,
  11: (file) => `The ledger ${file} is damaged: move it away and restore the last backup.`,
  13: (file) => `There is no room for the ledger ${file}: free some disk space; nothing of this step was kept.`,
  14: (file) =>
    `The ledger ${file} can't be opened: check that it is a file, and that its folder is there and writable.`,
  26: (file) => `${file} is not a ledger: name another file, or restore the last backup.`,
};

/** Which promise a unique index keeps, by a column in SQLite's message. */
const taken = [
  ['operations.subject', 'Another operation on this subject is under way or its outcome is unknown.'],
  ['operations.reference', 'This reference is already used by an operation of this name.'],
  ['approvals.operation_id', 'This operation already has an approval.'],
] as const;

const UNIQUE = [1555, 2067];
const BUSY = 5;
const PRIMARY = 0xff;

/** What the ledger's users are told: LedgerUnavailable, AlreadyOpen, or the error itself where the fault is ours. */
export function translate(error: unknown, file: string): unknown {
  if (error instanceof UnsafeFile) return new LedgerUnavailable(error.message, { cause: error });
  const code = resultCode(error);
  if (code !== undefined && UNIQUE.includes(code)) return new AlreadyOpen(sentence(error), { cause: error });
  const tell = code === undefined ? beyondSqlite(error) : unavailable[code & PRIMARY];
  return tell ? new LedgerUnavailable(tell(file), { cause: error }) : error;
}

/** Whether another connection holds the lock, so that waiting may help. */
export function isBusy(error: unknown): boolean {
  return ((resultCode(error) ?? 0) & PRIMARY) === BUSY;
}

/** SQLite's extended result code. */
function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
}

function beyondSqlite(error: unknown): ((file: string) => string) | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // Purser writes no integer that a number can't hold.
  return code === 'ERR_OUT_OF_RANGE' ? unavailable[11] : undefined;
}

function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return taken.find(([column]) => message.includes(column))?.[1] ?? 'A row with this key is already there.';
}
