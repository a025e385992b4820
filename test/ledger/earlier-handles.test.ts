import { describe, expect, it } from 'vitest';
import { reveal } from '../../src/core/secret.ts';
import { LedgerUnavailable } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/store.ts';
import { databases, openHere } from './support/databases.ts';

// A thing that was stored under a handle of 28 letters would get a second row under its handle of today: two rows, no common lock.

const earlier = 'a'.repeat(28);
const today = 'a'.repeat(13);

describe.each(databases)('on $name', (database) => {
  /** A ledger that an earlier version has left behind, with these things in it. */
  async function left(...things: readonly (readonly [kind: string, handle: string])[]) {
    const place = await database.place();
    const old = await openLedger(place);
    await old.transaction('shop', async (tx) => {
      for (const [kind, handle] of things)
        await tx.observations.insert({ handle, kind, owner: '', state: 'ACTIVE', body: {} }, 1);
    });
    await old.close();
    await database.tamper(place, "delete from migrations where name = '0017-handles'");
    return place;
  }

  it.each([
    ['plan', `plan_${earlier}`],
    ['subscription', `subscription_${earlier}`],
    ['invoice', `invoice_${earlier}`],
    ['followOn', `followon_${earlier}`],
  ])('a ledger with an earlier handle of a %s is not opened, however often', async (kind, handle) => {
    const others = Array.from({ length: 500 }, (_, at) => [kind, `a_${String(at).padStart(13, '0')}`] as const);
    const place = await left(...others, [kind, handle]);
    for (const _ of ['first', 'second']) {
      const opening = openLedger(place);
      await expect(opening).rejects.toThrow(LedgerUnavailable);
      await expect(opening).rejects.toThrow('file' in place ? place.file : new URL(reveal(place.url)).host);
    }
  });

  it('a ledger with handles of today is opened, whatever handles the app has chosen', async () => {
    const place = await left(
      ['plan', `plan_${today}`],
      ['followOn', `followon_${today}`],
      ['shopper', `shopper_${earlier}`],
      ['instruction', `instruction_${earlier}`],
    );
    const opened = await openHere(place);
    const found = await opened.transaction('shop', (tx) => tx.observations.find(`shopper_${earlier}`));
    expect(found).toMatchObject({ kind: 'shopper' });
  });
});
