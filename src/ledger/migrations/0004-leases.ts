import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** Which process recovers an operation that a crash has left behind, and until when nobody else does. */
export async function addLeases({ schema }: Kysely<Tables>): Promise<void> {
  await schema.alterTable('operations').addColumn('leaseHolder', 'text').execute();
  await schema.alterTable('operations').addColumn('leaseUntil', 'bigint').execute();
}
