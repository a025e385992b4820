/** The result of verifying a ledger. */
export type Verdict =
  | { readonly ok: true; readonly head: string; readonly rows: number }
  /** `seq`: the first row of the audit chain that does not fit; absent where the chain is whole and another row is corrupt. */
  | { readonly ok: false; readonly seq?: number; readonly because: string };

/** A row of the audit chain that is recorded outside the ledger; `seq` 0 before the first one. */
export interface Anchor {
  readonly seq: number;
  readonly hash: string;
}

/** A place outside the ledger that keeps one anchor. */
export interface AnchorStore {
  /** Undefined where the place holds none. */
  read(): Anchor | undefined;
  /** When it returns, the anchor survives a crash of the machine. */
  write(anchor: Anchor): void;
}

/** The database's evidence of writes by others, and what this process has committed to the audit. */
export interface WriteCounters {
  /**
   * Changes when someone else has written: on SQLite, when any other connection committed anything; on PostgreSQL, when audit
   * rows were changed or deleted, as far as the server has counted it.
   */
  readonly others: string;
  /** Whether another Purser that appends to the audit changes `others`, too. */
  readonly othersAppend: boolean;
  /** How many audit rows this process has committed, and the last of them. */
  readonly appended: number;
  readonly last?: Anchor | undefined;
}

/** How far the audit chain was verified, and the write counters from before. */
export interface VerifiedPosition extends Anchor {
  readonly writes: WriteCounters;
}

/**
 * The result of verifying the end of the chain. `behind`: too many rows for a short check, so call `Ledger.verifySince`.
 * `older`: rows before those that were read may have been changed, so verify the whole ledger.
 */
export type RecentVerdict =
  | { readonly kind: 'whole'; readonly verified: VerifiedPosition; readonly older?: boolean }
  | { readonly kind: 'broken'; readonly seq?: number | undefined; readonly because: string }
  | { readonly kind: 'behind' };
