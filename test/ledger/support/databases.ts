import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { reveal, Secret } from '../../../src/core/secret.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { type LedgerPlace, openLedger } from '../../../src/ledger/store.ts';
import { folder } from '../../support/folder.ts';

export { folder };

/** The key of ledgers whose seals are not on trial. */
export const testKey = new Secret(Buffer.alloc(32));

/** The place of a ledger, whatever seals it. */
type Where = { readonly file: string } | { readonly url: Secret<string>; readonly schema: string };

/** A database that the ledger runs on. */
export interface Database {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** A place for a ledger of this test alone, that several processes may open. */
  place(): Promise<LedgerPlace>;
  /** Does to a closed ledger what somebody with a SQL prompt, and every right, could do. */
  tamper(place: Where, ...statements: readonly string[]): Promise<void>;
}

const sqlite: Database = {
  name: 'SQLite',
  place: async () => ({ file: `${folder()}/purser.db`, key: testKey }),
  tamper: async (place, ...statements) => {
    if (!('file' in place)) throw new Error('This is no place of SQLite.');
    const database = new DatabaseSync(place.file);
    for (const statement of statements) database.exec(statement);
    database.close();
  },
};

const postgres: Database = {
  name: 'PostgreSQL',
  place: postgresPlace,
  tamper: async (place, ...statements) => {
    const client = await connected(place);
    for (const statement of statements) await client.query(statement);
    await client.end();
  },
};

/** Every database that the ledger's promises hold on. */
export const databases = [sqlite, postgres] as const;

/** A place on PostgreSQL where no ledger was before, for the superuser: the ledger acts as its own role. */
export async function emptyPlace() {
  return { url: new Secret(await postgresUrl()), schema: `test_${randomBytes(8).toString('hex')}`, key: testKey };
}

const free: Awaited<ReturnType<typeof emptyPlace>>[] = [];

/** A place on PostgreSQL with an empty ledger. It is emptied after the test and used again: making one takes longer. */
export async function postgresPlace() {
  const place = free.pop() ?? (await emptyPlace());
  onTestFinished(async () => {
    const client = await connected(place);
    const tables = await client.query(`select from pg_tables where schemaname = '${place.schema}'`);
    if (tables.rowCount !== 0) await client.query(emptied);
    await client.end();
    free.push(place);
  });
  return place;
}

const emptied = `
  delete from approvals; delete from reservations; delete from operations; delete from observations; delete from budgets;
  delete from sealed; delete from events; delete from names; delete from search_keys; delete from proofs; delete from audit; delete from audit_head; insert into audit_head values (1, 0, '${'0'.repeat(64)}')`;

/** The address of this run's PostgreSQL. Throws what kept it from starting. */
export async function postgresUrl(): Promise<string> {
  const answer = await fetch(inject('postgres'));
  if (!answer.ok) throw new Error(await answer.text());
  return answer.text();
}

/** A plain connection to the tables of a place, closed after the test. */
export async function superuser(place: Where): Promise<pg.Client> {
  const client = await connected(place);
  onTestFinished(() => client.end());
  return client;
}

async function connected(place: Where): Promise<pg.Client> {
  if (!('url' in place)) throw new Error('This is no place of PostgreSQL.');
  const client = new pg.Client({ connectionString: reveal(place.url), options: `-c search_path=${place.schema}` });
  await client.connect();
  return client;
}

/** Opens a ledger, and closes it after the test. */
export async function openHere(place: LedgerPlace): Promise<Ledger> {
  const opened = await openLedger(place);
  onTestFinished(() => opened.close());
  return opened;
}
