import { type AliasedExpression, type CompiledQuery, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Proof } from './proof.ts';
import { type Statement, statement } from './statement.ts';
import type {
  StoredApproval,
  StoredBudget,
  StoredEvent,
  StoredName,
  StoredObservation,
  StoredOperation,
  StoredReservation,
  StoredSealed,
  StoredSearchKey,
  Tables,
} from './tables.ts';
import { type Beside, namedColumns } from './things-beside.ts';

/** What row code gets instead of the database: the tables of one tenant, and what a transaction has read of them. */
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
      /** What operations hold of budgets, by operation, where it was read with them. */
      held: new Map<string, readonly StoredReservation[]>(),
      /** What lookups of operations have found, by their parts. */
      lookups: new Map<string, readonly StoredOperation[]>(),
    },
    end: createEnd(),
    ...tablesOf(db, tenant),
    /** The rows of a statement. */
    all: async <Given extends object, Row>(run: TenantStatement<Given, Row>, given: Given): Promise<readonly Row[]> =>
      (await run(db, { ...given, tenant })).rows,
    /** The first row of a statement, if there is one. */
    first: async <Given extends object, Row>(
      run: TenantStatement<Given, Row>,
      given: Given,
    ): Promise<Row | undefined> => (await run(db, { ...given, tenant })).rows[0],
  };
}

interface OfTenant {
  readonly tenant: string;
}

/** A statement on the rows of one tenant, compiled once. */
export type TenantStatement<Given, Row> = Statement<Given & OfTenant, Row>;

export const tenantStatement = <Given extends object, Row>(
  build: (tables: TenantTables, given: Given & OfTenant) => { compile(): CompiledQuery<Row> },
): TenantStatement<Given, Row> => statement((db, given) => build(tablesOf(db, given.tenant), given));

export type TenantTables = ReturnType<typeof tablesOf>;

/**
 * Things and those that own them, beside the end of the audit chain; who owns several occurs as often, and without any there is
 * one row, of the end alone. Where many are asked for, SQLite would otherwise walk through an index of all things.
 */
const thingsWithOwners = (db: Kysely<Tables>, tenant: string, handles: readonly string[]) =>
  db
    .with(
      (cte) => cte('named').materialized(),
      () => db.selectFrom('observations').selectAll().where('tenant', '=', tenant).where('handle', 'in', handles),
    )
    .with('found', (cte) =>
      cte
        .selectFrom('named')
        .selectAll()
        .unionAll((eb) =>
          eb
            .selectFrom('named')
            .innerJoin('observations as owner', (join) =>
              join.onRef('owner.tenant', '=', 'named.tenant').onRef('owner.handle', '=', 'named.owner'),
            )
            .selectAll('owner'),
        ),
    )
    .selectFrom('auditHead')
    .leftJoin('found', (join) => join.onTrue())
    .selectAll('found')
    .select('auditHead.seq as end');

/** The rows of a query, and things with their owners, each row of one of the two. */
export function besideThings<Row>(
  db: Kysely<Tables>,
  { tenant, handles }: { readonly tenant: string; readonly handles: readonly string[] },
  query: AliasedExpression<Row, 'other'>,
): { compile(): CompiledQuery<Beside<Row>> } {
  const thing = thingsWithOwners(db, tenant, handles).as('thing');
  const joined = db
    .selectFrom(sql<{ part: number }>`(select 0 as part union all select 1)`.as('parts'))
    .leftJoin(query, (join) => join.on('parts.part', '=', sql.lit(0)))
    .leftJoin(thing, (join) => join.on('parts.part', '=', sql.lit(1)))
    .selectAll('other')
    .select(['parts.part', 'thing.end as thingEnd'])
    .select(namedColumns.map(([column, name]) => `thing.${column} as ${name}` as const));
  // A cast: the columns of the query, which are those of its rows, and those of a thing.
  return joined as unknown as { compile(): CompiledQuery<Beside<Row>> };
}

/** The tables of one tenant: no query on them can omit the tenant. Rows come with their checksums. */
function tablesOf(db: Kysely<Tables>, tenant: string) {
  return {
    operations: {
      select: () => db.selectFrom('operations').where('tenant', '=', tenant),
      /** An operation, once for each part of a budget that it holds, and once if it holds none. */
      withHeld: (id: string) =>
        db
          .selectFrom('operations')
          .leftJoin('reservations as held', (join) =>
            join
              .onRef('held.tenant', '=', 'operations.tenant')
              .onRef('held.operationId', '=', 'operations.id')
              .on('held.state', '=', 'HELD'),
          )
          .selectAll('operations')
          .select([
            'held.budget as heldBudget',
            'held.scope as heldScope',
            'held.minor as heldMinor',
            'held.state as heldState',
            'held.checksum as heldChecksum',
          ])
          .where('operations.tenant', '=', tenant)
          .where('operations.id', '=', id),
      /** The rows of several queries in one statement, each with its query's position in the list. */
      selectEach: (queries: readonly SelectQueryBuilder<Tables, 'operations', object>[]) => {
        const [first, ...more] = queries.map((query, at) =>
          db.selectFrom(query.selectAll().as('found')).selectAll().select(sql.lit(at).as('part')),
        );
        if (first === undefined) throw new Error('A statement needs a query.');
        return first.unionAll(more);
      },
      update: () => db.updateTable('operations').where('tenant', '=', tenant),
      insert: (row: Omit<StoredOperation, 'tenant'>) => db.insertInto('operations').values({ ...row, tenant }),
    },
    observations: {
      select: () => db.selectFrom('observations').where('tenant', '=', tenant),
      withOwners: (handles: readonly string[]) => thingsWithOwners(db, tenant, handles),
      /** The same, beside operations. */
      besideOperations: (handles: readonly string[], rows: SelectQueryBuilder<Tables, 'operations', StoredOperation>) =>
        besideThings(db, { tenant, handles }, rows.as('other')),
      update: () => db.updateTable('observations').where('tenant', '=', tenant),
      insert: (rows: readonly Omit<StoredObservation, 'tenant'>[]) =>
        db.insertInto('observations').values(rows.map((row) => ({ ...row, tenant }))),
      /** The number of things of a kind that belong to a row of `select`, counted up to a limit, as a column. */
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
      insert: (row: Omit<StoredApproval, 'tenant'>) => db.insertInto('approvals').values({ ...row, tenant }),
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
      select: () => db.selectFrom('sealed').where('tenant', '=', tenant),
      insert: (row: Omit<StoredSealed, 'tenant'>) => db.insertInto('sealed').values({ ...row, tenant }),
      remove: () => db.deleteFrom('sealed').where('tenant', '=', tenant),
    },
    events: {
      select: () => db.selectFrom('events').where('tenant', '=', tenant),
      update: () => db.updateTable('events').where('tenant', '=', tenant),
      insert: (row: Omit<StoredEvent, 'tenant'>) => db.insertInto('events').values({ ...row, tenant }),
      remove: () => db.deleteFrom('events').where('tenant', '=', tenant),
    },
    names: {
      /** The names of a kind between two texts; a thing with several is listed by its first. */
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
 * Rows by key. No other transaction of the tenant runs meanwhile, so each row is read once and proved as read.
 * Undefined means that the database has no such row.
 */
export interface RowCache<Row> {
  /** Returns the known row, or reads it. `accept` checks a row at its first use. */
  get(
    key: string,
    read: () => Promise<Row | undefined>,
    accept?: (row: Row | undefined) => void,
  ): Promise<Row | undefined>;
  /**
   * Prefetches unknown rows, and keeps whatever else `read` returns. They are checked at their first use, not here.
   */
  readAhead(
    keys: Iterable<string>,
    read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>,
  ): Promise<void>;
  set(key: string, row: Row | undefined): void;
  forget(key: string): void;
}

function createRowCache<Row>(): RowCache<Row> {
  const known = new Map<string, Row | undefined>();
  const ahead = new Map<string, Row | undefined>();
  return {
    get: async (key, read, accept) => {
      if (known.has(key)) return known.get(key);
      const row = ahead.has(key) ? ahead.get(key) : await read();
      accept?.(row);
      known.set(key, row);
      return row;
    },
    readAhead: async (keys, read) => {
      const missing = [...new Set(keys)].filter((key) => !known.has(key) && !ahead.has(key));
      if (missing.length === 0) return;
      const rows = await read(missing);
      for (const key of missing) ahead.set(key, undefined);
      for (const [key, row] of rows) ahead.set(key, row);
    },
    set: (key, row) => void known.set(key, row),
    forget: (key) => {
      known.delete(key);
      ahead.delete(key);
    },
  };
}

/** The `seq` of the last row of the audit chain, once this transaction has read it or has appended one. */
function createEnd() {
  let end: number | undefined;
  return {
    known: () => end,
    is: (seq: number): void => {
      end = seq;
    },
  };
}

export type Scoped = ReturnType<typeof scoped>;
