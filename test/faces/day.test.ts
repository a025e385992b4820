import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { billing } from '../billing/story.ts';
import { type Agent, connect, inProcess, says } from './agents.ts';

// A day's business, and the months after it, by an agent that knows of no tool but those that answers have named: it begins
// where the instructions say each order begins, and every other call stands in the `next` of an earlier answer.

/** The first tool of each order that the instructions give. */
const beginnings = (instructions = ''): readonly string[] =>
  [...instructions.matchAll(/The order: ([a-z_]+)/g)].map(([, tool = '']) => tool);

/** Makes calls that were named before, and counts what an agent reads of them. */
function walking({ call, instructions }: Agent) {
  const named = new Set(beginnings(instructions));
  const read = { calls: 0, bytes: 0, tokens: 0 };
  const does = async (tool: string, args: object = {}, outcome = 'done') => {
    expect([...named], `${tool} was named by no answer before`).toContain(tool);
    const { answer, text } = await call(tool, args);
    expect(answer, tool).toMatchObject({ outcome });
    for (const next of answer.next) named.add(next);
    read.calls += 1;
    read.bytes += Buffer.byteLength(text);
    read.tokens += encode(text).length;
    return answer;
  };
  return { does, read };
}

it('does a day of business, and mends its mistakes, by calls that earlier answers have named', async () => {
  const { here, at, card } = await billing();
  const agent = await connect(inProcess(here), { pin: '2026-07-28' }, says.yes);
  const { does, read } = walking(agent);

  // A purchase.
  const [shopper] = (await does('find_shopper', { name: 'Ada' })).data.items;
  const [first] = (await does('list_cards', { shopper: shopper.shopper })).data.items;
  await does('enroll_card', { card: first.card });
  const wish = {
    limit: { amount: '60.00', currency: 'GBP' },
    until: '2027-01-20T00:00:00Z',
    description: 'Headphones',
  };
  const { instruction } = (await does('initiate_purchase', { card: first.card, reference: 'order-1', ...wish })).data;
  const { credentials } = (await does('retrieve_credentials', { instruction, amount: '45.00', currency: 'GBP' })).data;
  expect((await here.http('POST', `/credentials/${credentials}/redeem`, 'app')).status).toBe(200);
  const receipt = { transactionType: 'PURCHASE', transactionStatus: 'APPROVED', amount: '45.00', currency: 'GBP' };
  expect((await here.http('POST', '/receipts', 'app', { instruction, ...receipt })).status).toBe(201);
  expect((await does('get_purchase', { instruction })).next[0]).toBe('confirm_transaction');
  await does('confirm_transaction', { instruction });

  // A plan and a subscription, whose card is declined in the second month.
  await does('list_subscriptions');
  await does('list_plans');
  const terms = { every: 1, unit: 'month', amount: '15.00', currency: 'GBP' };
  const { plan } = (await does('create_plan', { name: 'Gold', reference: 'plan-gold', ...terms })).data;
  const gold = { card: first.card, plan, name: 'Gold for Ada', reference: 'subscription-1' };
  const start = '2027-01-15T10:00:00Z';
  const { subscription } = (await does('create_subscription', { ...gold, start })).data;
  expect((await does('get_subscription', { subscription })).data.state).toBe('ACTIVE');
  await card(first.card, { charges: ['declined'] });
  await at('2027-02-16T00:00:00Z');
  expect((await does('get_subscription', { subscription })).data.state).toBe('DELINQUENT');
  await does('list_subscription_payments', { subscription });
  await at('2027-03-20T00:00:00Z');
  const suspended = await does('get_subscription', { subscription });
  expect(suspended.data).toMatchObject({ state: 'SUSPENDED', missed: { payments: 2, amount: '30.00' } });
  expect((await does('list_subscription_payments', { subscription })).data.missed).toEqual([
    { cycle: 2, date: '2027-02-15T10:00:00.000Z', amount: '15.00' },
    { cycle: 3, date: '2027-03-15T10:00:00.000Z', amount: '15.00' },
  ]);
  // What can't be done now names the argument and leads to what can.
  const declined = await does('skip_subscription_payments', { subscription, cycles: [4] }, 'declined');
  expect([declined.error?.field, declined.next[0]]).toEqual(['cycles', 'get_subscription']);
  await card(first.card, { charges: ['paid'] });
  const again = await does('reactivate_subscription', { subscription, collect_missed: true });
  expect(again.data.state).toBe('ACTIVE');

  // A wrong subscription is stopped.
  const later = { ...gold, reference: 'subscription-2', start: '2027-05-01T10:00:00Z' };
  const wrong = (await does('create_subscription', { ...later, name: 'Gold for Bob' })).data;
  expect((await does('cancel_subscription', { subscription: wrong.subscription })).data.state).toBe('CANCELLED');

  // A wrong invoice is cancelled, and the right one is sent and looked at.
  const bill = { how: 'email_draft', currency: 'GBP', due: '2027-04-15', customer_name: 'Ada Example' };
  const to = { customer_email: 'ada@example.com', description: 'Repair of a loudspeaker' };
  const mistaken = (await does('create_invoice', { reference: 'INV-1', total: '400.00', ...bill, ...to })).data;
  expect((await does('cancel_invoice', { invoice: mistaken.invoice })).data.state).toBe('CANCELED');
  const { invoice } = (await does('create_invoice', { reference: 'INV-2', total: '40.00', ...bill, ...to })).data;
  expect((await does('send_invoice', { invoice })).data.state).toBe('SENT');
  expect((await does('get_invoice', { invoice })).data).toMatchObject({ state: 'SENT', total: '40.00' });

  console.log(`a day's business: ${read.calls} calls, ${read.bytes} bytes and ${read.tokens} tokens read (o200k)`);
  expect(read.calls).toBeGreaterThan(20);
});
