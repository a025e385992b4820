import { describe, expect, it } from 'vitest';
import { held, sold } from '../engine/device.ts';
import { type World, world } from '../engine/support.ts';

// What a call without an amount takes: all that is left. It is worked out before anybody decides, and said to the reader.

/** What the reader was asked for, as the operation's row keeps it. */
const asked = async (it: World, operation: string | undefined) =>
  ((await it.operation(operation)).request as { readonly body: object } | null)?.body;

describe('a refund of all that is left', () => {
  it('is approved and sent with its amount', async () => {
    const it = await world();
    const transaction = await sold(it);
    await it.through('refund_device_transaction', { transaction, amount: '12.50', reference: 'back-1' });
    const rest = { transaction, reference: 'back-2' };
    const said = await it.call('refund_device_transaction', rest);
    expect(said).toMatchObject({ outcome: 'needs_approval', approval: { text: expect.stringContaining('27.50 GBP') } });
    await it.approve(said);
    const done = await it.call('refund_device_transaction', rest);
    expect(done).toMatchObject({ outcome: 'done', data: { state: 'REFUNDED', refunded: { amount: '40.00' } } });
    expect(await asked(it, done.operation)).toMatchObject({
      partiallyWithAmount: { amount: '27.50', currency: 'GBP' },
    });
  });

  it('that has become less since its approval is approved again, and nothing is sent before', async () => {
    const it = await world();
    const transaction = await sold(it);
    const rest = { transaction, reference: 'back-1' };
    const first = await it.call('refund_device_transaction', rest);
    await it.approve(first);
    await it.through('refund_device_transaction', { transaction, amount: '10.00', reference: 'back-2' });
    const again = await it.call('refund_device_transaction', rest);
    expect(again).toMatchObject({
      outcome: 'needs_approval',
      approval: { text: expect.stringContaining('30.00 GBP') },
    });
    expect(again.approval?.id).not.toBe(first.approval?.id);
    expect(await it.effects('refundDeviceTransaction')).toHaveLength(1);
  });
});

it('a capture of all that is held says how much that is', async () => {
  const it = await world();
  const transaction = await held(it);
  await it.through('increment_preauthorization', { transaction, amount: '5.00' });
  const done = await it.call('capture_preauthorization', { transaction });
  expect(done).toMatchObject({ data: { captured: { amount: '45.00' } } });
  expect(await asked(it, done.operation)).toMatchObject({ partiallyWithAmount: { amount: '45.00', currency: 'GBP' } });
});
