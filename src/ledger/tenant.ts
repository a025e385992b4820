import type { Insertable, Kysely } from 'kysely';
import type { ApprovalRow } from './ledger.ts';
import type {
  StoredBudget,
  StoredObservation,
  StoredOperation,
  StoredReservation,
  StoredSealed,
  Tables,
} from './tables.ts';

/**
 * The tables as one tenant sees them. The rows' code below gets these and never the database, so that no query of it
 * can forget the tenant.
 */
export function scoped(db: Kysely<Tables>, tenant: string) {
  return {
    tenant,
    operations: {
      select: () => db.selectFrom('operations').where('tenant', '=', tenant),
      update: () => db.updateTable('operations').where('tenant', '=', tenant),
      insert: (row: Omit<Insertable<StoredOperation>, 'tenant'>) =>
        db.insertInto('operations').values({ ...row, tenant }),
    },
    observations: {
      select: () => db.selectFrom('observations').where('tenant', '=', tenant),
      update: () => db.updateTable('observations').where('tenant', '=', tenant),
      insert: (row: Omit<Insertable<StoredObservation>, 'tenant'>) =>
        db.insertInto('observations').values({ ...row, tenant }),
    },
    approvals: {
      select: () => db.selectFrom('approvals').where('tenant', '=', tenant),
      update: () => db.updateTable('approvals').where('tenant', '=', tenant),
      insert: (row: Omit<Insertable<ApprovalRow>, 'tenant'>) => db.insertInto('approvals').values({ ...row, tenant }),
    },
    budgets: {
      select: () => db.selectFrom('budgets').where('tenant', '=', tenant),
      update: () => db.updateTable('budgets').where('tenant', '=', tenant),
      insert: (row: Omit<StoredBudget, 'tenant'>) => db.insertInto('budgets').values({ ...row, tenant }),
    },
    reservations: {
      select: () => db.selectFrom('reservations').where('tenant', '=', tenant),
      update: () => db.updateTable('reservations').where('tenant', '=', tenant),
      insert: (row: Omit<StoredReservation, 'tenant'>) => db.insertInto('reservations').values({ ...row, tenant }),
    },
    sealed: {
      insert: (row: Omit<StoredSealed, 'tenant'>) => db.insertInto('sealed').values({ ...row, tenant }),
      remove: () => db.deleteFrom('sealed').where('tenant', '=', tenant),
    },
    audit: {
      select: () => db.selectFrom('audit').where('tenant', '=', tenant),
    },
  };
}

export type Scoped = ReturnType<typeof scoped>;
