import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import { demandWritable } from '../../src/cli/storage-paths.ts';
import { openLedger } from '../../src/ledger/store.ts';
import { folder } from './rows.ts';
import { testKey } from './support/databases.ts';

// SQLite opens a file that this user may not write, or that is on such a disk, for reading alone, and says nothing of it. Root may
// write any file, so it is opened so here.
const opens = vi.hoisted(() => ({ readOnly: false }));
vi.mock('../../src/core/sqlite.ts', () => ({
  DatabaseSync: class extends DatabaseSync {
    constructor(file: string) {
      super(file, opens);
    }
  },
}));

it('a ledger that can only be read is found out by a look', async () => {
  const file = join(folder(), 'ledger.sqlite');
  await (await openLedger({ file, key: testKey })).close();
  demandWritable(file);
  opens.readOnly = true;
  expect(() => demandWritable(file)).toThrow(/can't be written/);
});
