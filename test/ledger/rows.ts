import type { Ledger } from '../../src/ledger/ledger.ts';
import { openHere, testKey } from './support/databases.ts';

export { approval, event, observation, operation } from './rows-data.ts';
export { folder } from './support/databases.ts';

/** A ledger on SQLite of this test alone, closed after it. */
export const ledger = (file = ':memory:'): Promise<Ledger> => openHere({ file, key: testKey });
