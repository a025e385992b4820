import type { CallerRole } from '../core/operation.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import type { AuditRow, OperationRow } from './rows.ts';
import type { Anchor, AnchorStore, RecentVerdict, Verdict, VerifiedPosition, WriteCounters } from './verification.ts';

/** Purser's durable memory. `store.ts` opens it on SQLite or PostgreSQL. */
export interface Ledger {
  /**
   * Runs `work` in one transaction, alone among those of this tenant. Never hold one open across a call. `work` must do nothing
   * but use `tx`: it runs again where the connection failed and nothing was committed. Throws CommitUnknown where that can't be
   * found out.
   */
  transaction<T>(tenant: string, work: (tx: LedgerTransaction) => Promise<T>): Promise<T>;
  /** Operations of every tenant that are SENDING and past `quietUntil` at `now`: the ones to recover. */
  overdue(now: number): Promise<readonly OperationRow[]>;
  /**
   * Leases at most a hundred overdue operations to one process, the longest waiting first, for so many seconds of the database's
   * clock. Leasing increments each version, so a process whose lease ran out can't change them any more (StaleRow). `only`
   * names one tenant.
   */
  claimOverdue(now: number, holder: string, leaseSeconds: number, only?: string): Promise<readonly OperationRow[]>;
  /** As `claimOverdue`, for operations of these names whose outcome is UNKNOWN: recovery may read them back. */
  claimUnknown(
    now: number,
    names: readonly string[],
    holder: string,
    leaseSeconds: number,
    only?: string,
  ): Promise<readonly OperationRow[]>;
  /**
   * The database's clock, for times that processes on several machines compare. Undefined where all processes are on one
   * machine and share its clock.
   */
  readonly clock?: { now(): number };
  /** The tenants that have rows. */
  tenants(): Promise<readonly string[]>;
  /**
   * Verifies the audit chain and every row; returns the head, or the first fault. With an anchor, the chain must contain that
   * row: an older copy of the ledger, or a rewritten one, doesn't.
   */
  verify(anchor?: Anchor): Promise<Verdict>;
  /** The write counters. Read them before `verify`, so that no write during it is missed. */
  writeCounters(): Promise<WriteCounters>;
  /**
   * Verifies from the last verified row on, in steps between which other transactions run. Where someone else has written, it
   * rereads the last `limits.auditRereadRows` rows before that one.
   */
  verifySince(
    verified: VerifiedPosition,
    anchor?: Anchor,
  ): Promise<Exclude<RecentVerdict, { readonly kind: 'behind' }>>;
  /** The last row of the audit chain; `seq` is 0 where there is none. */
  head(): Promise<Anchor>;
  /** Whether the audit chain contains the anchored row. */
  containsAnchor(anchor: Anchor | undefined): Promise<boolean>;
  /** Archives the beginning of the audit chain. */
  readonly archive: ChainArchive;
  /** Accepts every row as it is, and seals it: an operator has checked what was changed or restored. */
  reseal(): Promise<void>;
  /**
   * Moves an anchor to the head of the chain, under a lock of this ledger. False, with nothing moved, where the chain doesn't
   * contain the anchor: the ledger is an older copy, or was rewritten.
   */
  advanceAnchor(store: AnchorStore): Promise<boolean>;
  close(): Promise<void>;
}

/** Who calls: from the authenticated context (stdio: from configuration), never from an argument. */
export interface Caller {
  readonly tenant: string;
  readonly principal: string;
  /** Who it is; an agent where nothing is said. It comes from the connection, never from an argument. */
  readonly role?: CallerRole | undefined;
  /** The conversation, where the face knows one. */
  readonly session?: string | undefined;
  /**
   * The conversation of a connection that carries only one: untrusted text that is read in it taints no other. Defaults to the
   * session; without either, all calls of a principal are one conversation.
   */
  readonly conversation?: string | undefined;
}

/** Moves the oldest rows of the audit chain to files, at an operator's command. */
export interface ChainArchive {
  /** The last archived row; `seq` 0 where nothing was archived. */
  start(): Promise<Anchor>;
  /** The rows that record what was archived, oldest first. */
  records(): Promise<readonly AuditRow[]>;
  /** The last row that no decision reads any more: rows of open operations, and rows that freeze a tenant, come after it. */
  lastUnread(): Promise<number>;
  /** Rows of every tenant after a row, in chain order. */
  rows(after: number, most: number): Promise<readonly AuditRow[]>;
  /** Removes archived rows, and appends a row that records it in the same transaction. Repeating it changes nothing. */
  remove(tenant: string, segment: Segment): Promise<void>;
}

/** The oldest rows of the database, up to one of them, as a file holds them. */
export interface Segment {
  readonly through: Anchor;
  /** SHA-256 of the file. */
  readonly file: string;
  readonly at: number;
}
