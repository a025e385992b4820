import { describe, expect, it } from 'vitest';
import { operation } from './rows.ts';
import { type Database, databases, openHere } from './support/databases.ts';

/** A ledger with operations that may take out of budgets. */
async function budgetsOn(database: Database) {
  const it = await openHere(await database.place());
  for (const tenant of ['shop', 'cafe'])
    await it.transaction(tenant, async (tx) => {
      for (const id of ['a', 'b', 'c']) await tx.operations.insert(operation({ id }));
    });
  const of = (tenant: string) => ({
    take: (operationId: string, minor: number, bounds: { most?: number; times?: number } = {}, scope = '') =>
      it.transaction(tenant, (tx) => tx.budgets.reserve({ budget: 'small', scope, operationId, minor, ...bounds })),
    settle: (operationId: string, state: 'SPENT' | 'RELEASED') =>
      it.transaction(tenant, (tx) => tx.budgets.settle(operationId, state)),
    used: (scope = '', budget = 'small') => it.transaction(tenant, (tx) => tx.budgets.used(budget, scope)),
  });
  return { ...of('shop'), other: of('cafe') };
}

describe.each(databases)('a budget on $name', (database) => {
  const budgets = () => budgetsOn(database);

  it('gives up to its most and not a unit more, however much was known of it before', async () => {
    const it = await budgets();
    expect([
      await it.take('a', 60, { most: 100 }),
      await it.take('b', 41, { most: 100 }),
      await it.take('c', 40, { most: 100 }),
      await it.used(),
    ]).toEqual([true, false, true, { minor: 100, times: 2 }]);
  });

  it('gives so many times and not once more', async () => {
    const it = await budgets();
    expect([
      await it.take('a', 1, { times: 2 }),
      await it.take('b', 1, { times: 2 }),
      await it.take('c', 1, { times: 2 }),
      await it.used(),
    ]).toEqual([true, true, false, { minor: 2, times: 2 }]);
  });

  it('without bounds counts all the same', async () => {
    const it = await budgets();
    expect([await it.take('a', 5_000_000_000), await it.used()]).toEqual([true, { minor: 5_000_000_000, times: 1 }]);
  });

  it('holds what is asked at once to its most', async () => {
    const it = await budgets();
    const takes = await Promise.all(['a', 'b', 'c'].map((id) => it.take(id, 40, { most: 100 })));
    expect([takes.filter(Boolean).length, await it.used()]).toEqual([2, { minor: 80, times: 2 }]);
  });

  it('is kept by name and scope', async () => {
    const it = await budgets();
    await it.take('a', 100, { most: 100 }, 'shopper=x');
    expect([await it.take('b', 100, { most: 100 }, 'shopper=y'), await it.used('shopper=x', 'other')]).toEqual([
      true,
      { minor: 0, times: 0 },
    ]);
  });

  it('gets back what is released, once, and keeps what is spent', async () => {
    const it = await budgets();
    for (const id of ['a', 'b', 'c']) await it.take(id, 10);
    await it.settle('a', 'RELEASED');
    await it.settle('a', 'RELEASED');
    await it.settle('b', 'SPENT');
    await it.settle('b', 'RELEASED');
    expect(await it.used()).toEqual({ minor: 20, times: 2 });
  });

  it('is each tenant’s own', async () => {
    const it = await budgets();
    await it.take('a', 100, { most: 100 });
    expect([await it.other.used(), await it.other.take('a', 100, { most: 100 })]).toEqual([
      { minor: 0, times: 0 },
      true,
    ]);
    await it.other.settle('a', 'RELEASED');
    expect([await it.used(), await it.other.used()]).toEqual([
      { minor: 100, times: 1 },
      { minor: 0, times: 0 },
    ]);
  });
});
