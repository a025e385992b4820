import { CompiledQuery, type DatabaseConnection, type Driver } from 'kysely';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { sqliteDialect } from '../../../src/ledger/sqlite.ts';
import { openLedgerOn } from '../../../src/ledger/store.ts';
import { trackAppends } from '../../../src/ledger/verify-recent.ts';

/** A row of a table, in the ledger's own columns. */
export type Row = Readonly<Record<string, string | number | null>>;

/**
 * The real ledger, in memory, whose rows can be put back to what they were. Opening one costs as much as a whole scenario,
 * and putting rows back nearly nothing: the tables and the prepared statements stay.
 */
export interface RewindableLedger {
  readonly ledger: Ledger;
  /** Notes what stands in every table, under a name. */
  mark(name: string): Promise<void>;
  /** Puts back what was noted. Nothing may be under way. */
  rewind(name: string): Promise<void>;
  rows(sql: string, parameters?: readonly (string | number | null)[]): Promise<readonly Row[]>;
}

/** Tables in an order in which their rows may be deleted. */
const tables = [
  'approvals',
  'reservations',
  'operations',
  'search_keys',
  'observations',
  'budgets',
  'sealed',
  'names',
  'audit',
  'audit_head',
  'proofs',
];
const plainName = /^\w+$/;

export async function openRewindableLedger(): Promise<RewindableLedger> {
  const dialect = sqliteDialect(':memory:');
  const appends = trackAppends();
  let driver: Driver | undefined;
  const ledger = await openLedgerOn(
    {
      ...dialect,
      createDriver: () => {
        driver = dialect.createDriver();
        return driver;
      },
    },
    'of the evals',
    appends,
  );
  const connection = async (): Promise<DatabaseConnection> => {
    if (driver === undefined) throw new Error('An open ledger has its driver.');
    return driver.acquireConnection();
  };
  const rows: RewindableLedger['rows'] = async (sql, parameters = []) =>
    (await (await connection()).executeQuery<Row>(CompiledQuery.raw(sql, [...parameters]))).rows;
  const all = async (statements: readonly string[]): Promise<void> => {
    const open = await connection();
    for (const sql of statements) await open.executeQuery(CompiledQuery.raw(sql));
  };
  return {
    ledger,
    rows,
    mark: (name) => {
      if (!plainName.test(name)) throw new Error('A mark has a plain name.');
      return all(tables.map((table) => `create temp table ${name}_${table} as select * from main.${table}`));
    },
    rewind: async (name) => {
      await all([
        'begin immediate',
        ...tables.map((table) => `delete from main.${table}`),
        ...tables.toReversed().map((table) => `insert into main.${table} select * from temp.${name}_${table}`),
        'commit',
      ]);
      appends.forget();
    },
  };
}
