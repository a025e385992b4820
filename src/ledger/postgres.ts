import { CamelCasePlugin, Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { reveal, type Secret } from '../core/secret.ts';
import { advanceAnchor, containsAnchor, joinedMoves, readHead } from './anchor.ts';
import { type AsArchivist, archiveReads, removeSegment } from './archive.ts';
import { crossTenantReads } from './cross-tenant.ts';
import { CommitUnknown, LedgerUnavailable } from './errors.ts';
import type { Ledger } from './ledger.ts';
import { type Commit, CommitLost, postgresDialect } from './postgres-driver.ts';
import { lostCommit } from './postgres-errors.ts';
import { demandMakeable, isMigrated, prepare } from './postgres-prepare.ts';
import type { ProofSettings } from './proof.ts';
import { createQueue } from './queue.ts';
import { reseal } from './reseal.ts';
import { retryTransient } from './retry.ts';
import type { Tables } from './tables.ts';
import { readsOf, requireTenant, withProof } from './transaction.ts';
import { verify } from './verify.ts';
import { type ChainAccess, type CountedWrites, readWrites, trackAppends, verifySince } from './verify-recent.ts';

/** Most connections of a process, and timeouts. Own choices. */
const limits = {
  max: 10,
  connectionTimeoutMillis: 5_000,
  idleTimeoutMillis: 30_000,
  lock_timeout: 5_000,
  statement_timeout: 10_000,
  // A process that stalls in a transaction blocks its tenant and the audit chain for at most this long.
  idle_in_transaction_session_timeout: 10_000,
  // On our side, in case the server vanishes.
  query_timeout: 15_000,
} as const;

/**
 * Opens the ledger in a schema of a PostgreSQL database, and migrates its tables. Replicas share it: transactions of
 * one tenant wait for each other, those of different tenants only while they append to the audit chain. READ COMMITTED
 * suffices: each statement after the tenant's lock sees everything committed before it, and each update is conditional
 * on the row's version. Throws LedgerUnavailable, which never quotes the URL.
 */
export async function openPostgres({
  url,
  schema,
  key,
}: {
  readonly url: Secret<string>;
  readonly schema: string;
  readonly key: Secret<Buffer>;
}): Promise<Ledger> {
  const place = placeOf(url);
  const db = new Kysely<Tables>({
    dialect: postgresDialect(createPool(url), place),
    plugins: [new CamelCasePlugin()],
  }).withSchema(schema);
  try {
    const role = await retryTransient(() => prepare(db, schema, place));
    return ledgerOn(db, { schema, place, role, proving: { key, locks: true } });
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Whether the ledger's tables are there, for who must not make them. Throws LedgerUnavailable where a start could not make them. */
export async function hasTables({ url, schema }: Pick<Parameters<typeof openPostgres>[0], 'url' | 'schema'>) {
  const place = placeOf(url);
  const db = new Kysely<Tables>({
    dialect: postgresDialect(createPool(url), place),
    plugins: [new CamelCasePlugin()],
  });
  try {
    return await retryTransient(async () => {
      const isMade = await isMigrated(db, schema);
      if (!isMade) await demandMakeable(db, schema, place);
      return isMade;
    });
  } finally {
    await db.destroy();
  }
}

function ledgerOn(
  db: Kysely<Tables>,
  { schema, place, role, proving }: { schema: string; place: string; role: string; proving: ProofSettings },
): Ledger {
  const queue = createQueue(place);
  const clock = createClock();
  const appends = trackAppends();
  const writes = countedWrites(schema, appends.committed);

  /** A tenant's transaction sees its own rows, but the chain contains all tenants' rows. */
  const everyRow: ChainAccess['everyRow'] = async (tx, reads) => {
    const opened = sql`set_config('app.every_tenant', 'read', true)`;
    const { rows } = await sql<{ others: string }>`select ${opened}, ${writes.others} as others`.execute(tx);
    const found = await reads(rows[0]?.others ?? '');
    await sql`select set_config('app.every_tenant', '', true)`.execute(tx);
    return found;
  };

  /** A transaction on the rows of one tenant, excluding others of that tenant. */
  const within = <T>(tenant: string, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> =>
    retryTransient(async () => {
      let done: { readonly value: T } | undefined;
      try {
        return await db.transaction().execute(async (tx) => {
          const lock = sql`pg_advisory_xact_lock(hashtextextended(${`${schema}\n${tenant}`}, 0))`;
          const asTenant = sql`set_config('app.tenant', ${tenant}, true), set_config('role', ${role}, true)`;
          // The clock is read last, when the lock is held.
          const { rows } = await sql<{ now: number }>`select ${asTenant}, ${lock}, ${milliseconds} as now`.execute(tx);
          clock.set(rows[0]?.now ?? Number.NaN);
          const value = await work(tx);
          done = { value };
          return value;
        });
      } catch (error) {
        if (!(error instanceof CommitLost) || done === undefined) throw error;
        await demandKept(db, error.commit, place);
        return done.value;
      }
    });

  /** Read-only transaction in one snapshot, on the rows that `scope` opens. */
  const snapshot = <T>(scope: RawBuilder<unknown>, reads: (tx: Transaction<Tables>) => Promise<T>): Promise<T> =>
    retryTransient(() =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (tx) => {
          await sql`select ${scope}, set_config('role', ${role}, true)`.execute(tx);
          return reads(tx);
        }),
    );

  /** Reads of all tenants' rows. */
  const everywhere = <T>(reads: (tx: Transaction<Tables>) => Promise<T>): Promise<T> =>
    queue.run(() => snapshot(sql`set_config('app.every_tenant', 'read', true)`, reads));

  /**
   * Replicas advance one after the other. Each statement sees everything committed before it, so the head is read after
   * the lock.
   */
  const advanceAlone = joinedMoves((store, begins) =>
    queue.run(() => {
      begins();
      return retryTransient(() =>
        db.transaction().execute(async (tx) => {
          const lock = sql`pg_advisory_xact_lock(hashtextextended(${`${schema} anchor`}, 0))`;
          const asReader = sql`set_config('app.every_tenant', 'read', true), set_config('role', ${role}, true)`;
          await sql`select ${asReader}, ${lock}`.execute(tx);
          return advanceAnchor(tx, store);
        }),
      );
    }, ANCHOR_LANE),
  );

  /** Purser's role can't delete audit rows; the owner of the tables can. */
  const asArchivist: AsArchivist = async (tx, work) => {
    await sql`select set_config('role', 'none', true), set_config('app.every_tenant', 'archive', true)`.execute(tx);
    const done = await work();
    await sql`select set_config('role', ${role}, true), set_config('app.every_tenant', '', true)`.execute(tx);
    return done;
  };

  return {
    transaction: async (tenant, work) => {
      requireTenant(tenant);
      return queue.run(
        () =>
          appends.noting((begin) =>
            within(tenant, (tx) =>
              withProof(tx, tenant, { writing: { writes, everyRow, appends: begin() }, proving }, work),
            ),
          ),
        tenant,
      );
    },
    read: async (tenant, work) => {
      requireTenant(tenant);
      return queue.run(
        () => snapshot(sql`set_config('app.tenant', ${tenant}, true)`, (tx) => work(readsOf(tx, tenant, proving))),
        `${READ_LANE}${tenant}`,
      );
    },
    ...crossTenantReads(
      { everywhere, within: (tenant, work) => queue.run(() => within(tenant, work), tenant) },
      { clock: milliseconds, proving },
    ),
    clock,
    verify: (anchor) => verify(everywhere, { anchor, proving }),
    writeCounters: () => everywhere((tx) => readWrites(tx, writes)),
    verifySince: (verified, anchor) => verifySince(everywhere, verified, { anchor, writes }),
    head: () => everywhere(readHead),
    containsAnchor: (anchor) => everywhere((tx) => containsAnchor(tx, anchor)),
    archive: {
      ...archiveReads(everywhere),
      remove: (tenant, segment) =>
        queue.run(
          () =>
            appends.noting((begin) =>
              within(tenant, (tx) =>
                withProof(
                  tx,
                  tenant,
                  { writing: { writes, everyRow, appends: begin() }, proving },
                  ({ audit }, proof) => removeSegment(tx, { audit, proof, asArchivist }, segment),
                ),
              ),
            ),
          tenant,
        ),
    },
    reseal: () =>
      queue.run(() =>
        db.transaction().execute(async (tx) => {
          await sql`select set_config('app.every_tenant', 'read', true), set_config('role', ${role}, true)`.execute(tx);
          return reseal(tx, proving);
        }),
      ),
    advanceAnchor: advanceAlone,
    close: () => queue.close(() => db.destroy()),
  };
}

/**
 * The audit is append-only, so PostgreSQL's counters of updated and deleted rows reveal changes, together with the
 * number of counter resets. A connected session reports its changes within seconds.
 */
const countedWrites = (schema: string, committed: CountedWrites['committed']): CountedWrites => ({
  others: sql<string>`(
    select concat_ws('/', n_tup_upd, n_tup_del, pg_stat_get_db_stat_reset_time(oid))
    from pg_stat_all_tables, pg_database
    where schemaname = ${schema} and relname = 'audit' and datname = current_database())`,
  isAhead: true,
  othersAppend: false,
  committed,
});

/** A lane that can't be a tenant's name. */
const ANCHOR_LANE = '\n';
/** Reads of a tenant wait for each other, but not for writes. */
const READ_LANE = '\nread ';

const milliseconds = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * The database's clock as last read, continued by a monotonic clock of this process, so a wrong wall clock has no
 * effect.
 */
function createClock(): { now(): number; set(now: number): void } {
  let read = { database: 0, stopwatch: 0 };
  return {
    now: () => Math.round(read.database + performance.now() - read.stopwatch),
    set: (now) => {
      read = { database: now, stopwatch: performance.now() };
    },
  };
}

/**
 * Determines, once the database is back, whether an unconfirmed commit took effect. Returns if it did. Throws a
 * retryable error if it didn't, and CommitUnknown if that can't be determined.
 */
async function demandKept(db: Kysely<Tables>, { xid, timeline }: Commit, place: string): Promise<void> {
  const state = await retryTransient(async () => {
    const { rows } = await sql<{ state: string | null; timeline: string }>`
      select pg_xact_status(${xid}::xid8) as state, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline`.execute(
      db,
    );
    // After a failover, transaction ids may be reused.
    if (rows[0]?.timeline !== timeline) return 'unknown';
    if (rows[0].state === 'in progress') throw lostCommit(place);
    return rows[0].state ?? 'unknown';
  }).catch(() => 'unknown');
  if (state === 'committed') return;
  if (state === 'aborted') throw lostCommit(place);
  throw new CommitUnknown(
    `The ledger ${place} was lost during a commit, whose outcome is unknown: read again before you continue.`,
  );
}

function createPool(url: Secret<string>): pg.Pool {
  const pool = new pg.Pool({
    ...limits,
    application_name: 'purser',
    keepAlive: true,
    connectionString: reveal(url),
    types: { getTypeParser: (type, format) => (type === bigint ? toNumber : pg.types.getTypeParser(type, format)) },
  });
  // Printing a pool must not print the password.
  Object.defineProperty(pool.options, 'connectionString', { enumerable: false });
  // Without a listener, the error of an idle connection would end the process. The connection's next user gets the
  // error.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

const bigint = pg.types.builtins.INT8;

function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw Object.assign(new RangeError('The ledger contains an integer beyond the range that Purser writes.'), {
    code: 'ERR_OUT_OF_RANGE',
  });
}

/** The database in error messages: host, port and name, without user and password. */
function placeOf(url: Secret<string>): string {
  const text = reveal(url);
  if (!URL.canParse(text) || !/^postgres(ql)?:$/.test(new URL(text).protocol))
    throw new LedgerUnavailable(
      'DATABASE_URL is not the URL of a PostgreSQL database: postgresql://user:password@host:5432/name',
    );
  const { hostname, port, pathname, searchParams } = new URL(text);
  return `${hostname || (searchParams.get('host') ?? 'localhost')}:${port || 5432}${pathname}`;
}
