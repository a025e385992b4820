import { describe, expect, it } from 'vitest';
import { checksummedTables, isIntact } from '../../src/ledger/checksum.ts';
import { LedgerUnavailable } from '../../src/ledger/errors.ts';
import type { LedgerTransaction } from '../../src/ledger/ledger-transaction.ts';
import { type LedgerPlace, openLedger } from '../../src/ledger/store.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { approval, event, observation, operation } from './rows.ts';
import { type Database, databases, openHere } from './support/databases.ts';

playRowsOneIn(3);

// Rows of which a bit has turned over. Nothing is decided by one; lists, which people look at, go on.

/** A ledger with a row of each kind, closed. */
async function filled(database: Database): Promise<LedgerPlace> {
  const place = await database.place();
  const it = await openLedger(place);
  await it.transaction('shop', async (tx) => {
    await tx.operations.insert(operation({ id: 'op', subject: 'card_a', quietUntil: 5 }));
    await tx.observations.insert(observation({ handle: 'card_a', state: 'PENDING' }), 1);
    await tx.approvals.insert(approval({ id: 'apr', operationId: 'op' }));
    await tx.budgets.reserve({ budget: 'day', scope: '', operationId: 'op', minor: 10, most: 100 });
    await tx.sealed.put({ handle: 'secret', sealed: 'x', expiresAt: 9 });
    await tx.events.insert(event({ id: 'e' }));
  });
  await it.close();
  return place;
}

/** One edit of each table, and what would decide by it. */
const edits: readonly (readonly [table: string, edit: string, decide: (tx: LedgerTransaction) => Promise<unknown>])[] =
  [
    ['operations', `update operations set args = '{"amount":"9"}'`, (tx) => tx.operations.find('op')],
    ['operations', `update operations set reference = 'other'`, (tx) => tx.operations.openOn('card_a')],
    ['operations', `update operations set checksum = 'f'`, (tx) => tx.operations.find('op')],
    ['operations', `update operations set state = 'APPROVED', checksum = ''`, (tx) => tx.operations.find('op')],
    ['approvals', `update approvals set state = 'APPROVED', checksum = ''`, (tx) => tx.approvals.ofOperation('op')],
    ['budgets', `update budgets set minor = 0, checksum = ''`, (tx) => tx.budgets.used('day', '')],
    ['observations', `update observations set state = 'ACTIVE '`, (tx) => tx.observations.find('card_a')],
    ['approvals', `update approvals set state = 'APPROVED'`, (tx) => tx.approvals.find('apr')],
    ['approvals', `update approvals set digest = 'e'`, (tx) => tx.approvals.ofOperation('op')],
    ['budgets', 'update budgets set minor = 9', (tx) => tx.budgets.used('day', '')],
    [
      'budgets',
      'update budgets set minor = 9',
      (tx) => tx.budgets.reserve({ budget: 'day', scope: '', operationId: 'op2', minor: 1 }),
    ],
    ['reservations', 'update reservations set minor = 9', (tx) => tx.budgets.settle('op', 'RELEASED')],
    ['sealed', `update sealed set sealed = 'y'`, (tx) => tx.sealed.take('secret', 1)],
    ['events', `update events set thing = 'subscription_b'`, (tx) => tx.events.find('e')],
    [
      'events',
      `update events set thing = 'subscription_b'`,
      (tx) => tx.events.claim({ now: 1_000, until: 2_000, most: 9 }),
    ],
  ];

describe.each(databases)('a damaged row on $name', (database) => {
  it.each(edits)('of %s decides nothing, and is told when the ledger is verified: %s', async (table, edit, decide) => {
    const place = await filled(database);
    const sound = await openLedger(place);
    expect(await sound.verify()).toMatchObject({ ok: true });
    await sound.close();
    await database.tamper(place, edit);
    const it = await openHere(place);
    const told = new RegExp(`^Row [^{}]* of ${table} is corrupt.$`);
    // A sealed secret is taken once, and is not walked through.
    if (table !== 'sealed') expect(await it.verify()).toEqual({ ok: false, because: expect.stringMatching(told) });
    const decided = () => it.transaction('shop', decide);
    await expect(decided()).rejects.toThrow(LedgerUnavailable);
    await expect(decided()).rejects.toThrow('restore the last backup');
  });

  it('is still shown in a list, and recovered by nobody', async () => {
    const place = await filled(database);
    await database.tamper(place, `update operations set args = '[]'`);
    const it = await openHere(place);
    const { rows } = await it.transaction('shop', (tx) => tx.operations.list({}, { limit: 9 }));
    expect([rows.map(({ id }) => id), await it.claimOverdue(9, 'me', 30)]).toEqual([['op'], []]);
  });

  it('is every row whose checksum was deleted', async () => {
    const place = await filled(database);
    await database.tamper(place, ...checksummedTables.map((table) => `update ${table} set checksum = ''`));
    expect(await (await openHere(place)).verify()).toMatchObject({ ok: false });
  });

  it('is found beyond the first step of the walk', async () => {
    const place = await database.place();
    const it = await openLedger(place);
    await it.transaction('shop', async (tx) => {
      for (let row = 0; row < 1_100; row++) await tx.observations.insert(observation({ handle: `card_${row}` }), 1);
    });
    await it.close();
    await database.tamper(place, `update observations set state = 'X' where handle = 'card_999'`);
    expect(await (await openHere(place)).verify()).toEqual({
      ok: false,
      because: 'Row shop / card_999 of observations is corrupt.',
    });
  });
});

it('covers every column: a row with another value in any of them is another row', async () => {
  const row = { tenant: 'shop', budget: 'day', scope: '', minor: 1, times: 1, checksum: 'x' };
  expect(isIntact('budgets', row)).toBe(false);
  expect(checksummedTables).toEqual([
    ...['operations', 'observations', 'approvals', 'budgets', 'reservations', 'sealed', 'events'],
  ]);
});
