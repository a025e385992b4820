import { expect, it } from 'vitest';
import { type World, world } from '../engine/support.ts';

// What a suspended subscription has missed can be explained: `next` names the tool that lists each cycle with date and amount.

const day = 86_400;

/** A monthly subscription with a surcharge and a setup fee, as its creation answers it. */
async function monthly(here: World, more: object = {}): Promise<string> {
  const { data } = await here.through('create_subscription', {
    ...{ card: 'card_ada', name: 'Gold', reference: 'subscription-1', start: '2026-01-15T09:00:00Z' },
    ...{ every: 1, unit: 'month', amount: '10.00', currency: 'GBP', setup_fee: '4.00' },
    ...{ surcharge: '1.50', surcharge_label: 'Heating', ...more },
  });
  return data.subscription;
}

/** What two looks in a row show: how much is missed, and the list that the first one leads to. */
async function explained(here: World, subscription: string, more: object = {}) {
  const looked = await here.call('get_subscription', { subscription });
  expect(looked.next).toContain('list_subscription_payments');
  const { data } = await here.call('list_subscription_payments', { subscription, ...more });
  return { stated: looked.data.missed, listed: data.missed };
}

it('lists the cycles that passed while it was suspended, and what each comes to', async () => {
  const here = await world();
  const subscription = await monthly(here);
  await here.call('suspend_subscription', { subscription });
  await here.advance(70 * day);
  expect(await explained(here, subscription)).toEqual({
    stated: { payments: 2, amount: '23.00' },
    listed: [
      { cycle: 2, date: '2026-02-15T09:00:00.000Z', amount: '11.50' },
      { cycle: 3, date: '2026-03-15T09:00:00.000Z', amount: '11.50' },
    ],
  });
});

it('lists the cycle whose retries were used up, and not the one that was paid', async () => {
  const here = await world();
  const subscription = await monthly(here);
  const { cards } = (await here.control('GET', 'fixtures')) as { cards: readonly { readonly charges?: unknown }[] };
  await here.control('POST', 'fixtures', { cards: cards.map((card) => ({ ...card, charges: ['declined'] })) });
  await here.advance(56 * day);
  expect(await explained(here, subscription)).toMatchObject({
    stated: { payments: 1 },
    listed: [{ cycle: 2, amount: '11.50' }],
  });
  // A page that does not reach back to the cycle before can't tell which one was missed.
  expect((await explained(here, subscription, { limit: 1 })).listed).toBeUndefined();
});

it('lists nothing of a skipped cycle, nor of what a reactivation has dropped', async () => {
  const here = await world();
  const subscription = await monthly(here);
  await here.call('list_subscription_payments', { subscription });
  await here.call('skip_subscription_payments', { subscription, cycles: [2] });
  await here.call('suspend_subscription', { subscription });
  await here.advance(70 * day);
  expect((await explained(here, subscription)).listed).toMatchObject([{ cycle: 3 }]);
  await here.through('reactivate_subscription', { subscription, collect_missed: false });
  await here.call('suspend_subscription', { subscription });
  await here.advance(30 * day);
  expect((await explained(here, subscription)).listed).toMatchObject([{ cycle: 4 }]);
});

it('lists what was missed when the platform was last asked, and no cycle that has come since', async () => {
  const here = await world();
  const subscription = await monthly(here);
  await here.call('suspend_subscription', { subscription });
  await here.advance(40 * day);
  expect((await explained(here, subscription)).listed).toMatchObject([{ cycle: 2 }]);
  await here.advance(30 * day);
  const { data } = await here.call('list_subscription_payments', { subscription });
  expect(data.missed).toMatchObject([{ cycle: 2 }]);
});
