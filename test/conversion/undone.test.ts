import { describe, expect, it } from 'vitest';
import { altering, authorized, captured, converted, refunded } from '../engine/conversion.ts';
import { bought, payment, quiet, world } from '../engine/support.ts';

// What the platform has undone on its own is taken back from what it was a part of, once. What was paid back is no evidence.

/** A world whose platform says `status` of every capture, refund or payment that is looked at. */
const finding = (kind: string, status: string) => {
  const on = { now: false };
  return altering((call, body) => {
    if (on.now && call.startsWith(`GET /pts/v2/${kind}/`)) body.status = status;
  }).then((it) => ({ it, begin: () => Object.assign(on, { now: true }) }));
};

const receiptOf = async (it: Awaited<ReturnType<typeof world>>, charge: string, format = 'text') =>
  (await it.call('get_payment_receipt', { charge, format })).data.receipt as string;

describe('a capture that the platform has voided', () => {
  it.each([
    ['in the local currency', authorized],
    ['converted', converted],
  ] as const)('counts no longer, and the payment is captured or reversed again: %s', async (_, made) => {
    const { it, begin } = await finding('captures', 'VOIDED');
    const charge = await made(it);
    const { capture } = (await it.call('capture_payment', { charge })).data;
    begin();
    for (let looks = 0; looks < 2; looks++)
      expect((await it.call('get_capture', { capture })).data.state).toBe('VOIDED');
    expect((await it.call('get_payment', { charge })).data.captured.amount).toBe('0.00');
    expect(await receiptOf(it, charge)).toMatch(/^Captured: 0\.00 /m);
    expect((await it.call('refund_capture', { capture })).error?.rule).toBe('DC-10');
    expect((await it.call('preview_call', { tool: 'reverse_payment', arguments: { charge } })).outcome).toBe('done');
    const body = (await it.thing(charge)).body;
    expect([body.capturedLocal, body.capturedBilling].map(Number)).toEqual([0, 0]);
    expect((await it.call('capture_payment', { charge, reference: 'again' })).error?.rule).not.toBe('DC-09');
  });

  it('leaves what other captures took', async () => {
    const { it, begin } = await finding('captures', 'VOIDED');
    const charge = await authorized(it);
    const { capture } = (await it.call('capture_payment', { charge, amount: '60.00' })).data;
    await it.call('capture_payment', { charge, amount: '30.00', reference: 'second' });
    begin();
    await it.call('get_capture', { capture });
    expect((await it.call('get_payment', { charge })).data.captured.amount).toBe('30.00');
  });
});

describe('a refund that the platform has undone', () => {
  it.each([
    ['VOIDED', 'VOIDED'],
    ['DECLINED', 'NOT_REFUNDED'],
  ])('counts no longer, and the customer is paid back again: %s', async (status, state) => {
    const { it, begin } = await finding('refunds', status);
    const capture = await captured(it);
    const { refund } = (await it.through('refund_capture', { capture })).data;
    begin();
    for (let looks = 0; looks < 2; looks++) expect((await it.call('get_refund', { refund })).data.state).toBe(state);
    expect((await it.call('get_capture', { capture })).data.refunded.amount).toBe('0.00');
    expect((await it.call('refund_capture', { capture, reference: 'again' })).outcome).toBe('needs_approval');
  });
});

it('a receipt of a payment that is reversed after a part was captured does not say that nothing is taken', async () => {
  const { it, begin } = await finding('payments', 'REVERSED');
  const charge = await authorized(it);
  await it.call('capture_payment', { charge, amount: '60.00' });
  begin();
  await it.call('get_payment', { charge });
  const said = await it.call('get_payment_receipt', { charge });
  expect([said.data.state, said.said]).toEqual(['REVERSED', 'This is the receipt.']);
  expect(said.data.receipt).toContain('Captured: 60.00 USD');
});

describe('a refund', () => {
  it('stands in the receipt of its payment, as text and as HTML, until it is voided (DC-13)', async () => {
    const it = await world();
    const charge = await converted(it);
    const { capture } = (await it.call('capture_payment', { charge })).data;
    expect(await receiptOf(it, charge)).not.toContain('Refunded');
    const { refund } = (await it.through('refund_capture', { capture, amount: '50.00' })).data;
    expect(await receiptOf(it, charge)).toMatch(/^Captured: 157\.00 AUD\nRefunded: 78\.50 AUD$/m);
    expect(await receiptOf(it, charge, 'html')).toContain('<dt>Refunded</dt><dd>78.50 AUD</dd>');
    await it.through('void_refund', { refund });
    expect(await receiptOf(it, charge)).not.toContain('Refunded');
  });

  it('of all that was captured leaves no evidence of a payment, and its void brings it back (AP-10)', async () => {
    const it = await world();
    const instruction = await bought(it);
    await it.call('retrieve_credentials', payment(instruction));
    const price = { amount: '40.00', currency: 'GBP' };
    const { charge } = (
      await it.through('authorize_payment', { card: 'card_ada', reference: 'p1', price, instruction })
    ).data;
    const { capture } = (await it.call('capture_payment', { charge })).data;
    const evidence = async () =>
      (await it.thing(String((await it.thing(instruction)).body.receipt))).body.transactionType;
    await it.through('refund_capture', { capture, amount: '10.00' });
    expect(await evidence()).toBe('AUTHORIZATION');
    const { refund } = (await it.through('refund_capture', { capture, reference: 'rest' })).data;
    expect(await evidence()).toBe('REFUND');
    expect(await it.call('confirm_transaction', { instruction })).toMatchObject({
      outcome: 'refused',
      error: { rule: 'AP-10' },
    });
    await it.through('void_refund', { refund });
    expect((await it.call('confirm_transaction', { instruction })).data.state).toBe('COMPLETED');
  });
});

describe('what get_purchase shows of a receipt', () => {
  const price = { amount: '40.00', currency: 'GBP' };
  const paidBy = { card: 'card_ada', reference: 'p1', price };

  it('is its type, and the payment of Purser that posted it; one that is no payment is nothing to confirm', async () => {
    const it = await world();
    const instruction = await bought(it);
    await it.call('retrieve_credentials', payment(instruction));
    const { charge } = (await it.through('authorize_payment', { ...paidBy, instruction })).data;
    const seen = async () => it.call('get_purchase', { instruction });
    expect((await seen()).data.receipt).toMatchObject({ type: 'AUTHORIZATION', status: 'APPROVED', payment: charge });
    await it.through('reverse_payment', { charge });
    const after = await seen();
    expect(after.data.receipt).toMatchObject({ type: 'REVERSAL', payment: charge });
    expect(after.next).not.toContain('confirm_transaction');
    await it.receipt(instruction, { transactionType: 'REFUND' });
    const last = await seen();
    expect(last.data.receipt).toMatchObject({ type: 'REFUND', status: 'APPROVED' });
    expect(last.data.receipt).not.toHaveProperty('payment');
    expect(last.next).not.toContain('confirm_transaction');
  });
});

describe('a void of which the answer was lost, and that a look finds', () => {
  it('is taken back once, and the payment is captured again', async () => {
    const it = await world();
    const charge = await authorized(it);
    const { capture } = (await it.call('capture_payment', { charge })).data;
    await it.fault('voidCapture', 'timeout-after-commit');
    const { operation } = await it.through('void_capture', { capture });
    expect((await it.call('get_capture', { capture })).data.state).toBe('VOIDED');
    await quiet(it);
    expect((await it.operation(operation)).state).toBe('SUCCEEDED');
    expect((await it.call('get_payment', { charge })).data.captured.amount).toBe('0.00');
    expect((await it.through('capture_payment', { charge, reference: 'again' })).outcome).toBe('done');
  });

  it('of a refund leaves what other refunds paid back', async () => {
    const it = await world();
    const capture = await captured(it);
    const { refund } = (await it.through('refund_capture', { capture, amount: '30.00' })).data;
    await it.through('refund_capture', { capture, amount: '40.00', reference: 'second' });
    await it.fault('voidRefund', 'timeout-after-commit');
    const { operation } = await it.through('void_refund', { refund });
    await it.call('get_refund', { refund });
    await quiet(it);
    expect((await it.operation(operation)).state).toBe('SUCCEEDED');
    expect((await it.call('get_capture', { capture })).data.refunded.amount).toBe('40.00');
  });

  it.each([
    ['captures', 'get_capture', captured],
    ['refunds', 'get_refund', refunded],
  ] as const)('is final: an older answer of %s changes nothing', async (kind, tool, made) => {
    const said = { status: 'PENDING' };
    const it = await altering((call, body) => {
      if (call.startsWith(`GET /pts/v2/${kind}/`)) body.status = said.status;
    });
    const thing = await made(it);
    const name = tool.slice('get_'.length);
    for (const status of ['VOIDED', 'TRANSMITTED', 'PENDING', 'VOIDED']) {
      said.status = status;
      expect((await it.call(tool, { [name]: thing })).data.state).toBe('VOIDED');
    }
    const { body } = await it.thing(String((await it.thing(thing)).body[kind === 'captures' ? 'charge' : 'capture']));
    expect(Number(kind === 'captures' ? body.capturedLocal : body.refundedLocal)).toBe(0);
  });
});
