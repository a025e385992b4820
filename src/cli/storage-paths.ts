import { join } from 'node:path';
import { DatabaseSync } from '../core/sqlite.ts';
import { makeMissing } from '../files/database.ts';
import { isBusy, translate } from '../ledger/sqlite-errors.ts';
import type { LedgerPlace } from '../ledger/store.ts';
import type { Configuration } from './configuration.ts';
import { nowhere } from './folders.ts';
import { ledgerKey } from './ledger-key.ts';

// The files in the data folder. A data folder `:memory:` has none.

const placed = (data: string, file: string): string => (data === nowhere ? nowhere : join(data, file));

/** The ledger's file. Each environment has its own, so observations of one never count in another. */
export const ledgerFile = ({ data, environment }: Configuration): string => placed(data, `${environment}.sqlite`);

/** The ledger's schema in a shared database. */
export const ledgerSchema = ({ environment }: Configuration): string => `purser_${environment}`;

/**
 * Where the ledger is: in the shared database if one is configured, otherwise in a file. Environments never share a
 * ledger. The file and its folder are checked before the key, so a start and the doctor report the same fault first.
 * Throws LedgerUnavailable.
 */
export function ledgerPlace(configuration: Configuration): LedgerPlace {
  const file = ledgerFile(configuration);
  if (configuration.databaseUrl !== undefined)
    return { url: configuration.databaseUrl, schema: ledgerSchema(configuration), key: ledgerKey(configuration) };
  demandWritable(file);
  return { file, key: ledgerKey(configuration) };
}

/** The file of a tenant's embedded sandbox, which stores the platform's data and is not part of the ledger. */
export const sandboxFile = ({ data, tenant, tenants }: Configuration, of: string = tenant): string =>
  placed(data, tenants === undefined ? 'sandbox-world.sqlite' : `sandbox-world-${of}.sqlite`);

/** The folder of a tenant's result files; undefined if nothing is kept on disk. */
export const filesFolder = ({ data, environment, tenants }: Configuration, tenant: string): string | undefined =>
  data === nowhere
    ? undefined
    : join(data, tenants === undefined ? `${environment}-files` : `${environment}-files-${tenant}`);

/** Throws LedgerUnavailable if the ledger can't be written. This is the only check before a start opens it. */
export function demandWritable(file: string): void {
  if (file === nowhere) return;
  try {
    makeMissing('ledger', file);
    const database = new DatabaseSync(file);
    try {
      // A file that can only be read begins this transaction, too, and refuses the first write.
      database.exec('BEGIN IMMEDIATE; PRAGMA user_version = 0; ROLLBACK');
    } finally {
      database.close();
    }
  } catch (error) {
    // Busy means that another process is writing to it, so it is writable.
    if (!isBusy(error)) throw translate(error, file);
  }
}
