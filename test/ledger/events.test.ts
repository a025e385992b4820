import { describe, expect, it } from 'vitest';
import { StaleRow } from '../../src/ledger/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/store.ts';
import { event } from './rows.ts';
import { databases, openHere } from './support/databases.ts';

// Events that were delivered: each is stored once, one worker has it at a time, and old ones are deleted.

const put = (it: Ledger, tenant: string, ...all: readonly Parameters<typeof event>[0][]) =>
  it.transaction(tenant, async (tx) => {
    for (const one of all) await tx.events.insert(event(one));
  });
const claim = (it: Ledger, now: number, most = 9) =>
  it.transaction('shop', (tx) => tx.events.claim({ now, until: now + 60, most }));
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
const listed = async (it: Ledger, thing?: string) =>
  ids((await it.read('shop', (tx) => tx.events.list({ thing }, { limit: 1_000 }))).rows);

describe.each(databases)('an event on $name', (database) => {
  const open = async () => openHere(await database.place());

  it('is found by its id, and by its tenant alone', async () => {
    const it = await open();
    await put(it, 'shop', { id: 'a' });
    const [own, others] = await Promise.all(
      ['shop', 'cafe'].map((tenant) => it.transaction(tenant, (tx) => tx.events.find('a'))),
    );
    expect([own, others]).toEqual([{ ...event({ id: 'a' }), tenant: 'shop', version: 1 }, undefined]);
    await expect(put(it, 'shop', { id: 'a' })).rejects.toThrow();
  });

  it('is claimed by one worker, counts an attempt, and is due again when its time is over', async () => {
    const it = await open();
    await put(it, 'shop', { id: 'later', dueAt: 3_000 }, { id: 'b', dueAt: 900 }, { id: 'a', dueAt: 1_000 });
    await put(it, 'shop', { id: 'ended', dueAt: 1, state: 'APPLIED' });
    await put(it, 'cafe', { id: 'other', dueAt: 1 });
    expect(ids(await claim(it, 1_000))).toEqual(['b', 'a']);
    expect(ids(await claim(it, 1_059))).toEqual([]);
    const again = await claim(it, 1_060, 1);
    expect(again).toEqual([{ ...event({ id: 'a' }), tenant: 'shop', attempts: 2, dueAt: 1_120, version: 3 }]);
  });

  it('is changed by nobody whose time was over', async () => {
    const it = await open();
    await put(it, 'shop', { id: 'a' });
    const [slept] = await claim(it, 1_000);
    const [taken] = await claim(it, 1_060);
    if (slept === undefined || taken === undefined) throw new Error('Both claimed it, one after the other.');
    const end = (row: typeof slept) => it.transaction('shop', (tx) => tx.events.update(row, { state: 'APPLIED' }));
    await expect(end(slept)).rejects.toThrow(StaleRow);
    expect([await end(taken), await claim(it, 9_000)]).toMatchObject([{ state: 'APPLIED', version: 4 }, []]);
  });

  it('is listed newest first, all of them or those of one thing', async () => {
    const it = await open();
    await put(it, 'shop', { id: 'a', createdAt: 1 }, { id: 'c', createdAt: 2, thing: 'plan_x' });
    await put(it, 'shop', { id: 'b', createdAt: 2 });
    await put(it, 'cafe', { id: 'z' });
    expect([await listed(it), await listed(it, 'plan_x'), await listed(it, 'plan_y')]).toEqual([
      ['c', 'b', 'a'],
      ['c'],
      [],
    ]);
  });

  it('is deleted when it is old, or when there are too many; never while it waits or may come again', async () => {
    const it = await open();
    const ended = (id: string, createdAt: number) => ({ id, createdAt, state: 'APPLIED' });
    await put(it, 'shop', ...[1, 2, 3, 4, 5, 6].map((at) => ended(`e${at}`, at)));
    await put(it, 'shop', { id: 'waits', createdAt: 0 });
    const prune = (before: number, spare: number, keep: number, most = 9) =>
      it.transaction('shop', (tx) => tx.events.prune({ before, spare, keep, most }));
    expect([await prune(2, 0, 99), await listed(it)]).toEqual([1, ['e6', 'e5', 'e4', 'e3', 'e2', 'waits']]);
    expect([await prune(0, 99, 3), await listed(it)]).toEqual([2, ['e6', 'e5', 'e4', 'waits']]);
    expect([await prune(0, 5, 0), await listed(it)]).toEqual([1, ['e6', 'e5', 'waits']]);
    expect([await prune(99, 99, 0, 1), await listed(it)]).toEqual([1, ['e6', 'waits']]);
    expect(await it.verify()).toMatchObject({ ok: true });
    expect(await it.transaction('shop', (tx) => tx.events.waiting(5))).toBe(1);
  });

  it('that somebody has taken away is noticed by the verification', async () => {
    const place = await database.place();
    const sound = await openLedger(place);
    await put(sound, 'shop', { id: 'a' }, { id: 'b' }, { id: 'c' });
    await sound.close();
    await database.tamper(place, "delete from events where id = 'b'");
    expect(await (await openHere(place)).verify()).toMatchObject({
      ok: false,
      because: expect.stringMatching(/^events /),
    });
  });
});
