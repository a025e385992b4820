import { type Dialect, Kysely, sql } from 'kysely';
import type { Secret } from '../core/secret.ts';
import { advanceAnchor, containsAnchor, joinedMoves, readHead } from './anchor.ts';
import { archiveReads, removeSegment } from './archive.ts';
import type { InSnapshot } from './chain.ts';
import { crossTenantReads } from './cross-tenant.ts';
import { groupCommit } from './group-commit.ts';
import type { Ledger } from './ledger.ts';
import { migrate } from './migrations/index.ts';
import { createQueue } from './queue.ts';
import { reseal } from './reseal.ts';
import { IN_MEMORY, sqliteDialect } from './sqlite.ts';
import { sqliteFileCheck } from './sqlite-file-check.ts';
import type { Tables } from './tables.ts';
import { readsOf, requireTenant, withProof } from './transaction.ts';
import { verify } from './verify.ts';
import { type ChainAccess, readWrites, sqliteWrites, trackAppends, verifySince } from './verify-recent.ts';

/**
 * The location of a ledger: a SQLite file that processes of one machine may share (`:memory:` for none), or a schema of
 * a PostgreSQL database that any number of replicas share. The URL is secret, because it contains a password.
 */
export type LedgerPlace = ({ readonly file: string } | { readonly url: Secret<string>; readonly schema: string }) & {
  /** Seals the rows that decisions read. */
  readonly key: Secret<Buffer>;
};

/** Opens the ledger and migrates its tables. Throws LedgerUnavailable. */
export async function openLedger(place: LedgerPlace): Promise<Ledger> {
  if ('file' in place) return openLedgerOn(sqliteDialect(place.file), place);
  // Loaded on demand, because a ledger in a file doesn't need the driver.
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(place);
}

/**
 * The ledger on SQLite's single connection, for whose file this dialect is. `appends` counts its commits to the audit.
 */
export async function openLedgerOn(
  dialect: Dialect,
  { file: place, key }: Extract<LedgerPlace, { file: string }>,
  appends = trackAppends(),
): Promise<Ledger> {
  const proving = { key, locks: false };
  const db = new Kysely<Tables>({ dialect });
  try {
    await migrate(db, place);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const queue = createQueue(place);
  // What is in memory has no file that a disk can damage.
  const ownCheck = place === IN_MEMORY ? undefined : sqliteFileCheck(place);
  const writes = sqliteWrites(appends.committed);
  const inGroup = groupCommit(db, queue, appends, writes);
  const inSnapshot: InSnapshot = (reads) => queue.run(() => db.transaction().setAccessMode('read only').execute(reads));
  return {
    transaction: async (tenant, work) => {
      requireTenant(tenant);
      return inGroup((tx, own) => withProof(tx, tenant, { writing: { ...own, everyRow }, proving }, work));
    },
    read: async (tenant, work) => {
      requireTenant(tenant);
      return inSnapshot((tx) => work(readsOf(tx, tenant, proving)));
    },
    ...crossTenantReads(
      {
        everywhere: (work) => queue.run(() => work(db)),
        within: (_, work) => queue.run(() => db.transaction().execute(work)),
      },
      { clock: machineClock, proving },
    ),
    verify: (anchor) => verify(inSnapshot, { anchor, ownSeq, ownCheck, proving }),
    writeCounters: () => inSnapshot((tx) => readWrites(tx, writes)),
    verifySince: (verified, anchor) => verifySince(inSnapshot, verified, { anchor, writes }),
    head: () => queue.run(() => readHead(db)),
    containsAnchor: (anchor) => queue.run(() => containsAnchor(db, anchor)),
    archive: {
      ...archiveReads(inSnapshot),
      remove: (tenant, segment) =>
        queue.run(() =>
          appends.noting((begin) =>
            db
              .transaction()
              .execute((tx) =>
                withProof(
                  tx,
                  tenant,
                  { writing: { writes, everyRow, appends: begin() }, proving },
                  ({ audit }, proof) => removeSegment(tx, { audit, proof, asArchivist: everyRow }, segment),
                ),
              ),
          ),
        ),
    },
    reseal: () => queue.run(() => db.transaction().execute((tx) => reseal(tx, proving))),
    advanceAnchor: joinedMoves((store, begins) =>
      queue.run(() => {
        begins();
        // Locked from the beginning, because the anchor is read before the first statement.
        return db
          .transaction()
          .setAccessMode('read write')
          .execute((tx) => advanceAnchor(tx, store));
      }),
    ),
    close: () => queue.close(() => db.destroy()),
  };
}

/** On SQLite every transaction sees all rows. */
const everyRow: ChainAccess['everyRow'] = (_, reads) => reads();

/** Read from the table by rowid, bypassing the index on `seq`. */
const ownSeq = sql<number>`(select itself.seq from audit as itself where itself.rowid = audit.rowid)`;

/** The clock of the machine, which all processes of a file share, in milliseconds. */
const machineClock = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
