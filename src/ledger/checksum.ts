import { sha256 } from '../core/canonical-json.ts';
import { CorruptRow } from './errors.ts';
import type { ChecksummedTable, Tables } from './tables.ts';

/** The columns of each table that a checksum covers, which are all others, in their order. */
// biome-ignore format: a table
const columns: { readonly [T in ChecksummedTable]: readonly Exclude<keyof Tables[T], 'checksum'>[] } = {
  operations: [
    'id', 'tenant', 'principal', 'name', 'subject', 'reference', 'args', 'argsDigest', 'rulesHash', 'state', 'attempt',
    'startedAt', 'quietUntil', 'request', 'result', 'createdAt', 'updatedAt', 'version', 'leaseHolder', 'leaseUntil',
  ],
  observations: ['tenant', 'handle', 'kind', 'owner', 'state', 'body', 'createdAt', 'updatedAt', 'version'],
  approvals: [
    'id', 'tenant', 'principal', 'operationId', 'digest', 'text', 'state', 'approver', 'channel', 'expiresAt',
    'decidedAt', 'createdAt', 'version',
  ],
  budgets: ['tenant', 'budget', 'scope', 'minor', 'times'],
  reservations: ['tenant', 'operationId', 'budget', 'scope', 'minor', 'state'],
  sealed: ['tenant', 'handle', 'sealed', 'expiresAt'],
};

export const checksummedTables = Object.keys(columns) as readonly ChecksummedTable[];

type Plain<T extends ChecksummedTable> = Omit<Tables[T], 'checksum'>;

/**
 * A row as it is written: with a checksum over all of its columns, so that a bit that turns over in it is noticed. It is no
 * seal: whoever can write the file can write the checksum. The audit chain and its anchor are for that.
 */
export const withChecksum = <T extends ChecksummedTable>(
  table: T,
  row: Plain<T>,
): Plain<T> & { readonly checksum: string } => ({
  ...row,
  checksum: checksumOf(table, row),
});

/** A row that was read, if it still is what was written. Throws CorruptRow, which quotes nothing of it. */
export function requireIntact<T extends ChecksummedTable>(table: T, row: Tables[T]): Tables[T] {
  if (isIntact(table, row)) return row;
  throw new CorruptRow(
    `A row of the ledger's ${table} is not what was written: look with "purser audit verify" and restore the last backup.`,
  );
}

/** Whether a row is what was written. */
export const isIntact = <T extends ChecksummedTable>(table: T, row: Tables[T]): boolean =>
  row.checksum === checksumOf(table, row);

export const checksumOf = <T extends ChecksummedTable>(table: T, row: Plain<T>): string =>
  sha256(JSON.stringify([table, ...columns[table].map((column) => row[column as keyof Plain<T>] ?? null)]));
