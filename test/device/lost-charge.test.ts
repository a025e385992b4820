import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import type { ReaderTransport } from '../../src/core/reader.ts';
import { contract } from '../../src/domains/index.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { outcomeOfEnd } from '../../src/reader/ends.ts';
import { atReader, charging, held, readyDevice, sold } from '../engine/device.ts';
import { type World, world } from '../engine/support.ts';

// A charge that was lost holds the reader until it is known what became of it (DV-08): so that is asked soon, and asked again.

/**
 * A world in which a charge was lost at a step. The ledger's leases run by the machine's clock: they end at once here, and their seconds are kept.
 */
async function losing(lostAt: string) {
  const it = await world();
  const { ledger } = it.parts;
  const leases = new Map<string, number>();
  const engine = createEngine({
    ...it.parts,
    ledger: {
      ...ledger,
      claimUnknown: (by, names, holder, seconds, only) => {
        for (const name of names) leases.set(name, seconds);
        return ledger.claimUnknown(by, names, holder, 0, only);
      },
    },
  });
  const device = await readyDevice(it);
  await atReader(it, { does: 'approve', lostAt });
  expect(await it.through('charge_device', charging(device))).toMatchObject({ outcome: 'unknown' });
  const next = () => it.through('charge_device', charging(device, { reference: 'sale-2' }));
  return { it, engine, leases, device, next };
}

describe('a reader that connects again', () => {
  it('is asked at once about the charge that was lost, and takes the next card', async () => {
    const { engine, it, device, next } = await losing('FINISHED');
    expect(await next()).toMatchObject({ outcome: 'refused' });
    await engine.askReader('default');
    expect(await it.call('charge_device', charging(device))).toMatchObject({ data: { state: 'APPROVED' } });
    expect(await next()).toMatchObject({ outcome: 'done', data: { state: 'APPROVED' } });
  });

  it('is asked again after half a minute where the platform was still processing; other lanes wait for five', async () => {
    const { it, engine, leases, next } = await losing('PROCESSING');
    await engine.askReader('default');
    expect(await next()).toMatchObject({ outcome: 'refused' });
    await it.advance(limits.readerAskSeconds);
    await engine.recover();
    expect(await next()).toMatchObject({ outcome: 'done', data: { state: 'APPROVED' } });
    expect([leases.get('chargeDevice'), leases.get('voidCapture')]).toEqual([
      limits.readerAskSeconds,
      limits.readBackSeconds,
    ]);
  });

  it('is worth asking for in as long as was said at first, where the call is made again', async () => {
    const { it, device } = await losing('PROCESSING');
    expect(await it.call('charge_device', charging(device))).toMatchObject({
      outcome: 'unknown',
      error: { code: 'OUTCOME_UNKNOWN', wait: limits.readerAskSeconds },
    });
  });

  it('that knows nothing of the charge proves nothing before the customer can no longer pay', async () => {
    const { it, engine, next } = await losing('STARTED');
    await engine.askReader('default');
    expect(await next()).toMatchObject({ outcome: 'refused' });
    await it.advance(limits.readerQuietSeconds + 1);
    await engine.askReader('default');
    expect(await next()).toMatchObject({ outcome: 'done', data: { state: 'APPROVED' } });
  });
});

const lookedUp = (it: World) => it.call('lookup_device_transaction', { reference: 'sale-1' });

/** A transaction as every app tells of one, and no more (D-90). */
const plain =
  (send: ReaderTransport['send']): ReaderTransport['send'] =>
  async (operation, input, watch) => {
    const outcome = await send(operation, input, watch);
    if (outcome.kind !== 'succeeded') return outcome;
    const { identifier, status, currency, amount } = outcome.body as Readonly<Record<string, unknown>>;
    const value = { identifier, status, currency, amount };
    return identifier === undefined ? outcome : outcomeOfEnd(operation, { case: 'success', value }, input);
  };

describe('a hold that was lost, at a reader whose app tells no more than it must', () => {
  const lost = async () => {
    const it = await world({
      replace: { reader: (_, simulated) => simulated && { ...simulated, send: plain(simulated.send) } },
    });
    const device = await readyDevice(it);
    await it.fault('chargeDevice', 'timeout-after-commit');
    await it.through('charge_device', charging(device, { pre_authorize: true }));
    await it.advance(2 * 86_400);
    return it;
  };
  const hold = {
    state: 'AUTHORIZED',
    captured: { amount: '0.00', currency: 'GBP' },
    expires: '2026-01-22T09:00:00.000Z',
  };

  it('is found as a hold, which expires as long after it was asked for as any other', async () => {
    const it = await lost();
    const found = await lookedUp(it);
    expect(found.data).toMatchObject(hold);
    expect(found.next).toContain('capture_preauthorization');
    expect((await lookedUp(it)).data).toMatchObject(hold);
  });

  it('is so where its outcome was read back first, or after it', async () => {
    const [before, after] = [await lost(), await lost()];
    await lookedUp(before);
    for (const it of [before, after]) {
      await it.running.engine.recover();
      expect((await lookedUp(it)).data).toMatchObject(hold);
    }
  });
});

it('a sale by staff under the reference of an earlier hold is told as a sale, at a reader whose app tells no more than it must', async () => {
  let app: ReaderTransport | undefined;
  const it = await world({
    replace: {
      reader: (_, simulated) => {
        app = simulated && { ...simulated, send: plain(simulated.send) };
        return app;
      },
    },
  });
  const device = await readyDevice(it);
  const held = await it.through('charge_device', charging(device, { pre_authorize: true }));
  expect(held.data).toMatchObject({ state: 'AUTHORIZED' });
  await it.advance(8 * 86_400);
  const sale = { amount: '40.00', currency: 'GBP', customIdentifier: 'sale-1' };
  expect(await app?.send(contract.chargeDevice, sale, {})).toMatchObject({ kind: 'succeeded' });
  const { data, next } = await lookedUp(it);
  expect(data).toMatchObject({ state: 'APPROVED', captured: { amount: '40.00' } });
  expect(data.receipt).toContain('Date: 2026-01-23');
  expect(next).toContain('refund_device_transaction');
});

it('a charge that was lost, and is found two days later, has a receipt of the day on which it was made', async () => {
  const it = await world();
  const device = await readyDevice(it);
  await it.fault('chargeDevice', 'timeout-after-commit');
  await it.through('charge_device', charging(device));
  await it.advance(2 * 86_400);
  const dated = async () => /^Date: .*$/m.exec((await lookedUp(it)).data.receipt)?.[0];
  expect(await dated()).toBe('Date: 2026-01-15T09:00:00.000Z');
  await it.running.engine.recover();
  expect(await dated()).toBe('Date: 2026-01-15T09:00:00.000Z');
});

it('nothing but the reader is asked when a reader connects', async () => {
  const it = await world();
  await it.fault('initiatePurchase', 'timeout-after-commit');
  await it.call('enroll_card', { card: 'card_ada' });
  const before = it.sent.length;
  await it.running.engine.askReader('default');
  expect(it.sent.length).toBe(before);
});

it.each([
  ['increment_preauthorization', 'incrementPreauthorization', { amount: '5.00' }],
  ['capture_preauthorization', 'capturePreauthorization', { amount: '5.00' }],
  ['refund_device_transaction', 'refundDeviceTransaction', { amount: '5.00' }],
] as const)('%s that was lost is settled although its result was seen meanwhile', async (tool, operation, more) => {
  const it = await world();
  const transaction = tool === 'refund_device_transaction' ? await sold(it) : await held(it);
  await it.fault(operation, 'timeout-after-commit');
  const lost = await it.through(tool, { transaction, ...more });
  expect(lost.outcome).toBe('unknown');
  await it.call('lookup_device_transaction', { transaction });
  await it.advance(limits.readerAskSeconds);
  await it.running.engine.recover();
  expect((await it.operation(lost.operation)).state).toBe('SUCCEEDED');
  expect(await it.effects(operation)).toHaveLength(1);
});
