import { expect, it } from 'vitest';
import { says } from '../faces/agents.ts';
import { approvalLines } from '../support/approval-lines.ts';
import { billing, onPlan, type Story, subscriptionArgs } from './story.ts';

// What a person reads, word for word, before a customer is charged otherwise than until now; and that it is asked once.

/** A story in which everything a user was asked is heard; `forget` drops what was heard so far. */
async function listening() {
  const heard: string[] = [];
  const story = await billing({}, (message) => {
    heard.push(message);
    return says.yes();
  });
  return { ...story, heard, forget: () => heard.splice(0) };
}

/** The lines of the one question that a call asked. */
async function asked(on: Story & { readonly heard: string[] }, tool: string, args: object): Promise<readonly string[]> {
  on.heard.splice(0);
  await on.does(tool, args);
  expect(on.heard).toHaveLength(1);
  return approvalLines(on.heard[0]);
}

/** The surcharges of all subscriptions, as the platform has them. */
async function surcharges({ here }: Story): Promise<readonly unknown[]> {
  const { documents } = (await here.http('GET', '/sandbox/snapshot')).body;
  return (documents as readonly Kept[]).flatMap(({ kind, body }) =>
    kind === 'subscription' ? [body.terms.surcharge ?? undefined] : [],
  );
}
interface Kept {
  readonly kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: documents of every kind
  readonly body: any;
}

const payer = [
  'Merchant: "Harbour Audio"',
  'Shop: shop.harbour-audio.example.com',
  'Customer: "Ada Example"',
  "Paid by: the customer's default card, which may be another than the one ending 1111",
];
const until = 'Asked until: 2027-01-15T09:10:00.000Z';

it('a subscription with an end: amount, frequency, payments, first date, and what it comes to', async () => {
  const args = subscriptionArgs({ payments: 12, setup_fee: '2.00', surcharge: '0.50' });
  expect(await asked(await listening(), 'create_subscription', args)).toEqual([
    'Allow the agent to create a subscription that charges the customer',
    'Name: "Gold for Ada"',
    'Start: "2027-01-31T10:00:00Z"',
    'Reference: "subscription-1"',
    'Every: "1"',
    'Unit: "month"',
    'Payments: "12"',
    'Amount: "7.50"',
    'Currency: "GBP"',
    'Setup fee: "2.00"',
    'Surcharge: "0.50"',
    'Amount: 7.50 GBP',
    'Every: month',
    'Number of payments: 12',
    'Setup fee, once: 2.00 GBP',
    'Surcharge, each time: 0.50 GBP',
    'First payment: 2027-01-31T10:00:00.000Z',
    'Total commitment: 98.00 GBP',
    ...payer,
    until,
  ]);
});

it('a subscription without an end, on a plan: what it comes to in the first twelve months (D-38)', async () => {
  const on = await listening();
  const args = onPlan(await on.plan({ every: 2, unit: 'week', amount: '10.00' }), { amount: '4.00' });
  expect(await asked(on, 'create_subscription', args)).toEqual([
    'Allow the agent to create a subscription that charges the customer',
    'Name: "Gold for Ada"',
    'Start: "2027-01-31T10:00:00Z"',
    'Reference: "subscription-1"',
    'Amount: "4.00"',
    'Amount: 4.00 GBP',
    'Every: 2 weeks',
    'Number of payments: no end, until it is cancelled',
    'First payment: 2027-01-31T10:00:00.000Z',
    'Total commitment: no end; 108.00 GBP in the first 12 months',
    ...payer,
    'Plan: "Gold"',
    until,
  ]);
});

it('a new price of an active subscription: the old one, the new one, and what it comes to', async () => {
  const on = await listening();
  const subscription = await on.subscription({ start: '2027-01-15T09:00:00Z', payments: 6 });
  expect(await asked(on, 'update_subscription', { subscription, amount: '9.00' })).toEqual([
    'Allow the agent to change what a subscription charges',
    'Amount: "9.00"',
    'Subscription: "Gold for Ada"',
    'Customer: "Ada Example"',
    'Until now: 7.50 GBP, every month, 6 payments in all',
    'Amount: 9.00 GBP',
    'Every: month',
    'Number of payments: 6',
    'Charged since: 2027-01-15T09:00:00.000Z',
    'Still to come: 5 payments, 45.00 GBP',
    'Merchant: "Harbour Audio"',
    until,
  ]);
});

it('a new price half way: what is still to come, and nothing of the setup fee, which is paid', async () => {
  const on = await listening();
  const subscription = await on.subscription({ start: '2027-01-15T09:00:00Z', payments: 12, setup_fee: '100.00' });
  await on.at('2027-06-20T09:00:00Z');
  const lines = async (change: object) =>
    (await asked(on, 'update_subscription', { subscription, ...change })).filter((line) =>
      /^(Setup|First|Charged|Still|Total)/.test(line),
    );
  const since = 'Charged since: 2027-01-15T09:00:00.000Z';
  expect(await lines({ amount: '20.00' })).toEqual([since, 'Still to come: 6 payments, 120.00 GBP']);
  expect(await lines({ payments: 7 })).toEqual([since, 'Still to come: 1 payment, 20.00 GBP']);
  expect(await lines({ name: 'Silver for Ada' })).toEqual([since]);
  const plan = await on.plan({ name: 'Silver', amount: '5.00', unit: 'week', payments: 4, setup_fee: '7.00' });
  expect(await lines({ plan })).toEqual(['Setup fee, once: 7.00 GBP', 'Total commitment: 27.00 GBP']);
});

it('a new price without an end: what is still to come in twelve months', async () => {
  const on = await listening();
  const subscription = await on.subscription({ start: '2027-01-15T09:00:00Z' });
  await on.at('2027-06-20T09:00:00Z');
  expect(await asked(on, 'update_subscription', { subscription, amount: '20.00' })).toContain(
    'Still to come: no end; 240.00 GBP in 12 months',
  );
});

it('another plan for one that is still to begin: nothing is charged at once', async () => {
  const on = await listening();
  const subscription = await on.subscription({ payments: 6 });
  const plan = await on.plan({ name: 'Silver', amount: '3.00', unit: 'week', payments: 4 });
  const read = await asked(on, 'update_subscription', { subscription, plan });
  expect(read).toEqual(expect.arrayContaining(['Another plan: "Silver"', 'First payment: 2027-01-31T10:00:00.000Z']));
  expect(read).not.toContain('Its first payment is charged at once');
  expect(await on.payments(subscription)).toEqual([]);
});

it('another plan: that its first payment is charged at once', async () => {
  const on = await listening();
  const subscription = await on.subscription({ start: '2027-01-15T09:00:00Z', payments: 6 });
  const plan = await on.plan({ name: 'Silver', amount: '3.00', unit: 'week', payments: 4 });
  const read = await asked(on, 'update_subscription', { subscription, plan });
  expect(read).toEqual(
    expect.arrayContaining([
      'Another plan: "Silver"',
      'Its first payment is charged at once',
      'Until now: 7.50 GBP, every month, 6 payments in all',
      'Amount: 3.00 GBP',
      'Every: week',
      'Number of payments: 4',
      'Total commitment: 12.00 GBP',
    ]),
  );
});

it('a start that is moved to earlier today: that the first payment is charged at once', async () => {
  const on = await listening();
  const subscription = await on.subscription({ payments: 6 });
  const change = { subscription, start: '2027-01-15T08:00:00Z' };
  expect(await asked(on, 'update_subscription', change)).toEqual([
    'Allow the agent to change what a subscription charges',
    'Start: "2027-01-15T08:00:00Z"',
    'Subscription: "Gold for Ada"',
    'Customer: "Ada Example"',
    'Until now: 7.50 GBP, every month, 6 payments in all',
    'Amount: 7.50 GBP',
    'Every: month',
    'Number of payments: 6',
    'First payment: at once',
    'Total commitment: 45.00 GBP',
    'Merchant: "Harbour Audio"',
    until,
  ]);
  expect(await on.payments(subscription)).toEqual(['1 STANDARD PAID 2027-01-15T09:00']);
});

it.each(['2027-01-15T00:00:00Z', '2027-01-15T23:59:59Z'])('one that begins today, %s: at once', async (start) => {
  const on = await listening();
  expect(await asked(on, 'create_subscription', subscriptionArgs({ start }))).toContain('First payment: at once');
});

it('another plan for one that has begun today is charged at once, though its start lies ahead', async () => {
  const on = await listening();
  const subscription = await on.subscription({ start: '2027-01-15T23:59:59Z', payments: 6 });
  const plan = await on.plan({ name: 'Silver', amount: '3.00', unit: 'week', payments: 4 });
  const read = await asked(on, 'update_subscription', { subscription, plan });
  expect(read).toContain('Its first payment is charged at once');
  expect(read).not.toContainEqual(expect.stringContaining('First payment:'));
  expect(await on.payments(subscription)).toHaveLength(2);
});

it('a new surcharge keeps its label, and another label its surcharge; what was is read whole', async () => {
  const on = await listening();
  const fees = { setup_fee: '5.00', surcharge: '2.00', surcharge_label: 'Fuel' };
  const subscription = await on.subscription({ ...fees, payments: 6 });
  const lines = (read: readonly string[]) => read.filter((line) => /^(Until|Surcharge,|Setup|Total)/.test(line));
  expect(lines(await asked(on, 'update_subscription', { subscription, surcharge: '3.00' }))).toEqual([
    'Until now: 7.50 GBP, with a surcharge of 2.00 GBP, called "Fuel", every month, 6 payments in all, a setup fee of 5.00 GBP, once',
    'Setup fee, once: 5.00 GBP',
    'Surcharge, each time: 3.00 GBP, called "Fuel"',
    'Total commitment: 68.00 GBP',
  ]);
  expect(lines(await asked(on, 'update_subscription', { subscription, surcharge_label: 'Energy' }))).toEqual([
    'Until now: 7.50 GBP, with a surcharge of 3.00 GBP, called "Fuel", every month, 6 payments in all, a setup fee of 5.00 GBP, once',
    'Setup fee, once: 5.00 GBP',
    'Surcharge, each time: 3.00 GBP, called "Energy"',
    'Total commitment: 68.00 GBP',
  ]);
  expect(await surcharges(on)).toEqual([{ amount: '3.00', description: 'Energy' }]);
});

it('another plan has no surcharge of the old one, and one without an end no number of payments', async () => {
  const on = await listening();
  const fees = { surcharge: '2.00', surcharge_label: 'Fuel' };
  const subscription = await on.subscription({ ...fees, payments: 6 });
  const plan = await on.plan({ name: 'Silver', amount: '3.00', unit: 'week' });
  const { answer } = await on.agent.call('update_subscription', { subscription, plan });
  const {
    next_payment: nextPayment,
    card,
    last_four: lastFour,
    ...seen
  } = await on.does('get_subscription', { subscription });
  expect(answer.data).toEqual(seen);
  expect([nextPayment, card, lastFour]).toEqual(['2027-01-31T10:00:00.000Z', 'card_ada', '1111']);
  expect(await surcharges(on)).toEqual([undefined]);
});

it('a label without a surcharge is refused, and nobody is asked', async () => {
  const on = await listening();
  const subscription = await on.subscription();
  on.forget();
  const { answer } = await on.agent.call('update_subscription', { subscription, surcharge_label: 'Fuel' });
  expect([answer.outcome, answer.error?.field, on.heard]).toEqual(['refused', 'surcharge_label', []]);
});

it('a new name: the customer reads it in every mail, so a person reads it first', async () => {
  const on = await listening();
  const subscription = await on.subscription();
  const read = await asked(on, 'update_subscription', { subscription, name: 'Silver for Ada', code: 'S-1' });
  expect(read.slice(0, 4)).toEqual([
    'Allow the agent to change the name or code of a subscription',
    'New name: "Silver for Ada"',
    'New code: "S-1"',
    'Subscription: "Gold for Ada"',
  ]);
});

it.each([
  ['with what was missed', true, 'Missed payments: 2, charged at once: 15.00 GBP in all'],
  ['without it', false, 'Missed payments: 2, not charged: 15.00 GBP in all'],
])('reactivating %s says what is charged at once', async (_, collect_missed, missed) => {
  const on = await listening();
  const subscription = await on.subscription({ payments: 6 });
  await on.at('2027-02-01T00:00:00Z');
  await on.does('suspend_subscription', { subscription });
  await on.at('2027-04-01T00:00:00Z');
  expect(await asked(on, 'reactivate_subscription', { subscription, collect_missed })).toEqual([
    'Allow the agent to reactivate a suspended subscription',
    `Collect missed: "${collect_missed}"`,
    'Subscription: "Gold for Ada"',
    'Customer: "Ada Example"',
    missed,
    'From the next cycle on: 7.50 GBP, every month, 6 payments in all',
    'Merchant: "Harbour Audio"',
    'Asked until: 2027-04-01T00:10:00.000Z',
  ]);
  expect(await on.payments(subscription)).toHaveLength(collect_missed ? 3 : 1);
});

it('reactivating where nothing was missed says so', async () => {
  const on = await listening();
  const subscription = await on.subscription({ start: '2027-01-15T09:00:00Z' });
  await on.does('suspend_subscription', { subscription });
  const read = await asked(on, 'reactivate_subscription', { subscription, collect_missed: true });
  expect(read).toContain('Missed payments: none');
});

it('a no of the user creates nothing, and asks no second time', async () => {
  const heard: string[] = [];
  const on = await billing({}, (message) => {
    heard.push(message);
    return says.no();
  });
  const { answer } = await on.agent.call('create_subscription', subscriptionArgs());
  expect([answer.outcome, heard.length]).toEqual(['refused', 1]);
  expect((await on.does('list_subscriptions')).total).toBe(0);
});

it('a subscription is updated with nothing to change, or with what its state keeps, and is told why not', async () => {
  const on = await billing();
  const subscription = await on.subscription({ start: '2027-01-15T09:00:00Z' });
  const told = [];
  for (const more of [{}, { start: '2027-02-01T00:00:00Z', setup_fee: '1.00' }]) {
    const { answer } = await on.agent.call('update_subscription', { subscription, ...more });
    told.push([answer.error?.rule, answer.said, answer.next]);
  }
  expect(told).toEqual([
    ['EN-09', "No change was given. Give the subscription's new values.", []],
    ['EN-09', "The subscription is ACTIVE, so start, setup_fee can't change.", ['get_subscription']],
  ]);
});

it.each([
  ['its currency', { currency: 'USD' }, '900.00 USD, every month, 12 payments in all, a setup fee of 100.00 USD, once'],
  ['a part of its period', { every: 2 }, '900 JPY, every 2 months, 12 payments in all, a setup fee of 100 JPY, once'],
  ['its unit', { unit: 'day' }, '900 JPY, every day, 12 payments in all, a setup fee of 100 JPY, once'],
  [
    'its number of payments',
    { payments: 24 },
    '900 JPY, every month, 24 payments in all, a setup fee of 100 JPY, once',
  ],
])(
  'a plan of which only %s changes for all: what each of them pays until now, and from now on',
  async (_, change, then) => {
    const on = await listening();
    const plan = await on.plan({ amount: '900', currency: 'JPY', payments: 12, setup_fee: '100' });
    expect(await asked(on, 'amend_plan', { plan, apply_to: 'ALL', ...change })).toEqual(
      expect.arrayContaining([
        'Until now: 900 JPY, every month, 12 payments in all, a setup fee of 100 JPY, once',
        `From now on: ${then}`,
      ]),
    );
  },
);
