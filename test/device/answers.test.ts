import { describe, expect, it } from 'vitest';
import { charging, held, readyDevice, sold } from '../engine/device.ts';
import { type World, world } from '../engine/support.ts';

// Answers of a reader's app that contradict what was asked: each is no proof of what was charged, held, taken or paid back (EN-08).

/** A world whose reader answers calls of one name otherwise. */
const answering = (name: string, change: object): Promise<World> =>
  world({
    replace: {
      reader: (_, simulated) =>
        simulated && {
          ...simulated,
          send: async (operation, input, watch) => {
            const outcome = await simulated.send(operation, input, watch);
            if (operation.call !== `SDK ${name}` || outcome.kind !== 'succeeded') return outcome;
            return { ...outcome, body: { ...(outcome.body as object), ...change } };
          },
        },
    },
  });

const unknown = { outcome: 'unknown', error: { code: 'OUTCOME_UNKNOWN', rule: 'EN-08' } };
const states = async (it: World) => (await it.operations()).map(({ name, state }) => [name, state]);

describe('a charge', () => {
  it.each([
    ['of a penny more than was approved', { amount: '40.01' }],
    ['of more decimals than the currency has', { amount: '39.999' }],
    ['in another currency', { currency: 'JPY', amount: '40' }],
    ['under another reference', { customIdentifier: 'sale-2' }],
    ['that pays the customer', { type: 'credit' }],
    ['that is only held', { autocapture: false }],
  ])('%s is no success', async (_, change) => {
    const it = await answering('startChargeTransaction', change);
    expect(await it.through('charge_device', charging(await readyDevice(it)))).toMatchObject(unknown);
    expect((await it.call('list_device_transactions')).data.total).toBe(0);
    expect(await states(it)).toContainEqual(['chargeDevice', 'UNKNOWN']);
  });

  it('that is taken at once where it was to be held is no success', async () => {
    const it = await answering('startChargeTransaction', { autocapture: true });
    const said = await it.through('charge_device', charging(await readyDevice(it), { pre_authorize: true }));
    expect(said).toMatchObject(unknown);
  });

  it.each([
    ['the highest tip', '44.00', { outcome: 'done' }],
    ['a penny more than the highest tip', '44.01', unknown],
  ])('with %s', async (_, amount, expected) => {
    const it = await answering('startChargeTransaction', { amount });
    const asked = charging(await readyDevice(it), { tip: { percentages: [5, 10] } });
    expect(await it.through('charge_device', asked)).toMatchObject(expected);
  });

  it('of a declined card tells nothing of money', async () => {
    const it = await answering('startChargeTransaction', { amount: '4000.00' });
    const device = await readyDevice(it);
    await it.control('POST', 'reader/taps', { does: 'decline' });
    expect(await it.through('charge_device', charging(device))).toMatchObject({
      outcome: 'done',
      data: { state: 'DECLINED', captured: { amount: '0.00' } },
    });
  });
});

describe.each([
  ['increment_preauthorization', 'incrementTransaction', 'amount', '45.01'],
  ['capture_preauthorization', 'captureTransaction', 'capturedAmount', '5.01'],
  ['refund_device_transaction', 'refundTransaction', 'refundedAmount', '4.99'],
] as const)('%s', (tool, name, member, other) => {
  const made = (it: World) => (tool === 'refund_device_transaction' ? sold(it) : held(it));

  it.each([
    ['by another amount than was asked for', { [member]: other }],
    ['by an amount that is none', { [member]: '5.001' }],
    ['of another transaction', { identifier: 'another' }],
    ['in another currency', { currency: 'EUR' }],
  ])('%s is no success', async (_, change) => {
    const it = await answering(name, change);
    const transaction = await made(it);
    expect(await it.through(tool, { transaction, amount: '5.00' })).toMatchObject(unknown);
    expect((await it.call('lookup_device_transaction', { transaction })).data.state).not.toBe(undefined);
  });

  it('that leaves the sum out is what was asked for', async () => {
    const it = await answering(name, member === 'amount' ? {} : { [member]: undefined });
    const transaction = await made(it);
    expect(await it.through(tool, { transaction, amount: '5.00' })).toMatchObject({ outcome: 'done' });
  });
});

describe('what staff does on the Summary screen of the reader', () => {
  it.each([
    ['refund_device_transaction', 'refundDeviceTransaction', 'Refunded so far: 15.00 GBP'],
    ['increment_preauthorization', 'incrementPreauthorization', 'Total: 55.00 GBP'],
  ] as const)('is seen before a person is asked: %s', async (tool, operation, line) => {
    const it = await world();
    const transaction = tool === 'refund_device_transaction' ? await sold(it) : await held(it);
    const { identifier: withID } = (await it.thing(transaction)).body as { identifier: string };
    const more = { amount: '15.00', currency: 'GBP' };
    const body = tool === 'refund_device_transaction' ? { withID, partiallyWithAmount: more } : { withID, ...more };
    await it.running.sandbox?.perform(operation, body);
    const { approval } = await it.call(tool, { transaction, amount: '10.00' });
    expect(approval?.text).toContain(line);
  });

  it('leaves nothing to refund twice', async () => {
    const it = await world();
    const transaction = await sold(it);
    const { identifier: withID } = (await it.thing(transaction)).body as { identifier: string };
    await it.running.sandbox?.perform('refundDeviceTransaction', { withID });
    expect(await it.call('refund_device_transaction', { transaction })).toMatchObject({
      outcome: 'refused',
      error: { rule: 'DV-05' },
    });
  });
});
