import type { JsonObject } from '../core/canonical-json.ts';

// Every row belongs to a tenant; another tenant's row looks like a missing one. Times are milliseconds since the epoch.
// Bodies are plain JSON without secrets.

/**
 * One call that changes something on the platform, from proposal to its end. Its id is the engine's idempotency key.
 */
export interface OperationRow {
  readonly id: string;
  readonly tenant: string;
  readonly principal: string;
  /** The operation's name in the contract, for example `confirmTransaction`. */
  readonly name: string;
  /** The lock key: no second operation with it may be open. Empty if the operation locks nothing. */
  readonly subject: string;
  /** The merchant's order or invoice number; empty if the operation has none. */
  readonly reference: string;
  /** The model's arguments as given, after validation, in canonical JSON. */
  readonly args: string;
  readonly argsDigest: string;
  /** The same for near-duplicates, which differ in incidental arguments alone. */
  readonly essenceDigest: string;
  /** Hash of the rules and the contract at the time of the decision. */
  readonly rulesHash: string;
  readonly state: string;
  /** The number of times it was sent. */
  readonly attempt: number;
  /** When it was last sent; null before that. */
  readonly startedAt: number | null;
  /** Until then a missing response proves nothing. */
  readonly quietUntil: number | null;
  /** The request, without secrets, so it can be repeated exactly; null before it is decided. */
  readonly request: JsonObject | null;
  /** The agent's answer, with the cause of a failed or unknown outcome; null before that. */
  readonly result: JsonObject | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
}

/** An observation of a thing, by the merchant's app, the platform or the clock. */
export interface ObservationRow {
  readonly tenant: string;
  readonly handle: string;
  readonly kind: string;
  /** The handle of its shopper or other owner; empty if there is none. */
  readonly owner: string;
  readonly state: string;
  readonly body: JsonObject;
  /** The next `seq` of the audit when a call last changed it; 0 if none has. A look that began before it may tell of what was. */
  readonly changeSeq: number;
  /** When the latest look began that told of it; 0 if none has. */
  readonly lookedAt: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
}

/** What a new observation is made of. */
export type NewObservation = Omit<ObservationRow, 'tenant' | 'version' | 'createdAt' | 'updatedAt' | keyof Told> &
  Partial<Told>;

/** Who has last told of a thing. */
export type Told = Pick<ObservationRow, 'changeSeq' | 'lookedAt'>;

/** A request for approval, and its decision. */
export interface ApprovalRow {
  readonly id: string;
  readonly tenant: string;
  readonly principal: string;
  readonly operationId: string;
  /** SHA-256 over everything that the approver saw and the engine will send. */
  readonly digest: string;
  /** The text for the person, rendered from the stored operation. */
  readonly text: string;
  readonly state: string;
  readonly approver: string | null;
  readonly channel: string | null;
  readonly expiresAt: number;
  readonly decidedAt: number | null;
  readonly createdAt: number;
  readonly version: number;
}

/** An event that the platform has delivered. Nothing of its content is kept but what it is about. */
export interface EventRow {
  readonly tenant: string;
  /** What tells it apart from every other event: a hash. */
  readonly id: string;
  /** The platform's name of its type. */
  readonly type: string;
  /** The kind of the thing that it is about; empty where its type says nothing of it. */
  readonly kind: string;
  /** The handle of that thing, whether it is known or not; empty where there can be none. */
  readonly thing: string;
  readonly state: string;
  /** When it happened, as the platform says. */
  readonly happenedAt: number | null;
  /** From when on it is worked on. Whoever begins with it moves this ahead, so that nobody else begins meanwhile. */
  readonly dueAt: number;
  /** How often that was begun. */
  readonly attempts: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
}

/** A row of the audit chain, which all tenants share. */
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
