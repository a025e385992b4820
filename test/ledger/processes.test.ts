import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reveal } from '../../src/core/secret.ts';
import { type LedgerPlace, openLedger } from '../../src/ledger/store.ts';
import { programOf } from '../support/bundled.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { operation } from './rows.ts';
import { databases, emptyPlace, openHere } from './support/databases.ts';

playRowsOneIn(3);

const CHILD = new URL('./children/child.ts', import.meta.url);

/** Starts processes that wait for each other, lets them go at once, and answers what they said and how they ended. */
async function together(place: LedgerPlace, role: string, names: readonly string[], count = 0) {
  const { file, env } = await programOf(CHILD);
  const children = names.map((name) =>
    fork(file, [role, name, String(count)], { execArgv: [], env: { ...process.env, ...env, LEDGER: told(place) } }),
  );
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  await Promise.all(children.map((child) => once(child, 'message')));
  return Promise.all(children.map(release));
}

/** A place as a child is told it: in its environment, where an address may stand. */
const told = (place: LedgerPlace): string =>
  JSON.stringify('file' in place ? { file: place.file } : { url: reveal(place.url), schema: place.schema });

async function release(child: ChildProcess) {
  const said: unknown[] = [];
  child.on('message', (message) => said.push(message));
  child.send('go');
  const [code, signal] = await once(child, 'exit');
  return { code, signal, said: said.at(-1) };
}

const well = (done: unknown) => ({ code: 0, signal: null, said: { done } });

// Starting processes takes as long as the machine is loaded; nothing here depends on how long.
const PATIENCE = { timeout: 60_000 };

describe.each(databases)('several processes on one ledger on $name', PATIENCE, (database) => {
  it('may all be the first to open it', async () => {
    const place = database.name === 'PostgreSQL' ? await emptyPlace() : await database.place();
    const ended = await together(place, 'count', ['a', 'b', 'c', 'd'], 1);
    expect(ended).toEqual([well(null), well(null), well(null), well(null)]);
    const it = await openHere(place);
    expect(await it.verify()).toMatchObject({ ok: true, rows: 4 });
  });

  it('lose no update and keep one chain', async () => {
    const place = await database.place();
    await together(place, 'count', ['a', 'b', 'c'], 40);
    const it = await openHere(place);
    const counted = await it.transaction('shop', (tx) => tx.observations.find('count'));
    expect([counted?.body, counted?.version]).toEqual([{ value: 120 }, 120]);
    expect(await it.verify()).toMatchObject({ ok: true, rows: 120 });
  });

  it('open each subject once', async () => {
    const place = await database.place();
    const ended = await together(place, 'race', ['a', 'b', 'c'], 40);
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
    const won = ended.map(({ said }) => (said as { readonly done: number }).done);
    expect(won.reduce((sum, wins) => sum + wins)).toBe(40);
    const it = await openHere(place);
    const { total } = await it.transaction('shop', (tx) => tx.operations.list({}, { limit: 1 }));
    expect(total).toBe(40);
  });

  it('keep what was committed, and nothing of a step in which one was killed', async () => {
    const place = await database.place();
    const [ended] = await together(place, 'die', ['a']);
    expect(ended).toMatchObject({ signal: 'SIGKILL' });
    const it = await openHere(place);
    await it.transaction('shop', async (tx) => {
      expect(await tx.operations.find('committed')).toMatchObject({ state: 'SENDING' });
      expect(await tx.operations.find('half done')).toBeUndefined();
    });
    expect(await it.verify()).toMatchObject({ ok: true, rows: 0 });
  });
});

describe.each(databases)('two ledgers of one process at one place on $name', PATIENCE, (database) => {
  it('wait for each other without stopping the process', async () => {
    const place = await database.place();
    const [one, other] = await Promise.all([openHere(place), openHere(place)]);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? one : other).transaction('shop', async (tx) => {
          await tx.operations.insert(operation({ id: `op${index}` }));
          await new Promise<void>((resume) => setImmediate(resume));
          await tx.audit.append({ event: 'sent', body: {}, at: index });
        }),
      ),
    );
    expect(await one.verify()).toEqual(await other.verify());
    expect(await other.verify()).toMatchObject({ ok: true, rows: 20 });
  });

  it('lets one be closed while the other goes on', async () => {
    const place = await database.place();
    const it = await openHere(place);
    await (await openLedger(place)).close();
    await it.transaction('shop', (tx) => tx.operations.insert(operation({ id: 'op' })));
    expect(await (await openHere(place)).tenants()).toEqual(['shop']);
  });
});
