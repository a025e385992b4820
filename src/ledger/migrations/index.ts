import type { Kysely } from 'kysely';
import { LedgerUnavailable } from '../ledger.ts';
import type { Tables } from '../tables.ts';
import { createLedgerTables } from './0001-ledger.ts';
import { createBudgetTables } from './0002-budgets.ts';
import { createSealedTable } from './0003-sealed.ts';

/** Every step from an empty database to today's tables, oldest first. A step that was released never changes. */
const steps = [
  { name: '0001-ledger', up: createLedgerTables },
  { name: '0002-budgets', up: createBudgetTables },
  { name: '0003-sealed', up: createSealedTable },
] as const;

/**
 * Brings a database to today's tables, in one transaction: of two processes that start at the same moment the second
 * waits and finds the work done. Throws LedgerUnavailable where a newer Purser has been before.
 */
export async function migrate(db: Kysely<Tables>, place: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.schema
      .createTable('migrations')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey())
      .execute();
    const done = new Set((await tx.selectFrom('migrations').select('name').execute()).map(({ name }) => name));
    refuseNewer(done, place);
    for (const { name, up } of steps) {
      if (done.has(name)) continue;
      await up(tx);
      await tx.insertInto('migrations').values({ name }).execute();
    }
  });
}

function refuseNewer(done: ReadonlySet<string>, place: string): void {
  const ours = new Set<string>(steps.map(({ name }) => name));
  const unknown = [...done].filter((name) => !ours.has(name));
  if (unknown.length === 0) return;
  throw new LedgerUnavailable(
    `The ledger ${place} was written by a newer Purser (${unknown.join(', ')}): start that version, or name another file.`,
  );
}
