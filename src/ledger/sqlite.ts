import { resolve } from 'node:path';
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { DatabaseSync } from '../core/sqlite.ts';
import { makeMissing, makePrivate, type OpenBytes, rememberFiles } from '../files/database.ts';
import { camelCase, snakeCase } from './column-names.ts';
import { LedgerUnavailable } from './errors.ts';
import { isBusy, translate } from './sqlite-errors.ts';

/** The place of a database without a file. */
export const IN_MEMORY = ':memory:';

/** How long a transaction waits for another process's lock. */
const BUSY_TIMEOUT_MS = 5000;
/** Short, so a waiting process finds the gap between two transactions of a busy one. */
const LONGEST_PAUSE_MS = 8;
/** More statements than the store uses. If exceeded, the cache is cleared. */
const STATEMENTS_AT_MOST = 1_024;

/** Settings that a connection must have: durability, ordering between processes, overwritten deletions. */
const pragmas = [
  ['busy_timeout', 0, 0],
  ['journal_mode', 'WAL', 'wal'],
  ['synchronous', 'FULL', 2],
  ['foreign_keys', 'ON', 1],
  ['secure_delete', 'ON', 1],
] as const;

/**
 * Kysely's dialect over `node:sqlite`: one connection with immediate transactions; errors are translated to the
 * ledger's. Columns have the names of code, but for statements in SQL, whose rows are as the database has them.
 */
export function sqliteDialect(file: string): Dialect {
  return {
    createAdapter: () => adapter,
    createDriver: () => createDriver(file === IN_MEMORY ? file : resolve(file)),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SnakeCaseCompiler(),
  };
}

/** Shared, because a statement has the same text for every file. */
const adapter = new SqliteAdapter();

/**
 * Names of code become names of the database as the query is written. Kysely's plugin would copy each query before. A limit that is
 * a parameter is cast: by a bare one SQLite plans, and then prepares the statement again each time it is given its values.
 */
class SnakeCaseCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    this.append('limit cast(');
    this.visitNode(node.limit);
    this.append(' as integer)');
  }

  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(snakeCase(identifier));
  }
}

/** The open file: runs statements and translates errors. */
interface Engine {
  run(sql: string, parameters?: readonly unknown[], isRaw?: boolean): QueryResult<never>;
  /** Runs `sql` when other processes' locks allow it; this process's other work continues meanwhile. */
  runWhenFree(sql: string): Promise<QueryResult<never>>;
  inTransaction(): boolean;
  close(): void;
}

/** An engine that knows which files it opened. */
interface OpenEngine extends Engine {
  /** Throws LedgerUnavailable if they were moved, removed, replaced or written over since: what is written would be lost. */
  demandFiles(): void;
}

/**
 * `free`: each statement is its own transaction. `due`: the first statement begins the transaction. `broken`: a
 * statement failed on the file, so nothing may be committed even if the work continues. `over`: a statement now was not
 * awaited.
 */
type Phase = 'free' | 'due' | 'transaction' | 'broken' | 'over';

interface Lease {
  phase: Phase;
  /** Begins the transaction, once. */
  begin?: () => Promise<void>;
  begun?: Promise<void>;
}

function createDriver(file: string): Driver {
  let engine: OpenEngine | undefined;
  let lease: Lease = { phase: 'over' };
  const opened = (): OpenEngine => {
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
      if (accessMode === 'read write') await lease.begin?.();
    },
    commitTransaction: async () => {
      await lease.begun?.catch(() => undefined); // the statement's caller gets its error
      if (lease.phase === 'broken') throw broken();
      const wasBegun = lease.phase === 'transaction';
      lease.phase = 'over';
      if (wasBegun) opened().run('COMMIT');
    },
    rollbackTransaction: async () => {
      await lease.begun?.catch(() => undefined);
      lease.phase = 'over';
      // On some errors, such as a full disk, SQLite rolls back by itself.
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

/** The first statement begins the transaction, so an empty one never locks the file. One that says `read write` begins at once. */
function prepareBegin(engine: OpenEngine, lease: Lease, sql: string): void {
  const begin = async () => {
    try {
      engine.demandFiles();
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
    executeQuery: async <Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> => {
      if (lease.phase === 'over')
        throw new Error('A statement was executed after the end of its transaction: await it.');
      if (lease.phase === 'broken') throw broken();
      if (lease.phase === 'due') await lease.begin?.();
      try {
        return engine.run(sql, parameters, query.kind === 'RawNode');
      } catch (error) {
        if (lease.phase === 'transaction' && error instanceof LedgerUnavailable) lease.phase = 'broken';
        throw error;
      }
    },
    // biome-ignore lint/correctness/useYield: the ledger reads page by page and never streams
    streamQuery: async function* () {
      throw new Error('The ledger reads page by page and does not stream.');
    },
  };
}

async function openEngine(file: string): Promise<OpenEngine> {
  // Of a file that is there, nothing is changed before it is known to be a ledger.
  if (file !== IN_MEMORY) speak(file, () => makeMissing('ledger', file));
  const database = speak(file, () => new DatabaseSync(file));
  const engine = createEngine(database, file);
  try {
    await demandOwn(engine, file);
    if (file !== IN_MEMORY) speak(file, () => makePrivate('ledger', file));
    for (const [name, wanted, answer] of pragmas) {
      await engine.runWhenFree(`PRAGMA ${name} = ${wanted}`);
      const found = answerOf(engine, `PRAGMA ${name}`);
      if (found !== answer && !(file === IN_MEMORY && name === 'journal_mode'))
        throw new LedgerUnavailable(
          `The ledger ${file} can't be stored safely (${name} is ${found}): use a local disk.`,
        );
    }
    engine.run('PRAGMA schema_version'); // a first read, with which the log begins to exist
    return { ...engine, demandFiles: file === IN_MEMORY ? () => undefined : filesOf(engine, file) };
  } catch (error) {
    engine.close();
    throw error;
  }
}

/** Throws LedgerUnavailable if the file is another program's database. A ledger has all its tables or none: they are made in one transaction. */
async function demandOwn(engine: Engine, file: string): Promise<void> {
  const { rows } = await engine.runWhenFree(
    "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
  );
  const names = rows.map(({ name }) => String(name));
  if (names.length > 0 && !ownTables.every((own) => names.includes(own)))
    throw new LedgerUnavailable(
      `The ledger can't be in ${file}, which is another program's database (${names.slice(0, 3).join(', ')}): choose another location.`,
    );
}

/** Every ledger has these. Other programs, too, name a table `migrations`. */
const ownTables = ['migrations', 'audit'];

/** See `OpenEngine.demandFiles`. A copy that is written over a file, as `cp` does, leaves its name, and nearly always makes it shorter. */
function filesOf(engine: Engine, file: string): OpenEngine['demandFiles'] {
  const look = speak(file, () => rememberFiles(file));
  let last = speak(file, look);
  let writtenOver: number | undefined;
  return () => {
    const now = speak(file, look);
    if (now === undefined || now.database === writtenOver) throw new LedgerUnavailable(takenAway(file));
    // A vacuum makes the database shorter, and a checkpoint may empty the log. Where it was neither, what SQLite remembers would hide that.
    if (isShorter('database', now, last) || isShorter('log', now, last)) engine.run('PRAGMA shrink_memory');
    if (isShorter('database', now, last) && !isIntact(engine)) {
      writtenOver = now.database;
      throw new LedgerUnavailable(takenAway(file));
    }
    last = now;
  };
}

const isShorter = (of: keyof OpenBytes, now: OpenBytes, last: OpenBytes | undefined): boolean =>
  last !== undefined && now[of] < last[of];

/** Whether all pages fit together, those of the database and those of its log. */
const isIntact = (engine: Engine): boolean => answerOf(engine, 'PRAGMA integrity_check(1)') === 'ok';

/** The only value that a statement answers. */
const answerOf = (engine: Engine, sql: string): unknown => Object.values(engine.run(sql).rows[0] ?? {})[0];

const takenAway = (file: string): string =>
  `The ledger ${file}, or its -wal or -shm file, was moved, removed, replaced or written over while it was open: put it back, or stop every Purser that uses it and restore the last backup. Nothing of this step was kept.`;

interface Prepared {
  readonly statement: StatementSync;
  /** The names of its columns, if it answers rows: in the database, and in code. */
  readonly columns: readonly (readonly [stored: string, name: string])[];
}

function createEngine(database: DatabaseSync, file: string): Engine {
  const prepared = new Map<string, Prepared>();

  const prepare = (sql: string): Prepared => {
    const known = prepared.get(sql);
    if (known) return known;
    if (prepared.size >= STATEMENTS_AT_MOST) prepared.clear();
    const statement = database.prepare(sql);
    const columns = statement.columns().map(({ name }) => [name, camelCase(name)] as const);
    const fresh = { statement, columns };
    prepared.set(sql, fresh);
    return fresh;
  };

  const execute = (sql: string, parameters: readonly unknown[], isRaw: boolean): QueryResult<never> => {
    const { statement, columns } = prepare(sql);
    // A cast: the store passes only texts, numbers and nulls. Kysely determines the rows' type.
    const values = parameters as SQLInputValue[];
    if (columns.length === 0) return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
    const rows = statement.all(...values);
    return { rows: (isRaw ? rows : rows.map((row) => named(columns, row))) as never[] };
  };

  /** In rare cases another process recovers or closes the file during a read, which then waits. */
  const executeOrWait = (sql: string, parameters: readonly unknown[], isRaw: boolean): QueryResult<never> => {
    try {
      return execute(sql, parameters, isRaw);
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    try {
      return execute(sql, parameters, isRaw);
    } finally {
      database.exec('PRAGMA busy_timeout = 0');
    }
  };

  const runWhenFree = async (sql: string) => {
    // SQLite's own waiting would block the whole process, including the transaction it may be waiting for.
    for (let waitedMs = 0, pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        return execute(sql, [], true);
      } catch (error) {
        if (!isBusy(error) || waitedMs >= BUSY_TIMEOUT_MS) throw translate(error, file);
      }
      await pause(pauseMs);
      waitedMs += pauseMs;
    }
  };

  return {
    run: (sql, parameters = [], isRaw = true) => speak(file, () => executeOrWait(sql, parameters, isRaw)),
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

function named(columns: Prepared['columns'], stored: { readonly [column: string]: unknown }): object {
  const row: { [name: string]: unknown } = {};
  for (const [column, name] of columns) row[name] = stored[column];
  return row;
}
