import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Secret } from '../core/secret.ts';
import { isThere, UnsafeFile } from '../files/check.ts';
import { readBytes } from '../files/read.ts';
import { writeNew } from '../files/write.ts';
import { BadConfiguration, checkedFile } from './bad-configuration.ts';
import type { Configuration } from './configuration.ts';
import { makeFolder } from './data-folder.ts';
import { nowhere } from './folders.ts';

/** Bytes of the key. Own choice: the size of the hash it keys. */
const KEY_BYTES = 32;

/** The key of a ledger in memory, which lives as long as the process. */
const inMemory = new Secret(randomBytes(KEY_BYTES));

/**
 * The key that seals the ledger's rows: from the configured file, or from the data folder, where the first start
 * creates it. Replicas that share a database need the same key.
 */
export function ledgerKey({ ledgerKeyFile, data, databaseUrl }: Configuration): Secret<Buffer> {
  if (ledgerKeyFile === undefined && data === nowhere && databaseUrl !== undefined)
    throw new BadConfiguration(
      'A ledger in PostgreSQL needs a key that outlives this process: name its file in PURSER_LEDGER_KEY_FILE, or name a data folder.',
    );
  if (ledgerKeyFile === undefined && data === nowhere) return inMemory;
  const file = keyFile({ ledgerKeyFile, data });
  if (ledgerKeyFile === undefined && !isThere(file)) makeKey(data, file);
  const key = checkedFile(() => readBytes('ledgerKey', file));
  if (key.length >= KEY_BYTES) return new Secret(key);
  throw new BadConfiguration(`The ledger key file ${file} holds fewer than ${KEY_BYTES} bytes: restore it.`);
}

/** The file of the key, if it is in one. */
export const keyFile = ({ ledgerKeyFile, data }: Pick<Configuration, 'ledgerKeyFile' | 'data'>): string =>
  ledgerKeyFile ?? join(data, 'ledger.key');

/** Creates the key atomically: if two processes do it at once, both read the first one's key. */
function makeKey(data: string, file: string): void {
  makeFolder(data);
  try {
    writeNew('ledgerKey', file, `${randomBytes(KEY_BYTES).toString('base64url')}\n`);
  } catch (error) {
    if (error instanceof UnsafeFile && error.fault === 'exists') return;
    throw new BadConfiguration(`${file} can't be created: give this user write permission for its folder.`, {
      cause: error,
    });
  }
}
