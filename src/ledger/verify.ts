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

/** Few enough that a step holds the event loop for some milliseconds. Own choice. */
const ROWS_PER_STEP = 8;

/**
 * Walks the audit chain, and looks at every row that decisions are made by. What is said of the chain comes first: it also
 * shows what somebody has changed on purpose.
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
 * Looks at every row that decisions are made by, and at what the database can say of its own file; answers what is damaged.
 * PostgreSQL shows sealed secrets to their own tenant alone: there they are looked at when they are taken.
 */
async function firstCorruption(
  inSnapshot: InSnapshot,
  proving: ProofSettings,
  ownCheck?: FileCheck,
): Promise<string | undefined> {
  const structure = ownCheck && (await inSnapshot(ownCheck));
  if (structure !== undefined) return `The database says of its file: ${structure}`;
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
        if (!isIntact(table, row as never)) bad ??= row; // a row of that table, as `step` selects them
      }
      if (bad !== undefined) return `Row ${keyOf(table, bad).join(' / ')} of ${table} is not what was written.`;
      count += rows.length;
      const last = rows.at(-1);
      after = last && rows.length === ROWS_PER_STEP ? keyOf(table, last) : undefined;
    } while (after !== undefined);
    const most = await inSnapshot((tx) => sealedCount(tx, table));
    if (isCounted(table) && (count < least || count > most))
      return `There are ${count} rows of ${table}, and ${most} were written.`;
  }
  return inSnapshot((tx) => rootSealFault(tx, proving));
}

/** The first of some rows that the tree doesn't hold in this version. */
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

/** How many rows of a table the seal counts. Rows are only added, so a walk finds no fewer than before and no more than after it. */
async function sealedCount(tx: Kysely<Tables>, table: ChecksummedTable): Promise<number> {
  return (await readTree(tx, [], false)).head?.counts[table] ?? 0;
}

/** Released secrets are deleted as they are taken: one that is missing shows when it is to be taken. */
const isCounted = (table: ChecksummedTable): boolean => table !== 'sealed';

/** Whether the sealed root is ours. */
async function rootSealFault(tx: Kysely<Tables>, { key }: ProofSettings): Promise<string | undefined> {
  const tree = await readTree(tx, [], false);
  return sealFault(tree, tree.audit, key) === undefined
    ? undefined
    : 'The seal over the rows is not of this ledger and its key: rows or audit were changed, or the key is another one.';
}

/** What a database finds when it looks through its own file; undefined where nothing is wrong. */
export type FileCheck = (tx: Kysely<Tables>) => Promise<string | undefined>;

type Key = readonly string[];
type Row = { readonly [column: string]: unknown };

/** The next rows of a table, in the order of its key. */
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
