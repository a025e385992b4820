import type { JsonObject } from '../core/canonical-json.ts';

// Every row belongs to a tenant, and a row of another tenant can't be told from a missing one. Times are milliseconds since the
// epoch. Bodies are plain JSON without secrets.

/** One attempt to do something on the platform, from proposal to its end. Its id is the engine's idempotency key. */
export interface OperationRow {
  readonly id: string;
  readonly tenant: string;
  readonly principal: string;
  /** The contract's name of the operation, for example `confirmTransaction`. */
  readonly name: string;
  /** The lock key: no second operation with it may be open. Empty where the operation locks nothing. */
  readonly subject: string;
  /** The merchant's order or invoice number; empty where the operation takes none. */
  readonly reference: string;
  /** The model's arguments as given, after the shape check, in canonical JSON. */
  readonly args: string;
  readonly argsDigest: string;
  /** Hash of the rule catalogue and contract that decided this row. */
  readonly rulesHash: string;
  readonly state: string;
  /** How often it was sent. */
  readonly attempt: number;
  /** When it was last sent; null before. */
  readonly startedAt: number | null;
  /** Until then a missing answer proves nothing. */
  readonly quietUntil: number | null;
  /** The request that was or is being sent, without secrets, so that it can be repeated exactly; null before. */
  readonly request: JsonObject | null;
  /** The answer that the agent got, and why a failed or unknown operation ended so; null before. */
  readonly result: JsonObject | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
}

/** What the merchant's app, the platform or the clock said about one thing. */
export interface ObservationRow {
  readonly tenant: string;
  readonly handle: string;
  readonly kind: string;
  /** The handle of the shopper (or other thing) that this belongs to; empty where there is none. */
  readonly owner: string;
  readonly state: string;
  readonly body: JsonObject;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
}

/** A request for approval, and its answer. */
export interface ApprovalRow {
  readonly id: string;
  readonly tenant: string;
  readonly principal: string;
  readonly operationId: string;
  /** SHA-256 over everything that the approver saw and the engine will send. */
  readonly digest: string;
  /** What a person reads, rendered from the stored operation. */
  readonly text: string;
  readonly state: string;
  readonly approver: string | null;
  readonly channel: string | null;
  readonly expiresAt: number;
  readonly decidedAt: number | null;
  readonly createdAt: number;
  readonly version: number;
}

/** One row of the audit chain, which runs through all tenants. */
export interface AuditRow {
  readonly seq: number;
  readonly tenant: string;
  readonly operationId: string | null;
  /** `refused`, `proposed`, `approved`, `denied`, `sent`, `answered`, `unknown`, `resolved`, `registered`, … */
  readonly event: string;
  readonly body: JsonObject;
  readonly at: number;
  readonly previousHash: string;
  /** Covers the row and `previousHash`. */
  readonly hash: string;
}
