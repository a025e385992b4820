import type { Kysely } from 'kysely';
import { checkedTables, checksumOf } from '../checksum.ts';
import { keys } from '../keys.ts';
import type { Checked, Tables } from '../tables.ts';

const ROWS_PER_STEP = 500;

/** Gives rows that are older than checksums theirs. From then on a row without one is not what was written. */
export async function fillInChecksums(tx: Kysely<Tables>): Promise<void> {
  for (const table of checkedTables) while ((await fillIn(tx, table)) === ROWS_PER_STEP);
}

async function fillIn(tx: Kysely<Tables>, table: Checked): Promise<number> {
  const { ref } = tx.dynamic;
  const name = table as 'operations'; // every table is read and written in the same way
  const rows = await tx.selectFrom(name).selectAll().where('checksum', '=', '').limit(ROWS_PER_STEP).execute();
  for (const row of rows) {
    let update = tx.updateTable(name).set({ checksum: checksumOf(table, row as never) });
    for (const column of keys[table])
      update = update.where(ref(column), '=', row[column as keyof typeof row] as string);
    await update.execute();
  }
  return rows.length;
}
