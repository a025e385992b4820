import { type RewindableDatabase, rewindableDatabase } from '../../evals/harness/world/ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { IN_MEMORY } from '../../src/ledger/sqlite.ts';
import { type LedgerPlace, openLedger, openLedgerOn } from '../../src/ledger/store.ts';

/** Databases in memory that closed ledgers have left, with all tables, all statements, and no rows. */
const left: RewindableDatabase[] = [];

/** Opens a ledger as Purser does. One in memory gets a database that an earlier one has left: making one costs as much as some calls. */
export async function openTestLedger(place: LedgerPlace): Promise<Ledger> {
  if (!('file' in place) || place.file !== IN_MEMORY) return openLedger(place);
  const again = left.pop();
  const database = again ?? rewindableDatabase();
  const { dialect, driver } = database;
  const destroy = async () => {
    await database.rewind('empty');
    left.push(database);
  };
  const reused = { ...driver, ...(again === undefined ? {} : { init: async () => undefined }), destroy };
  const ledger = await openLedgerOn({ ...dialect, createDriver: () => reused }, place.file, undefined, place.key);
  if (again === undefined) await database.mark('empty');
  return ledger;
}
