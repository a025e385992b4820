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

/** Which transaction of which history of the database did not answer its commit: what to ask for when it is back. */
export interface Commit {
  readonly xid: string;
  readonly timeline: string;
}

/** Thrown where the connection ended between a commit and its answer. Never leaves the ledger as it is. */
export class CommitLost extends Error {
  override readonly name = 'CommitLost';
  readonly commit: Commit;
  constructor(commit: Commit) {
    super('The connection ended between a commit and its answer.');
    this.commit = commit;
  }
}

/**
 * Kysely's dialect over a pool of `pg`. Each write stands in a savepoint, so that one which a constraint refuses is undone
 * alone, as on SQLite; errors are told in the ledger's words; a connection that is not surely in step is thrown away.
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
  // Every connection that Kysely hands back was made by `acquireConnection`.
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

/** `free`: each statement is its own transaction. `broken`: nothing may be kept. `over`: what comes now was not awaited. */
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
/** Asked with the first write, when the transaction gets its number anyway. */
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

  /** Begins a savepoint; the first of a transaction also learns its number. */
  const protect = async () => {
    if (commit !== undefined) return void (await ask(`${RELEASE}; ${SAVEPOINT}`));
    // Several statements in one text are answered by a list.
    const [, which] = (await ask(`${SAVEPOINT}; ${WHICH}`)) as unknown as readonly Answered[];
    commit = which?.rows[0] as Commit; // the two columns of WHICH
  };

  const run = async ({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<never>> => {
    if (phase === 'over') throw new Error('A statement came after the end of its transaction: await it.');
    if (phase === 'broken') throw broken();
    const isProtected = phase === 'transaction' && writes.includes(query.kind);
    try {
      if (isProtected) await protect();
      const { rows, rowCount } = await ask(sql, parameters);
      // The rows' type is Kysely's to know.
      return { rows: rows as never[], numAffectedRows: BigInt(rowCount ?? 0) };
    } catch (error) {
      if (isProtected && isConstraintViolation(error)) await ask(UNDO);
      else if (phase === 'transaction') phase = 'broken';
      throw translate(error, place);
    }
  };

  /** The end of a transaction, whatever it is: statements that come now are refused. */
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
      // A session answers one statement at a time; what is asked meanwhile waits here.
      const result = tail.then(() => run(query));
      tail = result.catch(() => undefined);
      return result;
    },
    // biome-ignore lint/correctness/useYield: the ledger reads page by page and never streams
    streamQuery: async function* () {
      throw new Error('The ledger reads page by page; it does not stream.');
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
      // With its connection a transaction is gone, and the error that ended it is on its way.
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
