import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** What recovery reads back is looked for every few seconds: the index holds operations of unknown outcome alone. */
export async function indexUnknown({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createIndex('operationsUnknown')
    .on('operations')
    .columns(['quietUntil'])
    .where(sql<boolean>`state = 'UNKNOWN'`)
    .execute();
}
