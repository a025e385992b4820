import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CompiledQuery, Kysely } from 'kysely';
import { removeFolder, temporaryPath } from '../../../src/files/write.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { IN_MEMORY, sqliteDialect } from '../../../src/ledger/sqlite.ts';
import { sqliteFileCheck } from '../../../src/ledger/sqlite-file-check.ts';
import { openLedger, openLedgerOn } from '../../../src/ledger/store.ts';
import { placeOfEvals, rewindableDatabase } from '../world/ledger.ts';
import { endOf, start, tenant } from './ledger-steps.ts';
import type { Lines, Mechanisms } from './lines.ts';

// A ledger in a file: two processes that share it, files that are broken or no ledger at all, and the SQL dialect.

const plan = (handle: string) => ({ handle, kind: 'plan', owner: 'ada', state: 'ACTIVE', body: {} });
const insert = (ledger: Ledger, handle: string) =>
  ledger.transaction(tenant, async (tx) => {
    await tx.audit.append({ event: 'noted', body: {}, at: start });
    return (await tx.observations.insert(plan(handle), start)).handle;
  });

/** Works in a temporary folder. Its name is left out of every message, because it differs in each run. */
async function inFolder(work: (folder: string) => Promise<Lines>): Promise<Lines> {
  const folder = temporaryPath(`purser-eval-database-${randomBytes(8).toString('hex')}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    return JSON.parse(JSON.stringify(await work(folder)).replaceAll(folder, '')) as Lines;
  } finally {
    removeFolder(folder);
  }
}

const shared = (): Promise<Lines> =>
  inFolder(async (folder) => {
    const file = join(folder, 'ledger.db');
    const [one, other] = [await openLedger({ ...placeOfEvals, file }), await openLedger({ ...placeOfEvals, file })];
    const lines: [string, unknown][] = [];
    const said = async (what: string, work: () => Promise<unknown>) => void lines.push([what, await endOf(work)]);
    await said('one writes', () => insert(one, 'plan_a'));
    const verified = async () => ({ ...(await one.head()), writes: await one.writeCounters() });
    const before = await verified();
    const recent = (from: typeof before) =>
      one.transaction(tenant, async (tx) => (await tx.audit.verifyRecent(from, undefined)).kind);
    await said('nobody else wrote', () => recent(before));
    await said('the other one writes', () => insert(other, 'plan_b'));
    await said('the other one wrote since', async () => [
      await recent(before),
      (await one.writeCounters()).others === before.writes.others ? 'nobody wrote' : 'somebody wrote',
      (await one.verifySince(before)).kind,
    ]);
    await said('both write at once', () =>
      Promise.all([insert(one, 'plan_c'), insert(other, 'plan_d'), insert(one, 'plan_e')]),
    );
    await said('a transaction that breaks', () =>
      one.transaction(tenant, async (tx) => {
        await tx.observations.insert(plan('plan_f'), start);
        throw new Error('It broke.');
      }),
    );
    await said('one waits for the other', async () => {
      const order: string[] = [];
      await Promise.all([
        other.transaction(tenant, async (tx) => {
          await tx.observations.insert(plan('plan_g'), start);
          for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
          order.push('the other');
        }),
        insert(one, 'plan_h').then(() => order.push('one')),
      ]);
      return order;
    });
    await said('what there is', () =>
      other.transaction(tenant, async (tx) =>
        (await tx.observations.list({ kind: 'plan' }, { limit: 9 })).rows.map(({ handle }) => handle),
      ),
    );
    await said('verified', async () => {
      const [by, also] = [await one.verify(), await other.verify()];
      return [by.ok && by.rows, also.ok && also.rows];
    });
    await one.close();
    await said('one that is closed', () => insert(one, 'plan_i'));
    await said('the other still writes', () => insert(other, 'plan_j'));
    await other.close();
    const later = await openLedger({ ...placeOfEvals, file });
    await said('opened again', async () => (await later.head()).seq);
    await later.close();
    return lines;
  });

const broken = (): Promise<Lines> =>
  inFolder(async (folder) => {
    const lines: [string, unknown][] = [];
    const opens = async (what: string, file: string) =>
      void lines.push([
        what,
        await endOf(async () => {
          const ledger = await openLedger({ ...placeOfEvals, file });
          const verdict = await ledger.verify();
          await ledger.close();
          return verdict.ok ? `whole to ${verdict.rows}` : verdict.because;
        }),
      ]);
    const at = (name: string) => join(folder, name);
    await opens('a new file', at('new.db'));
    writeFileSync(at('text.db'), 'This is no database, but a text of some length. '.repeat(99));
    await opens('a text', at('text.db'));
    mkdirSync(at('folder.db'));
    await opens('a folder', at('folder.db'));
    await opens('in no folder', at('none/ledger.db'));
    const ledger = await openLedger({ ...placeOfEvals, file: at('whole.db') });
    for (let count = 0; count < 40; count += 1)
      await insert(ledger, `plan_${'abcdefghij'[count % 10]}${'abcd'[Math.floor(count / 10)]}`);
    await ledger.close();
    await opens('a whole one', at('whole.db'));
    const bytes = readFileSync(at('whole.db'));
    writeFileSync(at('short.db'), bytes.subarray(0, 4_096 * 3));
    await opens('its beginning', at('short.db'));
    for (const size of [4_000_000, 5_000_000]) {
      const file = at(`of${size}.db`);
      const checked = async (what: string, opened = file) => {
        const db = new Kysely<never>({ dialect: sqliteDialect(opened) });
        const end = await endOf(async () => (await sqliteFileCheck(file)(db as never)) ?? 'whole');
        lines.push([`${what}, of ${size} bytes`, end]);
        await db.destroy();
      };
      const db = new Kysely<never>({ dialect: sqliteDialect(file) });
      for (const text of [
        'create table migrations (it)', // by these two it is a ledger
        'create table audit (it)',
        'create table rows (it, other)',
        `insert into rows values ('a text that is found twice', zeroblob(${size}))`,
        'create index of_rows on rows (it)',
      ])
        await db.executeQuery(CompiledQuery.raw(text));
      await db.destroy();
      await checked('checked');
      const whole = readFileSync(file, 'latin1');
      const last = whole.lastIndexOf('found twice');
      writeFileSync(file, `${whole.slice(0, last)}found never${whole.slice(last + 11)}`, 'latin1');
      await checked('checked, with an index that has another text');
      writeFileSync(file, Buffer.alloc(size + 400_000, 'x'));
      if (size > 4_194_304) await checked('checked once it is no database', IN_MEMORY);
    }
    return lines;
  });

/** What the verification of a ledger says of its file, before and after an index of it is edited. */
const verified = (): Promise<Lines> =>
  inFolder(async (folder) => {
    const file = join(folder, 'ledger.db');
    const first = await openLedger({ ...placeOfEvals, file });
    await insert(first, 'plan_that_is_found_twice');
    await first.close();
    const lines: [string, unknown][] = [];
    const said = async (what: string) => {
      const ledger = await openLedger({ ...placeOfEvals, file });
      const verdict = await ledger.verify();
      await ledger.close();
      lines.push([what, verdict.ok ? 'whole' : verdict.because.replace(/:.*/s, '')]);
    };
    await said('as it was written');
    const bytes = readFileSync(file, 'latin1');
    const last = bytes.lastIndexOf('found_twice');
    writeFileSync(file, `${bytes.slice(0, last)}found_never${bytes.slice(last + 11)}`, 'latin1');
    await said('with a byte of it edited');
    return lines;
  });

/** What reads and the verification say of a ledger with so many things, before and after one of them is edited. */
async function large(): Promise<Lines> {
  const lines: [string, unknown][] = [];
  for (const count of [20, 400, 4_000]) {
    const database = rewindableDatabase();
    const ledger = await openLedgerOn(database.dialect, placeOfEvals);
    const things = Array.from({ length: count }, (_, at) => plan(`plan_${at}`));
    for (let at = 0; at < count; at += 400)
      await ledger.transaction(tenant, (tx) => tx.observations.insertAll(things.slice(at, at + 400), start));
    const ends = async (): Promise<readonly unknown[]> => {
      const verdict = await ledger.verify();
      const written = await endOf(() =>
        ledger.transaction(tenant, async ({ observations, audit }) => {
          await audit.append({ event: 'noted', body: {}, at: start });
          return (await observations.find('plan_7'))?.state;
        }),
      );
      return [verdict.ok ? 'whole' : verdict.because, written];
    };
    const before = await ends();
    await database.rows(
      `update observations set state = 'ENDED', checksum = (select checksum from observations where handle = 'plan_8') where handle = 'plan_7'`,
    );
    lines.push([`${count} things`, [...before, ...(await ends())]]);
    await ledger.close();
  }
  return lines;
}

/** SQL by itself, on one connection. */
const sql: Mechanisms[string] = async () => {
  const db = new Kysely<never>({ dialect: sqliteDialect(IN_MEMORY) });
  const run = (text: string, parameters: readonly unknown[] = []) =>
    endOf(async () => (await db.executeQuery(CompiledQuery.raw(text, [...parameters]))).rows);
  const lines: [string, unknown][] = [];
  for (const text of [
    ...['busy_timeout', 'journal_mode', 'synchronous', 'foreign_keys', 'secure_delete'].map((it) => `pragma ${it}`),
    'create table some_rows (its_number integer primary key, some_name text unique)',
    `insert into some_rows values (1, 'one'), (2, 'two')`,
    'select its_number, some_name from some_rows order by its_number desc',
    `insert into some_rows values (3, 'one')`,
    'select nothing from some_rows',
    'select 1; select 2',
    'no sql',
    'update some_rows set some_name = null',
    'select count(*) as all_rows from some_rows',
  ])
    lines.push([text, await run(text)]);
  lines.push([
    'with parameters',
    [
      await run('select ? as it', ['x']),
      await run('select ? as it', [7]),
      await run('select ? as it', [null]),
      await run('select 9007199254740993 as it'),
    ],
  ]);
  lines.push([
    'within a transaction that breaks',
    await endOf(() =>
      db.transaction().execute(async (tx) => {
        await tx.executeQuery(CompiledQuery.raw('delete from some_rows'));
        throw new Error('It broke.');
      }),
    ),
  ]);
  lines.push([
    'after a statement that breaks',
    await endOf(() =>
      db.transaction().execute(async (tx) => {
        const broken = await endOf(() => tx.executeQuery(CompiledQuery.raw('select nothing from some_rows')));
        return [broken, (await tx.executeQuery(CompiledQuery.raw('select 1 as it'))).rows];
      }),
    ),
  ]);
  lines.push(['after it', await run('select count(*) as all_rows from some_rows')]);
  lines.push([
    'a statement after its transaction',
    await endOf(async () => {
      const tx = await db.transaction().execute(async (it) => [it] as const);
      return tx[0].executeQuery(CompiledQuery.raw('select 1'));
    }),
  ]);
  lines.push([
    'streamed',
    await endOf(async () => {
      for await (const row of db.getExecutor().stream(CompiledQuery.raw('select 1'), 1)) return row;
      return 'nothing';
    }),
  ]);
  await db.destroy();
  return lines;
};

export const databaseMechanisms: Mechanisms = {
  'a ledger in a file that two processes share': shared,
  'files that are no ledger, or a broken one': broken,
  'a ledger whose file is edited, verified': verified,
  'a ledger of few and of many things': large,
  'SQL by itself': sql,
};
