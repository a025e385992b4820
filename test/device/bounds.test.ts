import { describe, expect, it } from 'vitest';
import { charging, deviceOf, held, readyDevice, sold } from '../engine/device.ts';
import { world } from '../engine/support.ts';

// Sums to the last penny, and moments to the last second, at the reader.

const ruleOf = async (asked: Promise<{ readonly error?: { readonly rule?: string } }>) => (await asked).error?.rule;

describe('a charge', () => {
  it.each([
    ['0.00', 'GBP', 'EN-09'],
    ['0.005', 'GBP', 'EN-09'],
    ['100.5', 'JPY', 'EN-09'],
    ['0.000', 'BHD', 'EN-09'],
  ])('of %s %s is not made', async (amount, currency, rule) => {
    const it = await world();
    const device = await readyDevice(it);
    expect(await ruleOf(it.call('charge_device', charging(device, { sum: { amount, currency } })))).toBe(rule);
    expect(await it.effects('chargeDevice')).toEqual([]);
  });

  it.each([
    ['0.01', 'GBP'],
    ['1', 'JPY'],
    ['0.001', 'BHD'],
  ])('of %s %s is made', async (amount, currency) => {
    const it = await world();
    const device = await readyDevice(it);
    expect(await it.through('charge_device', charging(device, { sum: { amount, currency } }))).toMatchObject({
      data: { state: 'APPROVED', captured: { amount, currency } },
    });
  });

  it('is not made under a number that the reader has already', async () => {
    const it = await world({ configure: { hasOperatorCalls: true } });
    const device = await readyDevice(it);
    const operator = { tenant: 'default', principal: 'olga', role: 'operator' } as const;
    await it.through('refund_without_original', { ...charging(device), no_original: true }, operator);
    expect(await it.call('charge_device', charging(device))).toMatchObject({
      error: { rule: 'DV-08', field: 'reference' },
      next: ['lookup_device_transaction'],
    });
  });
});

describe('a hold', () => {
  it('is captured to its last penny, and not further', async () => {
    const it = await world();
    const transaction = await held(it);
    expect(await ruleOf(it.call('capture_preauthorization', { transaction, amount: '40.01' }))).toBe('DV-04');
    expect(await it.through('capture_preauthorization', { transaction, amount: '40.00' })).toMatchObject({
      data: { state: 'CAPTURED', captured: { amount: '40.00' } },
    });
  });

  it('is raised by a penny, and not by nothing', async () => {
    const it = await world();
    const transaction = await held(it);
    for (const amount of ['0.00', '0.005'])
      expect(await ruleOf(it.call('increment_preauthorization', { transaction, amount }))).toBe('EN-09');
    expect(await it.through('increment_preauthorization', { transaction, amount: '0.01' })).toMatchObject({
      data: { total: { amount: '40.01' } },
    });
  });

  it('is raised to the largest amount, and not further', async () => {
    const it = await world();
    const transaction = await held(it);
    expect(await it.call('increment_preauthorization', { transaction, amount: '999999999960.00' })).toMatchObject({
      error: { rule: 'EN-09', field: 'amount' },
    });
    expect(await it.effects('incrementPreauthorization')).toEqual([]);
    expect(await it.through('increment_preauthorization', { transaction, amount: '999999999959.99' })).toMatchObject({
      data: { total: { amount: '999999999999.99' } },
    });
  });
});

describe('a sale', () => {
  it('is paid back to its last penny, and not further', async () => {
    const it = await world();
    const transaction = await sold(it);
    await it.through('refund_device_transaction', { transaction, amount: '0.01' });
    const rest = { transaction, reference: 'back-2' };
    expect(await ruleOf(it.call('refund_device_transaction', { ...rest, amount: '40.00' }))).toBe('DV-05');
    expect(await it.through('refund_device_transaction', { ...rest, amount: '39.99' })).toMatchObject({
      data: { state: 'REFUNDED', refunded: { amount: '40.00' } },
    });
  });
});

describe('the release of an app', () => {
  it.each([
    ['3.1.0', ['DV-13']],
    ['3.2.0', []],
    ['3.8.0', []],
  ])('%s is told to be old where newer ones are configured', async (sdkVersion, rules) => {
    const it = await world({
      configure: { sdkReleases: ['3.6.0', '3.7.0', '3.8.0'] },
    });
    await it.control('POST', 'reader', { sdkVersion });
    const { outcome, warnings = [] } = await it.call('enroll_device', { device: await deviceOf(it) });
    expect([outcome, warnings.map((it: string) => it.slice(0, 5))]).toEqual(['done', rules]);
  });
});
