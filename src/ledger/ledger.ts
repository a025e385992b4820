import type { CallerRole } from '../core/operation.ts';
import type { LedgerReads, LedgerTransaction } from './ledger-transaction.ts';
import type { AuditRow, OperationRow } from './rows.ts';
import type { Anchor, AnchorStore, RecentVerdict, Verdict, VerifiedPosition, WriteCounters } from './verification.ts';

/** Purser's durable memory, on SQLite or PostgreSQL. `store.ts` opens it. */
export interface Ledger {
  /**
   * Runs `work` in a transaction that excludes others of this tenant. Never hold one open during a platform call.
   * `work` may only use `tx`: it runs again if the connection failed and nothing was committed. Throws CommitUnknown if
   * that can't be determined.
   */
  transaction<T>(tenant: string, work: (tx: LedgerTransaction) => Promise<T>): Promise<T>;
  /**
   * Runs reads of one tenant's rows in one snapshot, without waiting for writers. No decision may depend on them: they
   * are not compared with the proofs.
   */
  read<T>(tenant: string, work: (reads: LedgerReads) => Promise<T>): Promise<T>;
  /** Operations of every tenant that are SENDING and past `quietUntil` at `now`: the ones to recover. */
  overdue(now: number): Promise<readonly OperationRow[]>;
  /**
   * Leases at most a hundred overdue operations to one process, the longest overdue first, for the given seconds of the
   * database's clock. Leasing increments each version, so a process whose lease has expired can't change them
   * (StaleRow). `only` limits it to one tenant.
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
   * The database's clock, for times that processes on several machines compare. Undefined if all processes run on one
   * machine and share its clock.
   */
  readonly clock?: { now(): number };
  /** The tenants that have rows. */
  tenants(): Promise<readonly string[]>;
  /**
   * Verifies the audit chain and every row. Returns the head, or the first fault. With an anchor, the chain must
   * contain that row: an older or rewritten copy of the ledger doesn't.
   */
  verify(anchor?: Anchor): Promise<Verdict>;
  /** The write counters. Read them before `verify`, so no concurrent write is missed. */
  writeCounters(): Promise<WriteCounters>;
  /**
   * Verifies from the last verified row on, in steps between which other transactions run. If somebody else has
   * written, it first rereads the last `limits.auditRereadRows` rows before that one.
   */
  verifySince(
    verified: VerifiedPosition,
    anchor?: Anchor,
  ): Promise<Exclude<RecentVerdict, { readonly kind: 'behind' | 'unanchored' }>>;
  /** The last row of the audit chain; `seq` is 0 if there is none. */
  head(): Promise<Anchor>;
  /** Whether the audit chain contains the anchored row. */
  containsAnchor(anchor: Anchor | undefined): Promise<boolean>;
  /** Archives the beginning of the audit chain. */
  readonly archive: ChainArchive;
  /** Accepts every row as it is, and seals it, after an operator has checked what was changed or restored. */
  reseal(): Promise<void>;
  /**
   * Moves an anchor to the head of the chain, under a lock of this ledger. Returns false, moving nothing, if the chain
   * doesn't contain the anchor: the ledger is an older or rewritten copy.
   */
  advanceAnchor(store: AnchorStore): Promise<boolean>;
  close(): Promise<void>;
}

/** The caller, from the authenticated context (stdio: from configuration), never from an argument. */
export interface Caller {
  readonly tenant: string;
  readonly principal: string;
  /** By default an agent. */
  readonly role?: CallerRole | undefined;
  /** The conversation, if the transport identifies it. */
  readonly session?: string | undefined;
  /**
   * The conversation of a connection that carries only one: untrusted text in it doesn't taint others. Defaults to the
   * session; without either, all calls of a principal are one conversation.
   */
  readonly conversation?: string | undefined;
}

/** Moves the oldest rows of the audit chain to files, on an operator's command. */
export interface ChainArchive {
  /** The last archived row; `seq` is 0 if nothing was archived. */
  start(): Promise<Anchor>;
  /** The rows that record archiving, oldest first. */
  records(): Promise<readonly AuditRow[]>;
  /** The last row that no decision needs: rows of open operations, and rows that halt a tenant, come after it. */
  lastUnread(): Promise<number>;
  /** Rows of every tenant after a row, in chain order. */
  rows(after: number, most: number): Promise<readonly AuditRow[]>;
  /** Removes archived rows, and records that in the same transaction. Idempotent. */
  remove(tenant: string, segment: Segment): Promise<void>;
}

/** A range of the oldest rows, as archived in a file. */
export interface Segment {
  readonly through: Anchor;
  /** SHA-256 of the file. */
  readonly file: string;
  readonly at: number;
}
