import { expect, it } from 'vitest';
import { redeemSecret } from '../../src/engine/redeem.ts';
import { authorized, captured, paying } from './conversion.ts';
import { shop, wish } from './shop.ts';
import { world } from './support.ts';

// A call that is repeated tells its first answer, and what of that is otherwise by now, whether or not a state says so.

it('says what of a capture was refunded since', async () => {
  const here = await world();
  const capture = await captured(here);
  const { charge } = (await here.call('get_capture', { capture })).data;
  const again = () => here.call('capture_payment', { charge });
  expect((await again()).said).not.toContain('Since then');
  await here.through('refund_capture', { capture, amount: '10.00' });
  const { said, operation } = await again();
  const since = `Since then ${capture} has changed: refunded is 10.00 USD now.`;
  expect(said).toContain(since);
  expect((await here.call('get_operation', { operation })).said).toContain(since);
});

it('says what of a payment was captured since', async () => {
  const here = await world();
  const charge = await authorized(here);
  await here.call('capture_payment', { charge, amount: '30.00' });
  const { said } = await here.call('authorize_payment', paying());
  expect(said).toContain(`Since then ${charge} has changed: it is CAPTURED, captured is 30.00 USD now.`);
});

it('says to what the limit of a purchase was lowered since', async () => {
  const here = await shop();
  const instruction = await here.bought();
  const again = () => here.call('initiate_purchase', wish);
  expect((await again()).said).not.toContain('Since then');
  await here.call('update_purchase', { instruction, limit: { amount: '20.00', currency: 'EUR' } });
  expect((await again()).said).toContain(`Since then ${instruction} has changed: limit is 20.00 EUR now.`);
});

it('says that released credentials were redeemed since, or can no longer be', async () => {
  const here = await shop();
  const instruction = await here.bought();
  const again = () => here.call('retrieve_credentials', { instruction, amount: '39.90', currency: 'EUR' });
  const { credentials } = (await again()).data;
  expect((await again()).said).not.toContain('Since then');
  expect(await redeemSecret(here.parts, 'default', credentials, 'app')).toBeDefined();
  const { said, operation } = await again();
  expect(said).toContain(`Since then ${credentials} was redeemed.`);
  expect((await here.call('get_operation', { operation })).said).toContain(`${credentials} was redeemed`);
});

it.each([
  ['was cancelled', 'cancel_purchase', {}],
  ['allows less', 'update_purchase', { limit: { amount: '20.00', currency: 'EUR' } }],
])('says that credentials can no longer be redeemed since their purchase %s', async (_, tool, change) => {
  const here = await shop();
  const instruction = await here.bought();
  const again = () => here.call('retrieve_credentials', { instruction, amount: '39.90', currency: 'EUR' });
  const { credentials } = (await again()).data;
  expect(await here.call(tool, { instruction, ...change })).toMatchObject({ outcome: 'done' });
  expect((await again()).said).toContain(`Since then ${credentials} can't be redeemed any more.`);
});
