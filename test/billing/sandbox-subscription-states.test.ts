import { describe, expect, it } from 'vitest';
import { type BillingBench, fresh } from './sandbox-support.ts';

// Suspended, reactivated, cancelled and skipped subscriptions as a client of the platform sees them, with no guard between: every rule marked P is the platform's own.

const own = { every: '1', unit: 'M', amount: '7.50', currency: 'EUR' } as const;
const today = '2026-01-15T12:00:00Z';

describe('suspending and reactivating', () => {
  it.each(['PENDING', 'SUSPENDED', 'CANCELLED', 'COMPLETED'])('SB-09: a %s one can’t be suspended', async (state) => {
    const bench = fresh();
    const id = await bench.subscription(undefined, { own: { ...own, total: '1' } });
    if (state === 'SUSPENDED') {
      const other = await bench.subscription(undefined, { own, startDate: today });
      await bench.to('2026-01-15T10:00:00Z');
      expect((await bench.act(other, 'suspend')).body).toMatchObject({
        status: 'ACCEPTED',
        subscriptionInformation: { status: 'SUSPENDED' },
      });
      expect((await bench.act(other, 'suspend')).status).toBe(400);
      return;
    }
    if (state === 'CANCELLED') await bench.act(id, 'cancel');
    if (state === 'COMPLETED') await bench.to('2026-03-01T00:00:00Z');
    expect([await bench.state(id), (await bench.act(id, 'suspend')).status]).toEqual([state, 400]);
  });

  it('SB-09: pending and delinquent ones can where the platform keeps it as it is published (D-17)', async () => {
    const bench = fresh({ published: ['SB-09'] });
    const pending = await bench.subscription(undefined, { own });
    await bench.card('shopper_bo', { charges: ['declined'] });
    const delinquent = await bench.subscription(undefined, { own, who: 'shopper_bo' });
    expect((await bench.act(pending, 'suspend')).status).toBe(202);
    await bench.to('2026-02-01T00:00:00Z');
    expect([await bench.state(delinquent), (await bench.act(delinquent, 'suspend')).status]).toEqual([
      'DELINQUENT',
      202,
    ]);
    await bench.to('2026-03-10T00:00:00Z');
    expect([await bench.payments(pending), await bench.payments(delinquent)]).toEqual([
      [],
      ['1 STANDARD FAILED 2026-01-31T10:00'],
    ]);
  });

  it.each(['PENDING', 'ACTIVE', 'CANCELLED', 'COMPLETED'])('SB-10: a %s one can’t be reactivated', async (state) => {
    const bench = fresh();
    const id = await bench.subscription(undefined, { own: { ...own, total: state === 'COMPLETED' ? '1' : '3' } });
    if (state !== 'PENDING') await bench.to('2026-02-01T00:00:00Z');
    if (state === 'CANCELLED') await bench.act(id, 'cancel');
    expect([await bench.state(id), (await bench.act(id, 'activate')).status]).toEqual([state, 400]);
  });

  /** Suspended on 1 February with its first payment made; March and April pass. */
  async function asleep(): Promise<readonly [BillingBench, string]> {
    const bench = fresh();
    const id = await bench.subscription(undefined, { own: { ...own, total: '6' } });
    await bench.to('2026-02-01T00:00:00Z');
    await bench.act(id, 'suspend');
    await bench.to('2026-04-01T00:00:00Z');
    return [bench, id];
  }

  it('charges nothing meanwhile, and says what was missed', async () => {
    const [bench, id] = await asleep();
    const { reactivationInformation } = (await bench.call('GET', `/rbs/v1/subscriptions/${id}`)).body;
    expect([await bench.payments(id), await bench.coming(id), reactivationInformation]).toEqual([
      ['1 STANDARD PAID 2026-01-31T10:00'],
      [],
      { missedPaymentsCount: '2', missedPaymentsTotalAmount: '15.00' },
    ]);
  });

  it.each(['', '?processMissedPayments=true'])(
    'SB-10: collects at once what was missed (%s), and goes on with the next cycle',
    async (query) => {
      const [bench, id] = await asleep();
      const { status, body } = await bench.act(id, 'activate', query);
      expect([status, body.status, body.subscriptionInformation.status]).toEqual([200, 'COMPLETED', 'ACTIVE']);
      await bench.to('2026-05-01T00:00:00Z');
      expect(await bench.payments(id)).toEqual([
        '1 STANDARD PAID 2026-01-31T10:00',
        '2 STANDARD PAID 2026-04-01T00:00',
        '3 STANDARD PAID 2026-04-01T00:00',
        '4 STANDARD PAID 2026-04-30T10:00',
      ]);
    },
  );

  it('SB-10: collects nothing where it is told not to', async () => {
    const [bench, id] = await asleep();
    await bench.act(id, 'activate', '?processMissedPayments=false');
    await bench.to('2026-05-01T00:00:00Z');
    expect(await bench.payments(id)).toEqual(['1 STANDARD PAID 2026-01-31T10:00', '4 STANDARD PAID 2026-04-30T10:00']);
    expect((await bench.call('GET', `/rbs/v1/subscriptions/${id}`)).body.reactivationInformation).toBeUndefined();
  });

  it('is suspended again where what was missed is declined for good, and misses the rest again', async () => {
    const [bench, id] = await asleep();
    await bench.card('shopper_ada', { charges: ['doNotRetry'] });
    const { body } = await bench.act(id, 'activate');
    expect(body.subscriptionInformation.status).toBe('SUSPENDED');
    expect(
      (await bench.call('GET', `/rbs/v1/subscriptions/${id}`)).body.reactivationInformation.missedPaymentsCount,
    ).toBe('2');
    expect(await bench.payments(id)).toEqual([
      '1 STANDARD PAID 2026-01-31T10:00',
      '2 STANDARD FAILED 2026-04-01T00:00',
    ]);
  });

  it('is completed at once where everything has passed and nothing is collected', async () => {
    const [bench, id] = await asleep();
    await bench.to('2026-12-01T00:00:00Z');
    expect((await bench.act(id, 'activate', '?processMissedPayments=false')).body.subscriptionInformation.status).toBe(
      'COMPLETED',
    );
  });
});

const minute = 60_000;
const payment = Date.parse('2026-01-31T10:00:00Z');

describe('SB-09: suspending within ten minutes of a payment (D-17)', () => {
  it.each([
    [-10 * minute - 1, 400, 202],
    [-10 * minute, 400, 400],
    [0, 202, 400],
    [10 * minute, 202, 400],
    [10 * minute + 1, 202, 202],
  ])('%i ms after it begins answers %i as document 2 has it, %i as it is published', async (after, ...statuses) => {
    const told = [];
    for (const published of [[], ['SB-09']] as const) {
      const bench = fresh({ published });
      const id = await bench.subscription(undefined, { own });
      await bench.to(payment + after);
      const before = await bench.state(id);
      const { status } = await bench.act(id, 'suspend');
      told.push(status);
      expect(await bench.state(id)).toBe(status === 202 ? 'SUSPENDED' : before);
    }
    expect(told).toEqual(statuses);
  });
});

describe('SB-11: cancelling', () => {
  it.each(['CANCELLED', 'COMPLETED'])(
    'what is %s takes another name and code, as its link says (D-48)',
    async (state) => {
      const bench = fresh();
      const id = await bench.subscription(undefined, { own: { ...own, total: '1' }, name: 'Gold', code: 'OLD' });
      if (state === 'CANCELLED') await bench.act(id, 'cancel');
      else await bench.to('2026-03-01T00:00:00Z');
      const change = { subscriptionInformation: { name: 'Silver', code: 'NEW' } };
      const { _links } = (await bench.call('GET', `/rbs/v1/subscriptions/${id}`)).body;
      expect(Object.keys(_links)).toEqual(['self', 'update']);
      expect((await bench.call(_links.update.method, _links.update.href, change)).status).toBe(200);
      const { subscriptionInformation } = (await bench.call('GET', `/rbs/v1/subscriptions/${id}`)).body;
      expect(subscriptionInformation).toMatchObject({ name: 'Silver', code: 'NEW', status: state });
    },
  );

  it('SB-12: is final from every state: nothing follows, nothing is charged', async () => {
    const bench = fresh();
    const id = await bench.subscription(undefined, { own });
    expect((await bench.act(id, 'cancel')).body).toMatchObject({
      status: 'ACCEPTED',
      subscriptionInformation: { status: 'CANCELLED' },
    });
    const told = [];
    for (const step of ['cancel', 'suspend', 'activate'] as const) told.push((await bench.act(id, step)).status);
    await bench.to('2027-01-01T00:00:00Z');
    expect([
      told,
      await bench.state(id),
      await bench.payments(id),
      await bench.coming(id),
      await bench.outbox(),
    ]).toEqual([[400, 400, 400], 'CANCELLED', ...[[], [], []]]);
  });

  it('a skipped payment keeps nobody from cancelling', async () => {
    const bench = fresh();
    const id = await bench.subscription(undefined, { own });
    await bench.passOver(id, [1]);
    await bench.to(payment - minute);
    expect((await bench.act(id, 'cancel')).status).toBe(202);
  });
});

describe('SB-14: skipping and restoring', () => {
  const reasons = ({ body }: { readonly body: { readonly details: readonly { readonly reason: string }[] } }) =>
    body.details.map(({ reason }) => reason);

  it.each(['PUT', 'POST'])('takes %s, answers the cycles, and charges nothing for them', async (method) => {
    const bench = fresh();
    const id = await bench.subscription(undefined, { own: { ...own, total: '4' } });
    const { status, body } = await bench.passOver(id, [3, 2], method);
    expect([status, body.status, body.billingCyclesToSkip]).toEqual([200, 'COMPLETED', [2, 3]]);
    expect((await bench.coming(id)).map((it) => it.split(' ').slice(0, 3).join(' '))).toEqual([
      '1 STANDARD SCHEDULED',
      '2 STANDARD SCHEDULED_SKIPPED',
      '3 STANDARD SCHEDULED_SKIPPED',
    ]);
    await bench.to('2026-06-01T00:00:00Z');
    expect([await bench.state(id), await bench.payments(id)]).toEqual([
      'COMPLETED',
      [
        '1 STANDARD PAID 2026-01-31T10:00',
        '2 STANDARD SKIPPED 2026-02-28T10:00',
        '3 STANDARD SKIPPED 2026-03-31T10:00',
        '4 STANDARD PAID 2026-04-30T10:00',
      ],
    ]);
  });

  it('restores what is left out', async () => {
    const bench = fresh();
    const id = await bench.subscription(undefined, { own });
    await bench.passOver(id, [1, 2]);
    expect((await bench.passOver(id, [2])).body.billingCyclesToSkip).toEqual([2]);
    await bench.to('2026-02-01T00:00:00Z');
    expect(await bench.payments(id)).toEqual(['1 STANDARD PAID 2026-01-31T10:00']);
  });

  it('names every cycle that can’t be changed, and changes none', async () => {
    const bench = fresh();
    const id = await bench.subscription(undefined, { own: { ...own, total: '4' } });
    await bench.to('2026-02-01T00:00:00Z');
    const told = await bench.passOver(id, [1, 2, 9]);
    expect([told.status, told.body.status, told.body.reason, reasons(told)]).toEqual([
      ...[400, 'INVALID_REQUEST', 'INVALID_DATA'],
      ['UNMODIFIABLE_PAYMENT_SKIP_ATTEMPT_CYCLE: 1', 'UNMODIFIABLE_PAYMENT_SKIP_ATTEMPT_CYCLE: 9'],
    ]);
    expect((await bench.call('GET', `/rbs/v1/subscriptions/${id}/payments`)).body.billingCyclesToSkip).toEqual([]);
  });

  it('takes no retry', async () => {
    const bench = fresh();
    await bench.card('shopper_ada', { charges: ['declined'] });
    const id = await bench.subscription(undefined, { own });
    await bench.to('2026-02-01T00:00:00Z');
    expect((await bench.coming(id, 1))[0]).toBe('1 RETRY SCHEDULED 2026-02-02T10:00');
    expect(reasons(await bench.passOver(id, [1]))).toEqual(['UNMODIFIABLE_PAYMENT_SKIP_ATTEMPT_CYCLE: 1']);
    expect((await bench.passOver(id, [2])).status).toBe(200);
  });

  it('charges the setup fee with the first payment that is not skipped, and says so before', async () => {
    const bench = fresh();
    const id = await bench.subscription(undefined, {
      own: { ...own, every: '1', unit: 'D', total: '4', setupFee: '2.00' },
    });
    const fees = async () => {
      const { body } = await bench.call('GET', `/rbs/v1/subscriptions/${id}/payments`);
      const listed: readonly { readonly billingCycle: string; readonly setupFee?: string }[] = body.subscriptionPayment;
      return listed.filter(({ setupFee }) => setupFee !== undefined).map(({ billingCycle }) => billingCycle);
    };
    const told = [await fees()];
    for (const cycles of [[1], [1, 2], []]) {
      await bench.passOver(id, cycles);
      told.push(await fees());
    }
    await bench.passOver(id, [1, 2]);
    await bench.to('2026-03-01T00:00:00Z');
    told.push(await fees());
    expect(told).toEqual([['1'], ['2'], ['3'], ['1'], ['3']]);
    const mails = (await bench.outbox()).map(({ template, fields }) => `${template} ${fields.setupFee}`);
    expect(mails).toEqual(['prepayment 2.00', 'prepayment 0.00', 'success 2.00', 'success 0.00']);
  });

  it('charges it once the subscription goes on where that payment was skipped while it was suspended', async () => {
    const bench = fresh();
    const id = await bench.subscription(undefined, { own: { ...own, total: '4', setupFee: '2.00' } });
    await bench.passOver(id, [1, 2]);
    await bench.to('2026-02-01T00:00:00Z');
    await bench.act(id, 'suspend');
    await bench.to('2026-03-01T00:00:00Z');
    await bench.act(id, 'activate', '?processMissedPayments=false');
    await bench.to('2026-06-01T00:00:00Z');
    const { body } = await bench.call('GET', `/rbs/v1/subscriptions/${id}/payments?limit=100`);
    const paid: readonly { readonly status: string; readonly billingCycle: string; readonly setupFee?: string }[] =
      body.subscriptionPayment;
    expect(
      paid.filter(({ status }) => status === 'PAID').map(({ billingCycle, setupFee }) => [billingCycle, setupFee]),
    ).toEqual([
      ['4', undefined],
      ['3', '2.00'],
    ]);
  });

  it.each(['W', 'M'])('charges it, too, where the period was amended meanwhile, to one in %s', async (unit) => {
    const bench = fresh();
    const plan = await bench.plan({ setupFee: '2.00' });
    const id = await bench.subscription(plan);
    await bench.passOver(id, [1, 2]);
    await bench.to('2026-02-01T00:00:00Z');
    await bench.act(id, 'suspend');
    await bench.to('2026-03-01T00:00:00Z');
    await bench.amend(plan, { every: '2', unit }, 'ALL');
    await bench.act(id, 'activate', '?processMissedPayments=false');
    await bench.to('2026-04-01T00:00:00Z');
    const { body } = await bench.call('GET', `/rbs/v1/subscriptions/${id}/payments?scheduledPaymentsCount=1`);
    const listed: readonly { readonly status: string; readonly billingCycle: string; readonly setupFee?: string }[] =
      body.subscriptionPayment;
    expect(listed.map(({ status, billingCycle, setupFee }) => [status, billingCycle, setupFee]).slice(0, 2)).toEqual([
      ['SCHEDULED', '4', undefined],
      ['PAID', '3', '2.00'],
    ]);
  });

  it('of a subscription that nobody has is not found', async () => {
    const bench = fresh();
    const { status, body } = await bench.passOver('00000000-0000-4000-8000-000000000000', [1]);
    expect([status, body.status, body.reason]).toEqual([404, 'NOT_FOUND', 'NOT_FOUND']);
  });
});
