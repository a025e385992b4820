import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { anchorFile, anchorOf } from '../../src/cli/anchor.ts';
import { readConfiguration } from '../../src/cli/config.ts';
import { ledgerPlace } from '../../src/cli/storage-paths.ts';
import { operation } from '../../src/core/own-machines.ts';
import { Secret } from '../../src/core/secret.ts';
import { bought, order as purchase, world } from '../engine/support.ts';
import { agent, folder, order, proposed, run, runJson, state, within } from '../faces/cli.ts';
import { databases, openHere } from '../ledger/support/databases.ts';
import { ownDatabase } from './replica-database.ts';

// The oldest rows of the audit can be kept in files. The chain then runs through the files and the ledger, nothing that a
// decision reads is taken away, and whoever changes a file, or takes rows away without one, is noticed.

/** A data folder whose audit has some rows, and commands on it. */
async function grown(rows = 30) {
  const data = folder();
  const files = folder();
  await within(data, async (running) => {
    await running.engine.call('enroll_card', { card: order.card }, agent);
    await running.ledger.transaction('else', async (tx) => {
      for (let at = 0; at < rows; at++) await tx.audit.append({ event: 'refused', body: { at }, at });
    });
  });
  const audit = (command: string, ...more: string[]) => runJson(['audit', command, '--data', data, ...more]);
  return {
    data,
    file: (name: string) => join(files, name),
    archive: (to: string, ...more: string[]) => audit('archive', '--to', to, ...more),
    verify: (...archives: string[]) => audit('verify', ...(archives.length === 0 ? [] : ['--archive', ...archives])),
    sql: (statement: string) => {
      const database = new DatabaseSync(join(data, 'sandbox.sqlite'));
      const found = database.prepare(statement).all();
      database.close();
      return found;
    },
  };
}
const holds = { code: 0, value: { ok: true } };
const fails = { code: 1, value: { ok: false } };

describe('archives of the audit', { timeout: 120_000 }, () => {
  it('leave every row from the first of an open operation on, and say from where', async () => {
    const { data, file, archive, sql } = await grown();
    expect((await archive(file('one'), '--keep', '5')).value).not.toHaveProperty('heldFrom');
    await within(data, async ({ engine, ledger }) => {
      await engine.call('initiate_purchase', order, agent);
      await ledger.transaction('else', async (tx) => {
        for (let at = 0; at < 20; at++) await tx.audit.append({ event: 'refused', body: { at }, at });
      });
    });
    const { value } = await archive(file('two'), '--keep', '5');
    const [first] = sql(`select min(seq) as seq from audit where event = 'proposed'`);
    expect(value).toMatchObject({ last: Number(first?.seq) - 1, heldFrom: first?.seq });
  });

  it('hold the oldest rows, for this user alone, and verify together with the ledger that goes on', async () => {
    const { data, file, archive, verify, sql } = await grown();
    const [one, two] = [file('one'), file('two')];
    expect(await archive(one, '--keep', '20')).toMatchObject({ code: 0, value: { first: 1 } });
    expect(statSync(one).mode & 0o777).toBe(0o600);
    await within(data, ({ engine }) => engine.call('initiate_purchase', order, agent));
    expect(await archive(two, '--keep', '10')).toMatchObject({ code: 0 });
    const seqs = [one, two].flatMap((path) =>
      readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).seq),
    );
    const rows = sql('select seq from audit order by seq').map(({ seq }) => seq);
    const firstIn = (path: string): number => JSON.parse(readFileSync(path, 'utf8').split('\n')[0] ?? '').seq;
    expect([...seqs, ...rows]).toEqual(Array.from({ length: seqs.length + rows.length }, (_, at) => at + 1));
    expect(await verify()).toMatchObject(holds);
    expect(await verify(two, one)).toMatchObject(holds);
    // An incomplete list of them is a wrong use, and no damage.
    for (const [named, missing] of [
      [two, `Rows 1 to ${firstIn(two) - 1} are`],
      [one, `Rows ${firstIn(two)} to ${Number(rows[0]) - 1} are`],
    ] as const)
      expect(await run(['audit', 'verify', '--data', data, '--archive', named])).toMatchObject({
        ...{ code: 2, out: '', err: expect.stringContaining(missing) },
      });
    const text = readFileSync(one, 'utf8');
    writeFileSync(one, text.replace('"at":3', '"at":4'));
    expect(await run(['audit', 'verify', '--data', data, '--archive', one, two])).not.toMatchObject({ code: 0 });
    writeFileSync(one, text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1));
    expect(await verify(one, two)).toMatchObject(fails);
    expect((await run(['doctor', '--data', data])).out).not.toMatch(/broken/);
  });

  it('lose nothing where a run ends between the file and the ledger, and repeat without effect', async () => {
    const { data, file, archive, verify, sql } = await grown();
    const ledger = join(data, 'sandbox.sqlite');
    const anchor = anchorFile(readConfiguration({ XDG_STATE_HOME: state }, { data })) ?? '';
    copyFileSync(ledger, file('before'));
    copyFileSync(anchor, file('anchor'));
    await archive(file('one'), '--keep', '10');
    const archived = readFileSync(file('one'), 'utf8');
    for (const end of ['', '-wal', '-shm']) if (existsSync(`${ledger}${end}`)) rmSync(`${ledger}${end}`);
    copyFileSync(file('before'), ledger);
    copyFileSync(file('anchor'), anchor);
    expect(await archive(file('one'), '--keep', '25')).toMatchObject({ code: 0 });
    const rows = sql('select seq, hash from audit');
    expect(await archive(file('one'), '--keep', '1')).toMatchObject({ code: 0 });
    expect([sql('select seq, hash from audit'), readFileSync(file('one'), 'utf8')]).toEqual([rows, archived]);
    expect(await verify(file('one'))).toMatchObject(holds);
  });

  it('take no row that a decision reads, in any state of an operation that is open', async () => {
    const { data, file, archive, sql } = await grown();
    await proposed(data);
    const first = sql(`select min(seq) as seq from audit where event = 'proposed'`)[0]?.seq;
    await within(data, (running) =>
      running.ledger.transaction('else', async (tx) => {
        for (let at = 0; at < 10; at++) await tx.audit.append({ event: 'refused', body: { at }, at });
      }),
    );
    await archive(file('one'), '--keep', '1');
    expect(sql('select min(seq) as seq from audit')).toEqual([{ seq: first }]);
    expect(Object.keys(operation.final).sort()).toEqual(['EXPIRED', 'FAILED', 'RESOLVED', 'SUCCEEDED', 'WITHDRAWN']);
    expect(await archive(file('two'), '--keep', '1')).toEqual({ code: 0, value: { rows: 0 } });
    expect(existsSync(file('two'))).toBe(false);
  });

  it.each(['03/02/2027', '1', '2026-02-31', '2026-02-30T00:00:00Z', '2027-02-03T09:00:00', '2027', 'tomorrow'])(
    'take no row before %s, which has no reading or two',
    async (before) => {
      const { data, file, sql } = await grown();
      const rows = sql('select seq from audit');
      expect(await run(['audit', 'archive', '--data', data, '--to', file('one'), '--before', before])).toMatchObject({
        code: 2,
      });
      expect([existsSync(file('one')), sql('select seq from audit')]).toEqual([false, rows]);
    },
  );

  it.each(['2027-02-03', '2027-02-03T09:00:00Z', '2027-02-03T09:00:00.5+01:00'])(
    'take rows before %s',
    async (before) => {
      const { file, archive } = await grown();
      expect(await archive(file('one'), '--before', before)).toMatchObject({ code: 0, value: { first: 1 } });
    },
  );

  it.each(['sandbox.sqlite', 'sandbox.sqlite-wal', 'live.sqlite', 'live.sqlite-journal'])(
    'are not written to %s of the data folder, where a ledger is or will be',
    async (name) => {
      const { data, sql } = await grown();
      const there = existsSync(join(data, name));
      const rows = sql('select seq from audit');
      const to = join(data, '..', basename(data), name);
      expect(await run(['audit', 'archive', '--data', data, '--to', to, '--keep', '5'])).toMatchObject({ code: 2 });
      expect([existsSync(join(data, name)), sql('select seq from audit')]).toEqual([there, rows]);
    },
  );

  it('are not made of a chain that does not verify', async () => {
    const { file, archive, sql } = await grown();
    sql('update audit set at = at + 1 where seq = 2');
    expect((await archive(file('one'), '--keep', '1').catch(() => ({ code: 1 }))).code).toBe(1);
    expect(existsSync(file('one'))).toBe(false);
  });
});

describe.each(databases.map(({ name }) => name))('a Purser that runs on %s', { timeout: 120_000 }, (name) => {
  it('goes on while another process archives, and still notices rows that were taken away without', async () => {
    const data = folder();
    const url = name === 'SQLite' ? undefined : await ownDatabase(`archive_${process.pid}`);
    const databaseUrl = url === undefined ? undefined : new Secret(url);
    const it = await world({ configure: { data, state, databaseUrl } });
    await bought(it);
    const configuration = readConfiguration(
      { XDG_STATE_HOME: state, PURSER_STATE: state, ...(url === undefined ? {} : { DATABASE_URL: url }) },
      { data },
    );
    const other = await openHere(ledgerPlace(configuration));
    const anchor = anchorOf(configuration);
    expect(anchor && (await other.advanceAnchor(anchor))).toBe(true);
    const [first] = await other.archive.rows(0, 1);
    const [oldest] = await other.archive.rows((await other.archive.lastUnread()) - 1, 1);
    for (const through of [first, oldest])
      if (through !== undefined) await other.archive.remove('default', { through, file: 'f'.repeat(64), at: 1 });
    const [next] = await other.archive.rows(oldest?.seq ?? 0, 1);
    const wrong = { through: { seq: next?.seq ?? 0, hash: 'f'.repeat(64) }, file: '', at: 1 };
    await expect(other.archive.remove('default', wrong)).rejects.toMatchObject({ name: 'LedgerUnavailable' });
    expect(await other.archive.start()).toEqual({ seq: oldest?.seq, hash: oldest?.hash });
    const records = await other.archive.records();
    expect(records.at(-1)?.body).toMatchObject({ through: oldest?.seq, hash: oldest?.hash });
    expect(await it.call('initiate_purchase', purchase({ reference: 'order-2' }))).toMatchObject({
      outcome: 'needs_approval',
    });
    await it.running.engine.inspect();
    expect(await it.call('initiate_purchase', purchase({ reference: 'order-3' }))).toMatchObject({
      outcome: 'needs_approval',
    });
    expect(await other.verify()).toMatchObject({ ok: true });

    const database = databases.find((one) => one.name === name);
    await database?.tamper(ledgerPlace(configuration), 'delete from audit where seq = (select min(seq) from audit)');
    expect(await other.verify()).toMatchObject({ ok: false });
    await it.running.engine.inspect();
    expect(await it.call('initiate_purchase', purchase({ reference: 'order-4' }))).toMatchObject({
      outcome: 'refused',
      error: { code: 'INTERNAL_HALT' },
    });
  });
});
