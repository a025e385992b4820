import type { Kysely } from 'kysely';
import { LedgerUnavailable } from '../errors.ts';
import type { Tables } from '../tables.ts';
import { createTables } from './0001-tables.ts';

/** One change of the tables. A migration that was released never changes. */
export interface Migration {
  readonly name: string;
  readonly up: (tx: Kysely<Tables>) => Promise<void>;
}

/** Every migration from an empty database to the current tables, oldest first. */
export const migrations: readonly Migration[] = [{ name: '0001-tables', up: createTables }];

/**
 * Applies the missing migrations in one transaction, so that a second process that starts at the same moment waits and finds
 * the work done. Throws LedgerUnavailable where another version of Purser wrote the ledger.
 */
export async function migrate(db: Kysely<Tables>, place: string, all = migrations): Promise<void> {
  await db.transaction().execute((tx) => applyMissing(tx, place, all));
}

/** Applies the missing migrations within a transaction that excludes every other process. */
export async function applyMissing(tx: Kysely<Tables>, place: string, all = migrations): Promise<void> {
  await tx.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute();
  const applied = await appliedTo(tx, place, all);
  for (const { name, up } of all) {
    if (applied.has(name)) continue;
    await up(tx);
    await tx.insertInto('migrations').values({ name }).execute();
  }
}

/** Whether every migration was applied. Throws LedgerUnavailable where another version of Purser wrote the ledger. */
export async function isUpToDate(db: Kysely<Tables>, place: string, all = migrations): Promise<boolean> {
  const applied = await appliedTo(db, place, all);
  return all.every(({ name }) => applied.has(name));
}

async function appliedTo(db: Kysely<Tables>, place: string, all: readonly Migration[]): Promise<ReadonlySet<string>> {
  const applied = new Set((await db.selectFrom('migrations').select('name').execute()).map(({ name }) => name));
  const unknown = [...applied].filter((name) => all.every((known) => known.name !== name));
  if (unknown.length === 0) return applied;
  // Ledgers from before the first release begin with other migrations.
  if (!applied.has(all[0]?.name ?? ''))
    throw new LedgerUnavailable(
      `The ledger ${place} was written by a version of Purser from before its first release: keep the file for its records, and name another place for a new ledger.`,
    );
  throw new LedgerUnavailable(
    `The ledger ${place} was written by a newer Purser (${unknown.join(', ')}): start that version, or name another place.`,
  );
}
