import { expect, it } from 'vitest';
import { billing, onPlan } from './story.ts';

// What an agent sees of what a customer was, and will be, charged: every part of it, and the whole.

const today = '2027-01-15T09:00:00.000Z';
const fees = { setup_fee: '20.00', surcharge: '1.00', surcharge_label: 'Fuel' };

it('a payment is listed with its setup fee, its surcharge and what it comes to, made or to come', async () => {
  const story = await billing();
  const subscription = await story.subscription({ start: today, ...fees });
  const each = { type: 'STANDARD', amount: '7.50', surcharge: '1.00', surcharge_label: 'Fuel', currency: 'GBP' };
  const { items } = await story.does('list_subscription_payments', { subscription, scheduled: 1 });
  expect(items).toEqual([
    { ...each, cycle: 2, status: 'SCHEDULED', date: '2027-02-15T09:00:00.000Z', total: '8.50', skippable: true },
    { ...each, cycle: 1, status: 'PAID', date: today, setup_fee: '20.00', total: '28.50', skippable: false },
  ]);
});

it('one without fees comes to its amount', async () => {
  const story = await billing();
  const subscription = await story.subscription({ start: today });
  const { items } = await story.does('list_subscription_payments', { subscription, scheduled: 0 });
  expect(items).toEqual([expect.objectContaining({ amount: '7.50', total: '7.50' })]);
  expect(items[0]).not.toHaveProperty('setup_fee');
});

it('a subscription shows its surcharge, and what it is for', async () => {
  const story = await billing();
  const subscription = await story.subscription(fees);
  expect(await story.does('get_subscription', { subscription })).toMatchObject({
    ...{ amount: '7.50', setup_fee: '20.00', surcharge: '1.00', surcharge_label: 'Fuel' },
  });
});

it('a subscription shows when it is charged next, as the platform schedules it, and the card it was created with', async () => {
  const story = await billing();
  const subscription = await story.subscription();
  const seen = async () => {
    const {
      next_payment: nextPayment,
      card,
      last_four: lastFour,
    } = await story.does('get_subscription', { subscription });
    return [nextPayment?.slice(0, 16), card, lastFour];
  };
  const [own] = (await story.does('list_cards', { shopper: 'shopper_ada' })).items;
  const card = [own.card, own.last_four];
  expect(await seen()).toEqual(['2027-01-31T10:00', ...card]);
  await story.does('skip_subscription_payments', { subscription, cycles: [1] });
  expect(await seen()).toEqual(['2027-02-28T10:00', ...card]);
  await story.card('card_ada', { charges: ['declined', 'declined', 'declined', 'declined', 'declined', 'declined'] });
  await story.at('2027-02-28T10:00:00Z');
  expect(await story.state(subscription)).toBe('DELINQUENT');
  expect(await seen()).toEqual(['2027-03-02T10:00', ...card]);
  await story.at('2027-03-20T10:00:00Z');
  expect(await story.state(subscription)).toBe('SUSPENDED');
  expect(await seen()).toEqual([undefined, ...card]);
  await story.does('cancel_subscription', { subscription });
  expect(await seen()).toEqual([undefined, ...card]);
});

it('a subscription names its next payment behind any number of skipped cycles, and none where all to come are skipped', async () => {
  const story = await billing();
  const next = async (subscription: string) =>
    (await story.does('get_subscription', { subscription })).next_payment?.slice(0, 16);
  const subscription = await story.subscription();
  await story.does('skip_subscription_payments', { subscription, cycles: [1, 2, 3, 4, 5, 7] });
  expect(await next(subscription)).toBe('2027-06-30T10:00');
  await story.does('skip_subscription_payments', { subscription, cycles: [1, 2, 3, 4, 5, 6, 7] });
  expect(await next(subscription)).toBe('2027-08-31T10:00');
  const ending = await story.subscription({ reference: 'ending', payments: 6 });
  await story.does('skip_subscription_payments', { subscription: ending, cycles: [1, 2, 3, 4, 5, 6] });
  expect(await next(ending)).toBeUndefined();
});

it('a subscription whose period was amended lists no missed payments, because only the platform knows their dates', async () => {
  const story = await billing();
  const plan = await story.plan({ payments: 20 });
  const { subscription } = await story.does('create_subscription', onPlan(plan));
  await story.at('2027-02-10T10:00:00Z');
  await story.does('suspend_subscription', { subscription });
  await story.at('2027-06-10T10:00:00Z');
  const missed = async () => [
    (await story.does('get_subscription', { subscription })).missed.payments,
    (await story.does('list_subscription_payments', { subscription })).missed?.map(({ date }: { date: string }) =>
      date.slice(0, 10),
    ),
  ];
  expect(await missed()).toEqual([4, ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']]);
  await story.does('amend_plan', { plan, every: 1, unit: 'week', apply_to: 'ALL' });
  expect(await missed()).toEqual([4, undefined]);
});

it('a subscription names no next payment where the platform does not say when it is', async () => {
  const story = await billing();
  const subscription = await story.subscription();
  expect((await story.does('get_subscription', { subscription })).next_payment).toBeDefined();
  await story.at('2027-01-16T09:00:00Z');
  const faults = { on: 'listSubscriptionPayments', kind: '5xx', times: 10 };
  expect((await story.here.http('POST', '/sandbox/faults', undefined, faults)).status).toBe(200);
  expect((await story.does('get_subscription', { subscription })).next_payment).toBeUndefined();
});
