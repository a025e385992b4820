import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Secret } from '../../src/core/secret.ts';
import { openLedger } from '../../src/ledger/store.ts';
import { bought, openWorld, order, payment } from '../engine/support.ts';
import { type Found, tally } from '../support/found.ts';
import { type Numbers, numbers } from '../support/numbers.ts';
import { event } from './rows-data.ts';
import { testKey } from './support/databases.ts';

// Single bits of a ledger's file, turned over one at a time (P9). Where any other row then comes out of a table, or one is
// gone, the ledger must say so.

const tables = [
  ...['audit', 'audit_head', 'operations', 'observations', 'approvals', 'budgets', 'reservations', 'sealed', 'events'],
  'migrations',
] as const;

/** Turns so many bits over; every second one lies where the rows of a table do, of one table after the other. A finding is a flip that nobody noticed. */
export async function flips(count: number, seed: number): Promise<Found> {
  const it = tally();
  const random = numbers(seed);
  const folder = mkdtempSync(join(tmpdir(), 'purser-flips-'));
  try {
    const sound = await ledgerIn(folder);
    const file = join(folder, 'flipped.sqlite');
    writeFileSync(file, sound, { mode: 0o600 });
    const was = rowsOf(file);
    const pages = tables.map((table) => pagesOf(file, [table]));
    for (let flipped = 0; flipped < count; flipped++) {
      const own = pages[(flipped / 2) % tables.length];
      const byte = own === undefined ? random(sound.length) : withinRows(sound, random.of(own), random);
      const bit = random(8);
      const bytes = Buffer.from(sound);
      bytes[byte] = (bytes[byte] ?? 0) ^ (1 << bit);
      writeFileSync(file, bytes);
      for (const end of ['-wal', '-shm', '-journal']) rmSync(file + end, { force: true });
      const changed = differing(was, rowsOf(file));
      writeFileSync(file, bytes); // whoever looked may have written
      const noticed = await isNoticed(file);
      it.count('flips');
      if (changed.length === 0) {
        it.count('flips that change no row');
        continue;
      }
      it.count(`in ${changed.join(' and ')}: ${noticed ? 'noticed' : 'not noticed'}`);
      if (!noticed)
        it.find(`Bit ${bit} of byte ${byte} changes ${changed.join(' and ')}, and nobody notices (seed ${seed}).`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return it.found();
}

const pageSize = 4_096;

/** The file of a closed ledger in which everything has been done once. */
async function ledgerIn(folder: string): Promise<Buffer> {
  const world = await openWorld({
    configure: {
      data: folder,
      limits: [{ name: 'day', tools: ['initiate_purchase'], currency: 'GBP', total: '1000.00', per: ['day'] }],
      vaultKey: new Secret(Buffer.alloc(32, 7)),
    },
  });
  for (const reference of ['order-1', 'order-2', 'order-3']) {
    const instruction = await bought(world, { reference });
    await world.call('retrieve_credentials', payment(instruction));
    await world.receipt(instruction);
    await world.call('confirm_transaction', { instruction });
  }
  // Credentials are kept until their purchase is over.
  for (const reference of ['order-5', 'order-6', 'order-7'])
    await world.call('retrieve_credentials', payment(await bought(world, { reference })));
  await world.call('initiate_purchase', order({ reference: 'order-4' }));
  await world.running.ledger.transaction('default', async (tx) => {
    for (const id of ['first', 'second', 'third']) await tx.events.insert(event({ id }));
  });
  await world.running.close();
  const name = readdirSync(folder).find((it) => it.endsWith('.sqlite') && !it.startsWith('sandbox-world'));
  const bytes = readFileSync(join(folder, name ?? ''));
  if (bytes.readUInt16BE(16) !== pageSize) throw new Error('The pages of a ledger have 4,096 bytes.');
  return bytes;
}

type Rows = ReadonlyMap<string, string>;

/** Every row of every table, as SQLite reads them out of the table itself; what can't be read is told so. */
function rowsOf(file: string): Rows {
  const read = (table: string): string => {
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(file, { readOnly: true });
      // The order is not theirs: what turns over in SQLite's own numbers of rows changes none of them.
      const rows = database.prepare(`SELECT * FROM ${table} NOT INDEXED`).all();
      return JSON.stringify(rows.map((row) => JSON.stringify(row)).toSorted());
    } catch {
      return 'unreadable';
    } finally {
      database?.close();
    }
  };
  return new Map(tables.map((table) => [table, read(table)]));
}

const differing = (was: Rows, is: Rows): readonly string[] =>
  [...was.keys()].filter((table) => was.get(table) !== is.get(table));

/** The pages that hold a table's rows, counted from nought. */
function pagesOf(file: string, tables: readonly string[]): readonly number[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const root = database.prepare('SELECT rootpage FROM sqlite_schema WHERE type = ? AND name = ?');
  const bytes = readFileSync(file);
  const pages = tables.flatMap((table) => leaves(bytes, Number(root.get('table', table)?.rootpage) - 1));
  database.close();
  return pages;
}

/** A byte of a page from where its rows begin; what is before them is mostly empty. */
function withinRows(bytes: Buffer, page: number, random: Numbers): number {
  const begins = bytes.readUInt16BE(page * pageSize + 5);
  return page * pageSize + begins + random(pageSize - begins);
}

/** The leaves below a page of a table, as the file format describes them (interior: type 5, children in its cells). */
function leaves(bytes: Buffer, page: number): readonly number[] {
  const at = page * pageSize;
  if (bytes[at] !== 5) return [page];
  const cells = Array.from({ length: bytes.readUInt16BE(at + 3) }, (_, cell) => bytes.readUInt16BE(at + 12 + 2 * cell));
  const children = [...cells.map((cell) => bytes.readUInt32BE(at + cell)), bytes.readUInt32BE(at + 8)];
  return children.flatMap((child) => leaves(bytes, child - 1));
}

async function isNoticed(file: string): Promise<boolean> {
  try {
    const ledger = await openLedger({ file, key: testKey });
    try {
      return !(await ledger.verify()).ok;
    } finally {
      await ledger.close();
    }
  } catch {
    return true;
  }
}
