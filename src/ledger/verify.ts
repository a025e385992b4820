import { type Kysely, sql } from 'kysely';
import { type InSnapshot, type StoredSeq, verifyChain } from './chain.ts';
import { isIntact } from './checksum.ts';
import { primaryKeys } from './primary-keys.ts';
import { type ProofSettings, sealFault } from './proof.ts';
import { leafOf, readTree } from './proof-tree.ts';
import { rowKey } from './reseal.ts';
import type { ChecksummedTable, Tables } from './tables.ts';
import { createTimeSlice } from './time-slice.ts';
import type { Anchor, Verdict } from './verification.ts';

/** A step of this size blocks the event loop for some milliseconds. Own choice. */
const ROWS_PER_STEP = 8;

/**
 * Verifies the audit chain and every row that decisions use. A fault of the chain is reported first, because it also
 * reveals deliberate changes.
 */
export async function verify(
  inSnapshot: InSnapshot,
  {
    anchor,
    ownSeq,
    ownCheck,
    proving,
  }: {
    readonly anchor: Anchor | undefined;
    readonly ownSeq?: StoredSeq;
    readonly ownCheck?: FileCheck;
    readonly proving: ProofSettings;
  },
): Promise<Verdict> {
  const chain = await verifyChain(inSnapshot, { anchor, ownSeq });
  const because = chain.ok ? await firstCorruption(inSnapshot, proving, ownCheck) : undefined;
  return because === undefined ? chain : { ok: false, because };
}

/**
 * Checks every row that decisions use, and the database's own file. Returns the first fault. PostgreSQL shows sealed
 * secrets only to their tenant, so they are checked when they are taken.
 */
async function firstCorruption(
  inSnapshot: InSnapshot,
  proving: ProofSettings,
  ownCheck?: FileCheck,
): Promise<string | undefined> {
  const structure = ownCheck && (await inSnapshot(ownCheck));
  if (structure !== undefined) return `The database's own check failed: ${structure}`;
  const turn = createTimeSlice();
  for (const table of Object.keys(primaryKeys) as readonly ChecksummedTable[]) {
    const least = await inSnapshot((tx) => sealedCount(tx, table));
    let count = 0;
    let after: Key | undefined;
    do {
      const { rows, unproven } = await inSnapshot(async (tx) => {
        const rows = await step(tx, table, after);
        return { rows, unproven: await unprovenOf(tx, table, rows) };
      });
      await turn.rest();
      let bad = unproven;
      for (const row of rows) {
        if (turn.isDue()) await turn.rest();
        if (!isIntact(table, row as never)) bad ??= row; // a row of that table, as `step` selects it
      }
      if (bad !== undefined) return `Row ${keyOf(table, bad).join(' / ')} of ${table} is corrupt.`;
      count += rows.length;
      const last = rows.at(-1);
      after = last && rows.length === ROWS_PER_STEP ? keyOf(table, last) : undefined;
    } while (after !== undefined);
    const most = await inSnapshot((tx) => sealedCount(tx, table));
    if (isCounted(table) && (count < least || count > most))
      return `${table} has ${count} rows, but ${most} were written.`;
    const missing = table === 'events' ? await inSnapshot(eventsMissing) : 0;
    if (missing !== 0) return `events has ${missing} rows fewer than were written and kept.`;
  }
  return inSnapshot((tx) => rootSealFault(tx, proving));
}

/** The first of some rows whose version the tree doesn't contain. */
async function unprovenOf(tx: Kysely<Tables>, table: ChecksummedTable, rows: readonly Row[]): Promise<Row | undefined> {
  const named = rows.map((row) => ({ row, name: rowKey(keyOf(table, row), table) }));
  const tree = await readTree(
    tx,
    named.map(({ name }) => leafOf(name)),
    false,
  );
  if (tree.fault !== undefined) return rows[0];
  return named.find(({ row, name }) => tree.leaf(leafOf(name))[name] !== row.checksum)?.row;
}

/**
 * The sealed row count of a table. Rows are only added, so a walk finds at least the count from before it and at most
 * the count from after it.
 */
async function sealedCount(tx: Kysely<Tables>, table: ChecksummedTable): Promise<number> {
  return (await readTree(tx, [], false)).head?.counts[table] ?? 0;
}

/** Events are deleted when they are old, so they are counted at one moment. */
async function eventsMissing(tx: Kysely<Tables>): Promise<number> {
  const { rows } = await tx
    .selectFrom('events')
    .select(({ fn }) => fn.countAll().as('rows'))
    .executeTakeFirstOrThrow();
  return (await sealedCount(tx, 'events')) - Number(rows);
}

/** Whether a walk counts the rows. Released secrets are deleted as they are taken: one that is missing shows then. */
const isCounted = (table: ChecksummedTable): boolean => table !== 'sealed' && table !== 'events';

/** Whether the seal of the root is valid. */
async function rootSealFault(tx: Kysely<Tables>, { key }: ProofSettings): Promise<string | undefined> {
  const tree = await readTree(tx, [], false);
  return sealFault(tree, tree.audit, key) === undefined
    ? undefined
    : "The seal does not match: rows or audit were changed, or this is not the ledger's key.";
}

/** A database's check of its own file; undefined if it finds no fault. */
export type FileCheck = (tx: Kysely<Tables>) => Promise<string | undefined>;

type Key = readonly string[];
type Row = { readonly [column: string]: unknown };

/** The next rows of a table, in key order. */
async function step(tx: Kysely<Tables>, table: ChecksummedTable, after: Key | undefined): Promise<readonly Row[]> {
  const columns = primaryKeys[table] as readonly string[];
  const { ref } = tx.dynamic;
  let query = tx.selectFrom(table as 'operations').selectAll(); // every table is read in the same way
  for (const column of columns) query = query.orderBy(ref(column));
  if (after !== undefined) {
    const own = sql.join(columns.map((column) => sql.ref(column)));
    query = query.where(sql<boolean>`(${own}) > (${sql.join(after.map((value) => sql.val(value)))})`);
  }
  return query.limit(ROWS_PER_STEP).execute();
}

const keyOf = (table: ChecksummedTable, row: Row): Key => primaryKeys[table].map((column) => String(row[column]));
