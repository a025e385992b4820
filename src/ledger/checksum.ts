import { sha256 } from '../core/canonical-json.ts';
import { CorruptRow } from './errors.ts';
import type { ChecksummedTable, Tables } from './tables.ts';

/** The columns that each table's checksum covers: all others, in order. */
// biome-ignore format: a table
const columns: { readonly [T in ChecksummedTable]: readonly Exclude<keyof Tables[T], 'checksum'>[] } = {
  operations: [
    'id', 'tenant', 'principal', 'name', 'subject', 'reference', 'args', 'argsDigest', 'essenceDigest', 'rulesHash', 'state',
    'attempt', 'startedAt', 'quietUntil', 'request', 'result', 'createdAt', 'updatedAt', 'version', 'leaseHolder', 'leaseUntil',
  ],
  observations: [
    'tenant', 'handle', 'kind', 'owner', 'state', 'body', 'changeSeq', 'lookedAt', 'createdAt', 'updatedAt',
    'version',
  ],
  approvals: [
    'id', 'tenant', 'principal', 'operationId', 'digest', 'text', 'state', 'approver', 'channel', 'expiresAt',
    'decidedAt', 'createdAt', 'version',
  ],
  budgets: ['tenant', 'budget', 'scope', 'minor', 'times'],
  reservations: ['tenant', 'operationId', 'budget', 'scope', 'minor', 'state'],
  sealed: ['tenant', 'handle', 'sealed', 'expiresAt'],
  events: [
    'tenant', 'id', 'type', 'kind', 'thing', 'state', 'happenedAt', 'dueAt', 'attempts', 'createdAt', 'updatedAt', 'version',
  ],
};

export const checksummedTables = Object.keys(columns) as readonly ChecksummedTable[];

type Plain<T extends ChecksummedTable> = Omit<Tables[T], 'checksum'>;

/**
 * Adds a checksum over all columns, which reveals a flipped bit. It doesn't prove integrity, because whoever can write
 * the file can write the checksum: the audit chain and its anchor do.
 */
export const withChecksum = <T extends ChecksummedTable>(
  table: T,
  row: Plain<T>,
): Plain<T> & { readonly checksum: string } => ({
  ...row,
  checksum: checksumOf(table, row),
});

/** A row that is intact. Throws CorruptRow otherwise, which quotes nothing of the row. */
export function requireIntact<T extends ChecksummedTable>(table: T, row: Tables[T]): Tables[T] {
  if (isIntact(table, row)) return row;
  throw new CorruptRow(
    `A row in the ledger's ${table} is corrupt: run "purser audit verify" and restore the last backup.`,
  );
}

/** Whether a row matches its checksum. */
export const isIntact = <T extends ChecksummedTable>(table: T, row: Tables[T]): boolean =>
  row.checksum === checksumOf(table, row);

/** A row never changes once it was read or written, so its checksum is computed once. */
export function checksumOf<T extends ChecksummedTable>(table: T, row: Plain<T>): string {
  const known = checksums.get(row) ?? computed(table, row);
  checksums.set(row, known);
  return known;
}

const checksums = new WeakMap<object, string>();

const computed = <T extends ChecksummedTable>(table: T, row: Plain<T>): string =>
  sha256(JSON.stringify([table, ...columns[table].map((column) => row[column as keyof Plain<T>] ?? null)]));
