import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** What proves of each row that it is there, and in its newest version: a hash tree whose root is sealed with the ledger's key. */
export async function createProofs({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('proofs')
    .addColumn('node', 'text', (column) => column.primaryKey())
    .addColumn('content', 'text', (column) => column.notNull())
    .execute();
}
