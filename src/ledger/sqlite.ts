import { resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { makePrivate } from '../files/database.ts';
import { LedgerUnavailable } from './errors.ts';
import { isBusy, translate } from './sqlite-errors.ts';

const IN_MEMORY = ':memory:';

/** How long another process may hold the file before a transaction gives up. */
const BUSY_TIMEOUT_MS = 5000;
/** Short, so that a waiting process finds the gap between two transactions of a busy one. */
const LONGEST_PAUSE_MS = 8;
/** More statements than the store can ask for; beyond, the cache starts anew. */
const STATEMENTS_AT_MOST = 256;

/** What a connection must answer before it is used: durability, order between processes, no remains of deleted rows. */
const pragmas = [
  ['busy_timeout', 0, 0],
  ['journal_mode', 'WAL', 'wal'],
  ['synchronous', 'FULL', 2],
  ['foreign_keys', 'ON', 1],
  ['secure_delete', 'ON', 1],
] as const;

/** Kysely's dialect over `node:sqlite`: one connection, its transactions immediate, its errors told in the ledger's words. */
export function sqliteDialect(file: string): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(file === IN_MEMORY ? file : resolve(file)),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** The open file: runs statements, and throws in the ledger's words. */
interface Engine {
  run(sql: string, parameters?: readonly unknown[]): QueryResult<never>;
  /** Runs `sql` as soon as other processes let it; other work of this process goes on meanwhile. */
  runWhenFree(sql: string): Promise<QueryResult<never>>;
  inTransaction(): boolean;
  close(): void;
}

/**
 * `free`: each statement is its own transaction. `due`: the first statement begins the transaction. `broken`: the file failed one, and nothing of the transaction may be
 * kept even if its work goes on. `over`: a statement that comes now was not awaited.
 */
type Phase = 'free' | 'due' | 'transaction' | 'broken' | 'over';

interface Lease {
  phase: Phase;
  /** Begins the transaction, once. */
  begin?: () => Promise<void>;
  begun?: Promise<void>;
}

function createDriver(file: string): Driver {
  let engine: Engine | undefined;
  let lease: Lease = { phase: 'over' };
  const opened = (): Engine => {
    if (!engine) throw new LedgerUnavailable(`The ledger ${file} is closed: open it again.`);
    return engine;
  };
  return {
    init: async () => {
      engine = await openEngine(file);
    },
    acquireConnection: async () => {
      const mine: Lease = { phase: 'free' };
      lease = mine;
      return connect(opened(), mine);
    },
    beginTransaction: async (_connection, { accessMode }) => {
      lease.phase = 'due';
      prepareBegin(opened(), lease, accessMode === 'read only' ? 'BEGIN' : 'BEGIN IMMEDIATE');
    },
    commitTransaction: async () => {
      await lease.begun?.catch(() => undefined); // whoever asked for the statement gets its error
      if (lease.phase === 'broken') throw broken();
      const wasBegun = lease.phase === 'transaction';
      lease.phase = 'over';
      if (wasBegun) opened().run('COMMIT');
    },
    rollbackTransaction: async () => {
      await lease.begun?.catch(() => undefined);
      lease.phase = 'over';
      // On some errors, such as a full disk, SQLite has rolled back by itself.
      if (opened().inTransaction()) opened().run('ROLLBACK');
    },
    releaseConnection: async () => {
      lease.phase = 'over';
    },
    destroy: async () => {
      engine?.close();
      engine = undefined;
    },
  };
}

const broken = () =>
  new LedgerUnavailable('An earlier error broke this transaction, and nothing of it is kept: begin again.');

/** The first statement begins the transaction: one without statements never locks the file. */
function prepareBegin(engine: Engine, lease: Lease, sql: string): void {
  const begin = async () => {
    try {
      await engine.runWhenFree(sql);
      lease.phase = 'transaction';
    } catch (error) {
      lease.phase = 'broken';
      throw error;
    }
  };
  lease.begin = () => {
    lease.begun ??= begin();
    return lease.begun;
  };
}

function connect(engine: Engine, lease: Lease): DatabaseConnection {
  return {
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
      if (lease.phase === 'over') throw new Error('A statement came after the end of its transaction: await it.');
      if (lease.phase === 'broken') throw broken();
      if (lease.phase === 'due') await lease.begin?.();
      try {
        return engine.run(sql, parameters);
      } catch (error) {
        if (lease.phase === 'transaction' && error instanceof LedgerUnavailable) lease.phase = 'broken';
        throw error;
      }
    },
    // biome-ignore lint/correctness/useYield: the ledger reads page by page and never streams
    streamQuery: async function* () {
      throw new Error('The ledger reads page by page; it does not stream.');
    },
  };
}

async function openEngine(file: string): Promise<Engine> {
  if (file !== IN_MEMORY) speak(file, () => makePrivate('ledger', file));
  const database = speak(file, () => new DatabaseSync(file));
  const engine = createEngine(database, file);
  try {
    for (const [name, wanted, answer] of pragmas) {
      await engine.runWhenFree(`PRAGMA ${name} = ${wanted}`);
      const [row] = engine.run(`PRAGMA ${name}`).rows;
      const found: unknown = Object.values(row ?? {})[0];
      if (found !== answer && !(file === IN_MEMORY && name === 'journal_mode'))
        throw new LedgerUnavailable(`The ledger ${file} can't be kept safely (${name} is ${found}): use a local disk.`);
    }
    return engine;
  } catch (error) {
    engine.close();
    throw error;
  }
}

function createEngine(database: DatabaseSync, file: string): Engine {
  const prepared = new Map<string, { readonly statement: StatementSync; readonly answersRows: boolean }>();

  const prepare = (sql: string) => {
    const known = prepared.get(sql);
    if (known) return known;
    if (prepared.size >= STATEMENTS_AT_MOST) prepared.clear();
    const statement = database.prepare(sql);
    const fresh = { statement, answersRows: statement.columns().length > 0 };
    prepared.set(sql, fresh);
    return fresh;
  };

  const execute = (sql: string, parameters: readonly unknown[]): QueryResult<never> => {
    const { statement, answersRows } = prepare(sql);
    // Kysely's parameters are what the store passes: texts, numbers and nulls. The rows' type is Kysely's to know.
    const values = parameters as SQLInputValue[];
    if (answersRows) return { rows: statement.all(...values) as never[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
  };

  /** Rarely, a read finds the file locked while another process recovers or closes it: then SQLite waits. */
  const executeOrWait = (sql: string, parameters: readonly unknown[]): QueryResult<never> => {
    try {
      return execute(sql, parameters);
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    try {
      return execute(sql, parameters);
    } finally {
      database.exec('PRAGMA busy_timeout = 0');
    }
  };

  const runWhenFree = async (sql: string) => {
    // SQLite's own waiting would stop the whole process, also the transaction of ours that it may be waiting for.
    for (let waitedMs = 0, pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        return execute(sql, []);
      } catch (error) {
        if (!isBusy(error) || waitedMs >= BUSY_TIMEOUT_MS) throw translate(error, file);
      }
      await pause(pauseMs);
      waitedMs += pauseMs;
    }
  };

  return {
    run: (sql, parameters = []) => speak(file, () => executeOrWait(sql, parameters)),
    runWhenFree,
    inTransaction: () => database.isTransaction,
    close: () => database.close(),
  };
}

function speak<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw translate(error, file);
  }
}
