import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Secret } from '../core/secret.ts';
import { isThere, UnsafeFile } from '../files/check.ts';
import { readBytes } from '../files/read.ts';
import { writeNew } from '../files/write.ts';
import { BadConfiguration, type Configuration, checkedFile } from './config.ts';
import { nowhere } from './folders.ts';
import { makeFolder } from './storage-paths.ts';

/** Bytes of the key. Own choice: as many as the hash that it goes into. */
const KEY_BYTES = 32;

/** The key of a ledger in memory lives as long as its process. */
const inMemory = new Secret(randomBytes(KEY_BYTES));

/**
 * The key that seals the ledger's rows: from the configured file, or one in the data folder beside the ledger, which the
 * first start makes. Replicas that share a database name the same file, or copies of it.
 */
export function ledgerKey({ ledgerKeyFile, data, databaseUrl }: Configuration): Secret<Buffer> {
  if (ledgerKeyFile === undefined && data === nowhere && databaseUrl !== undefined)
    throw new BadConfiguration(
      'A ledger in PostgreSQL outlives this process, and so must its key: name it in PURSER_LEDGER_KEY_FILE, or a data folder.',
    );
  if (ledgerKeyFile === undefined && data === nowhere) return inMemory;
  const file = ledgerKeyFile ?? join(data, 'ledger.key');
  if (ledgerKeyFile === undefined && !isThere(file)) makeKey(data, file);
  const key = checkedFile(() => readBytes('ledgerKey', file));
  if (key.length >= KEY_BYTES) return new Secret(key);
  throw new BadConfiguration(`The ledger key file ${file} holds fewer than ${KEY_BYTES} bytes: restore it.`);
}

/** Of two processes that make a key at once the first one's stays, and nobody reads half of one. */
function makeKey(data: string, file: string): void {
  makeFolder(data);
  try {
    writeNew('ledgerKey', file, `${randomBytes(KEY_BYTES).toString('base64url')}\n`);
  } catch (error) {
    if (error instanceof UnsafeFile && error.fault === 'exists') return;
    throw new BadConfiguration(`${file} can't be made: give this user the right to write its folder.`, {
      cause: error,
    });
  }
}
