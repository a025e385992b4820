/**
 * What the ledger is: Purser's durable memory, as its users see it. `store.ts` opens it on SQLite or PostgreSQL.
 * Every row belongs to a tenant; a row of another tenant is indistinguishable from one that is not there.
 * Times are milliseconds since the epoch. Bodies are plain JSON without secrets: those live in the vault.
 */
import type { JsonObject } from '../core/canonical-json.ts';
import type { ChainArchive } from './archive.ts';

/** Who asks: taken from the authenticated context (stdio: from configuration), never from an argument. */
export interface Caller {
  readonly tenant: string;
  readonly principal: string;
  /** The conversation, where the face knows one. */
  readonly session?: string | undefined;
  /**
   * The one conversation that a connection carries, where it carries one alone: what is read in it taints it and no other one.
   * By default the session; where neither is known, all calls of a principal are one conversation.
   */
  readonly conversation?: string | undefined;
}

/** One attempt to do something on the platform, from proposal to its end. Its id is the engine's idempotency key. */
export interface OperationRow {
  readonly id: string;
  readonly tenant: string;
  readonly principal: string;
  /** The contract's name of the operation, for example `confirmTransaction`. */
  readonly name: string;
  /** The handle that no second operation may touch while this one is open; empty where there is none. */
  readonly subject: string;
  /** The merchant's order or invoice number; empty where the operation takes none. */
  readonly reference: string;
  /** The model's arguments as given, after the shape check, in canonical JSON. */
  readonly args: string;
  readonly argsDigest: string;
  /** Hash of the rule catalogue and contract this row was decided under. */
  readonly rulesHash: string;
  readonly state: string;
  /** How often it was sent. */
  readonly attempt: number;
  /** When it was last sent; null before. */
  readonly startedAt: number | null;
  /** Until then nobody may conclude anything from silence. */
  readonly quietUntil: number | null;
  /** The request that is or was under way, without secrets, so that it can be repeated exactly; null before. */
  readonly request: JsonObject | null;
  /** The answer that was given to the agent, and why a failed or unknown one ended so; null before. */
  readonly result: JsonObject | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
}

/** What the merchant's app, the platform or the clock told us about one thing. */
export interface ObservationRow {
  readonly tenant: string;
  readonly handle: string;
  readonly kind: string;
  /** The handle of the shopper (or other thing) this belongs to; empty where there is none. */
  readonly owner: string;
  readonly state: string;
  readonly body: JsonObject;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
}

export interface ApprovalRow {
  readonly id: string;
  readonly tenant: string;
  readonly principal: string;
  readonly operationId: string;
  /** SHA-256 over everything the approver saw and the engine will send. */
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

export interface AuditRow {
  readonly seq: number;
  readonly tenant: string;
  readonly operationId: string | null;
  /** `refused`, `proposed`, `approved`, `denied`, `sent`, `answered`, `unknown`, `resolved`, `registered`, … */
  readonly event: string;
  readonly body: JsonObject;
  readonly at: number;
  readonly previousHash: string;
  readonly hash: string;
}

/** Thrown when a compare-and-set found another version: somebody else was faster. Nothing was changed. */
export class StaleRow extends Error {
  override readonly name = 'StaleRow';
}

/** Thrown when a second open operation on one subject, or a second use of one reference, is inserted. */
export class AlreadyOpen extends Error {
  override readonly name = 'AlreadyOpen';
}

/** Thrown when the database can't be opened, written or is full: says which one and what to do. */
export class LedgerUnavailable extends Error {
  override readonly name: string = 'LedgerUnavailable';
}

/** Thrown when a row that a decision reads is not what was written: nothing is decided by it. Its text quotes nothing of the row. */
export class DamagedRow extends LedgerUnavailable {
  override readonly name = 'DamagedRow';
}

/**
 * Thrown when the database was lost between a commit and its answer, and did not come back in time to be asked: whether
 * the step was kept is not known. Whoever goes on reads again first, and concludes nothing from this error.
 */
export class CommitUnknown extends LedgerUnavailable {
  override readonly name = 'CommitUnknown';
}

/** Thrown when a cursor was not made by this ledger for this list: start again without one. */
export class BadCursor extends RangeError {
  override readonly name = 'BadCursor';
}

/** At most `limit` rows (1 to 1000), from `cursor` on: the `more` of the page before. */
export interface Page {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Which rows of a list: all where nothing is said. */
export interface Listed {
  readonly states?: readonly string[] | undefined;
  readonly principal?: string | undefined;
}

/** Things of a kind under one key (`search-keys.ts`): those with this value, whose moment lies within the bounds. */
export interface KeyRange {
  readonly key: string;
  readonly value: string;
  /** Milliseconds since the epoch; excluded. */
  readonly above?: number | undefined;
  /** Included. */
  readonly upTo?: number | undefined;
}

/** The rows of one page and the cursor of the next one, if there is one. */
export interface Paged<Row> {
  readonly rows: readonly Row[];
  /** How many there are in all, counted up to `limits.countedRows`. */
  readonly total: number;
  /** There may be more than `total`. */
  readonly isCapped?: true;
  readonly more?: string | undefined;
}

/** All reads and writes of one transaction, for one tenant. */
export interface LedgerTransaction {
  readonly operations: {
    insert(row: Omit<OperationRow, 'tenant' | 'version'>): Promise<OperationRow>;
    find(id: string): Promise<OperationRow | undefined>;
    /** The operation that is SENDING or UNKNOWN on this subject. */
    openOn(subject: string): Promise<OperationRow | undefined>;
    /** The newest operation of this name with these arguments, by this principal, that has not come to an end. */
    openCall(name: string, argsDigest: string, principal: string): Promise<OperationRow | undefined>;
    /** The newest operation of this name with these arguments, by this principal, that was denied and has no answer yet. */
    deniedCall(name: string, argsDigest: string, principal: string): Promise<OperationRow | undefined>;
    /** The operation of this name that holds this reference: any that is not FAILED or EXPIRED. */
    byReference(name: string, reference: string): Promise<OperationRow | undefined>;
    /**
     * Calls of this operation that a near-duplicate may be a second one of, a hundred of a kind at most and those that have
     * not ended first: under way, of unknown outcome, waiting for a person since then, begun since then and done, or settled
     * since then as not having happened.
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
    /** Things found by any of some ranges of keys, the latest moment first; no thing may be in two of the ranges. */
    listBy(
      filter: {
        readonly kind: string;
        readonly ranges: readonly KeyRange[];
        /** Only things of these principals; empty names the merchant's own. */
        readonly principals?: readonly string[] | undefined;
      },
      page: Page,
    ): Promise<Paged<ObservationRow>>;
    /** Sets the name by which a thing is searched for. */
    rename(thing: Pick<ObservationRow, 'kind' | 'handle'>, name: string): Promise<void>;
    /** The things of a kind in whose name a word begins so, by name. `state` works for a kind that is indexed by state. */
    search(
      filter: { readonly kind: string; readonly name: string; readonly state?: string | undefined },
      page: Page,
    ): Promise<Paged<ObservationRow>>;
    /** How many things of a kind each of some owners has, counted up to `limits.countedRows`. One statement. */
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
     * Takes `minor` units and one time out of a budget's scope, in the name of an operation. False, and nothing is
     * taken, where more than `most` would then be out, or more than `times` taken; each is unbounded where undefined.
     */
    reserve(take: {
      readonly budget: string;
      readonly scope: string;
      readonly operationId: string;
      readonly minor: number;
      readonly most?: number | undefined;
      readonly times?: number | undefined;
    }): Promise<boolean>;
    /** Ends what an operation holds: SPENT keeps it out, RELEASED gives it back. What is ended stays so. */
    settle(operationId: string, state: 'SPENT' | 'RELEASED'): Promise<void>;
    /** What is out of a scope, held and spent together. */
    used(budget: string, scope: string): Promise<{ readonly minor: number; readonly times: number }>;
  };
  readonly sealed: {
    put(row: { readonly handle: string; readonly sealed: string; readonly expiresAt: number }): Promise<void>;
    /** Deletes the row and answers what it held; forgets whatever has expired at `now`. */
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
    /** What was written down of an operation, newest first, a hundred at most. A row that was edited is none. */
    of(operationId: string): Promise<readonly AuditRow[]>;
    /** The row that has halted this tenant; undefined where none has, or where another one has ended that since. */
    halt(): Promise<AuditRow | undefined>;
    /** Newest first. */
    list(page: Page): Promise<Paged<AuditRow>>;
    /**
     * Checks the head and every row that was added since the chain was verified up to a row. Ask before anything else of a
     * transaction. The cost depends on what was added and not on the length of the chain.
     */
    since(verified: Verified): Promise<Since>;
  };
}

/** What was found when a ledger was verified. */
export type Verdict =
  | { readonly ok: true; readonly head: string; readonly rows: number }
  /** `seq`: the first row of the audit chain that does not fit; absent where the chain is whole, and another row is not. */
  | { readonly ok: false; readonly seq?: number; readonly because: string };

/** A row of the audit chain that was written down elsewhere; `seq` 0 before the first one. */
export interface Anchor {
  readonly seq: number;
  readonly hash: string;
}

/** What the database says of writes that came from elsewhere, and what this process has committed to the audit. */
export interface Writes {
  /**
   * Another text where somebody else has written: on SQLite, where any other connection has committed anything; on
   * PostgreSQL, where rows of the audit were changed or deleted, as far as the server has counted it.
   */
  readonly others: string;
  /** Whether another Purser that appends to the audit changes `others`, too. */
  readonly othersAppend: boolean;
  /** How many audit rows this process has committed, and the last of them. */
  readonly appended: number;
  readonly last?: Anchor | undefined;
}

/** How far the audit chain was verified, and what the database said of writes before. */
export interface Verified extends Anchor {
  readonly writes: Writes;
}

/**
 * What a look at the end of the chain found. `behind`: too much has happened for a short look, so `Ledger.verifySince` must
 * be asked. `older`: rows before those that were read again may have been changed, so the whole ledger should be verified.
 */
export type Since =
  | { readonly kind: 'whole'; readonly verified: Verified; readonly older?: boolean }
  | { readonly kind: 'broken'; readonly seq?: number | undefined; readonly because: string }
  | { readonly kind: 'behind' };

/** A place outside of the ledger that keeps one anchor. */
export interface AnchorStore {
  /** Undefined where the place holds none. */
  read(): Anchor | undefined;
  /** When it returns, the anchor survives a crash of the machine. */
  write(anchor: Anchor): void;
}

export interface Ledger {
  /**
   * Runs `work` in one transaction; everything or nothing is kept, and no other transaction of this tenant runs meanwhile.
   * Never hold one open across a call. `work` does nothing but use `tx`: where a database on the network fails in between,
   * and nothing was kept, it is run again. Throws CommitUnknown where nobody can tell.
   */
  transaction<T>(tenant: string, work: (tx: LedgerTransaction) => Promise<T>): Promise<T>;
  /** Operations of every tenant that are SENDING and past `quietUntil` at `now`: what recovery looks at. */
  overdue(now: number): Promise<readonly OperationRow[]>;
  /**
   * Takes overdue operations for one process alone, the longest waiting first, at most a hundred: nobody else gets them
   * for so many seconds of the database's own clock. Each version grows by one, so that a process that slept through the
   * end of its lease changes nothing any more (StaleRow). With `only`, those of one tenant.
   */
  claimOverdue(now: number, holder: string, leaseSeconds: number, only?: string): Promise<readonly OperationRow[]>;
  /** As `claimOverdue`, the operations of these names whose outcome is UNKNOWN: what recovery may read back. */
  claimUnknown(
    now: number,
    names: readonly string[],
    holder: string,
    leaseSeconds: number,
    only?: string,
  ): Promise<readonly OperationRow[]>;
  /**
   * The database's clock, where processes on several machines share the ledger: what they compare among each other is told
   * by it. Undefined where all of them are on one machine and have its clock.
   */
  readonly clock?: { now(): number };
  /** The tenants that have rows. */
  tenants(): Promise<readonly string[]>;
  /**
   * Walks the audit chain and looks at every row; answers the head, or what is wrong first. With an anchor, the chain must
   * also hold that row: an older copy of the ledger, or one that was rewritten as a whole, does not.
   */
  verify(anchor?: Anchor): Promise<Verdict>;
  /** What the database says of writes now: ask before `verify`, so that no write during it is missed. */
  writes(): Promise<Writes>;
  /**
   * Goes on from the last verified row, in steps that let others go on. Where somebody else has written, it reads the last
   * `limits.auditRereadRows` rows before it again.
   */
  verifySince(verified: Verified, anchor?: Anchor): Promise<Exclude<Since, { readonly kind: 'behind' }>>;
  /** The end of the audit chain; `seq` is 0 where nothing was written yet. */
  head(): Promise<Anchor>;
  /** Whether the audit chain still holds a row that was written down elsewhere. Reads two rows at most. */
  holds(anchor: Anchor | undefined): Promise<boolean>;
  /** What archiving the beginning of the audit chain needs. */
  readonly archive: ChainArchive;
  /** Believes every row as it is now, and seals it: an operator has looked at what was changed or restored. */
  adopt(): Promise<void>;
  /**
   * Moves an anchor to the head of the chain, while no other process of this ledger does. False, and nothing is moved,
   * where the chain doesn't hold the anchor: the ledger is an older copy, or was rewritten.
   */
  advance(store: AnchorStore): Promise<boolean>;
  close(): Promise<void>;
}
