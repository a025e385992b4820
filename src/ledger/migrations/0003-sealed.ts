import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** Sealed secrets, until they are redeemed. */
export async function createSealedTable({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('sealed')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('handle', 'text', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('expiresAt', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('sealed_key', ['tenant', 'handle'])
    .execute();
}
