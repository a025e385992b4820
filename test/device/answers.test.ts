import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/core/outcome.ts';
import type { ReaderTransport } from '../../src/core/reader.ts';
import { outcomeOfEnd } from '../../src/reader/ends.ts';
import { charging, held, readyDevice, sold } from '../engine/device.ts';
import { type World, world } from '../engine/support.ts';

// Answers of a reader's app that contradict what was asked: each is no proof of what was charged, held, taken or paid back (EN-08).

type Send = ReaderTransport['send'];

/** A world whose reader sends in another way. */
const withReader = (otherwise: (send: Send) => Send): Promise<World> =>
  world({
    configure: { hasOperatorCalls: true },
    replace: { reader: (_, simulated) => simulated && { ...simulated, send: otherwise(simulated.send) } },
  });

/** A world whose reader answers calls of one name otherwise. */
const answering = (name: string, change: object): Promise<World> =>
  withReader((send) => async (operation, input, watch) => {
    const outcome = await send(operation, input, watch);
    if (operation.call !== `SDK ${name}` || outcome.kind !== 'succeeded') return outcome;
    return outcomeOfEnd(operation, { case: 'success', value: { ...(outcome.body as object), ...change } }, input);
  });

const unknown = { outcome: 'unknown', error: { code: 'OUTCOME_UNKNOWN', rule: 'EN-08' } };
const states = async (it: World) => (await it.operations()).map(({ name, state }) => [name, state]);

describe('a charge', () => {
  it.each([
    ['of a penny more than was approved', { amount: '40.01' }],
    ['of a penny less', { amount: '39.99' }],
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

  it('that is answered with the transaction of another one is no success, and nothing of that is paid back twice', async () => {
    let mode: 'own' | 'other' = 'own';
    let first: object | undefined;
    const it = await withReader((send) => async (operation, input, watch) => {
      if (operation.call !== 'SDK startChargeTransaction') return send(operation, input, watch);
      if (mode === 'other' && first) return { kind: 'succeeded', status: 'success', body: first };
      const outcome = await send(operation, input, watch);
      const { customIdentifier, autocapture, capturedAmount, refundedAmount, ...body } = (
        outcome as { readonly body: Record<string, unknown> }
      ).body;
      first ??= body;
      return outcome;
    });
    const transaction = await sold(it);
    await it.through('refund_device_transaction', { transaction });
    mode = 'other';
    const device = await readyDevice(it);
    const said = await it.through('charge_device', charging(device, { reference: 'sale-2' }));
    expect(said).toMatchObject(unknown);
    expect((await it.thing(transaction)).body).toMatchObject({ reference: 'sale-1', refunded: '40.00' });
    await it.through('refund_device_transaction', { transaction });
    expect(await it.effects('refundDeviceTransaction')).toHaveLength(1);
  });

  it('that is answered with the declined one before it, under the same reference, is no success', async () => {
    let first: Outcome | undefined;
    const it = await withReader((send) => async (operation, input, watch) => {
      if (operation.call !== 'SDK startChargeTransaction') return send(operation, input, watch);
      first ??= await send(operation, input, watch);
      return first;
    });
    const device = await readyDevice(it);
    await it.control('POST', 'reader/taps', { does: 'decline' });
    expect(await it.through('charge_device', charging(device))).toMatchObject({ data: { state: 'DECLINED' } });
    expect(await it.through('charge_device', charging(device))).toMatchObject(unknown);
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

describe('a look-up that the platform answers with another transaction, and no reference', () => {
  /** A world with a sale, whose reader then answers every look-up with a transaction of this identifier, by default the sale's own. */
  async function answeringAll(identifier?: string) {
    const other = { isOn: false, identifier: '' };
    const it = await withReader((send) => async (operation, input, watch) => {
      if (!other.isOn || !/lookupTransaction|showSummary/.test(operation.call)) return send(operation, input, watch);
      const value = { identifier: other.identifier, status: 'Approved', currency: 'GBP', amount: '40.00' };
      return outcomeOfEnd(operation, { case: 'success', value }, input);
    });
    const transaction = await sold(it);
    const before = (await it.thing(transaction)).body;
    Object.assign(other, { isOn: true, identifier: identifier ?? before.identifier });
    const isUnchanged = async () => {
      expect((await it.thing(transaction)).body).toEqual(before);
      expect((await it.call('list_device_transactions')).data.total).toBe(1);
    };
    return { it, transaction, device: await readyDevice(it), isUnchanged };
  }
  const shapeless = { outcome: 'refused', error: { code: 'UNREACHABLE', rule: 'EN-08' } };

  it.each(['lookup_device_transaction', 'show_device_summary'])(
    '%s of another order leaves the order of that one as it was',
    async (tool) => {
      const { it, isUnchanged } = await answeringAll();
      expect(await it.call(tool, { reference: 'sale-2' })).toMatchObject(shapeless);
      await isUnchanged();
    },
  );

  it.each(['lookup_device_transaction', 'show_device_summary'])(
    '%s of a transaction stores no other one',
    async (tool) => {
      const { it, transaction, isUnchanged } = await answeringAll('another');
      expect(await it.call(tool, { transaction })).toMatchObject(shapeless);
      await isUnchanged();
    },
  );

  it('charges no card and pays nothing back', async () => {
    const { it, device, isUnchanged } = await answeringAll();
    const charged = await it.call('charge_device', charging(device, { reference: 'sale-2' }));
    expect(charged).toMatchObject(shapeless);
    await isUnchanged();
    const other = await answeringAll('another');
    expect(await other.it.call('refund_device_transaction', { transaction: other.transaction })).toMatchObject(
      shapeless,
    );
    await other.isUnchanged();
  });
});

it('DV-08 a refund without an original under a reference that the platform has already is not made', async () => {
  const it = await world({ configure: { hasOperatorCalls: true } });
  const args = { device: await readyDevice(it), reference: 'back-1', sum: { amount: '40.00', currency: 'GBP' } };
  await it.running.sandbox?.perform('refundWithoutOriginal', { ...args.sum, customIdentifier: 'back-1' });
  const operator = { tenant: 'default', principal: 'olga', role: 'operator' } as const;
  expect(await it.call('refund_without_original', { ...args, no_original: true }, operator)).toMatchObject({
    outcome: 'refused',
    error: { rule: 'DV-08', field: 'reference' },
  });
});

it.each(['Declined', 'Aborted', 'Error', 'Inconclusive', 'Unknown'])(
  'a refund without an original that ends as %s is not spoken of as a charge',
  async (status) => {
    const it = await answering('startStandaloneRefundTransaction', { status });
    const args = { ...charging(await readyDevice(it)), no_original: true };
    const operator = { tenant: 'default', principal: 'olga', role: 'operator' } as const;
    const { said, data } = await it.through('refund_without_original', args, operator);
    expect([data.state, said.includes('charged')]).toEqual([status.toUpperCase(), false]);
  },
);

it('a total without decimals is told with those of its currency, where more is asked for', async () => {
  const it = await answering('lookupTransaction', { amount: '40' });
  const said = await it.call('capture_preauthorization', { transaction: await held(it), amount: '41.00' });
  expect([said.error?.rule, said.said.includes('40.00 GBP')]).toEqual(['DV-04', true]);
});

describe('a total that an app never tells (D-90)', () => {
  const silent = { capturedAmount: undefined, refundedAmount: undefined };
  const refund = (transaction: string, amount: string) => ({ transaction, amount, reference: `back-${amount}` });

  it('is what was asked for: no more is paid back than was taken', async () => {
    const it = await answering('refundTransaction', silent);
    const transaction = await sold(it);
    await it.through('refund_device_transaction', refund(transaction, '30.00'));
    expect((await it.thing(transaction)).body).toMatchObject({ captured: '40.00', refunded: '30.00' });
  });

  it('is what was asked for: what is captured is no longer held', async () => {
    const it = await answering('captureTransaction', silent);
    const transaction = await held(it);
    expect(await it.through('capture_preauthorization', { transaction, amount: '30.00' })).toMatchObject({
      outcome: 'done',
      data: { state: 'CAPTURED', captured: { amount: '30.00' } },
    });
  });

  it.each([
    ['is left out', undefined],
    ['is no amount of its currency', '10.005'],
  ])('proves nothing after a lost refund where it %s: nobody pays back twice', async (_, refundedAmount) => {
    const change: { refundedAmount?: string | undefined } = {};
    const it = await answering('lookupTransaction', change);
    const transaction = await sold(it);
    await it.fault('refundDeviceTransaction', 'timeout-after-commit');
    const lost = await it.through('refund_device_transaction', refund(transaction, '10.00'));
    expect(lost.outcome).toBe('unknown');
    change.refundedAmount = refundedAmount;
    await it.advance(3_600);
    await it.running.engine.recover();
    expect((await it.operation(lost.operation)).state).toBe('UNKNOWN');
    expect(await it.effects('refundDeviceTransaction')).toHaveLength(1);
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
    const body =
      tool === 'refund_device_transaction' ? { withID, partiallyWithAmount: more } : { withID, withAmount: more };
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
