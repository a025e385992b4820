import { CamelCasePlugin, Kysely, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { reveal, type Secret } from '../core/secret.ts';
import { advanceAnchor, containsAnchor, readHead } from './anchor.ts';
import { type AsArchivist, archiveReads, removeSegment } from './archive.ts';
import { crossTenantReads } from './cross-tenant.ts';
import { CommitUnknown, LedgerUnavailable } from './errors.ts';
import type { Ledger } from './ledger.ts';
import { type Commit, CommitLost, postgresDialect } from './postgres-driver.ts';
import { lostCommit } from './postgres-errors.ts';
import { prepare } from './postgres-prepare.ts';
import type { ProofSettings } from './proof.ts';
import { createQueue } from './queue.ts';
import { reseal } from './reseal.ts';
import { retryTransient } from './retry.ts';
import { noKey } from './seal.ts';
import type { Tables } from './tables.ts';
import { requireTenant, withProof } from './transaction.ts';
import type { AnchorStore, WriteCounters } from './verification.ts';
import { verify } from './verify.ts';
import { type ChainAccess, trackAppends, verifySince } from './verify-recent.ts';

/** Connections of one process at most, and how long anything may take. Own choices. */
const limits = {
  max: 10,
  connectionTimeoutMillis: 5_000,
  idleTimeoutMillis: 30_000,
  lock_timeout: 5_000,
  statement_timeout: 10_000,
  // A process that stands still within a transaction holds its tenant, and with it the audit chain, no longer than this.
  idle_in_transaction_session_timeout: 10_000,
  // On our side, for a server that vanished without a word.
  query_timeout: 15_000,
} as const;

/**
 * Opens the ledger in a schema of a PostgreSQL database, and brings its tables up to date. Replicas share it: transactions
 * of one tenant wait for each other, those of different tenants only while they append to the audit chain. READ COMMITTED
 * is enough: each statement after the tenant's lock sees whatever was committed before it, and what changes a row does so
 * under a condition on its version. Throws LedgerUnavailable, which never quotes the address.
 */
export async function openPostgres({
  url,
  schema,
  key = noKey,
}: {
  readonly url: Secret<string>;
  readonly schema: string;
  readonly key?: Secret<Buffer>;
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

function ledgerOn(
  db: Kysely<Tables>,
  { schema, place, role, proving }: { schema: string; place: string; role: string; proving: ProofSettings },
): Ledger {
  const queue = createQueue(place);
  const clock = createClock();
  const appends = trackAppends();
  const writes = countedWrites(schema, appends.committed);

  /** One transaction in the rows of one tenant, while no other one of that tenant runs. */
  const within = <T>(tenant: string, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> =>
    retryTransient(async () => {
      let done: { readonly value: T } | undefined;
      try {
        return await db.transaction().execute(async (tx) => {
          const lock = sql`pg_advisory_xact_lock(hashtextextended(${`${schema}\n${tenant}`}, 0))`;
          const asTenant = sql`set_config('app.tenant', ${tenant}, true), set_config('role', ${role}, true)`;
          // The clock is read last: by then the lock is there.
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

  /** Reads of every tenant's rows, in one snapshot. They can't write. */
  const everywhere = <T>(reads: (tx: Transaction<Tables>) => Promise<T>): Promise<T> =>
    queue.run(() =>
      retryTransient(() =>
        db
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute(async (tx) => {
            await sql`select set_config('app.every_tenant', 'read', true), set_config('role', ${role}, true)`.execute(
              tx,
            );
            return reads(tx);
          }),
      ),
    );

  /** Replicas advance one after the other. Each statement sees what was committed before it, so the head is read after the lock. */
  const advanceAlone = (store: AnchorStore): Promise<boolean> =>
    queue.run(
      () =>
        retryTransient(() =>
          db.transaction().execute(async (tx) => {
            const lock = sql`pg_advisory_xact_lock(hashtextextended(${`${schema} anchor`}, 0))`;
            const asReader = sql`set_config('app.every_tenant', 'read', true), set_config('role', ${role}, true)`;
            await sql`select ${asReader}, ${lock}`.execute(tx);
            return advanceAnchor(tx, store);
          }),
        ),
      ANCHOR_LANE,
    );

  /** The role that Purser acts as deletes nothing from the audit: whoever owns the tables does. */
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
    ...crossTenantReads(
      { everywhere, within: (tenant, work) => queue.run(() => within(tenant, work), tenant) },
      { clock: milliseconds, proving },
    ),
    clock,
    verify: (anchor) => verify(everywhere, { anchor, proving }),
    writeCounters: () => everywhere(writes),
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
 * The audit is only ever appended to: PostgreSQL counts what is changed or deleted in it, and how often its counters began
 * anew. A session that stays connected reports what it did within seconds.
 */
const countedWrites =
  (schema: string, committed: () => Pick<WriteCounters, 'appended' | 'last'>): ChainAccess['writes'] =>
  async (db) => {
    const { rows } = await sql<{ others: string }>`
      select concat_ws('/', n_tup_upd, n_tup_del, pg_stat_get_db_stat_reset_time(oid)) as others
      from pg_stat_all_tables, pg_database
      where schemaname = ${schema} and relname = 'audit' and datname = current_database()`.execute(db);
    return { others: rows[0]?.others ?? '', othersAppend: false, ...committed() };
  };

/** A tenant's transaction sees its own rows; the chain runs through those of all. */
const everyRow: ChainAccess['everyRow'] = async (tx, reads) => {
  await sql`select set_config('app.every_tenant', 'read', true)`.execute(tx);
  const found = await reads();
  await sql`select set_config('app.every_tenant', '', true)`.execute(tx);
  return found;
};
/** No tenant has this name. */
const ANCHOR_LANE = '\n';

const milliseconds = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** The database's clock as it was last read, carried on by a stopwatch of this process: a wrong wall clock moves nothing. */
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
 * Finds out, when the database is back, what became of a commit that it did not answer. Returns where it was kept; throws
 * what is tried again where it was not, and CommitUnknown where nobody can tell.
 */
async function demandKept(db: Kysely<Tables>, { xid, timeline }: Commit, place: string): Promise<void> {
  const state = await retryTransient(async () => {
    const { rows } = await sql<{ state: string | null; timeline: string }>`
      select pg_xact_status(${xid}::xid8) as state, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline`.execute(
      db,
    );
    // After a failover the numbers of transactions may stand for others.
    if (rows[0]?.timeline !== timeline) return 'unknown';
    if (rows[0].state === 'in progress') throw lostCommit(place);
    return rows[0].state ?? 'unknown';
  }).catch(() => 'unknown');
  if (state === 'committed') return;
  if (state === 'aborted') throw lostCommit(place);
  throw new CommitUnknown(
    `The ledger ${place} was lost while it kept a step, and whether it has is not known: read again before going on.`,
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
  // Whoever prints a pool must not print a password.
  Object.defineProperty(pool.options, 'connectionString', { enumerable: false });
  // A connection that ends while nobody uses it ends the process where nobody listens; its next user is told.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

const bigint = pg.types.builtins.INT8;

function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw Object.assign(new RangeError("Purser writes no integer that a number can't hold."), {
    code: 'ERR_OUT_OF_RANGE',
  });
}

/** What errors call the database: host, port and name, without user and password. */
function placeOf(url: Secret<string>): string {
  const text = reveal(url);
  if (!URL.canParse(text) || !/^postgres(ql)?:$/.test(new URL(text).protocol))
    throw new LedgerUnavailable(
      'DATABASE_URL is no address of a PostgreSQL database: postgresql://user:password@host:5432/name',
    );
  const { hostname, port, pathname, searchParams } = new URL(text);
  return `${hostname || (searchParams.get('host') ?? 'localhost')}:${port || 5432}${pathname}`;
}
