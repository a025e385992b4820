import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { atReader, charging, deviceOf, held, readyDevice } from '../engine/device.ts';
import { world } from '../engine/support.ts';

describe('a charge at the reader', () => {
  it('goes from the device to the receipt and the refund', async () => {
    const it = await world();
    const device = await deviceOf(it);
    expect(await it.call('charge_device', charging(device))).toMatchObject({
      outcome: 'refused',
      error: { rule: 'DV-02' },
    });
    expect(await it.call('enroll_device', { device })).toMatchObject({ outcome: 'done', next: ['device_status'] });
    const charged = await it.through('charge_device', charging(device));
    expect(charged).toMatchObject({
      outcome: 'done',
      data: {
        state: 'APPROVED',
        status: 'Approved',
        total: { amount: '40.00', currency: 'GBP' },
        captured: { amount: '40.00' },
      },
      next: ['send_device_receipt', 'refund_device_transaction'],
    });
    const { transaction } = charged.data;
    expect(await it.call('lookup_device_transaction', { transaction })).toMatchObject({ data: { state: 'APPROVED' } });
    expect(await it.through('refund_device_transaction', { transaction, amount: '10.00' })).toMatchObject({
      data: { state: 'APPROVED', refunded: { amount: '10.00' } },
    });
    expect(
      await it.call('refund_device_transaction', { transaction, amount: '30.01', reference: 'back-2' }),
    ).toMatchObject({
      error: { rule: 'DV-05' },
    });
    expect(await it.through('refund_device_transaction', { transaction, reference: 'back-2' })).toMatchObject({
      data: { state: 'REFUNDED' },
    });
    expect(await it.call('send_device_receipt', { transaction })).toMatchObject({ outcome: 'done' });
    expect(await it.call('list_device_transactions')).toMatchObject({ data: { items: [{ transaction }], total: 1 } });
  });

  it('is counted by its order and its state together, a page at a time', async () => {
    const it = await world();
    const device = await readyDevice(it);
    await atReader(it, { does: 'decline' });
    await it.through('charge_device', charging(device));
    const { transaction } = (await it.through('charge_device', charging(device))).data;
    const looked = (more: object) => it.call('list_device_transactions', { reference: 'sale-1', ...more });
    const found = async (more: object) => (await looked(more)).data;
    expect(await found({})).toMatchObject({ total: 2 });
    expect(await found({ state: 'APPROVED' })).toEqual({ items: [expect.objectContaining({ transaction })], total: 1 });
    expect(await looked({ state: 'REFUNDED' })).toMatchObject({
      data: { items: [], total: 0 },
      next: ['device_status'],
    });
    expect((await looked({ state: 'REFUNDED', limit: 1 })).next).toEqual(['lookup_device_transaction']);
    const [one, other] = ['APPROVED', 'DECLINED'].map((state) => ({ state, limit: 1 })) as [object, object];
    const pages = [await found(one), await found(other)];
    expect(pages.map(({ total, at_least: atLeast }) => [total, atLeast]).toSorted()).toEqual([
      [0, true],
      [1, true],
    ]);
    for (const [at, asked] of [one, other].entries()) {
      const next = await found({ ...asked, cursor: pages[at].more });
      expect([next.items.length + pages[at].items.length, next.at_least]).toEqual([1, true]);
    }
  });

  it('that is held is listed as expired once it has expired, and found by that state', async () => {
    const it = await world();
    const transaction = await held(it);
    const listed = async (state?: string) => {
      const { data } = await it.call('list_device_transactions', { state });
      return [data.total, ...data.items.map((one: { readonly state: string }) => one.state)];
    };
    const all = async () => [await listed(), await listed('AUTHORIZED'), await listed('EXPIRED')];
    await it.advance(limits.preauthorizationDays * 86_400 - 1);
    expect(await all()).toEqual([[1, 'AUTHORIZED'], [1, 'AUTHORIZED'], [0]]);
    await it.advance(1);
    const expired = [[1, 'EXPIRED'], [0], [1, 'EXPIRED']];
    expect(await all()).toEqual(expired);
    expect(await it.call('list_device_transactions', { reference: 'sale-1', state: 'EXPIRED' })).toMatchObject({
      data: { items: [{ transaction, state: 'EXPIRED' }], total: 1 },
    });
    // What is stored once a look has told of it is listed as before.
    await it.call('lookup_device_transaction', { transaction });
    expect(await all()).toEqual(expired);
  });

  it('is held, incremented and captured', async () => {
    const it = await world();
    const transaction = await held(it);
    expect(await it.through('increment_preauthorization', { transaction, amount: '5.00' })).toMatchObject({
      data: { state: 'AUTHORIZED', total: { amount: '45.00' } },
    });
    expect(await it.call('capture_preauthorization', { transaction, amount: '45.01' })).toMatchObject({
      error: { rule: 'DV-04' },
    });
    expect(await it.through('capture_preauthorization', { transaction, amount: '41.00' })).toMatchObject({
      data: { state: 'CAPTURED', captured: { amount: '41.00' } },
    });
    expect(
      await it.call('increment_preauthorization', { transaction, amount: '5.00', reference: 'more-2' }),
    ).toMatchObject({
      error: { rule: 'DV-03' },
    });
  });

  it('is found again after its answer was lost', async () => {
    const it = await world();
    const device = await readyDevice(it);
    await atReader(it, { does: 'approve', lostAt: 'FINISHED' });
    const lost = await it.through('charge_device', charging(device));
    expect(lost).toMatchObject({ outcome: 'unknown', error: { rule: 'DV-08' } });
    expect(await it.through('charge_device', charging(device, { reference: 'sale-2' }))).toMatchObject({
      outcome: 'refused',
      error: { rule: 'DV-08' },
    });
    await it.advance(30);
    await it.running.engine.recover();
    expect(await it.call('charge_device', charging(device))).toMatchObject({
      outcome: 'done',
      replayed: true,
      data: { state: 'APPROVED' },
    });
    expect(await it.effects('chargeDevice')).toHaveLength(1);
  });
});
