import { describe, expect, it } from 'vitest';
import { authorized, captured, paying } from './conversion.ts';
import { bill } from './invoicing.ts';
import { bought, payment, type World, world } from './support.ts';

// One call in several spellings: who is told that it is another one chooses another reference, and the money moves twice.

const charge = (it: World) => authorized(it);

describe('the same call in other words', () => {
  it.each([
    ['the amount in other decimals', { amount: '10' }],
    ['the amount with a zero before it', { amount: '010.0' }],
    ['the reference that it has anyway', { amount: '10.00', reference: 'order-1' }],
  ])('is a replay of a capture: %s', async (_, words) => {
    const it = await world();
    const made = { charge: await charge(it), amount: '10.00' };
    const first = await it.call('capture_payment', made);
    expect(await it.call('capture_payment', { charge: made.charge, ...words })).toMatchObject({
      ...{ outcome: 'done', replayed: true, operation: first.operation },
    });
    expect(await it.effects('capturePayment')).toHaveLength(1);
  });

  it('is a replay of an authorization, a refund and a release', async () => {
    const it = await world();
    const capture = await captured(it);
    const price = { amount: '100', currency: 'USD' };
    expect(await it.call('authorize_payment', paying({ price }))).toMatchObject({ outcome: 'done', replayed: true });
    await it.through('refund_capture', { capture, amount: '5.00' });
    expect(await it.call('refund_capture', { capture, amount: '5' })).toMatchObject({
      outcome: 'done',
      replayed: true,
    });
    const released = payment(await bought(it, { reference: 'order-2' }));
    const { outcome } = await it.call('retrieve_credentials', released);
    const again = await it.call('retrieve_credentials', { ...released, amount: `0${released.amount}` });
    expect([outcome, again.outcome, again.replayed]).toEqual(['done', 'done', true]);
  });

  it('is a replay of an invoice: nobody is told to bill the customer under another number', async () => {
    const it = await world();
    const lines = [{ sku: 'R-1', name: 'Repair', quantity: 1, price: '40.00', total: '40.00' }];
    const made = bill({ lines, subtotal: '40.00' });
    const first = await it.through('create_invoice', made);
    const again = { ...made, total: '40', subtotal: '40.0', lines: [{ ...lines[0], price: '40' }] };
    expect(first.outcome).toBe('done');
    expect(await it.call('create_invoice', again)).toMatchObject({ outcome: 'done', replayed: true });
    expect(await it.call('create_invoice', { ...again, total: '41' })).toMatchObject({ error: { rule: 'EN-03' } });
  });

  it('is unknown where the first is', async () => {
    const it = await world();
    const made = { charge: await charge(it), amount: '10.00' };
    await it.fault('capturePayment', 'timeout-after-commit');
    await it.call('capture_payment', made);
    expect(await it.call('capture_payment', { ...made, amount: '10' })).toMatchObject({ outcome: 'unknown' });
    expect(await it.effects('capturePayment')).toHaveLength(1);
  });
});

describe('another call', () => {
  it.each([{ amount: '10.01' }, { amount: '100' }, {}])('of the same reference is refused: %j', async (words) => {
    const it = await world();
    const of = await charge(it);
    await it.call('capture_payment', { charge: of, amount: '10.00' });
    expect(await it.call('capture_payment', { charge: of, ...words })).toMatchObject({
      error: { code: 'CONFLICT', rule: 'EN-03' },
    });
  });

  it('is one whose name is a number with another end: only amounts are compared by value', async () => {
    const it = await world();
    const named = { name: '10.00', reference: 'plan-1', every: 1, unit: 'month', amount: '5.00', currency: 'USD' };
    await it.call('create_plan', named);
    expect(await it.call('create_plan', { ...named, name: '10' })).toMatchObject({ error: { code: 'CONFLICT' } });
    expect(await it.call('create_plan', { ...named, amount: '5' })).toMatchObject({ outcome: 'done', replayed: true });
  });

  it('is one in other words while the first waits for a person, who approves it word by word', async () => {
    const it = await world();
    const capture = await captured(it);
    const said = await it.call('refund_capture', { capture, amount: '5.00' });
    await it.approve(said);
    expect(await it.call('refund_capture', { capture, amount: '5' })).toMatchObject({ error: { code: 'CONFLICT' } });
    expect(await it.call('refund_capture', { capture, amount: '5.00' })).toMatchObject({ outcome: 'done' });
  });
});
