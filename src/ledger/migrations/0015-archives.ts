import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Every look at the audit asks where the chain begins: the index holds only the rows that say what was archived. */
export async function indexArchives({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createIndex('auditArchives')
    .on('audit')
    .columns(['seq'])
    .where(sql<boolean>`event = 'archived'`)
    .execute();
}
