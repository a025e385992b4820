import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { reveal, Secret } from '../../src/core/secret.ts';
import { AlreadyOpen, CommitUnknown, LedgerUnavailable } from '../../src/ledger/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/store.ts';
import { operation } from './rows.ts';
import { emptyPlace, openHere, postgresPlace, superuser, testKey } from './support/databases.ts';
import { wireTo } from './support/proxy.ts';

const pauses = vi.hoisted(() => ({ during: () => {}, passed: 0 }));

// Time passes at once: a test can't wait for a database that is away.
vi.mock('node:timers/promises', async (real) => ({
  ...(await real<object>()),
  setTimeout: async (milliseconds: number) => {
    await new Promise<void>((resume) => setImmediate(resume));
    pauses.passed += milliseconds;
    pauses.during();
  },
}));

const stopwatch = performance.now.bind(performance);
vi.spyOn(performance, 'now').mockImplementation(() => stopwatch() + pauses.passed);

/** A ledger behind a wire that can be cut. */
async function wired() {
  const place = await postgresPlace();
  const wire = await wireTo(place.url);
  const it = await openHere({ ...place, url: wire.url });
  pauses.during = () => {};
  return { it, wire, place };
}

/** One step with a write and a row of the audit; tells how often its work ran. */
async function step(it: Ledger, id: string): Promise<number> {
  let runs = 0;
  await it.transaction('shop', async (tx) => {
    runs += 1;
    await tx.operations.insert(operation({ id }));
    await tx.audit.append({ operationId: id, event: 'sent', body: {}, at: 1 });
  });
  return runs;
}

const kept = async (it: Ledger) =>
  (await it.transaction('shop', (tx) => tx.operations.list({}, { limit: 99 }))).rows.map(({ id }) => id).sort();

describe('a connection that is cut', () => {
  it.each([
    ['before a transaction', 'begin isolation', 'before'],
    ['within a transaction', 'insert into', 'before'],
    ['after a write was done', 'insert into', 'after'],
    ['before the commit arrived', 'commit\0', 'before'],
  ] as const)('%s keeps nothing, and the step is done again, once', async (_, words, when) => {
    const { it, wire } = await wired();
    wire.cutAt(words, when);
    expect(await step(it, 'op')).toBe(words === 'begin isolation' ? 1 : 2);
    expect([await kept(it), await it.verify()]).toMatchObject([['op'], { ok: true, rows: 1 }]);
  });

  it('after the commit was done, before its answer: the step is found to be kept, and not done again', async () => {
    const { it, wire } = await wired();
    wire.cutAt('commit\0', 'after');
    expect(await step(it, 'op')).toBe(1);
    expect([await kept(it), await it.verify()]).toMatchObject([['op'], { ok: true, rows: 1 }]);
  });

  it('and stays cut: the outcome of the commit is told as unknown, and reading it again tells', async () => {
    const { it, wire } = await wired();
    wire.breakOffAt('commit\0');
    const lost = step(it, 'op');
    await expect(lost).rejects.toThrow(CommitUnknown);
    await expect(lost).rejects.toThrow(/whose outcome is unknown: read again before you continue\.$/);
    wire.mend();
    expect(await kept(it)).toEqual(['op']);
  });

  it('while nothing was written is no matter', async () => {
    const { it, wire } = await wired();
    wire.cutAt('commit\0', 'after');
    expect(await kept(it)).toEqual([]);
    wire.cutAt('commit\0', 'before');
    expect(await it.tenants()).toEqual([]);
  });

  it('and stays cut before the commit: nothing is kept, and the error says so', async () => {
    const { it, wire } = await wired();
    wire.cutAt('insert into', 'after');
    pauses.during = () => wire.breakOff();
    const lost = step(it, 'op');
    await expect(lost).rejects.toThrow(LedgerUnavailable);
    await expect(lost).rejects.not.toThrow(CommitUnknown);
    wire.mend();
    pauses.during = () => {};
    expect([await kept(it), await step(it, 'next'), await kept(it)]).toEqual([[], 1, ['next']]);
  });

  it('while nobody uses it is not noticed by anybody', async () => {
    const { it, wire } = await wired();
    wire.breakOff();
    wire.mend();
    expect(await step(it, 'op')).toBe(1);
  });
});

describe('a step that PostgreSQL throws out', () => {
  it.each(['40001', '40P01'])('with %s is done again, so many times', async (code) => {
    const { it, place } = await wired();
    const client = await superuser(place);
    // A sequence goes on when its transaction is undone.
    await client.query(`create sequence turns; grant usage on sequence turns to purser_app;
      create function fail() returns trigger language plpgsql as $$ begin
        if nextval('${place.schema}.turns') <= 3 then raise exception using errcode = '${code}'; end if; return new;
      end $$;
      create trigger fail before insert on operations for each row execute function fail()`);
    expect([await step(it, 'op'), await kept(it)]).toEqual([4, ['op']]);
    await client.query('alter sequence turns minvalue -1000000000 restart with -1000000000');
    await expect(step(it, 'never')).rejects.toThrow(/^Other transactions kept changing the same rows .* try again\.$/);
    await client.query('drop trigger fail on operations; drop function fail; drop sequence turns');
    expect(await kept(it)).toEqual(['op']);
  });

  it('at its commit keeps nothing, and says what was refused', async () => {
    const { it, place } = await wired();
    const client = await superuser(place);
    await client.query(`create function fail() returns trigger language plpgsql as $$ begin
        raise exception using errcode = '23514', message = 'refused late'; end $$;
      create constraint trigger fail after insert on operations deferrable initially deferred
        for each row execute function fail()`);
    await expect(step(it, 'op')).rejects.toThrow('refused late');
    await client.query('drop trigger fail on operations; drop function fail');
    expect([await kept(it), await it.verify()]).toMatchObject([[], { ok: true, rows: 0 }]);
  });

  it('loses the whole step when an error was swallowed that is not about one row', async () => {
    const { it } = await wired();
    const swallowed = it.transaction('shop', async (tx) => {
      await tx.operations.insert(operation({ id: 'op' }));
      await tx.operations.insert(operation({ id: 'NUL', principal: 'a\0b' })).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('An earlier error broke this transaction, and nothing of it is kept');
    expect(await kept(it)).toEqual([]);
  });
});

describe('what PostgreSQL says', () => {
  const refusal = async (url: string, schema = 'purser') => {
    const said: unknown = await openLedger({ url: new Secret(url), schema, key: testKey }).catch(
      (error: unknown) => error,
    );
    expect(said).toBeInstanceOf(LedgerUnavailable);
    expect(inspect(said, { depth: 9, showHidden: true })).not.toMatch(/pass-word/);
    return said instanceof Error ? said.message : '';
  };

  it('is told in one sentence with the place, and never with the password', async () => {
    const { url } = await emptyPlace();
    const at = (change: (url: URL) => void) => {
      const it = new URL(reveal(url));
      it.password = 'pass-word';
      change(it);
      return it.href;
    };
    const { host } = new URL(reveal(url));
    expect(await refusal(at(() => {}))).toBe(
      `The ledger ${host}/postgres refuses this user: correct user and password in DATABASE_URL.`,
    );
    expect(await refusal(at((it) => (it.port = '1')))).toBe(
      "The ledger 127.0.0.1:1/postgres can't be reached: start the database, or correct DATABASE_URL.",
    );
    for (const wrong of ['pass-word', 'mysql://pass-word@host/db', '', 'postgres://[pass-word'])
      expect(await refusal(wrong)).toMatch(/^DATABASE_URL is not the URL of a PostgreSQL database/);
    expect(await refusal(reveal(url).replace(/\w+$/, 'nowhere'))).toContain('There is no database for the ledger');
  });

  it('never quotes a row', async () => {
    const { it } = await wired();
    await it.transaction('shop', (tx) => tx.operations.insert(operation({ id: 'op', subject: 'canary' })));
    const twice = await it
      .transaction('shop', (tx) => tx.operations.insert(operation({ id: 'other', subject: 'canary' })))
      .catch((error: unknown) => error);
    const check = await it
      .transaction('shop', (tx) => tx.operations.insert(operation({ id: 'canary', quietUntil: null })))
      .catch((error: unknown) => error);
    expect([twice, check]).toEqual([expect.any(AlreadyOpen), expect.any(Error)]);
    expect(inspect([twice, check], { depth: 9, showHidden: true })).not.toContain('canary');
  });

  it('is asked whether it keeps what it confirms', async () => {
    const { url, schema } = await emptyPlace();
    const off = `${reveal(url)}?options=-c%20synchronous_commit%3Doff`;
    expect(await refusal(off, schema)).toMatch(/loses confirmed data when it crashes: set synchronous_commit to on/);
  });

  it('tells the time for all', async () => {
    const { it } = await wired();
    await step(it, 'op');
    const database = await (await superuser(await postgresPlace())).query(
      'select extract(epoch from now()) * 1000 as now',
    );
    expect(Math.abs((it.clock?.now() ?? 0) - Number(database.rows[0].now))).toBeLessThan(60_000);
  });

  it('that a newer Purser was there keeps this one out', async () => {
    const { place } = await wired();
    const client = await superuser(place);
    await client.query(`insert into migrations values ('9999-later')`);
    await expect(openLedger(place)).rejects.toThrow('was written by a newer Purser (9999-later): start that version');
    await client.query(`delete from migrations where name = '9999-later'`);
  });
});
