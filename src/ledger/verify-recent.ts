import { type Kysely, sql } from 'kysely';
import { limits } from '../core/limits.ts';
import {
  chainStartAfter,
  hashMatches,
  headFault,
  type InSnapshot,
  isArchived,
  type Link,
  linkFault,
  readChainStart,
  verifyChain,
} from './chain.ts';
import type { Ledger } from './ledger.ts';
import type { StoredAudit, Tables } from './tables.ts';
import type { Anchor, RecentVerdict, VerifiedPosition, WriteCounters } from './verification.ts';

// Verification that goes on from the last verified row. A change of a row that was verified before shows by what the
// database says of writes; then rows before the last verified one are read again, too.

/** How a database tells of writes, and what an open transaction has appended. */
export interface ChainAccess {
  /** What it says of writes now. */
  readonly writes: (db: Kysely<Tables>) => Promise<WriteCounters>;
  /** Runs reads that see the audit rows of every tenant. */
  readonly everyRow: <T>(db: Kysely<Tables>, reads: () => Promise<T>) => Promise<T>;
  /** Notes a row that this transaction has appended. */
  readonly appends: (row: Link) => void;
}

/** What this process has committed to the audit. */
export function trackAppends() {
  let committed: Pick<WriteCounters, 'appended' | 'last'> = { appended: 0 };
  return {
    committed: () => committed,
    /** Forgets all of it: an eval has put the rows back to what they were before. */
    forget: (): void => {
      committed = { appended: 0 };
    },
    /** Runs one transaction, perhaps several times, and notes what it has appended once it is kept. */
    noting: async <T>(transaction: (begin: () => ChainAccess['appends']) => Promise<T>): Promise<T> => {
      let own: readonly Link[] = [];
      const done = await transaction(() => {
        own = [];
        return ({ seq, hash }) => {
          own = [...own, { seq, hash }];
        };
      });
      const newest = own.at(-1) ?? committed.last;
      // Transactions of several tenants may end in another order than they have appended.
      const last = (newest?.seq ?? 0) < (committed.last?.seq ?? 0) ? committed.last : newest;
      committed = { appended: committed.appended + own.length, last };
      return done;
    },
  };
}

/** Verifies the end of the chain within a transaction. */
export const verifyRecent = (
  db: Kysely<Tables>,
  verified: VerifiedPosition,
  { writes, everyRow }: ChainAccess,
): Promise<RecentVerdict> =>
  everyRow(db, async () => {
    const now = await writes(db);
    const { heads, begin } = await readEnds(db);
    const added = (heads[0]?.seq ?? 0) - verified.seq;
    const back = rowsBack(verified.writes, now, added);
    if (back > limits.auditRecentRows || added > limits.auditStepRows) return { kind: 'behind' };
    const start = Math.max(begin.seq, verified.seq - back);
    const rows = await db
      .selectFrom('audit')
      .selectAll()
      .where('seq', '>=', start === begin.seq ? Number.MIN_SAFE_INTEGER : start)
      .orderBy('seq')
      .limit(limits.auditStepRows + limits.auditRecentRows + 1)
      .execute();
    const broken =
      firstWrong(rows, start === begin.seq ? begin : { seq: start - 1, hash: rows[0]?.previousHash ?? '' }, [
        verified,
        ...(now.last === undefined ? [] : [now.last]),
      ]) ?? headFault(rows.at(-1) ?? begin, heads);
    if (broken !== undefined) return { kind: 'broken', seq: broken.seq, because: broken.because };
    const { seq, hash } = rows.at(-1) ?? begin;
    return { kind: 'whole', verified: { seq, hash, writes: now } };
  });

/** Every head of the chain and where it begins, in one statement. Without a head, the chain's start doesn't matter. */
async function readEnds(db: Kysely<Tables>) {
  const rows = await db
    .selectFrom('auditHead as head')
    .leftJoin('audit as archived', (join) =>
      join.on('archived.seq', '=', ({ selectFrom }) =>
        selectFrom('audit')
          .select(({ fn }) => fn.max('audit.seq').as('seq'))
          .where(isArchived),
      ),
    )
    .selectAll('archived')
    .select(['head.id as headId', 'head.seq as headSeq', 'head.hash as headHash'])
    .execute();
  const [first] = rows;
  return {
    heads: rows.map(({ headId: id, headSeq: seq, headHash: hash }) => ({ id, seq, hash })),
    // The outer join answers either a whole row of the audit or none of its columns.
    begin: chainStartAfter(first === undefined || first.seq === null ? undefined : (strip(first) as StoredAudit)),
  };
}

const strip = <Row extends object>({
  headId: _id,
  headSeq: _seq,
  headHash: _hash,
  ...row
}: Row & { readonly headId: unknown; readonly headSeq: unknown; readonly headHash: unknown }) => row;

/** How many rows before the last verified one must be read again. */
function rowsBack(before: WriteCounters, now: WriteCounters, added: number): number {
  if (now.others === before.others) return 0;
  const anotherAppended = now.othersAppend && added > now.appended - before.appended;
  return anotherAppended ? limits.auditRecentRows : limits.auditRereadRows;
}

/** What is wrong with rows that follow one, among which those that are known must be. */
function firstWrong(rows: readonly StoredAudit[], before: Link, known: readonly Link[]) {
  const hashes = new Map(known.map(({ seq, hash }) => [seq, hash]));
  let last = before;
  for (const row of rows) {
    const because = linkFault(row, last) ?? ((hashes.get(row.seq) ?? row.hash) === row.hash ? undefined : changed);
    if (because !== undefined) return { ok: false, seq: last.seq + 1, because } as const;
    last = row;
  }
  return known.some(({ seq }) => last.seq < seq)
    ? ({ ok: false, seq: last.seq + 1, because: cutOff } as const)
    : undefined;
}

/** A longer look, in steps: see `Ledger.verifySince`. */
export async function verifySince(
  inSnapshot: InSnapshot,
  verified: VerifiedPosition,
  { anchor, writes }: { readonly anchor: Anchor | undefined; readonly writes: ChainAccess['writes'] },
): Promise<Awaited<ReturnType<Ledger['verifySince']>>> {
  const now = await inSnapshot(writes);
  const back = now.others === verified.writes.others ? 0 : limits.auditRereadRows;
  const known = [verified, ...(now.last === undefined ? [] : [now.last])];
  const { begin, start, from, other } = await inSnapshot(async (tx) => {
    const begin = await readChainStart(tx);
    const start = Math.max(begin.seq, verified.seq - back);
    const links = await Promise.all(known.map(({ seq }) => linkAt(tx, seq, begin)));
    // What was archived since then is in a file, and the row that says so follows.
    const other = known.find(({ seq, hash }, at) => seq >= begin.seq && links[at]?.hash !== hash);
    return { begin, start, other, from: await linkAt(tx, start, begin) };
  });
  if (from === undefined) return { kind: 'broken', seq: start, because: changed };
  if (other !== undefined) return { kind: 'broken', seq: other.seq, because: changed };
  const verdict = await verifyChain(inSnapshot, { anchor, from });
  if (!verdict.ok) return { kind: 'broken', seq: verdict.seq, because: verdict.because };
  const { head: hash, rows: seq } = verdict;
  return { kind: 'whole', verified: { seq, hash, writes: now }, older: back > 0 && start > begin.seq };
}

/** A row of the chain as what the next one must follow; undefined where it is not what was written. */
async function linkAt(tx: Kysely<Tables>, seq: number, begin: Link): Promise<Link | undefined> {
  if (seq === begin.seq) return begin;
  const row = await tx.selectFrom('audit').selectAll().where('seq', '=', seq).executeTakeFirst();
  return row !== undefined && hashMatches(row) ? { seq: row.seq, hash: row.hash } : undefined;
}

const changed = 'A row that was verified or written before is not what it was.';
const cutOff = 'The chain ends before a row that was verified or written before.';

/** SQLite counts for each connection what others have committed. */
export const sqliteWriteCounters =
  (committed: () => Pick<WriteCounters, 'appended' | 'last'>): ChainAccess['writes'] =>
  async (db) => {
    const { rows } = await sql<{ dataVersion: number }>`pragma data_version`.execute(db);
    return { others: String(rows[0]?.dataVersion), othersAppend: true, ...committed() };
  };
