import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import { CorruptRow } from '../../src/ledger/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { LedgerTransaction } from '../../src/ledger/ledger-transaction.ts';
import { type LedgerPlace, openLedger } from '../../src/ledger/store.ts';
import { approval, operation } from '../ledger/rows.ts';
import { type Database, databases } from '../ledger/support/databases.ts';

// What is looked up by something other than its key is complete, and a tree that was sealed by another key proves nothing.

const key = new Secret(Buffer.alloc(32, 7));
const NAME = 'confirmTransaction';
const NOW = 1_000_000;

/** Writes something, as a decision does. */
const decides = (tx: LedgerTransaction) => tx.audit.append({ event: 'sent', body: {}, at: NOW });

/** Every lookup of a decision, on rows that it finds. */
const lookups = {
  openOn: (tx) => tx.operations.openOn('card'),
  openCall: (tx) => tx.operations.openCall(NAME, 'digest', 'agent'),
  deniedCall: (tx) => tx.operations.deniedCall(NAME, 'denied', 'agent'),
  byReference: (tx) => tx.operations.byReference(NAME, 'R1'),
  recentAlike: (tx) => tx.operations.recentAlike(NAME, 'essence', NOW - 1),
  underWay: (tx) => tx.operations.underWay(),
  ofOperation: (tx) => tx.approvals.ofOperation('asked'),
  settle: (tx) => tx.budgets.settle('sent', 'RELEASED'),
  used: (tx) => tx.budgets.used('all', ''),
  find: (tx) => tx.observations.find('card'),
  halt: (tx) => tx.audit.halt(),
  trail: (tx) => tx.audit.of('sent'),
} as const satisfies { readonly [name: string]: (tx: LedgerTransaction) => Promise<unknown> };

/** A ledger with a row that each lookup finds, closed. */
async function filled(database: Database): Promise<LedgerPlace> {
  const place = { ...(await database.place()), key };
  const it = await openLedger(place);
  const more = { name: NAME, principal: 'agent', createdAt: NOW, updatedAt: NOW };
  await it.transaction('shop', async (tx) => {
    const sending = { state: 'SENDING', quietUntil: NOW, subject: 'card', reference: 'R1', argsDigest: 'digest' };
    await tx.operations.insert(operation({ ...more, ...sending, id: 'sent' }));
    await tx.operations.insert(operation({ ...more, id: 'asked', state: 'PROPOSED', argsDigest: 'asked' }));
    await tx.operations.insert(
      operation({ ...more, id: 'denied', state: 'FAILED', argsDigest: 'denied', result: null }),
    );
    await tx.approvals.insert(approval({ id: 'ok', operationId: 'asked' }));
    await tx.observations.insert({ handle: 'card', kind: 'card', owner: '', state: 'NEW', body: {} }, NOW);
    await tx.budgets.reserve({ budget: 'all', scope: '', operationId: 'sent', minor: 5 });
    await tx.audit.append({ operationId: 'sent', event: 'halted', body: {}, at: NOW });
    await decides(tx);
  });
  await it.close();
  return place;
}

async function opened<T>(place: LedgerPlace, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const it = await openLedger(place);
  return work(it).finally(() => it.close());
}

describe.each(databases)('on $name', (database) => {
  const removals = {
    operations: 'delete from reservations; delete from approvals; delete from operations',
    approvals: 'delete from approvals',
    reservations: 'delete from reservations',
    budgets: 'delete from budgets',
    observations: 'delete from observations',
    audit: `delete from audit where operation_id = 'sent'`,
  } as const;
  const tableOf: { readonly [N in keyof typeof lookups]: keyof typeof removals } = {
    ...{ openOn: 'operations', openCall: 'operations', deniedCall: 'operations', byReference: 'operations' },
    ...{ recentAlike: 'operations', underWay: 'operations', ofOperation: 'approvals', settle: 'reservations' },
    ...{ used: 'budgets', find: 'observations', halt: 'audit', trail: 'audit' },
  };

  it.each(Object.keys(lookups) as (keyof typeof lookups)[])(
    'notices a row that was taken away from a lookup: %s',
    async (name) => {
      const place = await filled(database);
      const decide = (ledger: Ledger) =>
        ledger.transaction('shop', async (tx) => {
          await lookups[name](tx);
          await decides(tx);
        });
      await database.tamper(place, ...removals[tableOf[name]].split('; '));
      await opened(place, async (ledger) => {
        await expect(decide(ledger)).rejects.toThrow(CorruptRow);
        expect(await ledger.verify()).toMatchObject({ ok: false });
        // A decision that ends because of what is missing is damaged, too; what only looks goes on.
        const ends = ledger.transaction('shop', async (tx) => {
          await lookups[name](tx);
          throw new Error('Nothing is there.');
        });
        await expect(ends).rejects.toThrow(CorruptRow);
        await ledger.transaction('shop', async (tx) => void (await tx.operations.list({}, { limit: 9 })));
      });
    },
  );

  it('believes no tree that another key has sealed, until an operator adopts it', async () => {
    const place = { ...(await filled(database)), key: new Secret(Buffer.alloc(32, 9)) };
    const decide = (ledger: Ledger) =>
      ledger.transaction('shop', async (tx) => {
        await tx.observations.find('card');
        await decides(tx);
      });
    await opened(place, async (ledger) => {
      await expect(decide(ledger)).rejects.toThrow(CorruptRow);
      expect(await ledger.verify()).toMatchObject({ ok: false });
      await ledger.reseal();
      await decide(ledger);
      expect(await ledger.verify()).toMatchObject({ ok: true });
    });
  });

  it('notices a tree that was taken away as a whole', async () => {
    const place = await filled(database);
    await database.tamper(place, 'delete from proofs');
    await opened(place, async (ledger) => {
      await expect(
        ledger.transaction('shop', (tx) => tx.observations.find('card').then(() => decides(tx))),
      ).rejects.toThrow(CorruptRow);
      expect(await ledger.verify()).toMatchObject({ ok: false });
    });
  });
});
