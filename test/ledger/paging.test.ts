import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadCursor } from '../../src/ledger/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { LedgerTransaction, Page, Paged } from '../../src/ledger/ledger-transaction.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { approval, operation } from './rows.ts';
import { databases, openHere } from './support/databases.ts';

playRowsOneIn(3);

type List = (tx: LedgerTransaction, page: Page) => Promise<Paged<object>>;

const keys = (rows: readonly object[]) =>
  rows.map((row) => ('handle' in row ? row.handle : 'seq' in row ? row.seq : 'id' in row ? row.id : row));

/** Follows the cursors to the end; `between` runs after each page. */
async function walk(
  it: Ledger,
  list: List,
  limit: number,
  { tenant = 'shop', between = async () => {} }: { tenant?: string; between?: () => Promise<void> } = {},
) {
  const rows: object[] = [];
  const totals: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await it.transaction(tenant, (tx) => list(tx, { limit, cursor }));
    rows.push(...page.rows);
    totals.push(page.total);
    if (page.more === undefined) return { keys: keys(rows), totals };
    cursor = page.more;
    await between();
  }
}

/** Rows with few different times, so that many share one. */
async function fill(it: Ledger, tenant: string, times: readonly number[], name = 'row'): Promise<void> {
  await it.transaction(tenant, async (tx) => {
    for (const [index, at] of times.entries()) {
      const id = `${name}${index}`;
      await tx.operations.insert(operation({ id, createdAt: at, state: index % 2 ? 'FAILED' : 'SENDING' }));
      await tx.approvals.insert(approval({ id, operationId: id, createdAt: at }));
      await tx.observations.insert({ handle: id, kind: 'card', owner: '', state: 'ACTIVE', body: {} }, at);
      await tx.audit.append({ event: 'sent', body: {}, at });
    }
  });
}

const lists: readonly (readonly [string, List])[] = [
  ['operations', (tx, page) => tx.operations.list({}, page)],
  ['approvals', (tx, page) => tx.approvals.list({}, page)],
  ['observations', (tx, page) => tx.observations.list({ kind: 'card' }, page)],
  ['audit', (tx, page) => tx.audit.list(page)],
];

describe.each(databases)('on $name', (database) => {
  const ledger = async () => openHere(await database.place());

  describe.each(lists)('the list of %s', (name, list) => {
    it('gives every row once, in one order, with the true total, whatever the limit', { timeout: 60_000 }, async () => {
      const it = await ledger();
      await fill(it, 'other', [1, 2]);
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 }),
          fc.integer({ min: 1, max: 5 }),
          async (times, limit) => {
            runs += 1;
            const tenant = `shop${runs}`;
            await fill(it, tenant, times);
            const whole = await walk(it, list, 1000, { tenant });
            const paged = await walk(it, list, limit, { tenant });
            expect(paged.keys).toEqual(whole.keys);
            expect(new Set(paged.keys).size).toBe(times.length);
            expect(paged.totals).toEqual(
              Array.from({ length: Math.max(1, Math.ceil(times.length / limit)) }, () => times.length),
            );
          },
        ),
        { numRuns: 25 },
      );
    });

    it('repeats and loses no old row while new ones come in', async () => {
      const it = await ledger();
      await fill(it, 'shop', [1, 1, 2, 3, 3, 3, 5]);
      const before = await walk(it, list, 1000);
      let more = 0;
      const between = async () => {
        more += 1;
        if (more < 5) await fill(it, 'shop', [3], `new${more}.`);
      };
      const during = await walk(it, list, 2, { between });
      expect(new Set(during.keys).size).toBe(during.keys.length);
      expect(during.keys.filter((key) => before.keys.includes(key))).toEqual(before.keys);
    });

    it('refuses a cursor that it did not make', async () => {
      const it = await ledger();
      await fill(it, 'shop', [1, 2, 3]);
      await fill(it, 'other', [1, 2, 3]);
      const page = (tenant: string, cursor?: string) => it.transaction(tenant, (tx) => list(tx, { limit: 1, cursor }));
      const more = (await page('shop')).more ?? '';
      const foreign = (await page('other')).more ?? '';
      const coded = (text: string) => Buffer.from(text).toString('base64url');
      const json = (value: unknown) => coded(JSON.stringify(value));
      const [seal] = JSON.parse(Buffer.from(more, 'base64url').toString());
      const broken = [
        '',
        'x',
        '!!',
        `${more}A`,
        more.slice(1),
        ` ${more}`,
        foreign,
        json(1),
        json([seal, '1', 'x']),
        json([seal, 1, 'x', 2]),
        // Places that no row can have: neither the cursor's own text nor a database can hold some of them.
        coded(`["${seal}",1e999,"x"]`),
        coded(`["${seal}",-1e999,"x"]`),
        json([seal, 1.5, 'x']),
        json([seal, 2 ** 53, 'x']),
        json([seal, 1, '\ud800']),
        json([seal, 1, '\u0000']),
      ];
      for (const cursor of broken) await expect(page('shop', cursor), cursor).rejects.toThrow(BadCursor);
      await expect(page('shop', 'x')).rejects.toThrow(RangeError);
      expect((await page('shop', more)).rows).toHaveLength(1);
      for (const [, other] of lists.filter(([of]) => of !== name))
        await expect(it.transaction('shop', (tx) => other(tx, { limit: 1, cursor: more }))).rejects.toThrow(BadCursor);
    });

    it.each([0, -1, 1.5, 1001, Number.NaN])('refuses a page of %s rows', async (limit) => {
      const it = await ledger();
      await expect(it.transaction('shop', (tx) => list(tx, { limit }))).rejects.toThrow(RangeError);
    });
  });

  describe('filters', () => {
    it('gives the states asked for, counts only them, and binds the cursor to them', async () => {
      const it = await ledger();
      await fill(it, 'shop', [1, 2, 3, 4, 5]);
      await it.transaction('shop', async (tx) => {
        const sending = await tx.operations.list({ states: ['SENDING'] }, { limit: 2 });
        expect([keys(sending.rows), sending.total]).toEqual([['row4', 'row2'], 3]);
        const rest = await tx.operations.list({ states: ['SENDING'] }, { limit: 2, cursor: sending.more });
        expect(rest).toEqual({ rows: [expect.objectContaining({ id: 'row0' })], total: 3 });
        const both = await tx.operations.list({ states: ['SENDING', 'FAILED'] }, { limit: 9 });
        expect([both.total, both.more]).toEqual([5, undefined]);
        expect(await tx.operations.list({ states: [] }, { limit: 9 })).toEqual({ rows: [], total: 0 });
        expect(await tx.approvals.list({ states: [{ state: 'DENIED' }] }, { limit: 9 })).toEqual({
          rows: [],
          total: 0,
        });
        expect(await tx.approvals.list({ states: [] }, { limit: 9 })).toEqual({ rows: [], total: 0 });
        expect((await tx.approvals.list({ states: [{ state: 'REQUESTED' }] }, { limit: 9 })).total).toBe(5);
        await expect(tx.operations.list({}, { limit: 2, cursor: sending.more })).rejects.toThrow(BadCursor);
      });
    });
  });
});
