import { CamelCasePlugin, Kysely } from 'kysely';
import pg from 'pg';
import { reveal } from '../../../src/core/secret.ts';
import { type Migration, migrate } from '../../../src/ledger/migrations/index.ts';
import { postgresDialect } from '../../../src/ledger/postgres-driver.ts';
import { prepare } from '../../../src/ledger/postgres-prepare.ts';
import { sqliteDialect } from '../../../src/ledger/sqlite.ts';
import type { LedgerPlace } from '../../../src/ledger/store.ts';
import type { Tables } from '../../../src/ledger/tables.ts';

/** Applies migrations to a closed ledger, as opening it does. */
export async function apply(place: LedgerPlace, all: readonly Migration[]): Promise<void> {
  const dialect =
    'file' in place
      ? sqliteDialect(place.file)
      : postgresDialect(new pg.Pool({ connectionString: reveal(place.url), max: 1 }), 'here');
  const db = new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
  try {
    if ('file' in place) await migrate(db, 'here', all);
    else await prepare(db.withSchema(place.schema), place.schema, 'here', all);
  } finally {
    await db.destroy();
  }
}
