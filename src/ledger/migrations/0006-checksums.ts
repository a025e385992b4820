import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** What shows that a bit of a row has turned over. Rows that are there get theirs by step 0008. */
export async function addChecksums({ schema }: Kysely<Tables>): Promise<void> {
  for (const table of ['operations', 'observations', 'approvals', 'budgets', 'reservations', 'sealed'] as const)
    await schema
      .alterTable(table)
      .addColumn('checksum', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
}
