import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Whether the very same call is open already is asked before each call: the index holds open ones alone. */
export async function indexOpenCalls({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createIndex('operationsOpenCalls')
    .on('operations')
    .columns(['tenant', 'name', 'argsDigest', 'principal'])
    .where(sql<boolean>`state in ('PROPOSED', 'APPROVED', 'SENDING', 'UNKNOWN')`)
    .execute();
  await schema.dropIndex('operationsByCall').execute();
}
