import { expect, it } from 'vitest';
import { atReader, charging, readyDevice } from '../engine/device.ts';
import { world } from '../engine/support.ts';

// What is told of a charge later: an operation that has ended is not always a charge that was made.

it.each([
  ['decline', 'DECLINED'],
  ['abort', 'ABORTED'],
  ['inconclusive', 'INCONCLUSIVE'],
  ['approve', 'APPROVED'],
])('a charge that does %s is listed with what its answer said', async (does, answered) => {
  const it = await world();
  const device = await readyDevice(it);
  await atReader(it, { does });
  const { operation } = await it.through('charge_device', charging(device));
  const ended = { operation, state: 'SUCCEEDED', answered };
  expect((await it.call('list_operations')).data.items).toContainEqual(expect.objectContaining(ended));
  expect((await it.call('get_operation', { operation })).data).toMatchObject(ended);
});

it('a card that is declined online is listed so, and what waits for a person as nothing yet', async () => {
  const it = await world();
  const price = { amount: '60.00', currency: 'GBP' };
  const wish = { card: 'card_cleo_declines', reference: 'pay-1', price };
  const asked = await it.call('authorize_payment', wish);
  const listed = async () => (await it.call('list_operations', { reference: 'pay-1' })).data.items[0];
  expect(await listed()).not.toHaveProperty('answered');
  await it.approve(asked);
  const { data } = await it.call('authorize_payment', wish);
  expect(await listed()).toMatchObject({ answered: data.state });
});

it('an inconclusive charge is told with what has become of it since', async () => {
  const it = await world();
  const device = await readyDevice(it);
  await atReader(it, { does: 'inconclusive', becomes: 'approve' });
  const { operation, data } = await it.through('charge_device', charging(device));
  const said = async () => (await it.call('get_operation', { operation })).said;
  expect(await said()).toBe('It has ended, and this is its answer.');
  await it.advance(3_600);
  await it.call('lookup_device_transaction', { transaction: data.transaction });
  expect(await said()).toBe(
    `It has ended, and this is its answer. Since then ${data.transaction} has changed: it is APPROVED, captured is 40.00 GBP now.`,
  );
});
