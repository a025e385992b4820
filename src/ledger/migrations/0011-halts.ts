import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Whether a tenant is halted is asked before each call that is sent: the index holds only what halts one, and what ends that. */
export async function indexHalts({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createIndex('auditHalts')
    .on('audit')
    .columns(['tenant', 'seq'])
    .where(sql<boolean>`event in ('halted', 'resumed')`)
    .execute();
}
