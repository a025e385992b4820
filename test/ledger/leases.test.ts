import { describe, expect, it } from 'vitest';
import { StaleRow } from '../../src/ledger/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { operation } from './rows.ts';
import { databases, openHere } from './support/databases.ts';

const put = (it: Ledger, tenant: string, ...rows: readonly Parameters<typeof operation>[0][]) =>
  it.transaction(tenant, async (tx) => {
    for (const row of rows) await tx.operations.insert(operation(row));
  });
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

describe.each(databases)('a lease on $name', (database) => {
  const two = async () => {
    const place = await database.place();
    return [await openHere(place), await openHere(place)] as const;
  };

  it('gives what is overdue, of every tenant, the longest waiting first, and nothing else', async () => {
    const [it] = await two();
    await put(it, 'shop', { id: 'due', quietUntil: 2000 }, { id: 'quiet', quietUntil: 2001 });
    await put(it, 'shop', { id: 'unknown', quietUntil: 1, state: 'UNKNOWN' });
    await put(it, 'cafe', { id: 'longest', quietUntil: 1 });
    const claimed = await it.claimOverdue(2000, 'me', 60);
    expect(claimed.map(({ tenant, id, version }) => [tenant, id, version])).toEqual([
      ['cafe', 'longest', 2],
      ['shop', 'due', 2],
    ]);
    expect(claimed[1]).toEqual({ ...operation({ id: 'due' }), tenant: 'shop', version: 2 });
  });

  it('gives what is of unknown outcome, of the operations that are named, past their quiet period', async () => {
    const [it, other] = await two();
    const lost = { state: 'UNKNOWN', quietUntil: 2000 };
    await put(it, 'shop', { id: 'lost', name: 'createPlan', ...lost }, { id: 'under-way', name: 'createPlan' });
    await put(it, 'shop', { id: 'quiet', name: 'createPlan', ...lost, quietUntil: 2001 });
    await put(it, 'shop', { id: 'parked', name: 'enrollCard', ...lost });
    await put(it, 'cafe', { id: 'longest', name: 'createInvoice', ...lost, quietUntil: 1 });
    const names = ['createPlan', 'createInvoice'];
    expect(ids(await it.claimUnknown(2000, names, 'me', 60))).toEqual(['longest', 'lost']);
    expect(ids(await other.claimUnknown(2000, names, 'other', 60))).toEqual([]);
    expect(ids(await other.claimOverdue(2000, 'other', 60))).toEqual(['under-way']);
  });

  it('keeps others out until it ends, also the same holder, and then lets anybody in', async () => {
    const [one, other] = await two();
    await put(one, 'shop', { id: 'op' });
    expect(ids(await one.claimOverdue(2000, 'one', 0))).toEqual(['op']);
    expect(ids(await other.claimOverdue(2000, 'other', 3600))).toEqual(['op']);
    expect([await one.claimOverdue(2000, 'one', 60), await other.claimOverdue(2000, 'other', 60)]).toEqual([[], []]);
    expect(ids(await one.overdue(2000))).toEqual(['op']);
  });

  it('is fenced: who slept through its end changes nothing', async () => {
    const [one, other] = await two();
    await put(one, 'shop', { id: 'op' });
    const [slept] = await one.claimOverdue(2000, 'one', 0);
    const [taken] = await other.claimOverdue(2000, 'other', 60);
    if (slept === undefined || taken === undefined) throw new Error('Both claimed it, one after the other.');
    const late = one.transaction('shop', (tx) => tx.operations.update(slept, { state: 'UNKNOWN' }));
    await expect(late).rejects.toThrow(StaleRow);
    const inTime = await other.transaction('shop', (tx) => tx.operations.update(taken, { state: 'UNKNOWN' }));
    expect([inTime.version, await one.claimOverdue(9000, 'one', 60)]).toEqual([4, []]);
  });

  it('gives each of many to one of two that claim at once', async () => {
    const [one, other] = await two();
    const all = Array.from({ length: 150 }, (_, index) => ({ id: `op${index}`, quietUntil: index }));
    await put(one, 'shop', ...all);
    const rounds = await Promise.all([one, other, one, other].map((it, at) => it.claimOverdue(9000, `h${at}`, 60)));
    const rest = await one.claimOverdue(9000, 'rest', 60);
    const claimed = [...rounds.flat(), ...rest].map(({ id }) => id);
    expect([claimed.length, new Set(claimed).size]).toEqual([150, 150]);
    expect(Math.max(...rounds.map((rows) => rows.length))).toBeLessThanOrEqual(100);
  });
});
