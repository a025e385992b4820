import type { JsonObject } from '../core/canonical-json.ts';
import type { ApprovalRow, AuditRow, ObservationRow, OperationRow } from './rows.ts';
import type { RecentVerdict, VerifiedPosition } from './verification.ts';

/** At most `limit` rows (1 to 1000), from `cursor` on: the `more` of the page before. */
export interface Page {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Filters a list; without filters, all rows. */
export interface Listed {
  readonly states?: readonly string[] | undefined;
  readonly principal?: string | undefined;
}

/** Things of a kind with this value of a search key (`search-keys.ts`), whose time lies within the bounds. */
export interface KeyRange {
  readonly key: string;
  readonly value: string;
  /** Milliseconds since the epoch; excluded. */
  readonly above?: number | undefined;
  /** Included. */
  readonly upTo?: number | undefined;
}

/** One page of rows, and the cursor of the next page if there is one. */
export interface Paged<Row> {
  readonly rows: readonly Row[];
  /** How many rows the list has, counted up to `limits.countedRows`. */
  readonly total: number;
  /** The list may be longer than `total`. */
  readonly isCapped?: true;
  readonly more?: string | undefined;
}

/** All reads and writes of one transaction, for one tenant. */
export interface LedgerTransaction {
  readonly operations: {
    insert(row: Omit<OperationRow, 'tenant' | 'version'>): Promise<OperationRow>;
    find(id: string): Promise<OperationRow | undefined>;
    /** The operation that is SENDING or UNKNOWN under this lock key. */
    openOn(subject: string): Promise<OperationRow | undefined>;
    /** The principal's newest operation of this name with these arguments that has not ended. */
    openCall(name: string, argsDigest: string, principal: string): Promise<OperationRow | undefined>;
    /** The principal's newest operation of this name with these arguments that was denied and has no answer yet. */
    deniedCall(name: string, argsDigest: string, principal: string): Promise<OperationRow | undefined>;
    /** The operation of this name that holds this reference: any that is not FAILED or EXPIRED. */
    byReference(name: string, reference: string): Promise<OperationRow | undefined>;
    /**
     * Calls of this operation that a near-duplicate may repeat, open ones first: all that are being sent or of unknown outcome,
     * those made since then that wait, are approved or done, and at most a hundred settled since then as not done.
     */
    recentCalls(name: string, since: number): Promise<readonly OperationRow[]>;
    /** Compare-and-set on `version`; throws StaleRow. */
    update(row: OperationRow, change: Partial<OperationRow>): Promise<OperationRow>;
    /** Newest first. */
    list(filter: Listed & { readonly reference?: string | undefined }, page: Page): Promise<Paged<OperationRow>>;
  };
  readonly observations: {
    find(handle: string): Promise<ObservationRow | undefined>;
    insert(
      row: Omit<ObservationRow, 'tenant' | 'version' | 'createdAt' | 'updatedAt'>,
      at: number,
    ): Promise<ObservationRow>;
    /** Compare-and-set on `version`; throws StaleRow. */
    update(
      row: ObservationRow,
      change: { readonly state?: string; readonly body?: JsonObject },
      at: number,
    ): Promise<ObservationRow>;
    /** Oldest first. */
    list(
      filter: { readonly kind: string; readonly owner?: string | undefined },
      page: Page,
    ): Promise<Paged<ObservationRow>>;
    /** Things in any of some ranges of search keys, latest first. The ranges must not overlap. */
    listBy(
      filter: {
        readonly kind: string;
        readonly ranges: readonly KeyRange[];
        /** Only things of these principals; an empty text stands for the merchant. */
        readonly principals?: readonly string[] | undefined;
      },
      page: Page,
    ): Promise<Paged<ObservationRow>>;
    /** Sets the name that a thing is searched by. */
    rename(thing: Pick<ObservationRow, 'kind' | 'handle'>, name: string): Promise<void>;
    /** Things of a kind whose name has a word with this beginning, by name. `state` needs a kind that is indexed by state. */
    search(
      filter: { readonly kind: string; readonly name: string; readonly state?: string | undefined },
      page: Page,
    ): Promise<Paged<ObservationRow>>;
    /** How many things of a kind each owner has, counted up to `limits.countedRows`, in one statement. */
    countOwned(kind: string, owners: readonly string[]): Promise<ReadonlyMap<string, number>>;
  };
  readonly approvals: {
    insert(row: Omit<ApprovalRow, 'tenant' | 'version'>): Promise<ApprovalRow>;
    find(id: string): Promise<ApprovalRow | undefined>;
    ofOperation(operationId: string): Promise<ApprovalRow | undefined>;
    /** Compare-and-set on `version`; throws StaleRow. */
    update(row: ApprovalRow, change: Partial<ApprovalRow>): Promise<ApprovalRow>;
    /** Newest first. */
    list(filter: Listed, page: Page): Promise<Paged<ApprovalRow>>;
  };
  readonly budgets: {
    /**
     * Reserves `minor` units and one use of a budget's scope for an operation. False, with nothing reserved, where that would
     * exceed `most` units or `times` uses; an undefined bound is none.
     */
    reserve(take: {
      readonly budget: string;
      readonly scope: string;
      readonly operationId: string;
      readonly minor: number;
      readonly most?: number | undefined;
      readonly times?: number | undefined;
    }): Promise<boolean>;
    /** Settles an operation's reservations for good: SPENT keeps the amounts, RELEASED gives them back. */
    settle(operationId: string, state: 'SPENT' | 'RELEASED'): Promise<void>;
    /** What is used of a scope, held and spent together. */
    used(budget: string, scope: string): Promise<{ readonly minor: number; readonly times: number }>;
  };
  readonly sealed: {
    put(row: { readonly handle: string; readonly sealed: string; readonly expiresAt: number }): Promise<void>;
    /** Deletes the row and returns its content; deletes rows that have expired at `now`, too. */
    take(handle: string, now: number): Promise<{ readonly sealed: string; readonly expiresAt: number } | undefined>;
  };
  readonly audit: {
    /** Appends to the hash chain. */
    append(entry: {
      readonly operationId?: string | undefined;
      readonly event: string;
      readonly body: JsonObject;
      readonly at: number;
    }): Promise<AuditRow>;
    /** An operation's rows, newest first, at most a hundred, without rows whose hash doesn't match. */
    of(operationId: string): Promise<readonly AuditRow[]>;
    /** The row that froze this tenant; undefined where there is none, or a later row ended the freeze. */
    halt(): Promise<AuditRow | undefined>;
    /** Newest first. */
    list(page: Page): Promise<Paged<AuditRow>>;
    /**
     * Checks the head and every row that was added since the chain was verified. Call it first in a transaction. Its cost
     * depends on the number of added rows, not on the length of the chain.
     */
    verifyRecent(verified: VerifiedPosition): Promise<RecentVerdict>;
  };
}
