import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { StaleRow } from '../../src/ledger/errors.ts';
import { approval, operation } from './rows.ts';
import { type Database, databases, openHere } from './support/databases.ts';

const SOURCE = new URL('../../src/ledger/', import.meta.url);
const card = { handle: 'card', kind: 'card', owner: 'shopper', state: 'ACTIVE', body: {} };

/** Two tenants whose rows have the same ids; only `shop` has references, subjects and audit. */
async function two(database: Database) {
  const it = await openHere(await database.place());
  const rows = await it.transaction('shop', async (tx) => ({
    operation: await tx.operations.insert(operation({ id: 'op', subject: 'card', reference: 'R1' })),
    approval: await tx.approvals.insert(approval({ id: 'ok', operationId: 'op' })),
    observation: await tx.observations.insert(card, 1),
    audit: await tx.audit.append({ event: 'sent', body: {}, at: 1 }),
  }));
  return { it, rows };
}

describe.each(databases)('another tenant on $name', (database) => {
  it('finds nothing by any id, filter or key', async () => {
    const { it } = await two(database);
    await it.transaction('other', async (tx) => {
      const empty = { rows: [], total: 0 };
      expect([
        await tx.operations.find('op'),
        await tx.operations.openOn('card'),
        await tx.operations.openCall('confirmTransaction', 'digest', 'clerk'),
        await tx.operations.byReference('confirmTransaction', 'R1'),
        await tx.approvals.find('ok'),
        await tx.approvals.ofOperation('op'),
        await tx.observations.find('card'),
      ]).toEqual(Array.from({ length: 7 }, () => undefined));
      expect([
        await tx.operations.list({}, { limit: 9 }),
        await tx.approvals.list({}, { limit: 9 }),
        await tx.observations.list({ kind: 'card' }, { limit: 9 }),
        await tx.audit.list({ limit: 9 }),
      ]).toEqual([empty, empty, empty, empty]);
    });
  });

  it('changes nothing, even with the row in hand', async () => {
    const { it, rows } = await two(database);
    const change = (work: Parameters<typeof it.transaction<unknown>>[1]) => it.transaction('other', work);
    await expect(change((tx) => tx.operations.update(rows.operation, { state: 'FAILED' }))).rejects.toThrow(StaleRow);
    await expect(change((tx) => tx.approvals.update(rows.approval, { state: 'DENIED' }))).rejects.toThrow(StaleRow);
    await expect(change((tx) => tx.observations.update(rows.observation, { state: 'x' }, 2))).rejects.toThrow(StaleRow);
    await it.transaction('shop', async (tx) => {
      expect(await tx.operations.find('op')).toEqual(rows.operation);
      expect(await tx.approvals.find('ok')).toEqual(rows.approval);
      expect(await tx.observations.find('card')).toEqual(rows.observation);
    });
  });

  it('may use the same ids, subjects and references', async () => {
    const { it, rows } = await two(database);
    await it.transaction('other', async (tx) => {
      await tx.operations.insert(operation({ id: 'op', subject: 'card', reference: 'R1', args: '{"other":1}' }));
      await tx.approvals.insert(approval({ id: 'ok', operationId: 'op' }));
      await tx.observations.insert(card, 1);
    });
    expect(await it.tenants()).toEqual(['other', 'shop']);
    expect(await it.transaction('shop', (tx) => tx.operations.find('op'))).toEqual(rows.operation);
  });

  it('gets no row by naming its owner', async () => {
    const { it } = await two(database);
    const forged = { ...operation({ id: 'forged' }), tenant: 'shop' };
    expect(await it.transaction('other', (tx) => tx.operations.insert(forged))).toMatchObject({ tenant: 'other' });
    expect(await it.transaction('shop', (tx) => tx.operations.find('forged'))).toBeUndefined();
  });

  it('can’t hang an approval on a foreign operation', async () => {
    const { it } = await two(database);
    const hung = it.transaction('other', (tx) => tx.approvals.insert(approval({ id: 'x', operationId: 'op' })));
    await expect(hung).rejects.toThrow(/foreign key/i);
  });
});

describe('the source', () => {
  it('reaches tables by tenant, or in the few files that are for all tenants', () => {
    const reaches = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .filter((file) =>
        /\b(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\b/.test(
          readFileSync(new URL(file, SOURCE), 'utf8'),
        ),
      );
    expect(reaches.sort()).toEqual([
      'anchor.ts',
      'archive.ts',
      'chain.ts',
      'cross-tenant.ts',
      'migrations/0001-tables.ts',
      'migrations/index.ts',
      'proof-tree.ts',
      'reseal.ts',
      'tenant-scope.ts',
      'verify-recent.ts',
      'verify.ts',
    ]);
  });
});
