import { UnsafeFile } from '../files/check.ts';
import { AlreadyOpen, alreadyOpen, LedgerUnavailable } from './errors.ts';

/** SQLite's primary result codes about the file, with what to do. */
const unavailable: { readonly [code: number]: ((file: string) => string) | undefined } = {
  3: (file) => `The ledger ${file} may not be opened by this user: change its owner or its permissions.`,
  5: (file) => `The ledger ${file} is locked by another process: find it, then try again.`,
  6: (file) => `The ledger ${file} is locked by another connection of this process: try again.`,
  7: (file) => `There is not enough memory to use the ledger ${file}: free some, then try again.`,
  8: (file) =>
    `The ledger ${file} can't be written: give this user write permission for the file, its folder and its disk.`,
  10: (file) => `The disk of the ledger ${file} reported an error: check it, then restore the last backup if needed.`,
  11: (file) => `The ledger ${file} is damaged: move it away and restore the last backup.`,
  13: (file) => `The disk of the ledger ${file} is full: free some space; nothing of this step was kept.`,
  14: (file) =>
    `The ledger ${file} can't be opened: check that it is a file, that its folder exists and is writable, and that its disk has room for more files.`,
  26: (file) => `${file} is not a ledger: name another file, or restore the last backup.`,
};

/** The message of each unique index, by a column in SQLite's message. */
const taken = [
  ['operations.subject', alreadyOpen.lockKey],
  ['operations.reference', alreadyOpen.reference],
  ['approvals.operation_id', alreadyOpen.approval],
] as const;

const UNIQUE = [1555, 2067];
const BUSY = 5;
const FULL = 13;
/** The index of the log could not be made as large as it must be. SQLite tells it as an error of the disk. */
const NO_ROOM_FOR_INDEX = 4874;
const PRIMARY = 0xff;

/** Translates to LedgerUnavailable or AlreadyOpen; other errors are internal and stay. */
export function translate(error: unknown, file: string): unknown {
  if (error instanceof UnsafeFile) return new LedgerUnavailable(error.message, { cause: error });
  const code = resultCode(error);
  if (code !== undefined && UNIQUE.includes(code)) return new AlreadyOpen(sentence(error), { cause: error });
  const tell =
    code === undefined ? beyondSqlite(error) : unavailable[code === NO_ROOM_FOR_INDEX ? FULL : code & PRIMARY];
  return tell ? new LedgerUnavailable(tell(file), { cause: error }) : error;
}

/** Whether another connection holds the lock, so waiting may help. */
export function isBusy(error: unknown): boolean {
  return ((resultCode(error) ?? 0) & PRIMARY) === BUSY;
}

/** SQLite's extended result code. */
function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
}

function beyondSqlite(error: unknown): ((file: string) => string) | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // The integer is beyond the range that Purser writes.
  return code === 'ERR_OUT_OF_RANGE' ? unavailable[11] : undefined;
}

function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return taken.find(([column]) => message.includes(column))?.[1] ?? alreadyOpen.other;
}
