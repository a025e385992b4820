import type { Kysely } from 'kysely';
import { LedgerUnavailable } from '../ledger.ts';
import type { Tables } from '../tables.ts';
import { createLedgerTables } from './0001-ledger.ts';
import { createBudgetTables } from './0002-budgets.ts';
import { createSealedTable } from './0003-sealed.ts';
import { addLeases } from './0004-leases.ts';
import { indexOpenCalls } from './0005-open-calls.ts';
import { addChecksums } from './0006-checksums.ts';
import { indexUnknown } from './0007-unknown.ts';
import { fillInChecksums } from './0008-filled-in.ts';
import { indexTrails } from './0009-trails.ts';
import { indexDenied } from './0010-denied.ts';
import { indexHalts } from './0011-halts.ts';
import { indexPrincipals } from './0012-principals.ts';
import { indexGrowth } from './0013-growth.ts';
import { createProofs } from './0014-proofs.ts';
import { indexArchives } from './0015-archives.ts';
import { indexSearches } from './0016-search-keys.ts';
import { refuseEarlierHandles } from './0017-handles.ts';

/** Every step from an empty database to today's tables, oldest first. A step that was released never changes. */
const steps = [
  { name: '0001-ledger', up: createLedgerTables },
  { name: '0002-budgets', up: createBudgetTables },
  { name: '0003-sealed', up: createSealedTable },
  { name: '0004-leases', up: addLeases },
  { name: '0005-open-calls', up: indexOpenCalls },
  { name: '0006-checksums', up: addChecksums },
  { name: '0007-unknown', up: indexUnknown },
  { name: '0008-filled-in', up: fillInChecksums },
  { name: '0009-trails', up: indexTrails },
  { name: '0010-denied', up: indexDenied },
  { name: '0011-halts', up: indexHalts },
  { name: '0012-principals', up: indexPrincipals },
  { name: '0013-growth', up: indexGrowth },
  { name: '0014-proofs', up: createProofs },
  { name: '0015-archives', up: indexArchives },
  { name: '0016-search-keys', up: indexSearches },
  { name: '0017-handles', up: refuseEarlierHandles },
] as const;

/**
 * Brings a database to today's tables, in one transaction: of two processes that start at the same moment the second
 * waits and finds the work done. Throws LedgerUnavailable where a newer Purser has been before, or a step can't be taken.
 */
export async function migrate(db: Kysely<Tables>, place: string): Promise<void> {
  await db.transaction().execute((tx) => takeSteps(tx, place));
}

/** Takes the steps that are missing, within a transaction that no other process is in. */
export async function takeSteps(tx: Kysely<Tables>, place: string): Promise<void> {
  await tx.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute();
  const done = await stepsDone(tx, place);
  for (const { name, up } of steps) {
    if (done.has(name)) continue;
    await up(tx, place);
    await tx.insertInto('migrations').values({ name }).execute();
  }
}

/** Whether every step was taken. Throws LedgerUnavailable where a newer Purser has been before. */
export async function isUpToDate(db: Kysely<Tables>, place: string): Promise<boolean> {
  const done = await stepsDone(db, place);
  return steps.every(({ name }) => done.has(name));
}

async function stepsDone(db: Kysely<Tables>, place: string): Promise<ReadonlySet<string>> {
  const done = new Set((await db.selectFrom('migrations').select('name').execute()).map(({ name }) => name));
  refuseNewer(done, place);
  return done;
}

function refuseNewer(done: ReadonlySet<string>, place: string): void {
  const ours = new Set<string>(steps.map(({ name }) => name));
  const unknown = [...done].filter((name) => !ours.has(name));
  if (unknown.length === 0) return;
  throw new LedgerUnavailable(
    `The ledger ${place} was written by a newer Purser (${unknown.join(', ')}): start that version, or name another place.`,
  );
}
