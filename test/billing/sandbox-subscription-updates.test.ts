import { describe, expect, it } from 'vitest';
import { type BillingBench, fresh } from './sandbox-support.ts';

// Updates of subscriptions as a client of the platform sees them, with no guard between: every rule marked P is the platform's own.

const own = { every: '1', unit: 'M', amount: '7.50', currency: 'EUR' } as const;
const today = '2026-01-15T12:00:00Z';

describe('an update', () => {
  const update = (bench: BillingBench, id: string, body: object) =>
    bench.call('PATCH', `/rbs/v1/subscriptions/${id}`, body);
  const priced = { orderInformation: { amountDetails: { billingAmount: '3.00' } } };
  const named = { subscriptionInformation: { name: 'Silver', code: 'NEW' } };
  const restarted = { subscriptionInformation: { startDate: '2026-02-20T10:00:00Z' } };
  const fee = { orderInformation: { amountDetails: { setupFee: '1.00' } } };

  async function at(state: string): Promise<readonly [BillingBench, string]> {
    const bench = fresh();
    if (state === 'DELINQUENT') await bench.card('shopper_ada', { charges: ['declined'] });
    const id = await bench.subscription(undefined, { own: { ...own, total: '3', setupFee: '2.00' } });
    const until: Readonly<Record<string, string>> = {
      PENDING: '2026-01-16',
      ACTIVE: '2026-02-01',
      COMPLETED: '2026-06-01',
    };
    await bench.to(`${until[state] ?? '2026-02-01'}T00:00:00Z`);
    if (state === 'SUSPENDED') await bench.act(id, 'suspend');
    if (state === 'CANCELLED') await bench.act(id, 'cancel');
    expect(await bench.state(id)).toBe(state);
    return [bench, id];
  }

  it.each([
    ['PENDING', [200, 200, 200, 200]],
    ['ACTIVE', [200, 200, 400, 400]],
    ['DELINQUENT', [200, 400, 400, 400]],
    ['SUSPENDED', [200, 400, 400, 400]],
    ['CANCELLED', [200, 400, 400, 400]],
    ['COMPLETED', [200, 400, 400, 400]],
  ])('of a %s subscription: names, price, start, fee answer %j', async (state, statuses) => {
    const [bench, id] = await at(state);
    const told = [];
    for (const body of [named, priced, restarted, fee]) told.push((await update(bench, id, body)).status);
    expect(told).toEqual(statuses);
  });

  it.each(['PENDING', 'ACTIVE', 'DELINQUENT', 'SUSPENDED', 'CANCELLED', 'COMPLETED'])(
    'of a %s subscription may say again what it has, for that is no change',
    async (state) => {
      const [bench, id] = await at(state);
      const { body } = await bench.call('GET', `/rbs/v1/subscriptions/${id}`);
      const { name, code, startDate } = body.subscriptionInformation;
      const { total } = body.planInformation.billingCycles;
      const again = {
        subscriptionInformation: { name, code, startDate },
        planInformation: { billingCycles: { total } },
        orderInformation: { amountDetails: { billingAmount: '7.5', setupFee: '2.00' } },
      };
      expect((await update(bench, id, again)).status).toBe(200);
    },
  );

  it('of one that is not running changes its name and code, and not its reference', async () => {
    const told = [];
    for (const state of ['PENDING', 'ACTIVE', 'DELINQUENT', 'SUSPENDED', 'CANCELLED', 'COMPLETED']) {
      const [bench, id] = await at(state);
      told.push((await update(bench, id, { clientReferenceInformation: { code: 'other' } })).status);
    }
    expect(told).toEqual([200, 200, 400, 400, 400, 400]);
  });

  it('of the label of a surcharge keeps its amount', async () => {
    const [bench, id] = await at('ACTIVE');
    const surcharged = async (surcharge: object) => {
      const { status } = await update(bench, id, { orderInformation: { amountDetails: { surcharge } } });
      const { body } = await bench.call('GET', `/rbs/v1/subscriptions/${id}`);
      return [status, body.orderInformation.amountDetails.surcharge];
    };
    expect(await surcharged({ description: 'Fuel' })).toEqual([200, undefined]);
    expect(await surcharged({ amount: '0.50', description: 'Fuel' })).toEqual([
      200,
      { amount: '0.50', description: 'Fuel' },
    ]);
    expect(await surcharged({ description: 'Post' })).toEqual([200, { amount: '0.50', description: 'Post' }]);
    expect(await surcharged({})).toEqual([200, { amount: '0.50', description: 'Post' }]);
  });

  it.each(['ACTIVE', 'SUSPENDED'])('that says again what a %s one has changes nothing of it', async (state) => {
    const bench = fresh();
    const id = await bench.plan({ total: '6', setupFee: '2.00' });
    const it = await bench.subscription(id, { startDate: today });
    const changed = async (billingAmount: string, surcharge: object) =>
      (await update(bench, it, { orderInformation: { amountDetails: { billingAmount, surcharge } } })).status;
    expect(await changed('9.99', { amount: '0.50', description: 'Fuel' })).toBe(200);
    if (state === 'SUSPENDED') await bench.act(it, 'suspend');
    const again = {
      planInformation: { billingCycles: { total: '6' } },
      orderInformation: { amountDetails: { billingAmount: '9.99', setupFee: '2.0', surcharge: { amount: '0.5' } } },
    };
    expect((await update(bench, it, again)).status).toBe(200);
    // What the plan has for a subscription that overrides nothing follows the plan.
    expect((await bench.amend(id, { currency: 'USD', total: '8' }, 'ALL')).status).toBe(200);
    const { body } = await bench.call('GET', `/rbs/v1/subscriptions/${it}`);
    expect([
      await bench.state(it),
      body.planInformation.billingCycles.total,
      body.orderInformation.amountDetails,
    ]).toEqual([
      ...[state, '8'],
      {
        ...{ currency: 'USD', billingAmount: '9.99', setupFee: '2.00' },
        surcharge: { amount: '0.50', description: 'Fuel' },
      },
    ]);
  });

  it('that says again the price of its plan leaves it to the plan', async () => {
    const bench = fresh({ published: ['PL-05'] });
    const id = await bench.plan();
    const it = await bench.subscription(id, { startDate: today });
    const price = async (billingAmount: string) => {
      await update(bench, it, { orderInformation: { amountDetails: { billingAmount } } });
      await bench.amend(id, { amount: '12.00' }, 'ALL');
      return (await bench.call('GET', `/rbs/v1/subscriptions/${it}`)).body.orderInformation.amountDetails.billingAmount;
    };
    expect([await price('9.99'), await price('8.00')]).toEqual(['12.00', '8.00']);
  });

  it('takes the unit that it has, in either case, and no other', async () => {
    const [bench, id] = await at('ACTIVE');
    const told = [];
    for (const unit of ['M', 'm', 'w', 7])
      told.push((await update(bench, id, { planInformation: { billingPeriod: { length: '1', unit } } })).status);
    told.push((await update(bench, id, { planInformation: { billingPeriod: { length: '1' } } })).status);
    expect(told).toEqual([200, 200, 400, 400, 200]);
  });

  it('moves the start of a pending one, and all that follows', async () => {
    const [bench, id] = await at('PENDING');
    await update(bench, id, restarted);
    expect(await bench.coming(id, 2)).toEqual([
      '1 STANDARD SCHEDULED 2026-02-20T10:00',
      '2 STANDARD SCHEDULED 2026-03-20T10:00',
    ]);
  });

  it('SB-02: moves to an active plan alone, whose first payment is charged at once', async () => {
    const [bench, id] = await at('ACTIVE');
    const draft = await bench.plan({ status: 'DRAFT' });
    const to = async (planId: string) => (await update(bench, id, { subscriptionInformation: { planId } })).status;
    expect(await to(draft)).toBe(400);
    expect(await to(await bench.plan({ amount: '20.00', every: '1', unit: 'W' }))).toBe(200);
    expect(await bench.payments(id)).toEqual(['1 STANDARD PAID 2026-01-31T10:00', '1 STANDARD PAID 2026-02-01T00:00']);
    expect(await bench.coming(id, 1)).toEqual(['2 STANDARD SCHEDULED 2026-02-08T00:00']);
  });

  it('takes no fewer payments than were made', async () => {
    const [bench, id] = await at('ACTIVE');
    await bench.to('2026-03-01T00:00:00Z');
    const told = [];
    for (const total of ['1', '2'])
      told.push((await update(bench, id, { planInformation: { billingCycles: { total } } })).status);
    expect([told, await bench.state(id)]).toEqual([[400, 200], 'COMPLETED']);
  });
});
