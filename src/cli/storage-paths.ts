import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isThere } from '../files/check.ts';
import { makeOwnFolder, makePrivate } from '../files/database.ts';
import { isBusy, translate } from '../ledger/sqlite-errors.ts';
import type { LedgerPlace } from '../ledger/store.ts';
import { BadConfiguration, type Configuration } from './config.ts';
import { nowhere } from './folders.ts';
import { ledgerKey } from './ledger-key.ts';

// Where files go: into the data folder, or nowhere.

const placed = (data: string, file: string): string => (data === nowhere ? nowhere : join(data, file));

/** The ledger of each environment is its own: nothing that was learned in one is believed in another. */
export const ledgerFile = ({ data, environment }: Configuration): string => placed(data, `${environment}.sqlite`);

/**
 * Where the ledger is: in a database that replicas share, if one is named, in a file if not. Environments share neither. A file
 * and its folder are checked before the key is, so every start and the doctor find the same fault first. Throws LedgerUnavailable.
 */
export function ledgerPlace(configuration: Configuration): LedgerPlace {
  const file = ledgerFile(configuration);
  if (configuration.databaseUrl !== undefined)
    return {
      url: configuration.databaseUrl,
      schema: `purser_${configuration.environment}`,
      key: ledgerKey(configuration),
    };
  demandWritable(file);
  return { file, key: ledgerKey(configuration) };
}

/** The world of a tenant's embedded sandbox, which is the platform's memory and no part of the ledger. */
export const sandboxFile = ({ data, tenant, tenants }: Configuration, of: string = tenant): string =>
  placed(data, tenants === undefined ? 'sandbox-world.sqlite' : `sandbox-world-${of}.sqlite`);

/** Makes the data folder and what is missing above it, for its owner alone. */
export function makeFolder(data: string): void {
  if (data === nowhere || isThere(data)) return;
  makeFolder(dirname(resolve(data))); // folder by folder: where none can ever be made, Node's own recursion never ends
  try {
    makeOwnFolder(data);
  } catch (error) {
    if (isThere(data)) return; // another process was faster
    throw new BadConfiguration(
      `The data folder ${data} can't be made: choose another with --data DIR, or change the rights above it.`,
      { cause: error },
    );
  }
}

/** Throws LedgerUnavailable where a ledger can't be written. It is all that a start finds out before it opens one. */
export function demandWritable(file: string): void {
  if (file === nowhere) return;
  try {
    makePrivate('ledger', file);
    const database = new DatabaseSync(file);
    try {
      database.exec('BEGIN IMMEDIATE; ROLLBACK');
    } finally {
      database.close();
    }
  } catch (error) {
    // Another process that writes just now shows that it can be written.
    if (!isBusy(error)) throw translate(error, file);
  }
}
