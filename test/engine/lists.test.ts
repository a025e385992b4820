import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerShopper } from '../../src/engine/register.ts';
import { openWorld, order, type World } from './support.ts';

const count = 7;

/** Seven of everything that is listed; the tests only look. */
let many: World;
beforeAll(async () => {
  many = await openWorld();
  await many.call('enroll_card', { card: 'card_ada' });
  for (let index = 0; index < count; index++)
    await many.through('initiate_purchase', order({ reference: `order-${index}` }));
  for (let index = 0; index < count; index++)
    await registerShopper(many.parts, 'default', { displayName: `Zoe ${index}` });
});
afterAll(() => many.running.close());

const lists = [
  ['find_shopper', { name: 'Zoe' }, count, 'shopper'],
  ['list_operations', {}, count + 1, 'operation'],
  ['list_operations', { state: 'SUCCEEDED' }, count + 1, 'operation'],
  ['list_approvals', {}, count, 'approval'],
  ['list_approvals', { state: 'CONSUMED' }, count, 'approval'],
  ['list_purchases', {}, count, 'instruction'],
  ['list_purchases', { state: 'ACTIVE' }, count, 'instruction'],
] as const;

describe.each(lists)('%s %j', (tool, args, total, id) => {
  it.each([1, 2, 3, 7, 100])('gives each row once and says where it ends: %i a page', async (limit) => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await many.call(tool, { ...args, limit, ...(cursor === undefined ? {} : { cursor }) });
      expect(data.total).toBe(total);
      expect(data.items.length).toBeLessThanOrEqual(limit);
      seen.push(...data.items.map((item: { readonly [name: string]: string }) => item[id]));
      cursor = data.more;
    } while (cursor !== undefined);
    expect([seen.length, new Set(seen).size]).toEqual([total, total]);
  });

  it.each(['nonsense', 'shopper_ada_but_not', 'eyJ4IjoxfQ'])(
    'refuses a cursor that is not its own: %s',
    async (cursor) => {
      expect(await many.call(tool, { ...args, cursor })).toMatchObject({
        outcome: 'refused',
        error: { code: 'INVALID_ARGUMENT', rule: 'EN-01', field: 'cursor' },
      });
    },
  );

  it.each([0, -1, 1.5, 101, '2'])('refuses a page of %j', async (limit) => {
    expect(await many.call(tool, { ...args, limit })).toMatchObject({ outcome: 'refused', error: { field: 'limit' } });
  });
});

describe('a search for signs alone', () => {
  it.each(['-', '*', '%', '_', '"', '\u{fffd}', '??'])('finds nobody, and not everybody: %s', async (name) => {
    const { outcome, data } = await many.call('find_shopper', { name });
    expect([outcome, data]).toEqual(['done', { items: [], total: 0 }]);
  });

  it('finds by the letters where there are some', async () => {
    expect((await many.call('find_shopper', { name: '"Zoe' })).data.total).toBe(count);
  });
});
