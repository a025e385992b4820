import { describe, expect, it } from 'vitest';
import { charging, deviceOf, held, readyDevice } from '../engine/device.ts';
import { type World, world } from '../engine/support.ts';

// A tap of which nobody knows at first what became.

const unsettled = [
  ['begin', 'INITIALIZED'],
  ['process', 'PENDING'],
  ['inconclusive', 'INCONCLUSIVE'],
  ['unknown', 'UNKNOWN'],
  ['offline', 'ACCEPTED'],
] as const;

/** A charge that ends unsettled. */
async function charged(it: World, tap: object, more: object = {}) {
  const device = await readyDevice(it);
  await it.control('POST', 'reader/taps', tap);
  const { data } = await it.through('charge_device', { ...charging(device), ...more });
  return data as { readonly transaction: string; readonly state: string }; // as the tool shows it
}

const lookedUp = (it: World) => it.call('lookup_device_transaction', { reference: 'sale-1' });

describe.each(unsettled)('a charge that does %s', (does, state) => {
  it.each([
    ['approve', {}, 'APPROVED', '40.00'],
    ['approve', { pre_authorize: true }, 'AUTHORIZED', '0.00'],
    ['decline', {}, 'DECLINED', '0.00'],
    ['abort', {}, 'ABORTED', '0.00'],
    ['fail', {}, 'ERROR', '0.00'],
  ] as const)('becomes %s after 20 seconds', async (becomes, more, end, captured) => {
    const it = await world();
    expect(await charged(it, { does, becomes }, more)).toMatchObject({ state });
    await it.advance(19);
    expect(await lookedUp(it)).toMatchObject({ data: { state } });
    await it.advance(1);
    expect(await lookedUp(it)).toMatchObject({ data: { state: end, captured: { amount: captured } } });
  });

  it.each([
    ['decline', 'done'],
    ['approve', 'refused'],
  ])('counts against a limit until it is known whether it takes money: %s', async (becomes, outcome) => {
    const limit = { name: 'counter', tools: ['charge_device'], currency: 'GBP', per: [], total: '79.99' } as const;
    const it = await world({ configure: { limits: [limit] } });
    await charged(it, { does, becomes });
    const next = async (reference: string) => it.through('charge_device', charging(await deviceOf(it), { reference }));
    await it.control('POST', 'reader/taps', { does: 'approve' });
    expect(await next('sale-2')).toMatchObject({ outcome: 'refused', error: { rule: 'EN-11' } });
    await it.advance(20);
    await lookedUp(it);
    expect((await next('sale-3')).outcome).toBe(outcome);
  });

  it.each([
    ['increment_preauthorization', 'DV-03', { amount: '5.00' }],
    ['capture_preauthorization', 'DV-04', {}],
    ['refund_device_transaction', 'DV-05', {}],
  ] as const)('is not to be changed by %s, which names its argument and leads to a look', async (tool, rule, more) => {
    const it = await world();
    const { transaction } = await charged(it, { does });
    expect(await it.call(tool, { transaction, ...more })).toMatchObject({
      outcome: 'refused',
      error: { rule, field: 'transaction' },
      next: ['lookup_device_transaction'],
    });
  });
});

describe('a charge like one that is still open', () => {
  const mandates = [{ name: 'counter', tools: ['charge_device'], currency: 'GBP', per: [] }] as const;

  it.each([
    ...unsettled.filter(([, state]) => state !== 'ACCEPTED').map(([does]) => [does, 'needs_approval'] as const),
    ['approve', 'done'],
  ] as const)('is approved by no mandate after one that does %s: %s', async (does, outcome) => {
    const it = await world({ configure: { mandates } });
    const device = await readyDevice(it);
    await it.control('POST', 'reader/taps', { does });
    await it.call('charge_device', charging(device));
    const twin = await it.call('charge_device', charging(device, { reference: 'sale-2' }));
    expect(twin.outcome).toBe(outcome);
    expect(await it.effects('chargeDevice')).toHaveLength(outcome === 'done' ? 2 : 1);
  });
});

describe('a hold that has expired', () => {
  it('leads to a new charge', async () => {
    const it = await world();
    const device = await readyDevice(it);
    const { data } = await it.through('charge_device', { ...charging(device), pre_authorize: true });
    await it.advance(7 * 86_400);
    expect(await it.call('capture_preauthorization', { transaction: data?.transaction })).toMatchObject({
      error: { rule: 'DV-07', field: 'transaction', retry: 'never' },
      next: ['charge_device'],
    });
  });
});

it('a charge that is made is looked at next, where its operation is', async () => {
  const it = await world();
  const device = await readyDevice(it);
  const { operation } = await it.through('charge_device', charging(device));
  expect((await it.call('get_operation', { operation })).next).toEqual(['lookup_device_transaction']);
});

describe('a hold that is captured', () => {
  it('is captured no second time, whatever the amount, and the refusal leads to a look', async () => {
    const it = await world();
    const transaction = await held(it);
    await it.through('capture_preauthorization', { transaction, amount: '30.00' });
    const { error, next } = await it.call('capture_preauthorization', { transaction, amount: '10.00' });
    expect(error).toEqual({ code: 'CONFLICT', rule: 'EN-03', retry: 'never' });
    expect(next).toEqual(['get_operation', 'lookup_device_transaction']);
    expect(await it.effects('capturePreauthorization')).toHaveLength(1);
  });
});
