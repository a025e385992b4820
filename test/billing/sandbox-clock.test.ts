import { describe, expect, it } from 'vitest';
import { fresh } from './sandbox-support.ts';

// What the clock does to subscriptions. The card of each says what becomes of its charges.

const own = { every: '1', unit: 'M', amount: '7.50', currency: 'GBP' } as const;
type Outcome = 'paid' | 'declined' | 'doNotRetry' | 'error';

/** A subscription that begins on 31 January at 10:00, and what becomes of its charges. */
async function billed(charges: readonly Outcome[], terms: object = {}) {
  const bench = fresh();
  await bench.card('shopper_ada', { charges });
  return { bench, id: await bench.subscription(undefined, { own: { ...own, ...terms } }) };
}

describe('SB-07: a payment that is declined', () => {
  it.each([
    ['daily', { unit: 'D' }, ['01-31T11:00']],
    ['weekly', { unit: 'W' }, ['02-01T10:00', '02-02T10:00', '02-03T10:00']],
    ['monthly', {}, ['02-02T10:00', '02-04T10:00', '02-06T10:00', '02-08T10:00', '02-10T10:00']],
    ['yearly', { unit: 'Y' }, ['02-15T10:00', '03-02T10:00', '03-17T10:00']],
  ])('is retried as its frequency says, and then suspends: %s', async (_, terms, retries) => {
    const { bench, id } = await billed(['declined'], terms);
    await bench.to('2026-01-31T10:00:00Z');
    expect(await bench.state(id)).toBe('DELINQUENT');
    for (const at of retries) {
      await bench.to(Date.parse(`2026-${at}:00Z`) - 1);
      expect(await bench.state(id)).toBe('DELINQUENT');
      await bench.to(`2026-${at}:00Z`);
    }
    expect(await bench.state(id)).toBe('SUSPENDED');
    expect(await bench.payments(id)).toEqual([
      '1 STANDARD FAILED 2026-01-31T10:00',
      ...retries.map((at) => `1 RETRY FAILED 2026-${at}`),
    ]);
    await bench.to('2030-01-01T00:00:00Z');
    expect([await bench.state(id), (await bench.payments(id)).length]).toEqual(['SUSPENDED', 1 + retries.length]);
  });

  it('brings it back to ACTIVE once a retry succeeds, and is followed by the next cycle (D-15)', async () => {
    const { bench, id } = await billed(['declined', 'declined', 'paid']);
    await bench.to('2026-03-31T10:00:00Z');
    expect([await bench.state(id), await bench.payments(id)]).toEqual([
      'ACTIVE',
      [
        '1 STANDARD FAILED 2026-01-31T10:00',
        '1 RETRY FAILED 2026-02-02T10:00',
        '1 RETRY PAID 2026-02-04T10:00',
        '2 STANDARD PAID 2026-02-28T10:00',
        '3 STANDARD PAID 2026-03-31T10:00',
      ],
    ]);
  });
});

describe('SB-08', () => {
  it.each([
    ['by the card', {}, ['doNotRetry']],
    ['by the amount', { amount: '7.52' }, ['paid']],
  ] as const)('a reason not to retry suspends at once: %s', async (_, terms, charges) => {
    const { bench, id } = await billed(charges, terms);
    await bench.to('2027-01-01T00:00:00Z');
    expect([await bench.state(id), await bench.payments(id), await bench.coming(id)]).toEqual([
      'SUSPENDED',
      ['1 STANDARD FAILED 2026-01-31T10:00'],
      [],
    ]);
  });

  it('a reason not to retry stops the retries that were still to come', async () => {
    const { bench, id } = await billed(['declined', 'doNotRetry']);
    await bench.to('2027-01-01T00:00:00Z');
    expect([await bench.state(id), await bench.payments(id)]).toEqual([
      'SUSPENDED',
      ['1 STANDARD FAILED 2026-01-31T10:00', '1 RETRY FAILED 2026-02-02T10:00'],
    ]);
  });

  it('an internal error is tried again until it is resolved, tells nobody, and uses up no retry', async () => {
    const errors = Array.from({ length: 7 }, () => 'error' as const);
    const { bench, id } = await billed([...errors, 'declined', 'error', 'paid'], { unit: 'D', total: '1' });
    await bench.to('2026-01-31T10:00:00Z');
    expect([await bench.state(id), await bench.payments(id)]).toEqual(['ACTIVE', []]);
    await bench.to('2026-02-03T00:00:00Z');
    const payments = await bench.payments(id);
    expect([await bench.state(id), payments.map((it) => it.split(' ').slice(0, 3).join(' '))]).toEqual([
      'COMPLETED',
      ['1 STANDARD FAILED', '1 RETRY PAID'],
    ]);
    expect((await bench.outbox()).map(({ template }) => template)).toEqual(['prepayment', 'failure', 'success']);
  });
});

describe('SB-13: a subscription with an end', () => {
  it('is completed by its last payment, on the last day of months that are shorter, and charges nothing more', async () => {
    const { bench, id } = await billed(['paid'], { total: '3' });
    await bench.to(Date.parse('2026-03-31T10:00:00Z') - 1);
    expect(await bench.state(id)).toBe('ACTIVE');
    await bench.to('2027-01-01T00:00:00Z');
    expect([await bench.state(id), await bench.payments(id)]).toEqual([
      'COMPLETED',
      ['1 STANDARD PAID 2026-01-31T10:00', '2 STANDARD PAID 2026-02-28T10:00', '3 STANDARD PAID 2026-03-31T10:00'],
    ]);
  });
});

describe('PL-11: a deactivated plan', () => {
  it('has its subscriptions billed until they are completed', async () => {
    const bench = fresh();
    const plan = await bench.plan({ total: '2' });
    const id = await bench.subscription(plan);
    expect((await bench.call('POST', `/rbs/v1/plans/${plan}/deactivate`, {})).status).toBe(200);
    await bench.to('2026-06-01T00:00:00Z');
    expect([await bench.state(id), (await bench.payments(id)).length]).toEqual(['COMPLETED', 2]);
  });
});

describe('SB-15: the customer', () => {
  const common = (id: string, setupFee: string) => ({
    ...{ subscriptionId: id, subscriptionName: 'Gold', billingAmount: '7.50', currency: 'GBP', setupFee },
    merchantName: 'Harbour Audio',
  });

  it('is told three days before a payment and of its outcome, with the placeholders of document 2', async () => {
    const { bench, id } = await billed(['declined', 'paid'], { setupFee: '2.00', total: '1' });
    await bench.to(Date.parse('2026-01-28T10:00:00Z') - 1);
    expect(await bench.outbox()).toEqual([]);
    await bench.to('2026-03-01T00:00:00Z');
    const to = 'ada@example.com';
    expect(await bench.outbox()).toEqual([
      {
        ...{ at: Date.parse('2026-01-28T10:00:00Z'), to, template: 'prepayment' },
        fields: { ...common(id, '2.00'), paymentDate: '2026-01-31T10:00:00.000Z' },
      },
      {
        ...{ at: Date.parse('2026-01-31T10:00:00Z'), to, template: 'failure' },
        fields: { ...common(id, '2.00'), paymentDate: '2026-01-31T10:00:00.000Z', transactionId: `${id}-1` },
      },
      {
        ...{ at: Date.parse('2026-02-02T10:00:00Z'), to, template: 'success' },
        fields: { ...common(id, '2.00'), paymentDate: '2026-02-02T10:00:00.000Z', transactionId: `${id}-2` },
      },
    ]);
    expect(await bench.events()).toEqual([
      'rbs.subscriptions.charge.pre-notified 1 2026-01-28T10:00',
      'rbs.subscriptions.charge.failed 1 2026-01-31T10:00',
      'rbs.subscriptions.charge.created 1 2026-02-02T10:00',
    ]);
  });

  it.each([
    [undefined, '2026-01-28T10:00'],
    [1, '2026-01-30T10:00'],
    [7, '2026-01-24T10:00'],
    [16, '2026-01-15T10:00'],
    [17, undefined],
    [0, undefined],
  ])(
    'is told %s days before a payment in a world that was made so, a reset included (D-20)',
    async (noticeDays, at) => {
      const bench = fresh({ noticeDays });
      for (const how of ['fresh', 'reset'] as const) {
        if (how === 'reset') await bench.control('POST', 'reset');
        await bench.subscription(undefined, { own: { ...own, total: '1' } });
        await bench.to('2026-03-01T00:00:00Z');
        const notices = (await bench.outbox()).filter(({ template }) => template === 'prepayment');
        expect(
          notices.map((it) => new Date(it.at).toISOString().slice(0, 16)),
          how,
        ).toEqual(at === undefined ? [] : [at]);
      }
    },
  );

  it('is told at the address that is on the token by then', async () => {
    const { bench } = await billed(['paid'], { total: '2' });
    await bench.to('2026-02-01T00:00:00Z');
    const { shoppers } = (await bench.control('GET', 'fixtures')).body;
    const changed = (email: string) =>
      shoppers
        .filter(({ handle }: { handle: string }) => handle === 'shopper_ada')
        .map((it: { billTo: object }) => ({ ...it, billTo: { ...it.billTo, email } }));
    await bench.control('POST', 'fixtures', { shoppers: changed('ada@example.org') });
    await bench.to('2026-02-26T00:00:00Z');
    await bench.control('POST', 'fixtures', { shoppers: changed('') });
    await bench.to('2026-03-01T00:00:00Z');
    expect((await bench.outbox()).map(({ template, to }) => `${template} ${to}`)).toEqual([
      'prepayment ada@example.com',
      'success ada@example.com',
      'prepayment ada@example.org',
    ]);
    expect(await bench.events()).toHaveLength(4);
  });

  it('hears nothing of a payment that is skipped', async () => {
    const { bench, id } = await billed(['paid'], { total: '2' });
    await bench.passOver(id, [1]);
    await bench.to('2026-02-01T00:00:00Z');
    expect([await bench.outbox(), await bench.events()]).toEqual([[], []]);
  });
});
