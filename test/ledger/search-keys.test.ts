import { describe, expect, it } from 'vitest';
import { BadCursor } from '../../src/ledger/errors.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { KeyRange } from '../../src/ledger/ledger-transaction.ts';
import { openLedger } from '../../src/ledger/store.ts';
import { operation } from './rows.ts';
import { databases, openHere } from './support/databases.ts';

// Searches by key: purchases by reference and state, operations by reference. Each gives every row once, page by page.

const now = 1_000_000;

/** Purchases of two principals; every third one is cancelled, and the mandate of every second one has ended. */
async function fill(it: Ledger, tenant: string, count: number): Promise<void> {
  await it.transaction(tenant, async (tx) => {
    for (let at = 0; at < count; at++) {
      const body = {
        reference: `order-${at}`,
        until: String((at % 2 ? now - 1_000 : now + 1_000) / 1_000),
        madeBy: at % 4 < 2 ? 'ann' : 'bob',
      };
      const row = await tx.observations.insert(
        { handle: `instruction_${tenant}${at}`, kind: 'instruction', owner: '', state: 'PENDING', body },
        Math.floor(at / 3),
      );
      await tx.observations.update(row, { state: at % 3 === 0 ? 'CANCELLED' : 'ACTIVE' }, at);
      const reference = `order-${at % 2}`;
      await tx.operations.insert(
        operation({ id: `op_${tenant}${at}`, reference, state: 'FAILED', principal: body.madeBy, createdAt: at % 5 }),
      );
    }
  });
}

async function walk(it: Ledger, ranges: readonly KeyRange[], limit: number, principals?: readonly string[]) {
  const handles: string[] = [];
  const totals = new Set<number>();
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await it.transaction('shop', (tx) =>
      tx.observations.listBy({ kind: 'instruction', ranges, principals }, { limit, cursor }),
    );
    handles.push(...page.rows.map(({ handle }) => handle));
    totals.add(page.total);
    cursor = page.more;
  }
  return { handles, totals: [...totals] };
}

describe.each(databases)('on $name', (database) => {
  const filled = async () => {
    const it = await openHere(await database.place());
    await fill(it, 'other', 3);
    await fill(it, 'shop', 24);
    return it;
  };
  const named = (...numbers: readonly number[]) => numbers.map((at) => `instruction_shop${at}`).toSorted();
  const all = Array.from({ length: 24 }, (_, at) => at);

  it.each([1, 2, 7, 100])('purchases are found by state and principal, each once, %i a page', async (limit) => {
    const it = await filled();
    const open = all.filter((at) => at % 3 !== 0);
    const cases: readonly (readonly [readonly KeyRange[], readonly string[] | undefined, readonly number[]])[] = [
      [[{ key: 'all', value: '' }], undefined, all],
      [[{ key: 'all', value: '' }], ['ann'], all.filter((at) => at % 4 < 2)],
      [[{ key: 'all', value: '' }], ['', 'bob'], all.filter((at) => at % 4 >= 2)],
      [[{ key: 'state', value: 'ACTIVE', above: now }], undefined, open.filter((at) => at % 2 === 0)],
      [[{ key: 'state', value: 'ACTIVE', upTo: now }], undefined, open.filter((at) => at % 2 === 1)],
      [
        [
          { key: 'state', value: 'ACTIVE', above: now },
          { key: 'state', value: 'CANCELLED' },
        ],
        ['bob'],
        all.filter((at) => at % 4 >= 2 && (at % 3 === 0 || at % 2 === 0)),
      ],
      [[{ key: 'state', value: 'PENDING' }], undefined, []],
      [[{ key: 'reference', value: 'order-5' }], undefined, [5]],
      [[{ key: 'reference', value: 'order-5' }], ['bob'], []],
    ];
    for (const [ranges, principals, expected] of cases) {
      const { handles, totals } = await walk(it, ranges, limit, principals);
      expect(new Set(handles).size).toBe(handles.length);
      expect([handles.toSorted(), totals]).toEqual([named(...expected), [expected.length]]);
    }
    const { handles } = await walk(it, [{ key: 'all', value: '' }], limit);
    expect(handles).toEqual((await walk(it, [{ key: 'all', value: '' }], 100)).handles);
  });

  it('a cursor is refused for another key, value or tenant', async () => {
    const it = await filled();
    const page = (tenant: string, key: string, value: string, cursor?: string) =>
      it.transaction(tenant, (tx) =>
        tx.observations.listBy({ kind: 'instruction', ranges: [{ key, value }] }, { limit: 1, cursor }),
      );
    const { more } = await page('shop', 'all', '');
    for (const [tenant, key, value] of [
      ['other', 'all', ''],
      ['shop', 'state', 'ACTIVE'],
      ['shop', 'all', 'x'],
    ] as const)
      await expect(page(tenant, key, value, more)).rejects.toThrow(BadCursor);
    expect((await page('shop', 'all', '', more)).rows).toHaveLength(1);
  });

  it('operations are found by reference, by state and principal too, page by page', async () => {
    const it = await filled();
    const found = async (more: object, limit: number) => {
      const ids: string[] = [];
      for (let cursor: string | undefined, next = true; next; next = cursor !== undefined) {
        const page = await it.transaction('shop', (tx) =>
          tx.operations.list({ reference: 'order-1', ...more }, { limit, cursor }),
        );
        ids.push(...page.rows.map(({ id }) => id));
        cursor = page.more;
      }
      return ids;
    };
    const odd = all.filter((at) => at % 2 === 1);
    for (const limit of [1, 5, 100]) {
      expect((await found({}, limit)).toSorted()).toEqual(odd.map((at) => `op_shop${at}`).toSorted());
      expect(await found({ principal: 'bob' }, limit)).toHaveLength(odd.filter((at) => at % 4 >= 2).length);
      expect(await found({ states: ['FAILED'] }, limit)).toEqual(await found({}, 100));
      expect(await found({ states: ['SUCCEEDED'] }, limit)).toEqual([]);
    }
    expect((await it.transaction('shop', (tx) => tx.operations.list({ reference: '' }, { limit: 1 }))).total).toBe(0);
  });

  it('a row that somebody has put into the index keeps nothing from being recorded', async () => {
    const place = await database.place();
    await (await openLedger(place)).close();
    const stray = (key: string, value: string, at: number) =>
      `insert into search_keys (tenant, kind, principal, key, value, at, handle)
        values ('shop', 'instruction', 'bob', '${key}', '${value}', ${at}, 'instruction_shop4')`;
    await database.tamper(
      place,
      stray('all', '', 1),
      stray('reference', 'order-4', 1),
      stray('state', 'ACTIVE', 1_001_000),
    );
    const it = await openHere(place);
    await fill(it, 'shop', 7);
    for (const limit of [1, 3, 100])
      expect(await walk(it, [{ key: 'all', value: '' }], limit)).toEqual({
        handles: [6, 5, 4, 3, 2, 1, 0].map((at) => `instruction_shop${at}`),
        totals: [7],
      });
    expect((await walk(it, [{ key: 'state', value: 'ACTIVE', above: now }], 1)).handles.toSorted()).toEqual(
      named(2, 4),
    );
  });
});
