import type { JsonObject } from '../core/canonical-json.ts';
import type { ApprovalRow, AuditRow, EventRow, NewObservation, ObservationRow, OperationRow, Told } from './rows.ts';
import type { Anchor, RecentVerdict, VerifiedPosition } from './verification.ts';

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

/** Filters approvals: those in any of these states. */
export interface ListedApprovals {
  readonly states?: readonly ApprovalsIn[] | undefined;
  readonly principal?: string | undefined;
}

/** Approvals in a stored state, all or by their expiry. */
export interface ApprovalsIn {
  readonly state: string;
  /** Milliseconds since the epoch; excluded. */
  readonly expiryAbove?: number | undefined;
  /** Included. */
  readonly expiryUpTo?: number | undefined;
}

/** Things of a kind with this value of a search key (`search-keys.ts`) and a time within the bounds. */
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

/** Reads that no decision depends on. */
export interface LedgerReads {
  readonly operations: Pick<LedgerTransaction['operations'], 'find' | 'list' | 'openOn' | 'underWay' | 'byReference'>;
  readonly approvals: Pick<LedgerTransaction['approvals'], 'ofOperation' | 'list'>;
  readonly observations: Pick<
    LedgerTransaction['observations'],
    'load' | 'find' | 'list' | 'listBy' | 'search' | 'countOwned'
  >;
  readonly budgets: Pick<LedgerTransaction['budgets'], 'used'>;
  readonly events: Pick<LedgerTransaction['events'], 'list'>;
}

/** What operations are about: things by their lock keys, and what is made by its reference. */
export interface About {
  readonly subjects: readonly string[];
  readonly references: readonly Pick<OperationRow, 'name' | 'reference'>[];
}

/** All reads and writes of one transaction, for one tenant. */
export interface LedgerTransaction {
  readonly operations: {
    insert(row: Omit<OperationRow, 'tenant' | 'version'>): Promise<OperationRow>;
    find(id: string): Promise<OperationRow | undefined>;
    /**
     * Prefetches, in one statement, the rows that a call's lookups will find, so these need no statements before the
     * next write.
     */
    load(call: {
      readonly name: string;
      readonly argsDigest: string;
      readonly principal: string;
      readonly references: readonly Pick<OperationRow, 'name' | 'reference'>[];
      readonly subjects: readonly string[];
      /** For `recentAlike`, if it is called. */
      readonly alike?: { readonly essenceDigest: string; readonly since: number };
      /** For `deniedAlike`, if it is called. */
      readonly deniedAlike?: { readonly essenceDigest: string; readonly since: number };
      readonly isAllUnderWay: boolean;
    }): Promise<void>;
    /** The SENDING or UNKNOWN operation with this lock key. */
    openOn(subject: string): Promise<OperationRow | undefined>;
    /** The principal's newest open operation with this name and these arguments. */
    openCall(name: string, argsDigest: string, principal: string): Promise<OperationRow | undefined>;
    /**
     * The principal's newest denied operation with this name and these arguments whose result the agent has not seen.
     */
    deniedCall(name: string, argsDigest: string, principal: string): Promise<OperationRow | undefined>;
    /** The operation with this name and reference that is neither FAILED nor EXPIRED. */
    byReference(name: string, reference: string): Promise<OperationRow | undefined>;
    /**
     * Calls of this operation that a call with this essence nearly repeats, open ones first: all SENDING and UNKNOWN
     * ones, those created since then that are waiting, approved or done, and at most a hundred that were settled
     * without success since then.
     */
    recentAlike(name: string, essenceDigest: string, since: number): Promise<readonly OperationRow[]>;
    /** Calls of this operation with this essence, made since then, of which nothing was ever sent, at most the newest hundred. */
    deniedAlike(name: string, essenceDigest: string, since: number): Promise<readonly OperationRow[]>;
    /** The SENDING and UNKNOWN operations: at most a thousand, and always those with these lock keys or references. */
    underWay(about?: () => About): Promise<readonly OperationRow[]>;
    /** Compare-and-set on `version`; throws StaleRow. */
    update(row: OperationRow, change: Partial<OperationRow>): Promise<OperationRow>;
    /** Newest first. */
    list(filter: Listed & { readonly reference?: string | undefined }, page: Page): Promise<Paged<OperationRow>>;
  };
  readonly observations: {
    /** Prefetches things and their owners in one statement, for `find`. */
    load(handles: readonly string[]): Promise<void>;
    find(handle: string): Promise<ObservationRow | undefined>;
    insert(row: NewObservation, at: number): Promise<ObservationRow>;
    /** The same for several things, in one statement. */
    insertAll(rows: readonly NewObservation[], at: number): Promise<readonly ObservationRow[]>;
    /** Compare-and-set on `version`; throws StaleRow. */
    update(
      row: ObservationRow,
      change: { readonly state?: string; readonly body?: JsonObject } & Partial<Told>,
      at: number,
    ): Promise<ObservationRow>;
    /** Oldest first. */
    list(
      filter: { readonly kind: string; readonly owner?: string | undefined },
      page: Page,
    ): Promise<Paged<ObservationRow>>;
    /** Things in any of several ranges of search keys, latest first. The ranges must not overlap. */
    listBy(
      filter: {
        readonly kind: string;
        readonly ranges: readonly KeyRange[];
        /** Only things of these principals; an empty text means the merchant. */
        readonly principals?: readonly string[] | undefined;
      },
      page: Page,
    ): Promise<Paged<ObservationRow>>;
    /** Sets the searchable name of a thing. */
    rename(thing: Pick<ObservationRow, 'kind' | 'handle'>, name: string): Promise<void>;
    /**
     * Things of a kind with a word in their name that begins like this, sorted by name. `state` needs a kind that is
     * indexed by state.
     */
    search(
      filter: { readonly kind: string; readonly name: string; readonly state?: string | undefined },
      page: Page,
    ): Promise<Paged<ObservationRow>>;
    /** The number of things of a kind per owner, counted up to `limits.countedRows`, in one statement. */
    countOwned(kind: string, owners: readonly string[]): Promise<ReadonlyMap<string, number>>;
  };
  readonly approvals: {
    insert(row: Omit<ApprovalRow, 'tenant' | 'version'>): Promise<ApprovalRow>;
    find(id: string): Promise<ApprovalRow | undefined>;
    ofOperation(operationId: string): Promise<ApprovalRow | undefined>;
    /** Compare-and-set on `version`; throws StaleRow. */
    update(row: ApprovalRow, change: Partial<ApprovalRow>): Promise<ApprovalRow>;
    /** Newest first. */
    list(filter: ListedApprovals, page: Page): Promise<Paged<ApprovalRow>>;
  };
  readonly budgets: {
    /** Prefetches scopes of budgets in one statement. */
    load(scopes: readonly { readonly budget: string; readonly scope: string }[]): Promise<void>;
    /**
     * Reserves `minor` units and one use of a budget's scope for an operation. Returns false, reserving nothing, if
     * that would exceed `most` units or `times` uses; undefined means unlimited.
     */
    reserve(take: {
      readonly budget: string;
      readonly scope: string;
      readonly operationId: string;
      readonly minor: number;
      readonly most?: number | undefined;
      readonly times?: number | undefined;
    }): Promise<boolean>;
    /** Settles an operation's reservations: SPENT keeps the amounts, RELEASED returns them. Final. */
    settle(operationId: string, state: 'SPENT' | 'RELEASED'): Promise<void>;
    /** The used amount and count of a scope, held and spent together. */
    used(budget: string, scope: string): Promise<{ readonly minor: number; readonly times: number }>;
  };
  readonly sealed: {
    put(row: { readonly handle: string; readonly sealed: string; readonly expiresAt: number }): Promise<void>;
    /** The content of a row, unless it has expired at `now`. */
    find(handle: string, now: number): Promise<{ readonly sealed: string; readonly expiresAt: number } | undefined>;
    /** Deletes the row and returns its content. Also deletes rows that have expired at `now`. */
    take(handle: string, now: number): Promise<{ readonly sealed: string; readonly expiresAt: number } | undefined>;
    /** Deletes every row. */
    clear(): Promise<void>;
  };
  readonly events: {
    find(id: string): Promise<EventRow | undefined>;
    insert(row: Omit<EventRow, 'tenant' | 'version'>): Promise<EventRow>;
    /** Events that are RECEIVED and due at `now`, the longest waiting first. Each counts an attempt and is due again at `until`. */
    claim(work: { readonly now: number; readonly until: number; readonly most: number }): Promise<readonly EventRow[]>;
    /** Compare-and-set on `version`; throws StaleRow. */
    update(row: EventRow, change: Partial<EventRow>): Promise<EventRow>;
    /** How many are RECEIVED, counted up to `most`. */
    waiting(most: number): Promise<number>;
    /**
     * Deletes at most `most` events that are not waiting, the oldest first: those made before `before`, and of those made before
     * `spare` all but the newest `keep` events. Answers how many.
     */
    prune(old: {
      readonly before: number;
      readonly spare: number;
      readonly keep: number;
      readonly most: number;
    }): Promise<number>;
    /** Newest first. */
    list(filter: { readonly thing?: string | undefined }, page: Page): Promise<Paged<EventRow>>;
  };
  readonly audit: {
    /** Appends to the hash chain. */
    append(entry: {
      readonly operationId?: string | undefined;
      readonly event: string;
      readonly body: JsonObject;
      readonly at: number;
    }): Promise<AuditRow>;
    /** The `seq` of the ledger's last row. It never falls. */
    end(): Promise<number>;
    /** An operation's rows, newest first, at most a hundred, except rows whose hash doesn't match. */
    of(operationId: string): Promise<readonly AuditRow[]>;
    /** The row that halted this tenant; undefined if there is none, or a later row ended the halt. */
    halt(): Promise<AuditRow | undefined>;
    /** Newest first. */
    list(page: Page): Promise<Paged<AuditRow>>;
    /**
     * Verifies the head, every row added since the last verification, and that the chain contains the anchor. Call it
     * first in a transaction. Its cost depends on the number of added rows, not on the length of the chain. Prefetches
     * things, as `observations.load` does, in the same statement.
     */
    verifyRecent(verified: VerifiedPosition, anchor?: Anchor, handles?: readonly string[]): Promise<RecentVerdict>;
  };
}
