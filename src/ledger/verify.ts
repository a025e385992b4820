import { type Kysely, sql } from 'kysely';
import { type InSnapshot, type StoredSeq, verifyChain } from './chain.ts';
import { isIntact } from './checksum.ts';
import { primaryKeys } from './primary-keys.ts';
import { type ProofSettings, sealFault } from './proof.ts';
import { readTree } from './proof-tree.ts';
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
    readonly ownCheck?: FileCheck | undefined;
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
    const before = await inSnapshot((tx) => sealedCount(tx, table));
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
    const now = await inSnapshot((tx) => sealedCount(tx, table));
    // What is added or deleted during the walk may have been counted or not.
    const isStill = before.root === now.root;
    const isWrong = isStill ? count !== now.rows : onlyGrows(table) && (count < before.rows || count > now.rows);
    if (isCounted(table) && isWrong) return `${table} has ${count} rows, but ${now.rows} were written.`;
  }
  return inSnapshot((tx) => rootSealFault(tx, proving));
}

/** The first of some rows whose version the tree doesn't contain. */
async function unprovenOf(tx: Kysely<Tables>, table: ChecksummedTable, rows: readonly Row[]): Promise<Row | undefined> {
  const named = rows.map((row) => ({ row, name: rowKey(keyOf(table, row), table) }));
  const tree = await readTree(
    tx,
    named.map(({ name }) => name),
    false,
  );
  if (tree.fault !== undefined) return rows[0];
  return named.find(({ row, name }) => tree.value(name) !== row.checksum)?.row;
}

/** The sealed row count of a table, and the root that says whether any row has changed since. */
async function sealedCount(tx: Kysely<Tables>, table: ChecksummedTable) {
  const { head, root } = await readTree(tx, [], false);
  return { rows: head?.counts[table] ?? 0, root };
}

/** Rows of these are never deleted. */
const onlyGrows = (table: ChecksummedTable): boolean => table !== 'sealed' && table !== 'events';

/** PostgreSQL shows released secrets to their tenant alone: one that is missing shows when it is to be taken. */
const isCounted = (table: ChecksummedTable): boolean => table !== 'sealed';

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
