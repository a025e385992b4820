import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Whether a person has denied the very same call is asked before each one: the index holds those alone that nobody was told of. */
export async function indexDenied({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createIndex('operationsDenied')
    .on('operations')
    .columns(['tenant', 'name', 'argsDigest', 'principal'])
    .where(sql<boolean>`state = 'FAILED' and result is null`)
    .execute();
}
