import pg from 'pg';
import { onTestFinished } from 'vitest';
import { postgresUrl } from '../ledger/support/databases.ts';

/** The address of a PostgreSQL database that one test has to itself and leaves nothing of. */
export async function ownDatabase(name: string): Promise<string> {
  const url = await postgresUrl();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  onTestFinished(async () => {
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  });
  return url.replace(/\w+$/, name);
}
