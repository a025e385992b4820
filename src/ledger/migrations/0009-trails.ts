import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** What the audit says of one operation is asked before it is sent. */
export async function indexTrails({ schema }: Kysely<Tables>): Promise<void> {
  await schema.createIndex('auditOfOperation').on('audit').columns(['tenant', 'operationId', 'seq']).execute();
}
