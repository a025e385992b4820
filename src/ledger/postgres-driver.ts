import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { QueryResult as Answered, Pool, PoolClient } from 'pg';
import { LedgerUnavailable } from './errors.ts';
import { isConnectionLost, isConstraintViolation, translate } from './postgres-errors.ts';

/**
 * A transaction whose commit got no response, identified by its id and timeline, so that its state can be looked up
 * later.
 */
export interface Commit {
  readonly xid: string;
  readonly timeline: string;
}

/** The connection ended between a commit and its response. Never leaves the ledger's code. */
export class CommitLost extends Error {
  override readonly name = 'CommitLost';
  readonly commit: Commit;
  constructor(commit: Commit) {
    super('The connection ended between a commit and its answer.');
    this.commit = commit;
  }
}

/**
 * Kysely's dialect over a pool of `pg`. Each write has a savepoint, so a constraint violation undoes only that write,
 * as on SQLite. Errors are translated to the ledger's; a connection in an uncertain state is discarded.
 */
export function postgresDialect(pool: Pool, place: string): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(pool, place),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

function createDriver(pool: Pool, place: string): Driver {
  // A cast: `acquireConnection` created every connection that Kysely returns.
  const line = (connection: DatabaseConnection) => connection as Line;
  return {
    init: async () => {},
    acquireConnection: async () => {
      try {
        return connect(await pool.connect(), place);
      } catch (error) {
        throw translate(error, place);
      }
    },
    beginTransaction: (connection, settings) => line(connection).begin(settings),
    commitTransaction: (connection) => line(connection).commit(),
    rollbackTransaction: (connection) => line(connection).rollback(),
    releaseConnection: async (connection) => line(connection).release(),
    destroy: () => pool.end(),
  };
}

/**
 * `free`: each statement is its own transaction. `broken`: nothing may be committed. `over`: a statement now was not
 * awaited.
 */
type Phase = 'free' | 'transaction' | 'broken' | 'over';

interface Line extends DatabaseConnection {
  begin(settings: TransactionSettings): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  release(): void;
}

const SAVEPOINT = 'savepoint ledger_write';
const UNDO = 'rollback to savepoint ledger_write';
const RELEASE = 'release savepoint ledger_write';
/** Queried with the first write, when the transaction gets its id anyway. */
const WHICH = `select pg_current_xact_id()::text as xid, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline`;

function connect(client: PoolClient, place: string): Line {
  let phase: Phase = 'free';
  let gone = false;
  let commit: Commit | undefined;
  let tail: Promise<unknown> = Promise.resolve();

  const ask = async (sql: string, parameters?: readonly unknown[]): Promise<Answered> => {
    try {
      return await (parameters === undefined ? client.query(sql) : client.query(sql, [...parameters]));
    } catch (error) {
      gone ||= isConnectionLost(error);
      throw error;
    }
  };

  /** Sets a savepoint; the first of a transaction also reads the transaction's id. */
  const protect = async () => {
    if (commit !== undefined) return void (await ask(`${RELEASE}; ${SAVEPOINT}`));
    // Several statements in one text return a list.
    const [, which] = (await ask(`${SAVEPOINT}; ${WHICH}`)) as unknown as readonly Answered[];
    commit = which?.rows[0] as Commit; // the two columns of WHICH
  };

  const run = async ({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<never>> => {
    if (phase === 'over') throw new Error('A statement was executed after the end of its transaction: await it.');
    if (phase === 'broken') throw broken();
    const isProtected = phase === 'transaction' && writes.includes(query.kind);
    try {
      if (isProtected) await protect();
      const { rows, rowCount } = await ask(sql, parameters);
      // Kysely determines the rows' type.
      return { rows: rows as never[], numAffectedRows: BigInt(rowCount ?? 0) };
    } catch (error) {
      if (isProtected && isConstraintViolation(error)) await ask(UNDO);
      else if (phase === 'transaction') phase = 'broken';
      throw translate(error, place);
    }
  };

  /** Ends the transaction with the given statement. Later statements are refused. */
  const end = async (sql: string): Promise<void> => {
    phase = 'over';
    try {
      await ask(sql);
    } catch (error) {
      throw gone && commit !== undefined && sql === 'commit' ? new CommitLost(commit) : translate(error, place);
    }
  };

  return {
    executeQuery: <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      // A session runs one statement at a time, so others wait here.
      const result = tail.then(() => run(query));
      tail = result.catch(() => undefined);
      return result;
    },
    // biome-ignore lint/correctness/useYield: the ledger reads page by page and never streams
    streamQuery: async function* () {
      throw new Error('The ledger reads page by page and does not stream.');
    },
    begin: async ({ isolationLevel = 'read committed', accessMode = 'read write' }) => {
      try {
        await ask(`begin isolation level ${isolationLevel} ${accessMode}`);
      } catch (error) {
        throw translate(error, place);
      }
      phase = 'transaction';
    },
    commit: async () => {
      await tail;
      if (phase === 'broken') throw broken();
      await end('commit');
    },
    rollback: async () => {
      await tail;
      phase = 'over';
      // A lost connection ends its transaction, and the error is already reported.
      if (!gone) await end('rollback');
    },
    release: () => {
      phase = 'over';
      client.release(gone);
    },
  };
}

const writes: readonly string[] = ['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'];

const broken = () =>
  new LedgerUnavailable('An earlier error broke this transaction, and nothing of it is kept: begin again.');
