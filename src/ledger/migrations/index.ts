import type { Kysely } from 'kysely';
import { LedgerUnavailable } from '../errors.ts';
import type { Tables } from '../tables.ts';
import { createTables } from './0001-tables.ts';

/** A change of the tables. Released migrations never change. */
export interface Migration {
  readonly name: string;
  readonly up: (tx: Kysely<Tables>) => Promise<void>;
}

/** Every migration from an empty database to the current tables, oldest first. */
export const migrations: readonly Migration[] = [{ name: '0001-tables', up: createTables }];

/**
 * Applies the missing migrations in one transaction, so a second process that starts concurrently waits and finds
 * nothing to do. For SQLite. Throws LedgerUnavailable if another version of Purser wrote the ledger.
 */
export async function migrate(db: Kysely<Tables>, place: string, all = migrations): Promise<void> {
  await db.transaction().execute((tx) => applyMissing(tx, place, all));
}

/** Applies the missing migrations in a transaction that excludes all other processes. */
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

/** Whether every migration was applied. Throws LedgerUnavailable if another version of Purser wrote the ledger. */
export async function isUpToDate(db: Kysely<Tables>, place: string, all = migrations): Promise<boolean> {
  const applied = await appliedTo(db, place, all);
  return all.every(({ name }) => applied.has(name));
}

async function appliedTo(db: Kysely<Tables>, place: string, all: readonly Migration[]): Promise<ReadonlySet<string>> {
  const applied = new Set((await db.selectFrom('migrations').select('name').execute()).map(({ name }) => name));
  const unknown = [...applied].filter((name) => all.every((known) => known.name !== name));
  if (unknown.length === 0) return applied;
  // Ledgers from before the first release have other migrations.
  if (!applied.has(all[0]?.name ?? ''))
    throw new LedgerUnavailable(
      `The ledger ${place} was written by a pre-release version of Purser: keep it for its records, and choose another location for a new ledger.`,
    );
  throw new LedgerUnavailable(
    `The ledger ${place} was written by a newer Purser (${unknown.join(', ')}): start that version, or choose another location.`,
  );
}
