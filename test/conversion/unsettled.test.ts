import { describe, expect, it } from 'vitest';
import { altering, authorized, chosen, paying } from '../engine/conversion.ts';
import { bought, payment, type World } from '../engine/support.ts';

// Payments of which the platform hasn't decided, or not that all of it may be taken.

/** A world whose platform says `first` of a payment, and of what is looked at whatever `then` says. */
const saying = async (first: string, more: object = {}) => {
  const then = { status: '' };
  const it = await altering((call, body) => {
    if (call === 'POST /pts/v2/payments') body.status = first;
    if (/^GET \/pts\/v2\/payments\//.test(call) && then.status !== '') body.status = then.status;
  }, more);
  return { it, then };
};

/** The receipt that the newest payment of a purchase has posted. */
const evidenceOf = async (it: World, instruction: string) =>
  (await it.thing(String((await it.thing(instruction)).body.receipt))).body;

const local = { card: 'card_ada', reference: 'pay-1', price: { amount: '40.00', currency: 'GBP' } };

describe('a payment', () => {
  it.each([
    ['PENDING_AUTHENTICATION', 'PENDING', ['get_payment', 'reverse_payment']],
    ['PENDING', 'PENDING', ['get_payment', 'reverse_payment']],
    ['PENDING_REVIEW', 'PENDING_REVIEW', ['get_payment', 'reverse_payment']],
    ['AUTHORIZED_PENDING_REVIEW', 'PENDING_REVIEW', ['get_payment', 'reverse_payment']],
    ['AUTHORIZED_RISK_DECLINED', 'RISK_DECLINED', ['reverse_payment', 'get_payment']],
  ])('of which the platform says %s is %s: it is given up, and not captured (DC-09)', async (status, state, next) => {
    const { it } = await saying(status);
    const said = await it.through('authorize_payment', paying());
    expect(said).toMatchObject({ outcome: 'done', data: { state, status }, next });
    const { charge } = said.data;
    expect(await it.call('capture_payment', { charge })).toMatchObject({
      outcome: 'refused',
      error: { rule: 'DC-09', field: 'charge' },
    });
    expect((await it.through('reverse_payment', { charge })).data.state).toBe('REVERSED');
  });

  it.each([
    ['PENDING_AUTHENTICATION', 'AUTHORIZED', 'AUTHORIZED'],
    ['PENDING_AUTHENTICATION', 'PENDING_REVIEW', 'PENDING_REVIEW'],
    ['PENDING', 'PENDING', 'PENDING'],
    ['AUTHORIZED_PENDING_REVIEW', 'AUTHORIZED', 'AUTHORIZED'],
    ['AUTHORIZED_PENDING_REVIEW', 'AUTHORIZED_RISK_DECLINED', 'RISK_DECLINED'],
    ['AUTHORIZED_PENDING_REVIEW', 'DECLINED', 'NOT_AUTHORIZED'],
    ['AUTHORIZED_RISK_DECLINED', 'AUTHORIZED', 'AUTHORIZED'],
    ['AUTHORIZED', 'AUTHORIZED_RISK_DECLINED', 'RISK_DECLINED'],
    ['AUTHORIZED', 'DECLINED', 'NOT_AUTHORIZED'],
    ['PARTIAL_AUTHORIZED', 'PARTIAL_AUTHORIZED', 'PARTIAL_AUTHORIZED'],
    ['DECLINED', 'AUTHORIZED', 'NOT_AUTHORIZED'],
  ])('that was %s is seen to be %s: %s', async (first, later, state) => {
    const { it, then } = await saying(first);
    const charge = await authorized(it);
    then.status = later;
    expect((await it.call('get_payment', { charge })).data).toMatchObject({ state, status: later });
  });

  it('that was captured stays so, whatever its status says', async () => {
    const { it, then } = await saying('AUTHORIZED');
    const charge = await authorized(it);
    await it.call('capture_payment', { charge });
    then.status = 'AUTHORIZED_PENDING_REVIEW';
    expect((await it.call('get_payment', { charge })).data.state).toBe('CAPTURED');
  });

  it('is authorized for a part that a look finds, and never for more than was approved', async () => {
    const held = { sum: '40.00' };
    const it = await altering((call, body) => {
      if (call === 'POST /pts/v2/payments') body.status = 'PENDING_AUTHENTICATION';
      if (!/^GET \/pts\/v2\/payments\//.test(call)) return;
      body.status = 'PARTIAL_AUTHORIZED';
      body.orderInformation.amountDetails.authorizedAmount = held.sum;
    });
    const sums = [];
    for (const [reference, sum] of [
      ['order-1', '40.00'],
      ['order-2', '4000.00'],
    ] as const) {
      const charge = await authorized(it, { reference });
      held.sum = sum;
      sums.push((await it.call('get_payment', { charge })).data.billing.amount);
    }
    expect(sums).toEqual(['40.00', '100.00']);
  });

  it.each([
    ['PENDING_AUTHENTICATION', 'refused'],
    ['AUTHORIZED_RISK_DECLINED', 'refused'],
    ['DECLINED', 'needs_approval'],
  ])('counts against its limit for as long as it may be authorized: %s', async (status, outcome) => {
    const limits = [{ name: 'day', tools: ['authorize_payment'], currency: 'USD', per: ['day'], total: '150.00' }];
    const { it } = await saying(status, { configure: { limits } });
    await it.through('authorize_payment', paying());
    const more = await it.call('authorize_payment', paying({ reference: 'order-2', card: 'card_dan' }));
    expect(more.outcome).toBe(outcome);
  });

  it.each([
    ['PENDING_AUTHENTICATION', 'DECLINED', 'needs_approval'],
    ['PENDING_REVIEW', 'INVALID_REQUEST', 'needs_approval'],
    ['AUTHORIZED_RISK_DECLINED', 'DECLINED', 'needs_approval'],
    ['PENDING_AUTHENTICATION', 'AUTHORIZED_RISK_DECLINED', 'refused'],
    ['PENDING_AUTHENTICATION', 'AUTHORIZED', 'refused'],
  ])('that was %s and is found %s leaves its limit accordingly: %s', async (first, later, outcome) => {
    const limits = [{ name: 'day', tools: ['authorize_payment'], currency: 'USD', per: ['day'], total: '150.00' }];
    const { it, then } = await saying(first, { configure: { limits } });
    const charge = await authorized(it);
    then.status = later;
    await it.call('get_payment', { charge });
    await it.call('get_payment', { charge });
    const more = await it.call('authorize_payment', paying({ reference: 'order-2' }));
    expect(more.outcome).toBe(outcome);
    expect(more.approval?.text ?? '').not.toContain('nearly identical');
  });

  it.each([
    ['PENDING_AUTHENTICATION', 'was answered, but nobody knows yet what became of it'],
    ['AUTHORIZED', 'was done only minutes ago'],
  ])('that is found %s by now is told as that of a nearly identical one', async (later, what) => {
    const { it, then } = await saying('PENDING');
    const charge = await authorized(it);
    then.status = later;
    await it.call('get_payment', { charge });
    const more = await it.call('authorize_payment', paying({ reference: 'order-2' }));
    expect(more.approval?.text).toContain(`A nearly identical call ${what}`);
  });

  it('that is not decided has used its rate up (DC-04)', async () => {
    const { it } = await saying('PENDING_AUTHENTICATION');
    const offer = await chosen(it);
    await it.through('authorize_payment', { offer, reference: 'order-1' });
    expect((await it.thing(offer)).state).toBe('USED');
  });

  it('is evidence of a purchase only once it is authorized (AP-10)', async () => {
    for (const [later, evidence, rule] of [
      ['DECLINED', 'DECLINED', 'AP-10'],
      ['AUTHORIZED', 'APPROVED', undefined],
    ] as const) {
      const { it, then } = await saying('AUTHORIZED_PENDING_REVIEW');
      const instruction = await bought(it);
      await it.call('retrieve_credentials', payment(instruction));
      const { charge } = (await it.through('authorize_payment', { ...local, instruction })).data;
      expect((await evidenceOf(it, instruction)).transactionStatus).toBe('PENDING');
      expect((await it.call('confirm_transaction', { instruction })).error?.rule).toBe('AP-10');
      then.status = later;
      await it.call('get_payment', { charge });
      expect((await evidenceOf(it, instruction)).transactionStatus).toBe(evidence);
      expect((await it.call('confirm_transaction', { instruction })).error?.rule).toBe(rule);
    }
  });
});
