import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { isKind, kindTable } from '../../src/domains/index.ts';
import { toolName } from '../../src/engine/tool.ts';
import { tools } from '../../tools/index.ts';
import { operation } from '../ledger/rows-data.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { planned, subscription } from './billing.ts';
import { changing } from './changing.ts';
import { authorized, paying } from './conversion.ts';
import { atReader, charging, readyDevice } from './device.ts';
import { bill } from './invoicing.ts';
import { agent, order, settle, type World, world } from './support.ts';

playRowsOneIn(3);

// A look proves nothing of a call that may still take effect (D-91): it says so, and names the call.

const lostSaid =
  'a call for it was sent, and its outcome is not known. It may still take effect, so do not start another one; look again later.';
const notYet = 'The platform has no such thing yet. That proves nothing: ';

/** A charge that takes effect a minute after its answer was lost. */
async function losing(it: World, reference = 'sale-1') {
  const device = await readyDevice(it);
  await it.fault('chargeDevice', 'late-apply', { afterSeconds: 60 });
  return it.through('charge_device', charging(device, { reference }));
}

const lookedUp = (it: World, caller = agent) => it.call('lookup_device_transaction', { reference: 'sale-1' }, caller);

describe('a charge that was lost, and takes effect later', () => {
  it('is told as unknown by the look, and not as if nothing had happened', async () => {
    const it = await world();
    const { operation = '' } = await losing(it);
    expect(await lookedUp(it)).toEqual({
      ...{ outcome: 'unknown', environment: 'sandbox', operation, said: `${notYet}${lostSaid}` },
      next: ['get_operation', 'list_device_transactions'],
      error: { code: 'OUTCOME_UNKNOWN', retry: 'after', wait: limits.readerAskSeconds, rule: 'DV-08' },
    });
    await it.advance(60);
    expect(await lookedUp(it)).toMatchObject({
      ...{ outcome: 'done', said: 'This is the transaction.', data: { state: 'APPROVED' } },
    });
  });

  it('is told by the list of transactions', async () => {
    const it = await world();
    const { operation = '' } = await losing(it);
    expect(await it.call('list_device_transactions', { reference: 'sale-1' })).toMatchObject({
      ...{ outcome: 'done', operation, data: { total: 0 } },
      said: `There is no such transaction. But ${lostSaid}`,
      next: ['get_operation', 'device_status'],
    });
  });

  it('is not told of another order', async () => {
    const it = await world();
    await losing(it);
    const other = { outcome: 'declined', error: { code: 'NOT_FOUND' } };
    expect(await it.call('lookup_device_transaction', { reference: 'sale-2' })).toMatchObject(other);
    const none = await it.call('list_device_transactions', { reference: 'sale-2' });
    expect(none.said).toBe('There is no such transaction.');
  });

  it('is told to another principal without its handle', async () => {
    const it = await world();
    await losing(it);
    const said = await lookedUp(it, { ...agent, principal: 'other' });
    expect([said.outcome, said.said, said.operation, said.next]).toEqual([
      ...['unknown', `${notYet}${lostSaid}`, undefined],
      ['list_device_transactions'],
    ]);
  });

  it('is not taken for the declined one before it', async () => {
    const it = await world();
    await atReader(it, { does: 'decline' });
    const device = await readyDevice(it);
    expect(await it.through('charge_device', charging(device))).toMatchObject({ data: { state: 'DECLINED' } });
    const { operation = '' } = await losing(it);
    expect(await lookedUp(it)).toMatchObject({
      ...{ outcome: 'done', operation, data: { state: 'DECLINED' } },
      said: `This is the transaction. But ${lostSaid}`,
    });
    await it.advance(60);
    expect(await lookedUp(it)).toMatchObject({ said: 'This is the transaction.', data: { state: 'APPROVED' } });
  });
});

it('a charge that waits for the card is told as in progress', async () => {
  const it = await world();
  const device = await readyDevice(it);
  await it.control('POST', 'reader', { taps: 'person' });
  const asked = await it.call('charge_device', charging(device));
  await it.approve(asked);
  const paying = it.call('charge_device', charging(device));
  await expect.poll(async () => (await it.operations())[0]?.state).toBe('SENDING');
  expect(await lookedUp(it)).toMatchObject({
    ...{ outcome: 'unknown', operation: asked.operation, error: { code: 'IN_FLIGHT', retry: 'after', rule: 'EN-07' } },
    said: `${notYet}a call for it is in progress. It may still take effect, so do not start another one; look again later.`,
  });
  await it.control('POST', 'reader/taps', { does: 'approve' });
  expect(await paying).toMatchObject({ data: { state: 'APPROVED' } });
});

it('an e-mailed invoice that was lost is told as unknown by the look', async () => {
  const it = await world();
  await it.fault('createInvoice', 'late-apply', { afterSeconds: 60 });
  const { operation = '' } = await it.through('create_invoice', bill());
  expect(await it.call('get_invoice', { reference: 'A-1' })).toMatchObject({
    ...{ outcome: 'unknown', operation, said: `${notYet}${lostSaid}` },
    error: { code: 'OUTCOME_UNKNOWN', retry: 'after', rule: 'EN-06' },
  });
  await it.advance(60);
  expect(await it.call('get_invoice', { reference: 'A-1' })).toMatchObject({ data: { state: 'SENT' } });
});

it("a list of the platform's that is empty tells of a lost subscription", async () => {
  const it = await world();
  await it.fault('createSubscription', 'late-apply', { afterSeconds: 60 });
  const { operation = '' } = await it.through('create_subscription', subscription({ plan: await planned(it) }));
  const listed = await it.call('list_subscriptions', { reference: 'subscription-1' });
  expect([listed.operation, listed.said.endsWith(`But ${lostSaid}`)]).toEqual([operation, true]);
});

it('a plan whose deletion was lost, and took effect, is not told as one that may still come', async () => {
  const it = await world();
  const plan = await planned(it, { draft: true });
  await it.fault('deletePlan', 'timeout-after-commit');
  expect(await it.through('delete_plan', { plan })).toMatchObject({ outcome: 'unknown' });
  const { outcome, error } = await it.call('get_plan', { plan });
  expect([outcome, error?.code]).toEqual(['declined', 'NOT_FOUND']);
});

const changed = (tool: string, handle: string) =>
  ` But ${tool} for ${handle} was sent, and its outcome is not known, so this may not be how it stands. Look again once that is known.`;

describe('a look at a thing that a lost call may have changed', () => {
  it('tells of a lost capture, and names no step that would be refused', async () => {
    const it = await world();
    const charge = await authorized(it);
    await it.fault('capturePayment', 'timeout-after-commit');
    const { operation } = await it.through('capture_payment', { charge });
    const [look, list] = [await it.call('get_payment', { charge }), await it.call('list_payments', {})];
    expect([look.outcome, look.operation, look.next]).toEqual(['done', operation, ['get_operation']]);
    for (const { said } of [look, list]) expect(said.endsWith(changed('capture_payment', charge))).toBe(true);
    expect(list).toMatchObject({ operation, next: ['get_operation', 'get_payment'] });
    expect(await it.call('get_payment_receipt', { charge })).toMatchObject({
      ...{ outcome: 'refused', operation, next: ['get_operation'] },
      error: { code: 'OUTCOME_UNKNOWN', rule: 'EN-06', retry: 'never' },
    });
    const other = await it.call('get_payment', { charge: await authorized(it, { reference: 'order-2' }) });
    expect([other.operation, other.next[0]]).toEqual([undefined, 'capture_payment']);
  });

  it('tells another principal without the handle of the operation', async () => {
    const it = await world();
    const plan = await planned(it);
    await it.fault('deactivatePlan', '5xx');
    await it.through('deactivate_plan', { plan });
    const look = await it.call('get_plan', { plan }, { ...agent, principal: 'other' });
    expect([look.operation, look.next.includes('deactivate_plan')]).toEqual([undefined, false]);
    expect(look.said.endsWith(changed('deactivate_plan', plan))).toBe(true);
  });

  it('tells of it, and of a charge that was looked up, however many other calls are open', async () => {
    const it = await world();
    const plan = await planned(it);
    await it.fault('deactivatePlan', '5xx');
    const deactivated = await it.through('deactivate_plan', { plan });
    const charged = await losing(it);
    await it.parts.ledger.transaction(agent.tenant, async (tx) => {
      const other = { state: 'SENDING', principal: agent.principal, name: 'payTheRent', createdAt: 0 };
      for (let count = 0; count < 1_000; count++)
        await tx.operations.insert(operation({ ...other, id: `op_${count}`, argsDigest: String(count) }));
    });
    expect((await it.call('get_plan', { plan })).operation).toBe(deactivated.operation);
    expect(await lookedUp(it)).toMatchObject({ outcome: 'unknown', operation: charged.operation });
  });

  const names = Object.keys(changing) as (keyof typeof changing)[];
  it.each(names)('tells of a lost %s, where it has a thing for which nothing else is sent', async (name) => {
    const it = await world();
    const args = await changing[name](it);
    await it.fault(name, '5xx');
    const { operation = '' } = await it.through(toolName(name), args);
    const { subject } = await it.operation(operation);
    for (const handle of subject.split(' ')) {
      const [kind = '', id] = handle.split('_');
      if (id === undefined || !isKind(kind)) continue;
      const tool = tools.find((one) => one.name === kindTable[kind].shownBy);
      const named = tool?.kind === 'local' ? Object.keys(tool.inputSchema.shape) : Object.keys(tool?.input.args ?? {});
      const asked = named.includes(kind) ? { [kind]: handle } : { shopper: `shopper_${id}` };
      const look = await it.call(tool?.name ?? '', asked);
      expect([look.operation, look.next[0]], `${tool?.name} ${JSON.stringify(look)}`).toEqual([
        operation,
        'get_operation',
      ]);
      expect(look.said.endsWith(changed(toolName(name), handle))).toBe(true);
    }
  });
});

describe('a list of all', () => {
  it.each([
    ['initiatePurchase', 'list_purchases', order()],
    ['authorizePayment', 'list_payments', paying()],
  ] as const)('tells of a lost %s, and after a person settled it, that it was made', async (name, list, args) => {
    const it = await world();
    await it.call('enroll_card', { card: 'card_ada' });
    await it.fault(name, 'timeout-after-commit');
    const { operation = '' } = await it.through(toolName(name), args);
    for (const asked of [{}, { reference: 'order-1' }]) {
      const told = await it.call(list, asked);
      expect([told.operation, told.data.total, told.said.endsWith(`But ${lostSaid}`)]).toEqual([operation, 0, true]);
    }
    expect((await it.call(list, {}, { ...agent, principal: 'other' })).operation).toBeUndefined();
    expect((await it.call('list_invoices', {})).operation).toBeUndefined();
    await settle(it, operation, true);
    const { said } = await it.call(list, { reference: 'order-1' });
    expect(said).toContain(`But a person recorded that ${toolName(name)} for it took effect.`);
    expect((await it.call('get_operation', { operation })).next).toEqual([list]);
    expect((await it.call(toolName(name), args)).next).toEqual(['get_operation', list]);
  });
});
