import { setImmediate as othersGoOn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type InSnapshot, type OwnSeq, verifyChain } from './chain.ts';
import { isSound } from './checksum.ts';
import type { Anchor, Verdict } from './ledger.ts';
import type { Checked, Tables } from './tables.ts';

/** Few enough that a step holds the event loop for some milliseconds. Own choice. */
const ROWS_PER_STEP = 100;

/** The key of each table, in whose order it is walked through. */
export const keys = {
  operations: ['tenant', 'id'],
  observations: ['tenant', 'handle'],
  approvals: ['tenant', 'id'],
  budgets: ['tenant', 'budget', 'scope'],
  reservations: ['tenant', 'operationId', 'budget', 'scope'],
  sealed: ['tenant', 'handle'],
} as const satisfies { readonly [T in Checked]: readonly (keyof Tables[T])[] };

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
  }: { readonly anchor: Anchor | undefined; readonly ownSeq?: OwnSeq; readonly ownCheck?: OwnCheck },
): Promise<Verdict> {
  const chain = await verifyChain(inSnapshot, { anchor, ownSeq });
  const because = chain.ok ? await damage(inSnapshot, ownCheck) : undefined;
  return because === undefined ? chain : { ok: false, because };
}

/**
 * Looks at every row that decisions are made by, and at what the database can say of its own file; answers what is damaged.
 * PostgreSQL shows sealed secrets to their own tenant alone: there they are looked at when they are taken.
 */
async function damage(inSnapshot: InSnapshot, ownCheck?: OwnCheck): Promise<string | undefined> {
  const structure = ownCheck && (await inSnapshot(ownCheck));
  if (structure !== undefined) return `The database says of its file: ${structure}`;
  for (const table of Object.keys(keys) as readonly Checked[]) {
    let after: Key | undefined;
    do {
      const rows = await inSnapshot((tx) => step(tx, table, after));
      await othersGoOn();
      const bad = rows.find((row) => !isSound(table, row as never)); // a row of that table, as `step` selects them
      if (bad !== undefined) return `Row ${keyOf(table, bad).join(' / ')} of ${table} is not what was written.`;
      const last = rows.at(-1);
      after = last && rows.length === ROWS_PER_STEP ? keyOf(table, last) : undefined;
    } while (after !== undefined);
  }
  return undefined;
}

/** What a database finds when it looks through its own file; undefined where nothing is wrong. */
export type OwnCheck = (tx: Kysely<Tables>) => Promise<string | undefined>;

type Key = readonly string[];
type Row = { readonly [column: string]: unknown };

/** The next rows of a table, in the order of its key. */
async function step(tx: Kysely<Tables>, table: Checked, after: Key | undefined): Promise<readonly Row[]> {
  const columns = keys[table] as readonly string[];
  const { ref } = tx.dynamic;
  let query = tx.selectFrom(table as 'operations').selectAll(); // every table is read in the same way
  for (const column of columns) query = query.orderBy(ref(column));
  if (after !== undefined) {
    const own = sql.join(columns.map((column) => sql.ref(column)));
    query = query.where(sql<boolean>`(${own}) > (${sql.join(after.map((value) => sql.val(value)))})`);
  }
  return query.limit(ROWS_PER_STEP).execute();
}

const keyOf = (table: Checked, row: Row): Key => keys[table].map((column) => String(row[column]));
