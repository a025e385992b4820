import { type RewindableDatabase, rewindableDatabase } from '../../evals/harness/world/ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { IN_MEMORY } from '../../src/ledger/sqlite.ts';
import { type LedgerPlace, openLedger, openLedgerOn } from '../../src/ledger/store.ts';
import { trackAppends } from '../../src/ledger/verify-recent.ts';

interface Reusable extends RewindableDatabase {
  /** Whether the rows are kept that a world begins with. */
  hasBeginning: boolean;
}

/** Databases in memory that closed ledgers have left, with all tables, all statements, and no rows. */
const left: Reusable[] = [];

interface Keeper {
  readonly database: Reusable;
  /** Keeps the rows as they are; answers what brings them back. */
  keep(): Promise<() => Promise<void>>;
}
const keepers = new WeakMap<Ledger, Keeper>();

/** Opens a ledger as Purser does. One in memory gets a database that an earlier one has left: making one costs as much as some calls. */
export const openTestLedger = (place: LedgerPlace): Promise<Ledger> => open(place, false);

/** As `openTestLedger`, with the rows that `keepBeginning` has kept of an earlier ledger in the same database, if it has. */
export const openBegunLedger = (place: LedgerPlace): Promise<Ledger> => open(place, true);

async function open(place: LedgerPlace, begun: boolean): Promise<Ledger> {
  if (!('file' in place) || place.file !== IN_MEMORY) return openLedger(place);
  const again = left.pop();
  const database = again ?? { ...rewindableDatabase(), hasBeginning: false };
  const { dialect, driver } = database;
  let kept = 0;
  const destroy = async () => {
    await database.rewind('empty');
    for (; kept > 0; kept--) await database.forget(`kept${kept}`);
    left.push(database);
  };
  const reused = { ...driver, ...(again === undefined ? {} : { init: async () => undefined }), destroy };
  const appends = trackAppends();
  if (begun && database.hasBeginning) await database.rewind('begun');
  const ledger = await openLedgerOn({ ...dialect, createDriver: () => reused }, place, appends);
  if (again === undefined) await database.mark('empty');
  const keep = async () => {
    kept += 1;
    const name = `kept${kept}`;
    await database.mark(name);
    return async () => {
      await database.rewind(name);
      appends.forget();
    };
  };
  keepers.set(ledger, { database, keep });
  return ledger;
}

/** Keeps the rows of a ledger in memory as they are. No call may be in progress, then and whenever they are brought back. */
export const keepRows = (ledger: Ledger): Promise<() => Promise<void>> => keeperOf(ledger).keep();

/** Keeps the rows of a ledger that has just begun, for those that are opened by `openBegunLedger` in its database. */
export async function keepBeginning(ledger: Ledger): Promise<void> {
  const { database } = keeperOf(ledger);
  if (database.hasBeginning) return;
  await database.mark('begun');
  database.hasBeginning = true;
}

function keeperOf(ledger: Ledger): Keeper {
  const keeper = keepers.get(ledger);
  if (keeper === undefined) throw new Error('Only what is opened here, in memory, is kept.');
  return keeper;
}
