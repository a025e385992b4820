import { describe, expect, it, onTestFinished } from 'vitest';
import { reveal } from '../../src/core/secret.ts';
import { LedgerUnavailable } from '../../src/ledger/errors.ts';
import { type Migration, migrations } from '../../src/ledger/migrations/index.ts';
import { type LedgerPlace, openLedger } from '../../src/ledger/store.ts';
import { observation } from './rows.ts';
import { databases, emptyPlace, openHere, superuser } from './support/databases.ts';
import { apply } from './support/migrate.ts';

/** Made-up later migrations: one adds a column, one fills it in for rows that exist. */
const adds: Migration = {
  name: '0002-made-up',
  up: async (tx) => tx.schema.alterTable('proofs').addColumn('madeUp', 'text').execute(),
};
const fillsIn: Migration = {
  name: '0003-made-up',
  up: async (tx) => {
    await tx.updateTable('observations').set({ state: 'FILLED IN' }).where('tenant', '<>', '').execute();
  },
};
const fails: Migration = {
  name: '0004-made-up',
  up: async (tx) => {
    await tx.updateTable('observations').set({ state: 'HALF DONE' }).execute();
    throw new Error('made up');
  },
};

describe.each(databases)('migrations on $name', (database) => {
  /** A closed ledger with a thing of each of two tenants. */
  async function filled(): Promise<LedgerPlace> {
    const place = database.name === 'SQLite' ? await database.place() : await emptyPlace();
    if ('schema' in place)
      onTestFinished(async () => void (await (await superuser(place)).query(`drop schema ${place.schema} cascade`)));
    const first = await openLedger(place);
    for (const tenant of ['shop', 'cafe'])
      await first.transaction(tenant, (tx) => tx.observations.insert(observation({ handle: 'card' }), 1));
    await first.close();
    return place;
  }

  /** The names of applied migrations, and the states of the things, read after going back to this version's migrations. */
  async function found(place: LedgerPlace) {
    await database.tamper(place, `delete from migrations where name like '%-made-up'`);
    const it = await openHere(place);
    const states = [];
    for (const tenant of ['shop', 'cafe'])
      states.push((await it.transaction(tenant, (tx) => tx.observations.list({ kind: 'card' }, { limit: 9 }))).rows);
    return states.flat().map(({ state }) => state);
  }

  it('are applied once, oldest first, to the rows of every tenant', async () => {
    const place = await filled();
    let times = 0;
    const counts = (one: Migration): Migration => ({
      name: one.name,
      up: async (tx) => {
        times += 1;
        await one.up(tx);
      },
    });
    const all = [...migrations, adds, fillsIn].map(counts);
    await apply(place, all);
    await apply(place, all);
    expect([times, await found(place)]).toEqual([2, ['FILLED IN', 'FILLED IN']]);
  });

  it('leave nothing behind where one of them fails', async () => {
    const place = await filled();
    await expect(apply(place, [...migrations, adds, fillsIn, fails])).rejects.toThrow();
    await apply(place, [...migrations, adds]);
    expect(await found(place)).toEqual(['ACTIVE', 'ACTIVE']);
  });

  it.each([
    ['from before the first release', ['0001-ledger', '0002-budgets'], '0001-tables'],
    ['newer', ['0002-later'], undefined],
  ])('refuse a ledger that a version wrote which is %s', async (version, applied, missing) => {
    const place = await filled();
    if (missing !== undefined) await database.tamper(place, `delete from migrations where name = '${missing}'`);
    for (const name of applied) await database.tamper(place, `insert into migrations values ('${name}')`);
    for (const _ of ['first', 'second']) {
      const opening = openLedger(place);
      await expect(opening).rejects.toThrow(LedgerUnavailable);
      await expect(opening).rejects.toThrow(version.split(' ').at(-1));
      await expect(opening).rejects.toThrow('file' in place ? place.file : new URL(reveal(place.url)).host);
    }
  });
});
