import { CompiledQuery, type Dialect, type Driver } from 'kysely';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { sqliteDialect } from '../../../src/ledger/sqlite.ts';
import { openLedgerOn } from '../../../src/ledger/store.ts';
import { trackAppends } from '../../../src/ledger/verify-recent.ts';

/** A row of a table, in the ledger's own columns. */
export type Row = Readonly<Record<string, string | number | null>>;

/**
 * A database in memory with snapshots of its rows. Opening one costs as much as a whole scenario; restoring rows keeps tables and
 * prepared statements and costs almost nothing.
 */
export interface RewindableDatabase {
  /** Opens this database, which has one connection. */
  readonly dialect: Dialect;
  readonly driver: Driver;
  /** Saves the rows of every table under a name. */
  mark(name: string): Promise<void>;
  /** Restores saved rows. No call may be in progress. */
  rewind(name: string): Promise<void>;
  /** Drops saved rows. */
  forget(name: string): Promise<void>;
  rows(sql: string, parameters?: readonly (string | number | null)[]): Promise<readonly Row[]>;
}

/** The real ledger on such a database. */
export type RewindableLedger = Omit<RewindableDatabase, 'dialect' | 'driver'> & { readonly ledger: Ledger };

/**
 * Every table of the ledger, whatever migrations made it, each after those that its rows refer to, since these were made before it;
 * which migrations ran never changes.
 */
const listTables = `select name from main.sqlite_master
  where type = 'table' and name not in ('migrations') and name not like 'sqlite_%' order by rowid`;
const plainName = /^\w+$/;

export function rewindableDatabase(): RewindableDatabase {
  const dialect = sqliteDialect(':memory:');
  const driver = dialect.createDriver();
  const rows: RewindableDatabase['rows'] = async (sql, parameters = []) => {
    const open = await driver.acquireConnection();
    return (await open.executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]))).rows;
  };
  const all = async (statements: readonly string[]): Promise<void> => {
    const open = await driver.acquireConnection();
    for (const sql of statements) await open.executeQuery(CompiledQuery.raw(sql));
  };
  let tables: readonly string[] = [];
  return {
    dialect: { ...dialect, createDriver: () => driver },
    driver,
    rows,
    mark: async (name) => {
      if (!plainName.test(name)) throw new Error('A mark has a plain name.');
      tables = (await rows(listTables)).map((table) => String(table.name));
      await all(tables.map((table) => `create temp table ${name}_${table} as select * from main.${table}`));
    },
    rewind: async (name) => {
      await all([
        'begin immediate',
        // In this order, because a pragma that defers the checks would have every statement prepared again.
        ...tables.toReversed().map((table) => `delete from main.${table}`),
        ...tables.map((table) => `insert into main.${table} select * from temp.${name}_${table}`),
        'commit',
      ]);
    },
    forget: (name) => all(tables.map((table) => `drop table temp.${name}_${table}`)),
  };
}

export async function openRewindableLedger(): Promise<RewindableLedger> {
  const { dialect, driver: _, ...database } = rewindableDatabase();
  const appends = trackAppends();
  const ledger = await openLedgerOn(dialect, ':memory:', appends);
  return {
    ...database,
    ledger,
    rewind: async (name) => {
      await database.rewind(name);
      appends.forget();
    },
  };
}

/** Waits until the end of every call of the reader is recorded, which happens after its answer. */
export async function recorded({ rows }: RewindableLedger): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const open = await rows("select id from operations where state = 'SENDING'");
    if (open.length === 0) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** How often is looked whether an end is recorded. Own choice: one takes a few turns of the event loop. */
const mostLooks = 200;
