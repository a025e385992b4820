import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { CompiledQuery, type Dialect } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LedgerUnavailable } from '../../src/ledger/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { sqliteDialect } from '../../src/ledger/sqlite.ts';
import { translate } from '../../src/ledger/sqlite-errors.ts';
import { openLedger, openLedgerOn } from '../../src/ledger/store.ts';
import { asOrdinaryUser } from '../support/ordinary-user.ts';
import { folder, ledger, operation } from './rows.ts';
import { testKey } from './support/databases.ts';

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

async function refusal(file: string): Promise<string> {
  const said: unknown = await openLedger({ file, key: testKey }).catch((error: unknown) => error);
  expect(said).toBeInstanceOf(LedgerUnavailable);
  return said instanceof Error ? said.message : '';
}

describe('the ledger’s files', () => {
  it('can be read by their owner alone, whatever the umask', async () => {
    const before = process.umask(0);
    onTestFinished(() => {
      process.umask(before);
    });
    const inner = `${folder()}/purser`;
    const it = await ledger(`${inner}/purser.db`);
    await it.transaction('shop', (tx) => tx.operations.insert(operation({ id: 'op' })));
    const modes = ['', '/purser.db', '/purser.db-wal', '/purser.db-shm'].map((name) => mode(inner + name));
    expect(modes).toEqual(['700', '600', '600', '600']);
  });

  it('are taken back from others where they are ours', async () => {
    const file = `${folder()}/purser.db`;
    const first = await ledger(file);
    await first.transaction('shop', (tx) => tx.operations.insert(operation({ id: 'op' })));
    for (const name of [file, `${file}-wal`, `${file}-shm`]) chmodSync(name, 0o666);
    const second = await ledger(file);
    expect([file, `${file}-wal`, `${file}-shm`].map(mode)).toEqual(['600', '600', '600']);
    expect(await second.tenants()).toEqual(['shop']);
  });

  it('never hold what was deleted or overwritten once it is closed', async () => {
    const file = `${folder()}/purser.db`;
    const it = await openLedger({ file, key: testKey });
    const row = await it.transaction('shop', (tx) =>
      tx.operations.insert(operation({ id: 'op', request: { said: 'canary' } })),
    );
    await it.transaction('shop', (tx) => tx.operations.update(row, { request: null }));
    await it.close();
    expect([readFileSync(file).includes('canary'), existsSync(`${file}-wal`)]).toEqual([false, false]);
  });
});

describe('a ledger that can’t be opened', () => {
  it('names a missing folder', async () => {
    const missing = `${folder()}/a/b`;
    expect(await refusal(`${missing}/purser.db`)).toBe(
      `Purser needs ${missing} (ENOENT): the folder above does not exist; create it or name another file.`,
    );
  });

  it('says that a file is no ledger, and leaves it as it is', async () => {
    const file = `${folder()}/letter.txt`;
    const letter = 'Dear Sir or Madam, '.repeat(100);
    writeFileSync(file, letter, { mode: 0o600 });
    expect(await refusal(file)).toBe(`${file} is not a ledger: name another file, or restore the last backup.`);
    expect(readFileSync(file, 'utf8')).toBe(letter);
  });

  it('says that a newer Purser wrote it', async () => {
    const file = `${folder()}/purser.db`;
    await (await openLedger({ file, key: testKey })).close();
    const database = new DatabaseSync(file);
    database.exec(`INSERT INTO migrations VALUES ('9999-later')`);
    database.close();
    expect(await refusal(file)).toContain('was written by a newer Purser (9999-later): start that version');
  });

  it.each([
    ['file', 0o400, 0o700],
    ['folder', 0o600, 0o500],
    ['file and folder', 0o400, 0o500],
  ])('says that its %s may not be written, when it is opened or at the first call', async (_, ofFile, ofFolder) => {
    const inner = folder();
    const file = `${inner}/purser.db`;
    await (await openLedger({ file, key: testKey })).close();
    chmodSync(file, ofFile);
    chmodSync(inner, ofFolder);
    await asOrdinaryUser([inner, file], async () => {
      // SQLite opens a file that it may not write for reading alone, and says nothing.
      const write = async () => {
        const it = await openLedger({ file, key: testKey });
        await it.transaction('shop', (tx) => tx.operations.insert(operation({ id: 'op' }))).finally(() => it.close());
      };
      const said: unknown = await write().catch((error: unknown) => error);
      expect(said).toBeInstanceOf(LedgerUnavailable);
      expect(String(said)).toMatch(/can't be (written|opened)/);
    });
    chmodSync(inner, 0o700);
  });
});

describe('a file that is taken away while it is open', () => {
  const put = (it: Ledger, id: string) => it.transaction('shop', (tx) => tx.operations.insert(operation({ id })));

  /** An open ledger with a row; each part is a file that exists. */
  async function open() {
    const inner = `${folder()}/data`;
    const file = `${inner}/purser.db`;
    const it = await ledger(file);
    await put(it, 'before');
    return { it, inner, file };
  }

  it.each(['', '-wal', '-shm'])('is written no more: purser.db%s was removed', async (end) => {
    const { it, file } = await open();
    rmSync(`${file}${end}`);
    await expect(put(it, 'after')).rejects.toThrow(LedgerUnavailable);
    // The anchor moves before a request leaves, and it does not for an intent that nobody will find.
    const store = { read: () => undefined, write: () => undefined };
    await expect(it.advanceAnchor(store)).rejects.toThrow(LedgerUnavailable);
  });

  it('is written no more: another one has its name', async () => {
    const { it, file } = await open();
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
    await expect(put(it, 'after')).rejects.toThrow(LedgerUnavailable);
  });

  it('is written no more: an older copy was written over it', async () => {
    const { it, file } = await open();
    const backup = `${file}.backup`;
    database(file, `VACUUM INTO '${backup}'`);
    const rows = ['a', 'b', 'c', 'd'].map((id) => operation({ id, args: 'x'.repeat(8_192) }));
    for (const row of rows) await it.transaction('shop', (tx) => tx.operations.insert(row));
    database(file, 'PRAGMA wal_checkpoint');
    await put(it, 'since');
    writeOver(file, readFileSync(backup));
    await expect(put(it, 'after')).rejects.toThrow(LedgerUnavailable);
    await expect(it.advanceAnchor({ read: () => undefined, write: () => undefined })).rejects.toThrow(
      LedgerUnavailable,
    );
  });

  it('is written no more: its log was emptied', async () => {
    const { it, file } = await open();
    writeOver(`${file}-wal`, Buffer.alloc(0));
    await expect(put(it, 'after')).rejects.toThrow(LedgerUnavailable);
    await expect(put(it, 'again')).rejects.toThrow(LedgerUnavailable);
  });

  it('is written on once somebody has vacuumed it and emptied its log', async () => {
    const { it, file } = await open();
    database(file, 'CREATE TABLE filler AS SELECT randomblob(1000000) AS it');
    database(file, 'PRAGMA wal_checkpoint');
    await put(it, 'filled');
    const bytes = statSync(file).size;
    database(file, 'DROP TABLE filler; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    expect([statSync(file).size < bytes, statSync(`${file}-wal`).size]).toEqual([true, 0]);
    await put(it, 'after');
    await put(it, 'later');
    const { rows } = await it.transaction('shop', (tx) => tx.operations.list({}, { limit: 9 }));
    expect(rows).toHaveLength(4);
  });

  it('is written on once somebody has vacuumed it, and written more than the vacuum left', async () => {
    const { it, file } = await open();
    database(file, 'CREATE TABLE filler AS SELECT randomblob(1000000) AS it');
    database(file, 'PRAGMA wal_checkpoint');
    await put(it, 'filled');
    const bytes = statSync(file).size;
    database(
      file,
      'DROP TABLE filler; VACUUM; PRAGMA wal_checkpoint; CREATE TABLE more AS SELECT randomblob(500000) AS it',
    );
    expect(statSync(file).size).toBeLessThan(bytes);
    await put(it, 'after');
    await put(it, 'later');
  });

  it('is written again once it is back', async () => {
    const { it, inner } = await open();
    renameSync(inner, `${inner}-moved`);
    await expect(put(it, 'meanwhile')).rejects.toThrow(LedgerUnavailable);
    renameSync(`${inner}-moved`, inner);
    await put(it, 'after');
    const { rows } = await it.transaction('shop', (tx) => tx.operations.list({}, { limit: 9 }));
    expect(rows.map(({ id }) => id).toSorted()).toEqual(['after', 'before']);
  });

  it('is written on while other processes open and close it', async () => {
    const { it, file } = await open();
    await (await openLedger({ file, key: testKey })).close();
    await put(it, 'after');
  });
});

/** Another connection does something with a database. */
function database(file: string, sql: string): void {
  const other = new DatabaseSync(file);
  other.exec(sql);
  other.close();
}

/** As `cp` does it, which keeps the file: in another process, because SQLite's locks would end with a descriptor of this one. */
const writeOver = (file: string, bytes: Buffer): void =>
  void execFileSync('sh', ['-c', 'cat > "$0"', file], { input: bytes });

describe('what SQLite says', () => {
  it.each([3, 5, 6, 7, 8, 10, 11, 13, 14, 26])('is told in one sentence with the file, for code %i', (errcode) => {
    const cause = Object.assign(new Error('raw'), { errcode: errcode + 256 });
    const told = translate(cause, '/data/purser.db');
    expect(told).toMatchObject({
      name: 'LedgerUnavailable',
      message: expect.stringMatching(/\/data\/purser\.db.*\.$/),
      cause,
    });
  });

  it('is a full disk where the index of the log has no room: no backup is called for', () => {
    const told = (errcode: number) =>
      String(translate(Object.assign(new Error('raw'), { errcode }), '/data/purser.db'));
    expect(told(4874)).toBe(told(13));
  });

  it.each([1, 21, 25, 19])('is passed on as it is where the fault is ours, for code %i', (errcode) => {
    const cause = Object.assign(new Error('raw'), { errcode });
    expect(translate(cause, 'x')).toBe(cause);
  });

  it('is not asked about errors of others', () => {
    expect([translate('text', 'x'), translate(undefined, 'x')]).toEqual(['text', undefined]);
  });
});

describe("another program's database", () => {
  it.each([
    ['tables', "create table orders (id text); insert into orders values ('order-1')"],
    ['migrations', "create table migrations (id integer, name text); insert into migrations values (1, 'Init')"],
    ['migrations of other columns', 'create table migrations (id integer, migration text)'],
    ['a table named as one of ours', 'create table audit (id text)'],
    ['a view', 'create view orders as select 1'],
  ])('is refused as a ledger, and nothing of it is changed: %s', async (_, made) => {
    const file = `${folder()}/shop.db`;
    const shop = new DatabaseSync(file);
    shop.exec(made);
    shop.close();
    chmodSync(file, 0o640);
    const before = readFileSync(file);
    expect(await refusal(file)).toContain("another program's database");
    expect([readFileSync(file).equals(before), mode(file)]).toEqual([true, '640']);
    expect([existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([false, false]);
  });
});

describe('a database of nothing', () => {
  it.each([
    ['an empty file', ''],
    ['tables of SQLite alone', 'create table orders (id integer primary key autoincrement); drop table orders'],
  ])('becomes a ledger: %s', async (_, made) => {
    const file = `${folder()}/purser.db`;
    const first = new DatabaseSync(file);
    first.exec(made);
    first.close();
    const it = await ledger(file);
    expect(await it.verify()).toMatchObject({ ok: true });
    expect(mode(file)).toBe('600');
  });

  it('is none where it is a copy of a ledger, as VACUUM INTO makes it', async () => {
    const [file, copy] = [`${folder()}/purser.db`, `${folder()}/copy.db`];
    const first = await openLedger({ file, key: testKey });
    await first.transaction('shop', (tx) => tx.audit.append({ event: 'sent', body: {}, at: 1 }));
    await first.close();
    const database = new DatabaseSync(file);
    database.exec(`VACUUM INTO '${copy}'`);
    database.close();
    expect(await (await ledger(copy)).verify()).toMatchObject({ ok: true, rows: 1 });
  });
});

describe('a full disk', () => {
  it('loses the step that did not fit, keeps those before, and goes on when there is room', async () => {
    const file = `${folder()}/purser.db`;
    let pages = 1_000_000;
    const it = await openLedgerOn(
      withPageLimit(sqliteDialect(file), () => pages),
      { file, key: testKey },
    );
    onTestFinished(() => it.close());
    const put = (id: string) =>
      it.transaction('shop', async (tx) => {
        await tx.operations.insert(operation({ id, args: 'x'.repeat(20_000) }));
        await tx.audit.append({ operationId: id, event: 'sent', body: {}, at: 1 });
      });
    await put('before');
    pages = 1;
    await expect(put('does not fit')).rejects.toThrow(
      new LedgerUnavailable(`The disk of the ledger ${file} is full: free some space; nothing of this step was kept.`),
    );
    const swallowed = it.transaction('shop', async (tx) => {
      await tx.operations.insert(operation({ id: 'swallowed', args: 'x'.repeat(20_000) })).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('An earlier error broke this transaction, and nothing of it is kept');
    const goingOn = it.transaction('shop', async (tx) => {
      await tx.operations.insert(operation({ id: 'swallowed', args: 'x'.repeat(20_000) })).catch(() => undefined);
      await tx.audit.append({ event: 'sent', body: {}, at: 1 });
    });
    await expect(goingOn).rejects.toThrow(LedgerUnavailable);
    pages = 1_000_000;
    await put('after');
    const { rows } = await it.transaction('shop', (tx) => tx.operations.list({}, { limit: 9 }));
    expect(rows.map(({ id }) => id).sort()).toEqual(['after', 'before']);
    expect(await it.verify()).toMatchObject({ ok: true, rows: 2 });
  });
});

/** The dialect on a disk that holds no more than so many pages (or as many as are in use already). */
function withPageLimit(dialect: Dialect, pages: () => number): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => {
      const driver = dialect.createDriver();
      return {
        ...driver,
        acquireConnection: async () => {
          const connection = await driver.acquireConnection();
          await connection.executeQuery(CompiledQuery.raw(`PRAGMA max_page_count = ${pages()}`));
          return connection;
        },
      };
    },
  };
}
