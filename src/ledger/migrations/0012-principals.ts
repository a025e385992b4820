import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** An agent's lists of operations and approvals hold those of its own principal, newest first. */
export async function indexPrincipals({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createIndex('operationsByPrincipal')
    .on('operations')
    .columns(['tenant', 'principal', 'createdAt', 'id', 'state'])
    .execute();
  await schema
    .createIndex('approvalsByPrincipal')
    .on('approvals')
    .columns(['tenant', 'principal', 'createdAt', 'id', 'state'])
    .execute();
}
