import type { ApprovalRow, AuditRow, EventRow, ObservationRow, OperationRow } from './rows.ts';

/** A stored row: JSON is canonical text, which any database stores unchanged. */
type Stored<Row, JsonColumn extends keyof Row> = {
  readonly [Column in keyof Row]: Column extends JsonColumn
    ? null extends Row[Column]
      ? string | null
      : string
    : Row[Column];
};

/** Reveals a flipped bit in a row. */
interface Checksummed {
  readonly checksum: string;
}

/** An operation with its recovery lease. The ledger's users see neither lease nor checksum. */
export type StoredOperation = Stored<OperationRow, 'request' | 'result'> &
  Checksummed & {
    readonly leaseHolder: string | null;
    readonly leaseUntil: number | null;
  };
export type StoredObservation = Stored<ObservationRow, 'body'> & Checksummed;
export type StoredApproval = ApprovalRow & Checksummed;
export type StoredEvent = EventRow & Checksummed;
export type StoredAudit = Stored<AuditRow, 'body'>;

/** The used part of a budget in one scope, held and spent together. */
export interface StoredBudget extends Checksummed {
  readonly tenant: string;
  readonly budget: string;
  readonly scope: string;
  readonly minor: number;
  readonly times: number;
}

/** An operation's part of a budget: HELD until its outcome is known, then SPENT or RELEASED. */
export interface StoredReservation extends Checksummed {
  readonly tenant: string;
  readonly operationId: string;
  readonly budget: string;
  readonly scope: string;
  readonly minor: number;
  readonly state: 'HELD' | 'SPENT' | 'RELEASED';
}

/** A secret that only the holder of the vault's key can open. */
export interface StoredSealed extends Checksummed {
  readonly tenant: string;
  readonly handle: string;
  readonly sealed: string;
  readonly expiresAt: number;
}

/** A thing's name from one of its words on, for searches. No decision uses it, so it has no checksum. */
export interface StoredName {
  readonly tenant: string;
  readonly kind: string;
  readonly name: string;
  readonly handle: string;
}

/** A search key of a thing, with the time it is sorted by. No decision uses it, so it has no checksum. */
export interface StoredSearchKey {
  readonly tenant: string;
  readonly kind: string;
  /** Its principal; empty if it belongs to the merchant. */
  readonly principal: string;
  readonly key: string;
  readonly value: string;
  readonly at: number;
  readonly handle: string;
}

/**
 * The tables for Kysely. Names are snake case in the database. A dialect returns `bigint` columns
 * as numbers, and throws for a value that a number can't represent.
 */
export interface Tables {
  readonly operations: StoredOperation;
  readonly observations: StoredObservation;
  readonly approvals: StoredApproval;
  readonly audit: StoredAudit;
  readonly budgets: StoredBudget;
  readonly reservations: StoredReservation;
  readonly sealed: StoredSealed;
  readonly events: StoredEvent;
  readonly names: StoredName;
  readonly searchKeys: StoredSearchKey;
  /** A single row: the end of the audit chain. It reveals truncation, and is the row that appenders lock. */
  readonly auditHead: { readonly id: number; readonly seq: number; readonly hash: string };
  /** A hash tree over the rows above, which proves that each exists in its newest version. */
  readonly proofs: { readonly node: string; readonly content: string };
  readonly migrations: { readonly name: string };
}

/** The tables whose rows have a checksum; the audit has its chain. */
export type ChecksummedTable = Exclude<
  keyof Tables,
  'names' | 'searchKeys' | 'audit' | 'auditHead' | 'proofs' | 'migrations'
>;
