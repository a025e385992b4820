import { type Expression, type Kysely, sql } from 'kysely';
import { canonicalJson, sha256 } from '../core/canonical-json.ts';
import { requireInserted } from './compare-and-set.ts';
import { CorruptRow } from './errors.ts';
import { fromText } from './json-column.ts';
import type { AuditRow } from './rows.ts';
import { statement } from './statement.ts';
import type { StoredAudit, Tables } from './tables.ts';
import { createTimeSlice } from './time-slice.ts';
import type { Anchor, Verdict } from './verification.ts';

/** The previous hash of the first row. */
const GENESIS = '0'.repeat(64);
export const GENESIS_LINK: Link = { seq: 0, hash: GENESIS };
/** The key of the single head row. */
const HEAD = 1;
/** A step of this size blocks the event loop for some milliseconds. Own choice. */
const ROWS_PER_STEP = 32;

export type Link = Pick<AuditRow, 'seq' | 'hash'>;

/**
 * Appends a row to the ledger's audit chain, which all tenants share. Each hash covers the row and the hash before it.
 * Taking the next `seq` locks the head until the end of the transaction, so a second appender waits.
 */
export async function appendToChain(
  db: Kysely<Tables>,
  entry: Pick<AuditRow, 'tenant' | 'operationId' | 'event' | 'body' | 'at'>,
  known?: Link,
): Promise<AuditRow> {
  const { tenant, operationId, event, body, at } = entry;
  // Throws for what can't be hashed, before the head moves.
  const follow = ({ seq, hash }: Link): AuditRow => {
    const content = { seq: seq + 1, tenant, operationId, event, body, at, previousHash: hash };
    return { ...content, hash: hashOf(content) };
  };
  const expected = known && follow(known);
  const row = expected !== undefined && (await moveHead(db, known, expected)) ? expected : follow(await lockHead(db));
  if (row !== expected) await db.updateTable('auditHead').set({ seq: row.seq, hash: row.hash }).execute();
  const { rows } = await inserted(db, { ...row, body: canonicalJson(body) });
  return toAudit(requireInserted(rows[0]));
}

/** Compare-and-set of a head that this process has read. False if another process has appended since. */
async function moveHead(db: Kysely<Tables>, from: Link | undefined, { seq, hash }: Link): Promise<boolean> {
  const { rows } = await moved(db, { seq, hash, from: { seq: from?.seq ?? -1, hash: from?.hash ?? '' } });
  return rows.length > 0;
}

const inserted = statement((db, row: StoredAudit) => db.insertInto('audit').values(row).returningAll());
const moved = statement((db, { from, ...to }: Link & { readonly from: Link }) =>
  db.updateTable('auditHead').set(to).where('seq', '=', from.seq).where('hash', '=', from.hash).returning('seq'),
);

/** Reads the head, and locks it until the end of the transaction. */
async function lockHead(db: Kysely<Tables>): Promise<Link> {
  const head = await db.updateTable('auditHead').set({ seq: sql`seq` }).returning(['seq', 'hash']).executeTakeFirst();
  if (head) return head;
  throw missingHead();
}

export const missingHead = (): CorruptRow =>
  new CorruptRow('The head of the audit chain is missing: restore the last backup.');

/** The `seq` of the last row. */
export async function readEnd(db: Kysely<Tables>): Promise<number> {
  const { rows } = await headsOf(db, {});
  return rows[0]?.seq ?? 0;
}

/** Written as in the index, so that the index is used. */
export const isArchived = sql<boolean>`event = 'archived'`;

/**
 * The last archived row, named by the newest `archived` row. Walking the chain verifies that row as well: an edited one
 * names nothing, and the chain then seems to begin too late.
 */
export async function readChainStart(db: Kysely<Tables>): Promise<Link> {
  const { rows } = await newestArchived(db, {});
  return chainStartAfter(rows[0]);
}

const newestArchived = statement<object, StoredAudit>((db) =>
  db.selectFrom('audit').selectAll().where(isArchived).orderBy('seq', 'desc').limit(1),
);

/** The last archived row, according to the newest `archived` row; the genesis link if there is none. */
export function chainStartAfter(row: StoredAudit | undefined): Link {
  if (row === undefined || !hashMatches(row)) return GENESIS_LINK;
  const { through, hash } = fromText(row.body);
  return typeof through === 'number' && typeof hash === 'string' && through < row.seq
    ? { seq: through, hash }
    : GENESIS_LINK;
}

/** Converts a stored audit row. */
export function toAudit(row: StoredAudit): AuditRow {
  return { ...row, body: fromText(row.body) };
}

/** Whether a row's hash matches its content. Its place in the chain is verified only by walking the chain. */
export const hashMatches = (row: StoredAudit): boolean => row.hash === rehash(row);

/**
 * Walks the chain from its first row or from a verified one. Each step reads rows and head in one snapshot, then yields
 * to other transactions and the event loop. Finds every edit, gap, swap and truncation unless the head was changed to
 * match; a rewrite of the whole file can only be found with a head kept elsewhere.
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
    // Rows may be archived during the walk.
    if (start.seq > last.seq) last = start;
    const lost = first ? archivedAnchor(start, anchor) : undefined;
    if (lost !== undefined) return lost;
    for (const { own, ...row } of rows) {
      if (turn.isDue()) await turn.rest();
      const because = misplaced(row, own) ?? linkFault(row, last);
      if (because !== undefined) return { ok: false, seq: last.seq + 1, because };
      const adrift = adriftAt(row, anchor);
      if (adrift !== undefined) return adrift;
      last = { seq: row.seq, hash: row.hash };
    }
    if (rows.length === ROWS_PER_STEP) continue;
    return headFault(last, heads) ?? tooShort(last, anchor) ?? { ok: true, head: last.hash, rows: last.seq };
  }
}

/** Runs reads of all tenants' rows in one snapshot. */
export type InSnapshot = <T>(reads: (tx: Kysely<Tables>) => Promise<T>) => Promise<T>;

/** The `seq` in a row itself. A database that walks an index may return the index's copy, which can differ. */
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
    heads: (await headsOf(tx, {})).rows,
  };
}

const headsOf = statement<object, Link & { readonly id: number }>((db) =>
  db.selectFrom('auditHead').select(['id', 'seq', 'hash']),
);

/** Archiving moves the anchor first, so an anchored row is never an archived one. */
const archivedAnchor = (start: Link, anchor: Anchor | undefined): Verdict | undefined =>
  anchor !== undefined && anchor.seq > 0 && anchor.seq <= start.seq && anchor.hash !== start.hash
    ? { ok: false, seq: start.seq, because: `The anchored row ${anchor.seq} is recorded as archived.` }
    : undefined;

const misplaced = ({ seq }: StoredAudit, own: number): string | undefined =>
  own === seq ? undefined : `Row ${seq} is stored as row ${own}.`;

/** Why a row can't follow another; undefined if it can. */
export function linkFault(row: StoredAudit, before: Link): string | undefined {
  if (row.seq !== before.seq + 1) return `Row ${before.seq + 1} is expected here, but this is row ${row.seq}.`;
  if (row.previousHash !== before.hash) return 'Its previous hash is not the hash of the row before.';
  return hashMatches(row) ? undefined : 'Its hash does not match its content.';
}

const adriftAt = ({ seq, hash }: StoredAudit, anchor: Anchor | undefined): Verdict | undefined =>
  anchor?.seq === seq && anchor.hash !== hash
    ? {
        ok: false,
        seq,
        because: 'Its hash is not the anchored one: this is an older copy that was written on, or a rewritten one.',
        unanchored: true,
      }
    : undefined;

const tooShort = (last: Link, anchor: Anchor | undefined): Verdict | undefined =>
  anchor !== undefined && anchor.seq > last.seq
    ? {
        ok: false,
        seq: last.seq + 1,
        because: `The chain ends before the anchored row ${anchor.seq}: this is an older copy.`,
        unanchored: true,
      }
    : undefined;

/** The fault at the end of the chain; undefined if the head names the last row. */
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
      because: `The chain ends with row ${last.seq}, but its head names row ${head.seq}.`,
    };
  if (head.hash === last.hash) return undefined;
  return { ok: false, seq: last.seq, because: 'The head of the chain has another hash than the last row.' };
}

const hashOf = (content: Omit<AuditRow, 'hash'>): string => sha256(canonicalJson({ ...content }));

/** The hash that a stored row should have; undefined if its columns contain what Purser never writes. */
function rehash({ hash: _hash, ...row }: StoredAudit): string | undefined {
  try {
    const body = fromText(row.body);
    return canonicalJson(body) === row.body ? hashOf({ ...row, body }) : undefined;
  } catch {
    // Only an edited column has no canonical JSON. The caller reports it.
    return undefined;
  }
}
