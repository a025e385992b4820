import { CompiledQuery, type Dialect, type Driver } from 'kysely';
import { Secret } from '../../../src/core/secret.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { IN_MEMORY, sqliteDialect } from '../../../src/ledger/sqlite.ts';
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
  /** Removes saved rows. */
  forget(name: string): Promise<void>;
  rows(sql: string, parameters?: readonly (string | number | null)[]): Promise<readonly Row[]>;
}

/** Where ledgers of evals are, and what seals them. */
export const placeOfEvals = { file: IN_MEMORY, key: new Secret(Buffer.alloc(32)) };

/** The real ledger on such a database. */
export type RewindableLedger = Omit<RewindableDatabase, 'dialect' | 'driver'> & { readonly ledger: Ledger };

/**
 * Every table of the ledger, whatever migrations made it, each after those that its rows refer to, since these were made before it;
 * which migrations ran never changes.
 */
const listTables = `select name from main.sqlite_master
  where type = 'table' and name not in ('migrations') and name not like 'sqlite_%' order by rowid`;
export function rewindableDatabase(): RewindableDatabase {
  const dialect = sqliteDialect(IN_MEMORY);
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
  /** The tables in which rows are saved, by the name of the mark, and those that are free again. */
  const saved = new Map<string, string>();
  const free: string[] = [];
  const savedIn = (name: string): string => {
    const place = saved.get(name);
    if (place === undefined) throw new Error(`No rows are saved as ${name}.`);
    return place;
  };
  /** They are made once and emptied, never dropped: each change of the schema would have every statement prepared again. */
  const anotherPlace = async (): Promise<string> => {
    const place = `saved${saved.size}`;
    tables = (await rows(listTables)).map((table) => String(table.name));
    await all(tables.map((table) => `create temp table ${place}_${table} as select * from main.${table} where false`));
    return place;
  };
  return {
    dialect: { ...dialect, createDriver: () => driver },
    driver,
    rows,
    mark: async (name) => {
      if (saved.has(name)) throw new Error(`Rows are saved as ${name} already.`);
      const place = free.pop() ?? (await anotherPlace());
      saved.set(name, place);
      await all(tables.map((table) => `insert into temp.${place}_${table} select * from main.${table}`));
    },
    rewind: async (name) => {
      const place = savedIn(name);
      await all([
        'begin immediate',
        // In this order, because a pragma that defers the checks would have every statement prepared again.
        ...tables.toReversed().map((table) => `delete from main.${table}`),
        ...tables.map((table) => `insert into main.${table} select * from temp.${place}_${table}`),
        'commit',
      ]);
    },
    forget: async (name) => {
      const place = savedIn(name);
      await all(tables.map((table) => `delete from temp.${place}_${table}`));
      saved.delete(name);
      free.push(place);
    },
  };
}

export async function openRewindableLedger(): Promise<RewindableLedger> {
  const { dialect, driver: _, ...database } = rewindableDatabase();
  const appends = trackAppends();
  const ledger = await openLedgerOn(dialect, placeOfEvals, appends);
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
