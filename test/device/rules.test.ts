import { describe, expect, it } from 'vitest';
import { isOldSystem, sdkSupport } from '../../src/domains/device/requirements.ts';
import { newReader } from '../../src/domains/device/sandbox/state.ts';
import { mostCharged } from '../../src/domains/device/tips.ts';
import { atReader, charging, deviceOf, held, readyDevice } from '../engine/device.ts';
import { type World, world } from '../engine/support.ts';

describe('a tip', () => {
  it.each([
    [{ amount: '40.00', currency: 'GBP' }, '40.00'],
    [{ amount: '40.00', currency: 'GBP', tip: { percentages: [10, 15] } }, '46.00'],
    [{ amount: '0.01', currency: 'GBP', tip: { percentages: [10] } }, '0.02'],
    [{ amount: '333', currency: 'JPY', tip: { percentages: [20] } }, '400'],
    [{ amount: '1.005', currency: 'BHD', tip: { percentages: [50] } }, '1.508'],
    [{ amount: '40', currency: 'GBP', tip: { input: 'total' as const, up_to: '5.5' } }, '45.50'],
  ])('of %j comes to %s at most', (charged, most) => {
    expect(mostCharged(charged)).toBe(most);
  });

  it('is in the approval and counts against the limit at its highest', async () => {
    const small = { name: 'small', tools: ['charge_device'], currency: 'GBP', perCall: '45.99', per: [] } as const;
    const it = await world({ configure: { limits: [small] } });
    const device = await readyDevice(it);
    expect(await it.call('charge_device', charging(device, { tip: { percentages: [15] } }))).toMatchObject({
      outcome: 'refused',
      error: { rule: 'EN-11' },
    });
    const asked = await it.call('charge_device', charging(device, { tip: { percentages: [10] } }));
    expect(asked.approval?.text).toContain('44.00 GBP');
  });

  it('that is typed is never captured above what was approved, whatever is typed', async () => {
    const it = await world();
    const device = await readyDevice(it);
    await atReader(it, { tip: '900.00' });
    const args = charging(device, { pre_authorize: true, tip: { input: 'amount', up_to: '5.00' } });
    const { data } = await it.through('charge_device', args);
    expect(data).toMatchObject({ state: 'AUTHORIZED', total: { amount: '940.00' }, tip: { amount: '900.00' } });
    const { transaction } = data;
    for (const part of [{}, { amount: '45.01' }])
      expect(await it.call('capture_preauthorization', { transaction, ...part })).toMatchObject({
        outcome: 'refused',
        error: { rule: 'DV-10' },
      });
    expect(await it.call('capture_preauthorization', { transaction, amount: '45.00' })).toMatchObject({
      data: { state: 'CAPTURED', captured: { amount: '45.00' } },
    });
  });
});

describe('a pre-authorization', () => {
  it.each([5, 6, 7])('is captured until %i days have passed, and not after', async (expiryDays) => {
    for (const [late, expected] of [
      [-1, { outcome: 'done', data: { state: 'CAPTURED' } }],
      [0, { outcome: 'refused', error: { rule: 'DV-07' } }],
    ] as const) {
      const it = await world();
      await it.control('POST', 'reader', { expiryDays });
      const transaction = await held(it);
      await it.advance(expiryDays * 86_400 + late);
      expect(await it.call('capture_preauthorization', { transaction })).toMatchObject(expected);
    }
  });
});

describe('the SDK of an app', () => {
  it('is one of the six latest releases, an older one, or unknown', () => {
    const later = ['3.6.0', '3.7.0'];
    expect(['3.0.0', '3.1.0', '3.5.0', '3.6.0', undefined].map((one) => sdkSupport(one))).toEqual([
      ...['latest', 'latest', 'latest', 'unknown', 'unknown'],
    ]);
    expect(['3.0.0', '3.1.0', '3.7.0', '3.8.0'].map((one) => sdkSupport(one, later))).toEqual([
      ...['older', 'latest', 'latest', 'unknown'],
    ]);
  });
});

it.each([
  ['2026-06-01', '2027-05-31T23:59:59Z', '2027-06-01T00:00:00Z'],
  ['2027-06-01', '2028-05-31T23:59:59Z', '2028-06-01T00:00:00Z'], // a leap day lies between
  ['2028-02-29', '2029-02-27T23:59:59Z', '2029-02-28T00:00:00Z'],
])('DV-12: a system released on %s is less than a year old until %s', (osReleasedOn, young, old) => {
  const seen = [young, old].map((now) => isOldSystem({ osReleasedOn }, Date.parse(now)));
  expect(seen).toEqual([false, true]);
});

it.each([
  [{ handsetGeneration: 10 }, 'DV-12'],
  [{ osAgeDays: 365 }, 'DV-12'],
  [{ sdkVersion: '2.9.0' }, 'DV-13'],
  [{ state: 'enrolling' }, 'DV-01'],
])('a device with %j is not enrolled', async (report, rule) => {
  const it = await world();
  await it.control('POST', 'reader', report);
  expect(await it.call('enroll_device', { device: await deviceOf(it) })).toMatchObject({ error: { rule } });
  expect(await it.effects('enrollDevice')).toEqual([]);
});

it('a device that is being enrolled is looked at again: no other enrollment is begun, and no card is charged', async () => {
  const it = await world();
  const device = await readyDevice(it);
  await it.control('POST', 'reader', { state: 'enrolling' });
  for (const [tool, args, rule] of [
    ['enroll_device', { device }, 'DV-01'],
    ['charge_device', charging(device), 'DV-02'],
  ] as const)
    expect(await it.call(tool, args)).toMatchObject({ outcome: 'refused', error: { rule }, next: ['device_status'] });
});

describe('an enrollment that ends with an error', () => {
  const begun = async (it: World, more: object = {}) =>
    it.call('enroll_device', { device: await deviceOf(it), ...more });
  const later = async (it: World, seconds: number) => {
    await it.advance(seconds);
    await it.running.engine.recover();
  };

  it.each([
    [599, 'UNKNOWN'],
    [600, 'FAILED'],
  ])('had no effect where the device is not enrolled afterwards: after %i seconds it is %s', async (seconds, state) => {
    const it = await world();
    const lost = await begun(it, { serial_number: 'SB-9999' });
    expect(lost.outcome).toBe('unknown');
    await later(it, seconds);
    expect((await it.operation(lost.operation)).state).toBe(state);
    // Nothing else is sent until that is known.
    expect((await begun(it)).outcome).toBe(state === 'FAILED' ? 'done' : 'refused');
  });

  it('may go on where the app does not say that it is over', async () => {
    const it = await world();
    Object.assign(it.parts.reader ?? {}, { callState: () => 'unsaid' });
    const lost = await begun(it, { serial_number: 'SB-9999' });
    await later(it, 601);
    expect((await it.operation(lost.operation)).state).toBe('UNKNOWN');
  });

  it('is not told by the reader of another counter', async () => {
    const it = await world();
    await it.fault('enrollDevice', '5xx-after-commit');
    const lost = await begun(it);
    Object.assign(it.parts.reader ?? {}, { serialNumbers: () => ['SB-0002-0002'] });
    await later(it, 601);
    expect((await it.operation(lost.operation)).state).toBe('UNKNOWN');
  });

  it('is not known to have happened where the device was enrolled before', async () => {
    const it = await world();
    await begun(it);
    await it.fault('enrollDevice', '5xx');
    const lost = await begun(it, { serial_number: newReader.serialNumber });
    expect(lost.outcome).toBe('unknown');
    await later(it, 601);
    expect((await it.operation(lost.operation)).state).toBe('UNKNOWN');
  });

  it('happened where the device is enrolled afterwards, and a card can be charged', async () => {
    const it = await world();
    await it.fault('enrollDevice', '5xx-after-commit');
    const lost = await begun(it);
    expect(lost.outcome).toBe('unknown');
    await later(it, 31);
    expect((await it.operation(lost.operation)).state).toBe('SUCCEEDED');
    expect((await it.call('charge_device', charging(await deviceOf(it)))).outcome).toBe('needs_approval');
  });

  it('had no effect where another device is in use than was asked for', async () => {
    const it = await world();
    const lost = await begun(it, { serial_number: 'SB-9999' });
    await it.control('POST', 'reader', { state: 'enrolled' });
    await later(it, 601);
    expect((await it.operation(lost.operation)).state).toBe('FAILED');
  });
});

it.each([{ handsetGeneration: 11 }, { osAgeDays: 364 }, { sdkVersion: '3.0.0' }])(
  'a device with %j is enrolled',
  async (report) => {
    const it = await world();
    await it.control('POST', 'reader', report);
    expect(await it.call('enroll_device', { device: await deviceOf(it) })).toMatchObject({ outcome: 'done' });
  },
);

it('an agent has no tool for a refund without an original', async () => {
  const it = await world();
  const args = { device: await readyDevice(it), reference: 'back-1', sum: { amount: '5.00', currency: 'GBP' } };
  expect(await it.call('refund_without_original', { ...args, no_original: true })).toMatchObject({
    outcome: 'refused',
    error: { code: 'UNKNOWN_TOOL' },
  });
  expect(await it.effects()).toEqual([]);
});
