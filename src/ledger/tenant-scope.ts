import { type Kysely, sql } from 'kysely';
import { withChecksum } from './checksum.ts';
import type { Proof } from './proof.ts';
import type {
  StoredApproval,
  StoredBudget,
  StoredName,
  StoredObservation,
  StoredOperation,
  StoredReservation,
  StoredSealed,
  StoredSearchKey,
  Tables,
} from './tables.ts';

/**
 * The tables as one tenant sees them. The rows' code below gets these and never the database, so that no query of it
 * can forget the tenant.
 */
export function scoped(db: Kysely<Tables>, tenant: string, proof: Proof) {
  return {
    tenant,
    proof,
    /** Intact rows that this transaction has read or written. */
    rows: {
      operations: createRowCache<StoredOperation>(),
      observations: createRowCache<StoredObservation>(),
      approvals: createRowCache<StoredApproval>(),
      budgets: createRowCache<StoredBudget>(),
    },
    operations: {
      select: () => db.selectFrom('operations').where('tenant', '=', tenant),
      update: () => db.updateTable('operations').where('tenant', '=', tenant),
      insert: (row: Omit<StoredOperation, 'tenant' | 'checksum'>) =>
        db.insertInto('operations').values(withChecksum('operations', { ...row, tenant })),
    },
    observations: {
      select: () => db.selectFrom('observations').where('tenant', '=', tenant),
      update: () => db.updateTable('observations').where('tenant', '=', tenant),
      insert: (row: Omit<StoredObservation, 'tenant' | 'checksum'>) =>
        db.insertInto('observations').values(withChecksum('observations', { ...row, tenant })),
      /** How many things of a kind belong to a row of `select`, counted up to a limit, as a column of that query. */
      owned: (kind: string, most: number) =>
        db
          .selectFrom(
            db
              .selectFrom('observations as owned')
              .select('owned.handle')
              .where('owned.tenant', '=', tenant)
              .where('owned.kind', '=', kind)
              .where('owned.owner', '=', sql.ref<string>('observations.handle'))
              .limit(most)
              .as('counted'),
          )
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .as('count'),
    },
    approvals: {
      select: () => db.selectFrom('approvals').where('tenant', '=', tenant),
      update: () => db.updateTable('approvals').where('tenant', '=', tenant),
      insert: (row: Omit<StoredApproval, 'tenant' | 'checksum'>) =>
        db.insertInto('approvals').values(withChecksum('approvals', { ...row, tenant })),
    },
    budgets: {
      select: () => db.selectFrom('budgets').where('tenant', '=', tenant),
      update: () => db.updateTable('budgets').where('tenant', '=', tenant),
      insert: (row: Omit<StoredBudget, 'tenant' | 'checksum'>) =>
        db.insertInto('budgets').values(withChecksum('budgets', { ...row, tenant })),
    },
    reservations: {
      select: () => db.selectFrom('reservations').where('tenant', '=', tenant),
      update: () => db.updateTable('reservations').where('tenant', '=', tenant),
      insert: (row: Omit<StoredReservation, 'tenant' | 'checksum'>) =>
        db.insertInto('reservations').values(withChecksum('reservations', { ...row, tenant })),
    },
    sealed: {
      select: () => db.selectFrom('sealed').where('tenant', '=', tenant),
      insert: (row: Omit<StoredSealed, 'tenant' | 'checksum'>) =>
        db.insertInto('sealed').values(withChecksum('sealed', { ...row, tenant })),
      remove: () => db.deleteFrom('sealed').where('tenant', '=', tenant),
    },
    names: {
      /** The names of a kind from one text to another; a thing that has several is there by the first. */
      between: (kind: string, from: string, to: string) =>
        db
          .selectFrom('names')
          .where('names.tenant', '=', tenant)
          .where('names.kind', '=', kind)
          .where('name', '>=', from)
          .where('name', '<', to)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('names as earlier')
                  .select('earlier.handle')
                  .where('earlier.tenant', '=', tenant)
                  .where('earlier.kind', '=', kind)
                  .whereRef('earlier.handle', '=', 'names.handle')
                  .where('earlier.name', '>=', from)
                  .whereRef('earlier.name', '<', 'names.name'),
              ),
            ),
          ),
      insert: (rows: readonly Omit<StoredName, 'tenant'>[]) =>
        db.insertInto('names').values(rows.map((row) => ({ ...row, tenant }))),
      remove: () => db.deleteFrom('names').where('tenant', '=', tenant),
    },
    searchKeys: {
      select: () => db.selectFrom('searchKeys').where('searchKeys.tenant', '=', tenant),
      insert: (rows: readonly Omit<StoredSearchKey, 'tenant'>[]) =>
        db.insertInto('searchKeys').values(rows.map((row) => ({ ...row, tenant }))),
      remove: () => db.deleteFrom('searchKeys').where('tenant', '=', tenant),
    },
    audit: {
      select: () => db.selectFrom('audit').where('tenant', '=', tenant),
    },
  };
}

/**
 * Rows by key. No other transaction of the tenant runs meanwhile, so a row is read once in each, and proven as it was read.
 * A key whose row is undefined has none in the database.
 */
export interface RowCache<Row> {
  /** Returns the known row, or reads it. */
  get(key: string, read: () => Promise<Row | undefined>): Promise<Row | undefined>;
  set(key: string, row: Row | undefined): void;
  forget(key: string): void;
}

function createRowCache<Row>(): RowCache<Row> {
  const known = new Map<string, Row | undefined>();
  return {
    get: async (key, read) => {
      if (known.has(key)) return known.get(key);
      const row = await read();
      known.set(key, row);
      return row;
    },
    set: (key, row) => void known.set(key, row),
    forget: (key) => void known.delete(key),
  };
}

export type Scoped = ReturnType<typeof scoped>;
