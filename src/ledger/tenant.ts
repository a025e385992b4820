import type { Kysely } from 'kysely';
import { checked } from './checksum.ts';
import type {
  StoredApproval,
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
      insert: (row: Omit<StoredOperation, 'tenant' | 'checksum'>) =>
        db.insertInto('operations').values(checked('operations', { ...row, tenant })),
    },
    observations: {
      select: () => db.selectFrom('observations').where('tenant', '=', tenant),
      update: () => db.updateTable('observations').where('tenant', '=', tenant),
      insert: (row: Omit<StoredObservation, 'tenant' | 'checksum'>) =>
        db.insertInto('observations').values(checked('observations', { ...row, tenant })),
    },
    approvals: {
      select: () => db.selectFrom('approvals').where('tenant', '=', tenant),
      update: () => db.updateTable('approvals').where('tenant', '=', tenant),
      insert: (row: Omit<StoredApproval, 'tenant' | 'checksum'>) =>
        db.insertInto('approvals').values(checked('approvals', { ...row, tenant })),
    },
    budgets: {
      select: () => db.selectFrom('budgets').where('tenant', '=', tenant),
      update: () => db.updateTable('budgets').where('tenant', '=', tenant),
      insert: (row: Omit<StoredBudget, 'tenant' | 'checksum'>) =>
        db.insertInto('budgets').values(checked('budgets', { ...row, tenant })),
    },
    reservations: {
      select: () => db.selectFrom('reservations').where('tenant', '=', tenant),
      update: () => db.updateTable('reservations').where('tenant', '=', tenant),
      insert: (row: Omit<StoredReservation, 'tenant' | 'checksum'>) =>
        db.insertInto('reservations').values(checked('reservations', { ...row, tenant })),
    },
    sealed: {
      insert: (row: Omit<StoredSealed, 'tenant' | 'checksum'>) =>
        db.insertInto('sealed').values(checked('sealed', { ...row, tenant })),
      remove: () => db.deleteFrom('sealed').where('tenant', '=', tenant),
    },
    audit: {
      select: () => db.selectFrom('audit').where('tenant', '=', tenant),
    },
  };
}

export type Scoped = ReturnType<typeof scoped>;
