import { type Kysely, type RawBuilder, sql } from 'kysely';
import { limits } from '../core/limits.ts';
import { isHalt, isHaltOrEnd } from './audit.ts';
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
import { statement } from './statement.ts';
import type { StoredAudit, StoredObservation, Tables } from './tables.ts';
import { besideThings } from './tenant-scope.ts';
import { apart } from './things-beside.ts';
import type { Anchor, RecentVerdict, VerifiedPosition, WriteCounters } from './verification.ts';

// Verification from the last verified row on. The database's write counters reveal changes of earlier rows, which are
// then read again.

/** The database's write counters, and the rows appended by an open transaction. */
export interface ChainAccess {
  readonly writes: CountedWrites;
  /** Runs reads that see all tenants' audit rows. `others`: the write counter, where it is read in a separate statement, before the rows. */
  readonly everyRow: <T>(db: Kysely<Tables>, reads: (others?: string) => Promise<T>) => Promise<T>;
  /** Notes a row that this transaction has appended. */
  readonly appends: (row: Link) => void;
}

/** How a database counts the writes of others, and this process's commits to the audit. */
export interface CountedWrites {
  readonly others: RawBuilder<string>;
  /**
   * Whether the counter may be ahead of a statement's snapshot. It is then read in a separate statement, before the
   * rows.
   */
  readonly isAhead: boolean;
  readonly othersAppend: boolean;
  readonly committed: () => Pick<WriteCounters, 'appended' | 'last'>;
}

/** The current write counters. */
export async function readWrites(db: Kysely<Tables>, writes: CountedWrites): Promise<WriteCounters> {
  const { rows } = await sql<{ others: string }>`select ${writes.others} as others`.execute(db);
  return countersOf(writes, rows[0]?.others ?? '');
}

const countersOf = ({ othersAppend, committed }: CountedWrites, others: string | number): WriteCounters => ({
  others: String(others),
  othersAppend,
  ...committed(),
});

/** This process's commits to the audit. */
export function trackAppends() {
  let committed: Pick<WriteCounters, 'appended' | 'last'> = { appended: 0 };
  /** As of the commit of these rows. */
  const withPending = (rows: readonly Link[]): typeof committed => {
    const newest = rows.at(-1) ?? committed.last;
    // Transactions of several tenants may commit in another order than they appended.
    const last = (newest?.seq ?? 0) < (committed.last?.seq ?? 0) ? committed.last : newest;
    return { appended: committed.appended + rows.length, last };
  };
  const note = (rows: readonly Link[]): void => {
    committed = withPending(rows);
  };
  return {
    committed: () => committed,
    withPending,
    /** Notes rows that were committed. */
    note,
    /** Forgets them all, after an eval has restored earlier rows. */
    forget: (): void => {
      committed = { appended: 0 };
    },
    /** Runs a transaction, possibly several times, and notes its appended rows once it has committed. */
    noting: async <T>(transaction: (begin: () => ChainAccess['appends']) => Promise<T>): Promise<T> => {
      let own: readonly Link[] = [];
      const done = await transaction(() => {
        own = [];
        return ({ seq, hash }) => {
          own = [...own, { seq, hash }];
        };
      });
      note(own);
      return done;
    },
  };
}

export type Appends = ReturnType<typeof trackAppends>;

/** The rows of the audit that every decision reads first. */
export interface ChainEnd {
  readonly verdict: RecentVerdict;
  /** The newest row that halted the tenant or ended its halt. */
  readonly halt: StoredAudit | undefined;
  /** The things that were asked for, and their owners. */
  readonly things: ReadonlyMap<string, StoredObservation>;
}

/** Whose decision it is, and the things that it begins with. */
interface Decider {
  readonly tenant: string;
  readonly handles: readonly string[];
}

/**
 * Verifies the end of the chain in a transaction of a tenant. If nobody else has written, this takes one statement: the
 * head, the added rows, and the few rows that a decision depends on, with the things that it begins with.
 */
export const verifyRecent = (
  db: Kysely<Tables>,
  decider: Decider,
  verified: VerifiedPosition,
  anchor: Anchor | undefined,
  { writes, everyRow }: ChainAccess,
): Promise<ChainEnd> =>
  everyRow(db, async (ahead) => {
    const before = ahead === undefined ? undefined : countersOf(writes, ahead);
    const { heads, rows: read, others, things } = await readEnd(db, decider, verified.seq, anchor, writes);
    const now = before ?? countersOf(writes, others);
    const halt = read.findLast((row) => row.tenant === decider.tenant && isHalt(row));
    const end = (verdict: RecentVerdict): ChainEnd => ({ verdict, halt, things });
    if (anchor !== undefined && !isAnchored(anchor, heads[0], read)) return end({ kind: 'unanchored' });
    const added = (heads[0]?.seq ?? 0) - verified.seq;
    const back = rowsBack(verified.writes, now, added);
    if (back > limits.auditRecentRows || added > limits.auditStepRows) return end({ kind: 'behind' });
    const begin = chainStartAfter(read.findLast(({ event }) => event === 'archived'));
    const start = Math.max(begin.seq, verified.seq - back);
    const isRead = start === verified.seq && start !== begin.seq;
    const rows = isRead
      ? read.filter(({ seq }) => seq >= start)
      : await readFrom(db, start === begin.seq ? first : start);
    const broken =
      firstWrong(rows, start === begin.seq ? begin : { seq: start - 1, hash: rows[0]?.previousHash ?? '' }, [
        verified,
        ...(now.last === undefined ? [] : [now.last]),
      ]) ?? headFault(rows.at(-1) ?? begin, heads);
    if (broken !== undefined) return end({ kind: 'broken', seq: broken.seq, because: broken.because });
    const { seq, hash } = rows.at(-1) ?? begin;
    return end({ kind: 'whole', verified: { seq, hash, writes: now } });
  });

/** Before every row. */
const first = Number.MIN_SAFE_INTEGER;
/** More rows are too many for a short check. */
const ROWS_AT_MOST = limits.auditStepRows + limits.auditRecentRows + 1;

const readFrom = (db: Kysely<Tables>, seq: number): Promise<readonly StoredAudit[]> =>
  db.selectFrom('audit').selectAll().where('seq', '>=', seq).orderBy('seq').limit(ROWS_AT_MOST).execute();

/**
 * Every head of the chain, with the rows from `from` on, the anchored row, the newest `archived` row, and the newest
 * halt of a tenant or its end, in order. The write counter is consistent with them.
 */
async function readEnd(
  db: Kysely<Tables>,
  { tenant, handles }: Decider,
  from: number,
  anchor: Anchor | undefined,
  { others, isAhead }: CountedWrites,
) {
  const { alone, withThings } = endOf(isAhead ? nothing : others);
  const given = { tenant, from, anchored: anchor?.seq ?? from };
  const { rows, things } =
    handles.length === 0
      ? { rows: (await alone(db, given)).rows, things: nothingElse }
      : apart((await withThings(db, { ...given, handles })).rows, 'headId', tenant);
  const heads = new Map(rows.map(({ headId: id, headSeq: seq, headHash: hash }) => [id, { id, seq, hash }]));
  const read = new Map(rows.flatMap((row) => (row.seq === null ? [] : [[row.seq, strip(row)]])));
  return {
    heads: [...heads.values()],
    // A cast: the outer join returns a whole audit row or none of its columns.
    rows: ([...read.values()] as readonly StoredAudit[]).toSorted((one, other) => one.seq - other.seq),
    others: rows[0]?.others ?? '',
    things,
  };
}

const nothing = sql<string>`''`;
const nothingElse: ChainEnd['things'] = new Map();

/** The statement of `readEnd` for the counter of each database. */
const statements = new WeakMap<RawBuilder<string>, ReturnType<typeof createEnd>>();

function endOf(others: RawBuilder<string>): ReturnType<typeof createEnd> {
  const known = statements.get(others) ?? createEnd(others);
  statements.set(others, known);
  return known;
}

interface EndGiven {
  readonly tenant: string;
  readonly from: number;
  readonly anchored: number;
}

const createEnd = (others: RawBuilder<string>) => {
  const endRows = (db: Kysely<Tables>, { tenant, from, anchored }: EndGiven) => {
    const newest = (of: RawBuilder<boolean>) =>
      db
        .selectFrom('audit as newest')
        .select(({ fn }) => fn.max('newest.seq').as('seq'))
        .where(of);
    return db
      .selectFrom('auditHead as head')
      .leftJoin('audit', (join) =>
        join.on((eb) =>
          eb.or([
            eb('audit.seq', '>=', from),
            eb('audit.seq', '=', anchored),
            eb('audit.seq', '=', newest(isArchived)),
            eb('audit.seq', '=', newest(isHaltOrEnd).where('newest.tenant', '=', tenant)),
          ]),
        ),
      )
      .selectAll('audit')
      .select(['head.id as headId', 'head.seq as headSeq', 'head.hash as headHash'])
      .select(others.as('others'))
      .limit(ROWS_AT_MOST);
  };
  return {
    alone: statement(endRows),
    withThings: statement((db, given: EndGiven & Decider) => besideThings(db, given, endRows(db, given).as('other'))),
  };
};

/** Whether the chain contains the anchored row. An older or rewritten copy of the ledger doesn't. */
function isAnchored({ seq, hash }: Anchor, head: Anchor | undefined, rows: readonly StoredAudit[]): boolean {
  if (head === undefined || head.seq < seq) return false;
  if (head.seq === seq) return head.hash === hash;
  return seq === 0 || rows.some((row) => row.seq === seq && row.hash === hash);
}

const strip = <Row extends object>({
  headId: _id,
  headSeq: _seq,
  headHash: _hash,
  others: _others,
  ...row
}: Row & {
  readonly headId: unknown;
  readonly headSeq: unknown;
  readonly headHash: unknown;
  readonly others: unknown;
}) => row;

/** The number of rows before the last verified one that must be read again. */
function rowsBack(before: WriteCounters, now: WriteCounters, added: number): number {
  if (now.others === before.others) return 0;
  const anotherAppended = now.othersAppend && added > now.appended - before.appended;
  return anotherAppended ? limits.auditRecentRows : limits.auditRereadRows;
}

/** The first fault in rows that follow `before` and must include the known ones. */
function firstWrong(rows: readonly StoredAudit[], before: Link, known: readonly Link[]) {
  const hashes = new Map(known.map(({ seq, hash }) => [seq, hash]));
  let last = before;
  for (const row of rows) {
    const because = linkFault(row, last) ?? ((hashes.get(row.seq) ?? row.hash) === row.hash ? undefined : changed);
    if (because !== undefined) return { seq: last.seq + 1, because };
    last = row;
  }
  return known.some(({ seq }) => last.seq < seq) ? { seq: last.seq + 1, because: cutOff } : undefined;
}

/** Verifies more rows, in steps. See `Ledger.verifySince`. */
export async function verifySince(
  inSnapshot: InSnapshot,
  verified: VerifiedPosition,
  { anchor, writes }: { readonly anchor: Anchor | undefined; readonly writes: CountedWrites },
): Promise<Awaited<ReturnType<Ledger['verifySince']>>> {
  const now = await inSnapshot((tx) => readWrites(tx, writes));
  const back = now.others === verified.writes.others ? 0 : limits.auditRereadRows;
  const known = [verified, ...(now.last === undefined ? [] : [now.last])];
  const { begin, start, from, other } = await inSnapshot(async (tx) => {
    const begin = await readChainStart(tx);
    const start = Math.max(begin.seq, verified.seq - back);
    const links = await Promise.all(known.map(({ seq }) => linkAt(tx, seq, begin)));
    // Rows archived since then are in a file, and the row that records it follows.
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

/** The link of a row of the chain; undefined if the row is corrupt. */
async function linkAt(tx: Kysely<Tables>, seq: number, begin: Link): Promise<Link | undefined> {
  if (seq === begin.seq) return begin;
  const row = await tx.selectFrom('audit').selectAll().where('seq', '=', seq).executeTakeFirst();
  return row !== undefined && hashMatches(row) ? { seq: row.seq, hash: row.hash } : undefined;
}

const changed = 'A row that was already verified or written has changed.';
const cutOff = 'The chain ends before a row that was already verified or written.';

/** SQLite counts, per connection, the commits of others, as the transaction sees them. */
export const sqliteWrites = (committed: CountedWrites['committed']): CountedWrites => ({
  others: dataVersion,
  isAhead: false,
  othersAppend: true,
  committed,
});
const dataVersion = sql<string>`(select data_version from pragma_data_version)`;
