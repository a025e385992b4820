import { type Expression, type Kysely, sql } from 'kysely';
import { canonicalJson, sha256 } from '../core/canonical-json.ts';
import { CorruptRow } from './errors.ts';
import { fromText } from './json-column.ts';
import type { AuditRow } from './rows.ts';
import type { StoredAudit, Tables } from './tables.ts';
import { createTimeSlice } from './time-slice.ts';
import type { Anchor, Verdict } from './verification.ts';

/** What stands before the first row. */
const GENESIS = '0'.repeat(64);
export const GENESIS_LINK: Link = { seq: 0, hash: GENESIS };
/** The key of the one row that is the head. */
const HEAD = 1;
/** Few enough that a step holds the event loop for some milliseconds. Own choice. */
const ROWS_PER_STEP = 32;

export type Link = Pick<AuditRow, 'seq' | 'hash'>;

/**
 * Appends a row to the ledger's one audit chain, which runs through all tenants. Each hash covers the row and the
 * hash before it. Taking the next `seq` locks the head until the end of the transaction: a second appender waits for it
 * and goes on from there.
 */
export async function appendToChain(
  db: Kysely<Tables>,
  entry: Pick<AuditRow, 'tenant' | 'operationId' | 'event' | 'body' | 'at'>,
  known?: Link,
): Promise<AuditRow> {
  const { tenant, operationId, event, body, at } = entry;
  canonicalJson({ tenant, operationId, event, body, at }); // throws for what can't be hashed, before the head moves
  const follow = ({ seq, hash }: Link): AuditRow => {
    const content = { seq: seq + 1, tenant, operationId, event, body, at, previousHash: hash };
    return { ...content, hash: hashOf(content) };
  };
  const expected = known && follow(known);
  const row = expected !== undefined && (await moveHead(db, known, expected)) ? expected : follow(await lockHead(db));
  if (row !== expected) await db.updateTable('auditHead').set({ seq: row.seq, hash: row.hash }).execute();
  const stored = { ...row, body: canonicalJson(body) };
  return toAudit(await db.insertInto('audit').values(stored).returningAll().executeTakeFirstOrThrow());
}

/** Compare-and-set of a head that this transaction has read. False where another tenant has appended meanwhile. */
async function moveHead(db: Kysely<Tables>, from: Link | undefined, { seq, hash }: Link): Promise<boolean> {
  const moved = await db
    .updateTable('auditHead')
    .set({ seq, hash })
    .where('seq', '=', from?.seq ?? -1)
    .where('hash', '=', from?.hash ?? '')
    .returning('seq')
    .executeTakeFirst();
  return moved !== undefined;
}

/** Reads the head, and locks it until the end of the transaction. */
async function lockHead(db: Kysely<Tables>): Promise<Link> {
  const head = await db.updateTable('auditHead').set({ seq: sql`seq` }).returning(['seq', 'hash']).executeTakeFirst();
  if (head) return head;
  throw new CorruptRow('The head of the audit chain is missing: restore the last backup.');
}

/** As the index has it. */
export const isArchived = sql<boolean>`event = 'archived'`;

/**
 * Where the chain begins in the database: the newest row that says what was archived names the last row of that. Walking the
 * chain verifies that row with the others. One that was edited names nothing, and then the chain seems to begin too late.
 */
export async function readChainStart(db: Kysely<Tables>): Promise<Link> {
  const row = await db
    .selectFrom('audit')
    .selectAll()
    .where(isArchived)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return chainStartAfter(row);
}

/** The row before the first one of a database whose newest record of archived rows is this one. */
export function chainStartAfter(row: StoredAudit | undefined): Link {
  if (row === undefined || !hashMatches(row)) return GENESIS_LINK;
  const { through, hash } = fromText(row.body);
  return typeof through === 'number' && typeof hash === 'string' && through < row.seq
    ? { seq: through, hash }
    : GENESIS_LINK;
}

/** An audit row out of its stored form. */
export function toAudit(row: StoredAudit): AuditRow {
  return { ...row, body: fromText(row.body) };
}

/** Whether a row's hash is that of what it says. How it stands in the chain, only walking that tells. */
export const hashMatches = (row: StoredAudit): boolean => row.hash === rehash(row);

/**
 * Walks the chain from its first row, or from a row that was verified before. Each step reads rows and head in one snapshot
 * and then lets other transactions and the event loop go on. Finds every edit, gap, swap and cut-off end that was not also
 * carried through to the head; whoever may rewrite the whole file can only be found by a head that was kept elsewhere.
 */
export async function verifyChain(
  inSnapshot: InSnapshot,
  {
    anchor,
    ownSeq,
    from,
  }: { readonly anchor?: Anchor | undefined; readonly ownSeq?: StoredSeq | undefined; readonly from?: Link },
): Promise<Verdict> {
  const turn = createTimeSlice();
  let last: Link = from ?? GENESIS_LINK;
  for (let first = from === undefined; ; first = false) {
    const { rows, heads, start } = await inSnapshot((tx) => step(tx, first ? undefined : last.seq, ownSeq));
    await turn.rest();
    // Rows may be archived while they are walked through.
    if (start.seq > last.seq) last = start;
    const lost = first ? archivedAnchor(start, anchor) : undefined;
    if (lost !== undefined) return lost;
    for (const { own, ...row } of rows) {
      if (turn.isDue()) await turn.rest();
      const because = misplaced(row, own) ?? linkFault(row, last) ?? adrift(row, anchor);
      if (because !== undefined) return { ok: false, seq: last.seq + 1, because };
      last = { seq: row.seq, hash: row.hash };
    }
    if (rows.length === ROWS_PER_STEP) continue;
    return headFault(last, heads) ?? tooShort(last, anchor) ?? { ok: true, head: last.hash, rows: last.seq };
  }
}

/** Runs reads of every tenant's rows, all of which see the database as it was at one moment. */
export type InSnapshot = <T>(reads: (tx: Kysely<Tables>) => Promise<T>) => Promise<T>;

/**
 * What a row itself holds as its `seq`, in a database that takes the column from an index where it walks along one: index
 * and row need not say the same.
 */
export type StoredSeq = Expression<number>;

async function step(tx: Kysely<Tables>, after: number | undefined, own: StoredSeq = sql<number>`seq`) {
  const start = await readChainStart(tx);
  return {
    start,
    rows: await tx
      .selectFrom('audit')
      .selectAll()
      .select(() => [sql<number>`${own}`.as('own')])
      .$if(after !== undefined, (query) => query.where('seq', '>', Math.max(after ?? 0, start.seq)))
      .orderBy('seq')
      .limit(ROWS_PER_STEP)
      .execute(),
    heads: await tx.selectFrom('auditHead').select(['id', 'seq', 'hash']).execute(),
  };
}

/** Archiving moves the anchor first, so an anchored row is never among what was archived. */
const archivedAnchor = (start: Link, anchor: Anchor | undefined): Verdict | undefined =>
  anchor !== undefined && anchor.seq > 0 && anchor.seq <= start.seq && anchor.hash !== start.hash
    ? { ok: false, seq: start.seq, because: `Row ${anchor.seq}, which was anchored elsewhere, is said to be archived.` }
    : undefined;

const misplaced = ({ seq }: StoredAudit, own: number): string | undefined =>
  own === seq ? undefined : `Row ${seq} says of itself that it is row ${own}.`;

/** What is wrong with a row that should follow another; undefined where it does. */
export function linkFault(row: StoredAudit, before: Link): string | undefined {
  if (row.seq !== before.seq + 1) return `Row ${before.seq + 1} should come here, but it is row ${row.seq}.`;
  if (row.previousHash !== before.hash) return 'Its previous hash is not the hash of the row before.';
  return hashMatches(row) ? undefined : 'Its hash is not the hash of what it says.';
}

const adrift = ({ seq, hash }: StoredAudit, anchor: Anchor | undefined): string | undefined =>
  anchor?.seq === seq && anchor.hash !== hash ? 'Its hash is not the one that was anchored elsewhere.' : undefined;

const tooShort = (last: Link, anchor: Anchor | undefined): Verdict | undefined =>
  anchor !== undefined && anchor.seq > last.seq
    ? {
        ok: false,
        seq: last.seq + 1,
        because: `The chain ends before row ${anchor.seq}, which was anchored elsewhere: an older copy was put back.`,
      }
    : undefined;

/** What is wrong with the end of the chain; undefined where the head names the last row. */
export function headFault(
  last: Link,
  [head, ...more]: readonly (Link & { readonly id: number })[],
): Extract<Verdict, { ok: false }> | undefined {
  if (more.length > 0) return { ok: false, seq: last.seq, because: 'The chain has more than one head.' };
  if (head?.id !== HEAD) return { ok: false, seq: last.seq, because: 'The head of the chain is missing.' };
  if (head.seq !== last.seq)
    return {
      ok: false,
      seq: Math.min(last.seq, head.seq) + 1,
      because: `The chain ends with row ${last.seq}, but its head says row ${head.seq}.`,
    };
  if (head.hash === last.hash) return undefined;
  return { ok: false, seq: last.seq, because: 'The head of the chain has another hash than the last row.' };
}

const hashOf = (content: Omit<AuditRow, 'hash'>): string => sha256(canonicalJson({ ...content }));

/** The hash a stored row should have; undefined where its columns hold what Purser never writes. */
function rehash({ hash: _hash, ...row }: StoredAudit): string | undefined {
  try {
    const body = fromText(row.body);
    return canonicalJson(body) === row.body ? hashOf({ ...row, body }) : undefined;
  } catch {
    // A column that has no canonical JSON was edited; the caller says so.
    return undefined;
  }
}
