import type { ApprovalRow, AuditRow, ObservationRow, OperationRow } from './rows.ts';

/** A row as the database holds it: JSON is canonical text, so that any database can keep it unchanged. */
type Stored<Row, JsonColumn extends keyof Row> = {
  readonly [Column in keyof Row]: Column extends JsonColumn
    ? null extends Row[Column]
      ? string | null
      : string
    : Row[Column];
};

/** What shows that a bit of a row has turned over. */
interface Checksummed {
  readonly checksum: string;
}

/** An operation, and who may recover it until when; its users see neither lease nor checksum. */
export type StoredOperation = Stored<OperationRow, 'request' | 'result'> &
  Checksummed & {
    readonly leaseHolder: string | null;
    readonly leaseUntil: number | null;
  };
export type StoredObservation = Stored<ObservationRow, 'body'> & Checksummed;
export type StoredApproval = ApprovalRow & Checksummed;
export type StoredAudit = Stored<AuditRow, 'body'>;

/** What was taken out of a budget in one scope: held and spent together. */
export interface StoredBudget extends Checksummed {
  readonly tenant: string;
  readonly budget: string;
  readonly scope: string;
  readonly minor: number;
  readonly times: number;
}

/** What one operation took out of a budget: HELD until its outcome is known, then SPENT or RELEASED. */
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

/** A name of a thing from one of its words on, as it is searched for. It decides nothing, so it has no checksum. */
export interface StoredName {
  readonly tenant: string;
  readonly kind: string;
  readonly name: string;
  readonly handle: string;
}

/** One key by which a thing is found, with the moment it is sorted by. It decides nothing, so it has no checksum. */
export interface StoredSearchKey {
  readonly tenant: string;
  readonly kind: string;
  /** The principal it belongs to; empty where it is the merchant's. */
  readonly principal: string;
  readonly key: string;
  readonly value: string;
  readonly at: number;
  readonly handle: string;
}

/**
 * The tables, as Kysely sees them. In the database the names are in snake case (`CamelCasePlugin`). A dialect hands
 * `bigint` columns over as numbers and throws on those a number can't hold.
 */
export interface Tables {
  readonly operations: StoredOperation;
  readonly observations: StoredObservation;
  readonly approvals: StoredApproval;
  readonly audit: StoredAudit;
  readonly budgets: StoredBudget;
  readonly reservations: StoredReservation;
  readonly sealed: StoredSealed;
  readonly names: StoredName;
  readonly searchKeys: StoredSearchKey;
  /** One row: the end of the audit chain. It shows that rows were cut off, and is what appenders lock. */
  readonly auditHead: { readonly id: number; readonly seq: number; readonly hash: string };
  /** A hash tree over the rows above: that each is there, and in its newest version. */
  readonly proofs: { readonly node: string; readonly content: string };
  readonly migrations: { readonly name: string };
}

/** The tables whose rows have a checksum; the audit has a chain of its own. */
export type ChecksummedTable = Exclude<
  keyof Tables,
  'names' | 'searchKeys' | 'audit' | 'auditHead' | 'proofs' | 'migrations'
>;
