import { type Kysely, sql } from 'kysely';
import { type InSnapshot, type StoredSeq, verifyChain } from './chain.ts';
import { isIntact } from './checksum.ts';
import { primaryKeys } from './primary-keys.ts';
import { type ProofSettings, sealFault } from './proof.ts';
import { readTree } from './proof-tree.ts';
import { rowKey } from './reseal.ts';
import { type Statement, statement } from './statement.ts';
import type { ChecksummedTable, Tables } from './tables.ts';
import { createTimeSlice } from './time-slice.ts';
import type { Anchor, Verdict } from './verification.ts';

/** A step of this size blocks the event loop for some milliseconds. Own choice. */
const ROWS_PER_STEP = 32;

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
    let count = 0;
    let after: Key = [];
    let first: Step | undefined;
    let last: Step;
    do {
      const from = after;
      last = await inSnapshot((tx) => step(tx, table, from));
      first ??= last;
      const { rows, unproven } = last;
      await turn.rest();
      let bad = unproven;
      for (const row of rows) {
        if (turn.isDue()) await turn.rest();
        if (!isIntact(table, row as never)) bad ??= row; // a row of that table, as `step` selects it
      }
      if (bad !== undefined) return `Row ${keyOf(table, bad).join(' / ')} of ${table} is corrupt.`;
      count += rows.length;
      const end = rows.at(-1);
      after = end === undefined || rows.length < ROWS_PER_STEP ? [] : keyOf(table, end);
    } while (after.length > 0);
    // What is added or deleted during the walk may have been counted or not.
    const isStill = first.root === last.root;
    const isWrong = isStill ? count !== last.sealed : onlyGrows(table) && (count < first.sealed || count > last.sealed);
    if (isCounted(table) && isWrong) return `${table} has ${count} rows, but ${last.sealed} were written.`;
  }
  return inSnapshot((tx) => rootSealFault(tx, proving));
}

/** Some rows of a table, with what the tree says of them and of the table in the same snapshot. */
interface Step {
  readonly rows: readonly Row[];
  /** The first row whose version the tree doesn't contain. */
  readonly unproven: Row | undefined;
  /** The sealed row count of the table. */
  readonly sealed: number;
  /** Says whether any row has changed since. */
  readonly root: string | null | undefined;
}

/** The next rows of a table, in key order. */
async function step(tx: Kysely<Tables>, table: ChecksummedTable, after: Key): Promise<Step> {
  const { rows } = await rowsOf[table](tx, { after });
  const named = rows.map((row) => ({ row, name: rowKey(keyOf(table, row), table) }));
  const keys = named.map(({ name }) => name);
  const { fault, head, root, value } = await readTree(tx, keys, false);
  const unproven = fault === undefined ? named.find(({ row, name }) => value(name) !== row.checksum)?.row : rows[0];
  return { rows, unproven, sealed: head?.counts[table] ?? 0, root };
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

/** The rows of a table after a key, or its first. */
const rowsAfter = (table: ChecksummedTable): Statement<{ readonly after: Key }, Row> =>
  statement((db, { after }) => {
    const { ref } = db.dynamic;
    const columns: Key = primaryKeys[table];
    let query = db.selectFrom(table as 'operations').selectAll(); // every table is read in the same way
    for (const column of columns) query = query.orderBy(ref(column));
    if (after.length > 0) {
      const own = sql.join(columns.map((column) => sql.ref(column)));
      query = query.where(sql<boolean>`(${own}) > (${sql.join(after.map((value) => sql.val(value)))})`);
    }
    return query.limit(ROWS_PER_STEP);
  });

const rowsOf: { readonly [T in ChecksummedTable]: Statement<{ readonly after: Key }, Row> } = {
  operations: rowsAfter('operations'),
  observations: rowsAfter('observations'),
  approvals: rowsAfter('approvals'),
  budgets: rowsAfter('budgets'),
  reservations: rowsAfter('reservations'),
  sealed: rowsAfter('sealed'),
  events: rowsAfter('events'),
};

const keyOf = (table: ChecksummedTable, row: Row): Key => primaryKeys[table].map((column) => String(row[column]));
