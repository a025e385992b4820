import type { ApprovalRow, AuditRow, ObservationRow, OperationRow } from './ledger.ts';

/** A row as the database holds it: JSON is canonical text, so that any database can keep it unchanged. */
type Stored<Row, JsonColumn extends keyof Row> = {
  readonly [Column in keyof Row]: Column extends JsonColumn
    ? null extends Row[Column]
      ? string | null
      : string
    : Row[Column];
};

export type StoredOperation = Stored<OperationRow, 'request' | 'result'>;
export type StoredObservation = Stored<ObservationRow, 'body'>;
export type StoredAudit = Stored<AuditRow, 'body'>;

/**
 * The tables, as Kysely sees them. In the database the names are in snake case (`CamelCasePlugin`). A dialect hands
 * `bigint` columns over as numbers and throws on those a number can't hold.
 */
export interface Tables {
  readonly operations: StoredOperation;
  readonly observations: StoredObservation;
  readonly approvals: ApprovalRow;
  readonly audit: StoredAudit;
  /** One row: the end of the audit chain. It shows that rows were cut off, and is what appenders lock. */
  readonly auditHead: { readonly id: number; readonly seq: number; readonly hash: string };
  readonly migrations: { readonly name: string };
}
