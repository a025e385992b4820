import { CamelCasePlugin, type Dialect, Kysely, sql } from 'kysely';
import type { Secret } from '../core/secret.ts';
import { advanceAnchor, containsAnchor, readHead } from './anchor.ts';
import { archiveReads, removeSegment } from './archive.ts';
import type { InSnapshot } from './chain.ts';
import { crossTenantReads } from './cross-tenant.ts';
import type { Ledger } from './ledger.ts';
import { migrate } from './migrations/index.ts';
import { createQueue } from './queue.ts';
import { reseal } from './reseal.ts';
import { noKey } from './seal.ts';
import { sqliteDialect } from './sqlite.ts';
import { sqliteFileCheck } from './sqlite-file-check.ts';
import type { Tables } from './tables.ts';
import { requireTenant, withProof } from './transaction.ts';
import { verify } from './verify.ts';
import { type ChainAccess, sqliteWriteCounters, trackAppends, verifySince } from './verify-recent.ts';

/**
 * Where a ledger is: a SQLite file (`:memory:` for none) that processes of one machine may share, or a schema of a
 * PostgreSQL database that any number of replicas share. The address is secret, because it holds a password.
 */
export type LedgerPlace = ({ readonly file: string } | { readonly url: Secret<string>; readonly schema: string }) & {
  /** Seals what decisions read. Without one anybody could: that is for tests alone. */
  readonly key?: Secret<Buffer>;
};

/** Opens the ledger and brings its tables up to date. Throws LedgerUnavailable. */
export async function openLedger(place: LedgerPlace): Promise<Ledger> {
  if ('file' in place) return openLedgerOn(sqliteDialect(place.file), place.file, undefined, place.key);
  // Loaded only where it is used: whoever has a file starts without the driver.
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(place);
}

/** The ledger on SQLite's one connection; `place` is what its errors call it, `appends` what it has committed to the audit. */
export async function openLedgerOn(
  dialect: Dialect,
  place: string,
  appends = trackAppends(),
  key: Secret<Buffer> = noKey,
): Promise<Ledger> {
  const proving = { key, locks: false };
  const db = new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
  try {
    await migrate(db, place);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const queue = createQueue(place);
  const writes = sqliteWriteCounters(appends.committed);
  const inSnapshot: InSnapshot = (reads) => queue.run(() => db.transaction().setAccessMode('read only').execute(reads));
  return {
    transaction: async (tenant, work) => {
      requireTenant(tenant);
      return queue.run(() =>
        appends.noting((begin) =>
          db
            .transaction()
            .execute((tx) => withProof(tx, tenant, { writing: { writes, everyRow, appends: begin() }, proving }, work)),
        ),
      );
    },
    ...crossTenantReads(
      {
        everywhere: (work) => queue.run(() => work(db)),
        within: (_, work) => queue.run(() => db.transaction().execute(work)),
      },
      { clock: machineClock, proving },
    ),
    verify: (anchor) => verify(inSnapshot, { anchor, ownSeq, ownCheck: sqliteFileCheck(place), proving }),
    writeCounters: () => inSnapshot(writes),
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
    advanceAnchor: (store) => queue.run(() => db.transaction().execute((tx) => advanceAnchor(tx, store))),
    close: () => queue.close(() => db.destroy()),
  };
}

/** On SQLite every transaction sees every row. */
const everyRow: ChainAccess['everyRow'] = (_, reads) => reads();

/** Read out of the table by the row's place in it, past the index on `seq`. */
const ownSeq = sql<number>`(select itself.seq from audit as itself where itself.rowid = audit.rowid)`;

/** The clock of the machine that all processes of a file are on, in milliseconds. */
const machineClock = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
