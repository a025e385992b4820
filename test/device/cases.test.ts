import { describe, expect, it } from 'vitest';
import type { DeviceTransactionDocument } from '../../src/domains/device/sandbox/documents.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { FailPoint } from '../../src/engine/settings.ts';
import type { FaultKind, Snapshot } from '../../src/sandbox/index.ts';
import { charging, deviceOf, held, readyDevice, sold } from '../engine/device.ts';
import { agent, type World, world } from '../engine/support.ts';

// Every result case of every SDK call, as document 3 lists them, and what an agent hears of it.

const transaction = (handle: string) => ({ transaction: handle });
type Given = (it: World) => Promise<object>;
const calls: { readonly [tool: string]: readonly [operation: string, given: Given] } = {
  enroll_device: ['enrollDevice', async (it) => ({ device: await deviceOf(it) })],
  charge_device: ['chargeDevice', async (it) => charging(await readyDevice(it))],
  refund_device_transaction: ['refundDeviceTransaction', async (it) => transaction(await sold(it))],
  increment_preauthorization: [
    'incrementPreauthorization',
    async (it) => ({ ...transaction(await held(it)), amount: '5.00' }),
  ],
  capture_preauthorization: ['capturePreauthorization', async (it) => transaction(await held(it))],
  show_device_summary: ['showDeviceSummary', async (it) => transaction(await sold(it))],
  lookup_device_transaction: ['lookupDeviceTransaction', async (it) => transaction(await sold(it))],
  send_device_receipt: ['sendDeviceReceipt', async (it) => transaction(await sold(it))],
};

describe.each(Object.entries(calls))('%s', (tool, [operation, given]) => {
  const isTap = tool === 'charge_device';
  const looks = tool === 'show_device_summary' || tool === 'lookup_device_transaction';

  it('ends with success', async () => {
    const it = await world();
    expect(await it.through(tool, await given(it))).toMatchObject({ outcome: 'done' });
  });

  it.runIf(!looks && !isTap)(
    'ends cancelled on the reader: nothing was done, and the same call can be made',
    async () => {
      const it = await world();
      const args = await given(it);
      await it.control('POST', 'reader/taps', { does: 'abort' });
      const said = await it.through(tool, args);
      expect(said).toMatchObject({ outcome: 'declined', error: { code: 'CALL_CANCELLED', retry: 'same_call' } });
      expect(await it.effects(operation)).toEqual([]);
    },
  );

  it.runIf(!looks)('ends with an error: nobody knows, and nothing else is sent for it', async () => {
    const it = await world();
    const args = await given(it);
    await it.fault(operation, '5xx');
    expect(await it.through(tool, args)).toMatchObject({ outcome: 'unknown', error: { code: 'OUTCOME_UNKNOWN' } });
    expect((await it.operations())[0]).toMatchObject({ name: operation, state: 'UNKNOWN' });
  });

  it.runIf(looks).each<[string, FaultKind]>([
    ['the network', '5xx'],
    ['something unexpected', 'decline'],
  ])('ends with %s: nothing is known, and it can be asked again', async (_, kind) => {
    const it = await world();
    const args = await given(it);
    await it.fault(operation, kind);
    expect(await it.call(tool, args)).toMatchObject({ outcome: 'refused', error: { code: 'UNREACHABLE' } });
    expect(await it.call(tool, args)).toMatchObject({ outcome: 'done' });
  });
});

it('a lookup of what nobody has ends not found', async () => {
  const it = await world();
  const said = await it.call('lookup_device_transaction', { reference: 'sale-9' });
  expect(said).toMatchObject({ outcome: 'declined', error: { code: 'NOT_FOUND' } });
});

it.each(['enrolled', 'enrolling', 'notEnrolled'])('the status of a device can be %s', async (state) => {
  const it = await world();
  await it.control('POST', 'reader', { state });
  expect((await it.call('device_status')).data.state).toBe(state);
});

describe('a charge whose process dies', () => {
  it.each<FailPoint>(['F1', 'F2', 'F3', 'F4', 'F5', 'F6'])('at %s is in the books once, after all', async (at) => {
    const it = await world();
    const args = charging(await readyDevice(it));
    await it.approve(await it.call('charge_device', args));
    const dying = createEngine({
      ...it.parts,
      ports: {
        ...it.parts.ports,
        failpoint: (point, operation) => {
          if (point === at && operation === 'chargeDevice') throw new Error('killed');
        },
      },
    });
    await dying.call('charge_device', args, agent).catch(() => undefined);
    await it.advance(601);
    await it.running.engine.recover();
    const last = await it.through('charge_device', args);
    expect(last).toMatchObject({ outcome: 'done', data: { state: 'APPROVED' } });
    const { documents } = (await it.control('GET', 'snapshot')) as Snapshot;
    const charges = documents.filter(({ kind }) => kind === 'deviceTransaction');
    expect(charges.map(({ body }) => (body as DeviceTransactionDocument).status)).toEqual(['Approved']);
  });
});

it('a reader that waits for a card pauses nothing else', async () => {
  const it = await world();
  const args = charging(await readyDevice(it));
  await it.control('POST', 'reader', { taps: 'person' });
  await it.approve(await it.call('charge_device', args));
  const waiting = it.call('charge_device', args);
  expect(await it.call('enroll_card', { card: 'card_ada' })).toMatchObject({ outcome: 'done' });
  expect(await it.effects('chargeDevice')).toEqual([]);
  await it.control('POST', 'reader/taps', {});
  expect(await waiting).toMatchObject({ outcome: 'done', data: { state: 'APPROVED' } });
});
