import { expect, it } from 'vitest';
import { running } from '../engine/billing.ts';
import { bought, paid, world } from '../engine/support.ts';

// `next` names what usually follows, first, and nothing that the state forbids.

it('confirms a purchase that has its receipt before it cancels it', async () => {
  const here = await world();
  const open = (await here.call('get_purchase', { instruction: await bought(here) })).next;
  expect(open).toEqual(['retrieve_credentials', 'update_purchase', 'cancel_purchase']);
  const receipted = await world();
  const after = (await receipted.call('get_purchase', { instruction: await paid(receipted) })).next;
  expect([after[0], after.at(-1)]).toEqual(['confirm_transaction', 'cancel_purchase']);
});

it('knows of cards that they can be bought and subscribed with', async () => {
  const here = await world();
  const { data } = await here.call('find_shopper');
  const { next } = await here.call('list_cards', { shopper: data.items[0].shopper });
  expect(next).toEqual(expect.arrayContaining(['initiate_purchase', 'create_subscription']));
});

it('never leads from the payments of a suspended subscription to skipping them', async () => {
  const here = await world();
  const subscription = await running(here);
  expect((await here.call('get_subscription', { subscription })).next).toContain('skip_subscription_payments');
  await here.call('suspend_subscription', { subscription });
  expect((await here.call('list_subscription_payments', { subscription })).next).toEqual(['get_subscription']);
  const { next } = await here.call('get_subscription', { subscription });
  expect(next).toContain('reactivate_subscription');
  expect(next).not.toContain('skip_subscription_payments');
});
