/** The result of verifying a ledger. */
export type Verdict =
  | { readonly ok: true; readonly head: string; readonly rows: number }
  /**
   * `seq`: the first faulty row of the audit chain; absent if the chain is intact and another row is corrupt. `unanchored`: the chain
   * doesn't contain the anchor, and is intact up to there.
   */
  | { readonly ok: false; readonly seq?: number; readonly because: string; readonly unanchored?: true };

/** A row of the audit chain that is recorded outside the ledger; `seq` is 0 before the first one. */
export interface Anchor {
  readonly seq: number;
  readonly hash: string;
}

/** Stores one anchor outside the ledger. */
export interface AnchorStore {
  /** Undefined if none is stored. */
  read(): Anchor | undefined;
  /** Durable when it returns: the anchor survives a crash of the machine. */
  write(anchor: Anchor): void;
}

/** The database's evidence of writes by others, and this process's own commits to the audit. */
export interface WriteCounters {
  /**
   * Changes when somebody else has written: on SQLite when any other connection committed, on PostgreSQL when audit
   * rows were updated or deleted, as far as the server has counted.
   */
  readonly others: string;
  /** Whether `others` also changes when another Purser process appends to the audit. */
  readonly othersAppend: boolean;
  /** The number of audit rows that this process has committed, and the last of them. */
  readonly appended: number;
  readonly last?: Anchor | undefined;
}

/** The last verified row of the audit chain, and the write counters from before its verification. */
export interface VerifiedPosition extends Anchor {
  readonly writes: WriteCounters;
}

/**
 * The result of verifying the end of the chain. `behind`: too many new rows for a short check, so call
 * `Ledger.verifySince`. `unanchored`: the chain doesn't contain the anchor. `older`: earlier rows may have been
 * changed, so verify the whole ledger.
 */
export type RecentVerdict =
  | { readonly kind: 'whole'; readonly verified: VerifiedPosition; readonly older?: boolean }
  | { readonly kind: 'broken'; readonly seq?: number | undefined; readonly because: string }
  | { readonly kind: 'behind' }
  | { readonly kind: 'unanchored' };
