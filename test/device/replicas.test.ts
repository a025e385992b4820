import { expect, it } from 'vitest';
import { createEngine } from '../../src/engine/engine.ts';
import { openBridge } from '../../src/reader/bridge.ts';
import { readerTransport } from '../../src/reader/transport.ts';
import { atReader, charging, readyDevice } from '../engine/device.ts';
import { agent, type Said, world } from '../engine/support.ts';

// Two replicas on one ledger. The reader's app is connected to one of them; calls also land on the other.

/** A world whose reader is connected to it, and a replica beside it that no app is connected to. */
async function replicas() {
  const it = await world();
  const bridge = openBridge({ version: '1.2.3', configuration: {}, newId: () => 'never' });
  const other = createEngine({ ...it.parts, reader: readerTransport(bridge.reader) });
  const at = async (name: string, args: object) => (await other.call(name, args, agent)) as Said;
  return { it, other, at, device: await readyDevice(it) };
}

const elsewhere = {
  outcome: 'refused',
  said: expect.stringContaining('may be connected to another one'),
  error: { code: 'UNREACHABLE', retry: 'same_call' },
};

it.each(['charge_device', 'device_status', 'enroll_device', 'lookup_device_transaction'])(
  '%s that lands on another replica is refused with the reason, and nothing is sent',
  async (tool) => {
    const { it, at, device } = await replicas();
    const args = {
      ...{ charge_device: charging(device), device_status: {}, enroll_device: { device } },
      ...{ lookup_device_transaction: { reference: 'sale-1' } },
    }[tool];
    expect(await at(tool, args ?? {})).toMatchObject(elsewhere);
    expect(await it.effects()).toEqual([]);
    expect((await it.operations()).filter(({ state }) => state !== 'FAILED')).toEqual([]);
  },
);

it('an approval stays good for the same call at the replica that has the reader', async () => {
  const { it, at, device } = await replicas();
  await it.approve(await it.call('charge_device', charging(device)));
  expect(await at('charge_device', charging(device))).toMatchObject(elsewhere);
  expect(await it.call('charge_device', charging(device))).toMatchObject({ data: { state: 'APPROVED' } });
  expect(await it.effects('chargeDevice')).toHaveLength(1);
});

it('a charge that was lost at one is settled there: the other neither asks nor charges again', async () => {
  const { it, other, at, device } = await replicas();
  await atReader(it, { does: 'approve', lostAt: 'FINISHED' });
  const lost = await it.through('charge_device', charging(device));
  expect(lost.outcome).toBe('unknown');
  await it.advance(31);
  await other.recover();
  expect((await it.operation(lost.operation)).state).toBe('UNKNOWN');
  expect(await at('charge_device', charging(device, { reference: 'sale-2' }))).toMatchObject({ outcome: 'refused' });
  await it.running.engine.recover();
  expect((await it.operation(lost.operation)).state).toBe('SUCCEEDED');
  expect(await it.effects('chargeDevice')).toHaveLength(1);
});
