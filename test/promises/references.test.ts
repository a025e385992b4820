import { expect, it } from 'vitest';
import { operationOf } from '../../src/engine/tool.ts';
import { tools } from '../../tools/index.ts';
import { type Changing, isChanging } from '../engine/billing.ts';
import { changing } from '../engine/changing.ts';
import { world } from '../engine/support.ts';

// A retry must never make a second thing: whatever creates one takes the merchant's reference.

/** What exists before it is enrolled: a card, and a card reader. Enrolling one twice does no harm. */
const enrolled: ReadonlySet<string> = new Set(['card', 'cardReader']);

/** The operations that bring a thing into being, and do nothing else: what saves either a new or an old one is no such. */
const creating = tools
  .flatMap((tool) => (tool.kind === 'platform' ? [tool] : []))
  .filter((tool) => {
    const { moves } = operationOf(tool);
    const rows = [...(moves?.machine.rows ?? []), ...(moves?.machine.assumed ?? [])];
    const from = rows.flatMap(([state, trigger]) => (trigger === moves?.trigger ? [state] : []));
    return from.length > 0 && from.every((state) => state === 'none') && !enrolled.has(tool.observe.moves?.kind ?? '');
  })
  .map(({ operation }) => operation)
  .filter(isChanging);

/** Another value of an argument that every one of these tools has. */
const otherwise: { readonly [operation: string]: object } = {
  initiatePurchase: { description: 'Something else' },
  createAuthenticationOptions: { payment: { amount: '41.00', currency: 'GBP' } },
  authorizePayment: { price: { amount: '101.00', currency: 'USD' } },
  createPlan: { name: 'Silver' },
  createSubscription: { name: 'Silver for Ada' },
  createFollowOnSubscription: { name: 'Silver for Ada' },
  createInvoice: { total: '41.00' },
  chargeDevice: { sum: { amount: '41.00', currency: 'GBP' } },
};

it('knows every operation that creates a thing', () => {
  expect(creating.toSorted()).toEqual(Object.keys(otherwise).toSorted());
});

it.each(creating)('%s sent again is a replay, and with other arguments a conflict', async (operation: Changing) => {
  const here = await world();
  const tool = tools.find((one) => one.kind === 'platform' && one.operation === operation)?.name ?? '';
  const args = await changing[operation](here);
  const first = await here.through(tool, args);
  expect(first.outcome).toBe('done');
  expect(await here.call(tool, args)).toMatchObject({ outcome: 'done', replayed: true, data: first.data });
  const conflict = await here.call(tool, { ...args, ...otherwise[operation] });
  expect(conflict).toMatchObject({
    outcome: 'refused',
    error: { code: 'CONFLICT', rule: 'EN-03', field: 'reference' },
  });
  expect(await here.effects(operation)).toHaveLength(1);
});
