import type { Kysely } from 'kysely';
import type { OperationRow } from './ledger.ts';
import { toOperation } from './operations.ts';
import type { Tables } from './tables.ts';

/** The operations that recovery must look at: under way, and their quiet period has ended. The longest waiting first. */
export async function overdue(db: Kysely<Tables>, now: number): Promise<readonly OperationRow[]> {
  const rows = await db
    .selectFrom('operations')
    .selectAll()
    .where('state', '=', 'SENDING')
    .where('quietUntil', '<=', now)
    .orderBy('quietUntil')
    .orderBy('id')
    .execute();
  return rows.map(toOperation);
}

/** Every tenant that has a row in any table. */
export async function tenants(db: Kysely<Tables>): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('operations')
    .select('tenant')
    .union(db.selectFrom('observations').select('tenant'))
    .union(db.selectFrom('approvals').select('tenant'))
    .union(db.selectFrom('audit').select('tenant'))
    .orderBy('tenant')
    .execute();
  return rows.map(({ tenant }) => tenant);
}
