import { describe, expect, it } from 'vitest';
import { toolName } from '../../src/engine/tool.ts';
import { altering } from '../engine/conversion.ts';
import { bought, paid, payment, world } from '../engine/support.ts';

// A payment of Purser's own for a purchase stays within what was approved for that purchase, and pays it once.

const price = { amount: '40.00', currency: 'GBP' };
const paying = (instruction: string, more: object = {}) => ({
  card: 'card_ada',
  reference: 'p1',
  price,
  instruction,
  ...more,
});
const mandates = [{ name: 'm', tools: ['authorize_payment'], currency: 'GBP', perCall: '5000.00', per: [] }] as const;

describe('a payment for a purchase', () => {
  it('is refused for one that was cancelled, has ended or is completed, and holds nothing (AP-08, AP-11)', async () => {
    const it = await world({ configure: { mandates } });
    const [cancelled, completed] = [await bought(it), await bought(it, { reference: 'order-2' })];
    await it.call('cancel_purchase', { instruction: cancelled });
    await it.call('retrieve_credentials', payment(completed));
    await it.receipt(completed);
    await it.call('confirm_transaction', { instruction: completed });
    for (const [instruction, rule] of [
      [cancelled, 'AP-08'],
      [completed, 'AP-11'],
    ] as const)
      expect(await it.call('authorize_payment', paying(instruction))).toMatchObject({
        outcome: 'refused',
        error: { rule, field: 'instruction' },
      });
    expect(await it.effects('authorizePayment')).toEqual([]);
  });

  it.each([
    ['above its limit', { amount: '100.01', currency: 'GBP' }],
    ['in another currency', { amount: '40.00', currency: 'USD' }],
  ])('is refused %s (AP-09)', async (_, other) => {
    const it = await world({ configure: { mandates } });
    const instruction = await bought(it);
    expect(await it.call('authorize_payment', paying(instruction, { price: other }))).toMatchObject({
      outcome: 'refused',
      error: { rule: 'AP-09', field: 'instruction' },
    });
    const whole = { price: { amount: '100.00', currency: 'GBP' } };
    expect((await it.call('authorize_payment', paying(instruction, whole))).outcome).toBe('done');
  });

  it('is refused where a receipt stands for another, and made once that was given back (AP-09)', async () => {
    const it = await world();
    const other = await paid(it, { reference: 'order-2' });
    expect((await it.call('authorize_payment', paying(other))).error?.rule).toBe('AP-09');
    const instruction = await bought(it);
    const { charge } = (await it.through('authorize_payment', paying(instruction))).data;
    const again = paying(instruction, { reference: 'p2' });
    expect((await it.call('authorize_payment', again)).error?.rule).toBe('AP-09');
    await it.through('reverse_payment', { charge });
    expect((await it.through('authorize_payment', again)).data.state).toBe('AUTHORIZED');
  });

  it('tells the person its limit, and that released credentials may pay it, too', async () => {
    const it = await world();
    const instruction = await bought(it);
    await it.call('retrieve_credentials', payment(instruction));
    const { approval } = await it.call('authorize_payment', paying(instruction));
    expect(approval?.text).toContain('Limit of the purchase: 100.00 GBP');
    expect(approval?.text).toMatch(/Credentials released for it, which may pay it, too: 1, last for 40\.00 GBP/);
  });

  it('is captured only with a person once the purchase is cancelled', async () => {
    const it = await world();
    const instruction = await bought(it);
    const { charge } = (await it.through('authorize_payment', paying(instruction))).data;
    const cancelled = await it.call('cancel_purchase', { instruction });
    expect([cancelled.said, cancelled.data.held]).toEqual([
      expect.stringContaining('reverse_payment'),
      `40.00 GBP by ${charge}, as last known`,
    ]);
    const capture = await it.call('capture_payment', { charge });
    expect(capture).toMatchObject({ outcome: 'needs_approval' });
    expect(capture.approval?.text).toContain('which is CANCELLED');
  });

  it.each<[string, readonly string[]]>([
    ['captured', ['capture_payment']],
    ['given back', ['reverse_payment']],
  ])('holds nothing that a cancellation would tell, once it is %s', async (_, steps) => {
    const it = await world();
    const instruction = await bought(it);
    const { charge } = (await it.through('authorize_payment', paying(instruction))).data;
    for (const step of steps) expect((await it.through(step, { charge })).outcome).toBe('done');
    const cancelled = await it.call('cancel_purchase', { instruction });
    expect(cancelled.data).toMatchObject({ state: 'CANCELLED' });
    expect(cancelled.data).not.toHaveProperty('held');
  });

  it.each(['PENDING', 'PENDING_AUTHENTICATION', 'AUTHORIZED_PENDING_REVIEW'])(
    'is made once while the platform says %s of the first (AP-09)',
    async (status) => {
      const it = await altering((call, body) => {
        if (call === 'POST /pts/v2/payments') body.status = status;
      });
      const instruction = await bought(it);
      expect((await it.through('authorize_payment', paying(instruction))).outcome).toBe('done');
      const again = paying(instruction, { reference: 'p2', price: { amount: '41.00', currency: 'GBP' } });
      expect((await it.call('authorize_payment', again)).error?.rule).toBe('AP-09');
    },
  );

  it.each(['authorizePayment', 'cancelPurchase', 'retrieveCredentials'] as const)(
    'is refused while the outcome of %s for it is unknown (EN-06)',
    async (lost) => {
      const it = await world({ configure: { mandates } });
      const instruction = await bought(it);
      await it.fault(lost, 'timeout-after-commit');
      const first = {
        authorizePayment: paying(instruction),
        cancelPurchase: { instruction },
        retrieveCredentials: payment(instruction),
      }[lost];
      expect((await it.through(toolName(lost), first)).outcome).toBe('unknown');
      const other = paying(instruction, { reference: 'p2', price: { amount: '41.00', currency: 'GBP' } });
      expect((await it.call('authorize_payment', other)).error).toMatchObject({
        code: 'OUTCOME_UNKNOWN',
        rule: 'EN-06',
      });
      expect(await it.effects('authorizePayment')).toHaveLength(lost === 'authorizePayment' ? 1 : 0);
    },
  );
});
