import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { bytesOf } from '../files/database.ts';
import { translate } from './sqlite-errors.ts';
import type { FileCheck } from './verify.ts';

/** Bytes of a file that SQLite checks within some milliseconds. A thread checks a larger one. */
const SMALL_FILE_BYTES = 4_194_304;

/**
 * SQLite's own check of trees, pages and indexes. It finds a row lost with its page, because the indexes still name it.
 */
export const sqliteFileCheck =
  (file: string): FileCheck =>
  async (tx) => {
    const said = bytesOf(file) > SMALL_FILE_BYTES ? await inThread(file) : await here(tx);
    return said === 'ok' ? undefined : said.replace(/[\s*]+/g, ' ').trim();
  };

const here = async (tx: Parameters<FileCheck>[0]): Promise<string> => {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(tx);
  return rows[0]?.integrity_check ?? 'nothing';
};

/** The same over another connection: a statement that reads the whole file would block the event loop for seconds. */
const inThread = (file: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(threadSource, { eval: true, workerData: { file } });
    thread.once('message', ({ said, message, errcode }: { said?: string; message?: string; errcode?: number }) =>
      said === undefined ? reject(translate(Object.assign(new Error(message), { errcode }), file)) : resolve(said),
    );
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The thread that checks the ledger ended early.')));
  });

/** A text, because the bundle has no separate file for it. */
const threadSource = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
try {
  const database = new DatabaseSync(workerData.file, { readOnly: true, timeout: 5000 });
  parentPort.postMessage({ said: database.prepare('pragma integrity_check(1)').get()?.integrity_check ?? 'nothing' });
  database.close();
} catch ({ message, errcode }) {
  parentPort.postMessage({ message, errcode });
}`;
