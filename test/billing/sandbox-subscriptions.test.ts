import { describe, expect, it } from 'vitest';
import type { Told } from '../sandbox/support.ts';
import { type BillingBench, customerOf, fresh } from './sandbox-support.ts';

// Subscriptions as a client of the platform sees them, with no guard between: every rule marked P is the platform's own.

const own = { every: '1', unit: 'M', amount: '7.50', currency: 'EUR' } as const;
const today = '2026-01-15T12:00:00Z';
const field = ({ body }: { readonly body: { readonly details?: readonly { readonly field: string }[] } }) =>
  body.details?.[0]?.field;

describe('a new subscription', () => {
  it('is pending, and answers as document 2 shows', async () => {
    const bench = fresh();
    const { status, body } = await bench.subscribe(await bench.plan(), { code: 'SUB-1', reference: 'order-1' });
    const root = `/rbs/v1/subscriptions/${body.id}`;
    expect([status, body]).toEqual([
      201,
      {
        _links: {
          ...{ self: { href: root, method: 'GET' }, update: { href: root, method: 'PATCH' } },
          cancel: { href: `${root}/cancel`, method: 'POST' },
        },
        id: body.id,
        submitTimeUtc: '2026-01-15T09:00:00.000Z',
        status: 'COMPLETED',
        subscriptionInformation: { code: 'SUB-1', status: 'PENDING' },
        clientReferenceInformation: { code: 'order-1' },
      },
    ]);
  });

  it('is shown with its plan, customer and terms', async () => {
    const bench = fresh();
    const planId = await bench.plan({ code: 'G', total: '3', setupFee: '5.00' });
    const id = await bench.subscription(planId, { code: 'SUB-1' });
    const { _links, ...shown } = (await bench.call('GET', `/rbs/v1/subscriptions/${id}`)).body;
    expect(shown).toEqual({
      id,
      submitTimeUtc: '2026-01-15T09:00:00.000Z',
      planInformation: {
        ...{ code: 'G', name: 'Gold', billingPeriod: { length: '1', unit: 'M' } },
        billingCycles: { total: '3', current: '0' },
      },
      subscriptionInformation: {
        ...{ code: 'SUB-1', name: 'Gold', startDate: '2026-01-31T10:00:00Z', status: 'PENDING', planId },
      },
      paymentInformation: { customer: { id: customerOf('shopper_ada') } },
      orderInformation: {
        amountDetails: { currency: 'GBP', billingAmount: '9.99', setupFee: '5.00' },
        billTo: { firstName: 'Ada', lastName: 'Example' },
      },
    });
  });

  it('SB-01: can have a plan of its own, which is stored nowhere', async () => {
    const bench = fresh();
    const id = await bench.subscription(undefined, { own: { ...own, total: '2', surcharge: '0.50' } });
    const { planInformation, subscriptionInformation, orderInformation } = (
      await bench.call('GET', `/rbs/v1/subscriptions/${id}`)
    ).body;
    expect([planInformation, subscriptionInformation.planId, orderInformation.amountDetails]).toEqual([
      { billingPeriod: { length: '1', unit: 'M' }, billingCycles: { total: '2', current: '0' } },
      undefined,
      { currency: 'EUR', billingAmount: '7.50', surcharge: { amount: '0.50' } },
    ]);
    expect((await bench.call('GET', '/rbs/v1/plans')).body.totalCount).toBe(0);
  });

  // biome-ignore format: a table
  it.each([
    ['SB-01: no plan and no schedule', undefined, {}, 'subscriptionInformation.planId'],
    ['SB-01: a start that has passed', undefined, { own, startDate: '2026-01-14T23:59:59Z' },
      'subscriptionInformation.startDate'],
    ['SB-01: a start that is no moment in UTC', undefined, { own, startDate: '2026-02-01' },
      'subscriptionInformation.startDate'],
    ['SB-01: an offset in place of UTC', undefined, { own, startDate: '2026-02-01T00:00:00+01:00' },
      'subscriptionInformation.startDate'],
    ['SB-01: no name', undefined, { own, name: '' }, 'subscriptionInformation.name'],
    ['SB-03: a code of 11 characters', undefined, { own, code: 'A2345678901' }, 'subscriptionInformation.code'],
    ['PL-03: more than 12 months between payments', undefined, { own: { ...own, every: '13' } },
      'planInformation.billingPeriod'],
  ])('is refused: %s', async (_, planId, change, where) => {
    const bench = fresh();
    const told = await bench.subscribe(planId, change);
    expect([told.status, field(told)]).toEqual([400, where]);
    expect((await bench.call('GET', '/rbs/v1/subscriptions')).body.totalCount).toBe(0);
  });

  it('SB-01: is refused for a customer token that nobody has', async () => {
    const bench = fresh();
    const body = {
      subscriptionInformation: { name: 'Gold', startDate: '2026-01-31T10:00:00Z' },
      paymentInformation: { customer: { id: 'nobody' } },
      planInformation: { billingPeriod: { length: '1', unit: 'M' } },
      orderInformation: { amountDetails: { billingAmount: '1.00', currency: 'GBP' } },
    };
    const told = await bench.call('POST', '/rbs/v1/subscriptions', body);
    expect([told.status, told.body.details]).toEqual([
      400,
      [{ field: 'paymentInformation.customer.id', reason: 'NOT_FOUND' }],
    ]);
  });

  it.each(['DRAFT', 'INACTIVE'])('SB-02: takes no plan that is %s', async (state) => {
    const bench = fresh();
    const planId = await bench.plan(state === 'DRAFT' ? { status: 'DRAFT' } : {});
    if (state === 'INACTIVE') await bench.call('POST', `/rbs/v1/plans/${planId}/deactivate`, {});
    const told = await bench.subscribe(planId);
    expect([told.status, field(told)]).toEqual([400, 'subscriptionInformation.planId']);
  });

  it('SB-03: has a code of its own; a plan may have the same', async () => {
    const bench = fresh();
    const planId = await bench.plan({ code: 'X' });
    expect((await bench.subscribe(planId, { code: 'X' })).status).toBe(201);
    const again = await bench.subscribe(planId, { code: 'X' });
    expect([again.status, again.body.details]).toEqual([
      400,
      [{ field: 'subscriptionInformation.code', reason: 'DUPLICATE' }],
    ]);
    expect((await bench.call('GET', '/rbs/v1/subscriptions/code')).body.code).toBe('X1');
  });

  it.each([
    [{ planInformation: { billingPeriod: { length: '2' } } }, { length: '2', unit: 'M' }],
    [{ planInformation: { billingPeriod: { unit: 'W' } } }, { length: '1', unit: 'W' }],
    [{ planInformation: { billingPeriod: {}, billingCycles: {} } }, { length: '1', unit: 'M' }],
    [{ orderInformation: {} }, { length: '1', unit: 'M' }],
  ])('SB-04: overrides no more of its plan than it names: %j', async (more, billingPeriod) => {
    const bench = fresh();
    const planId = await bench.plan({ every: '1', unit: 'M', total: '12' });
    const body = {
      subscriptionInformation: { name: 'Gold', startDate: '2026-01-31T10:00:00Z', planId },
      paymentInformation: { customer: { id: customerOf('shopper_ada') } },
    };
    const { id } = (await bench.call('POST', '/rbs/v1/subscriptions', { ...body, ...more })).body;
    expect((await bench.call('GET', `/rbs/v1/subscriptions/${id}`)).body).toMatchObject({
      planInformation: { billingPeriod, billingCycles: { total: '12' } },
      orderInformation: { amountDetails: { billingAmount: '9.99' } },
    });
  });

  it('SB-04: leaves its plan as it is, whatever it has otherwise', async () => {
    const bench = fresh();
    const planId = await bench.plan({ total: '12', setupFee: '5.00' });
    const before = (await bench.call('GET', `/rbs/v1/plans/${planId}`)).body;
    const id = await bench.subscription(planId, {
      own: { total: '2', amount: '1.00', setupFee: '0.50', every: '1', unit: 'W' },
    });
    expect((await bench.call('GET', `/rbs/v1/plans/${planId}`)).body).toEqual(before);
    const { planInformation, orderInformation } = (await bench.call('GET', `/rbs/v1/subscriptions/${id}`)).body;
    expect([
      planInformation.billingCycles.total,
      planInformation.billingPeriod,
      orderInformation.amountDetails,
    ]).toEqual([...['2', { length: '1', unit: 'W' }], { currency: 'GBP', billingAmount: '1.00', setupFee: '0.50' }]);
  });

  it.each([
    ['DISCOVER', 400],
    ['DINERS CLUB', 400],
    ['OTHER', 201],
    [undefined, 201],
  ])('SB-06: with a card of %s and no authorized amount answers %i', async (network, status) => {
    const bench = fresh();
    await bench.card('shopper_ada', { network });
    const told = await bench.subscribe(undefined, { own, originalTransactionId: 'network-1' });
    expect([told.status, status === 400 ? field(told) : undefined]).toEqual([
      status,
      status === 400 ? 'subscriptionInformation.originalTransactionAuthorizedAmount' : undefined,
    ]);
    const amount = { originalTransactionId: 'network-1', originalTransactionAuthorizedAmount: '7.50' };
    expect((await bench.subscribe(undefined, { own, ...amount })).status).toBe(201);
  });
});

describe('SB-05: the start of a subscription', () => {
  const verification = async (bench: BillingBench, id: string) => {
    const { documents } = await bench.sandbox.world.snapshot();
    const found = documents.find((it) => it.kind === 'subscription' && it.body.id === id);
    return (found?.body as { readonly verification?: unknown } | undefined)?.verification;
  };

  it('in the future has the card verified with an authorization of nothing', async () => {
    const bench = fresh();
    const id = await bench.subscription(undefined, { own });
    expect([await verification(bench, id), await bench.state(id), await bench.payments(id)]).toEqual([
      { at: Date.parse('2026-01-15T09:00:00Z'), amount: '0.00', succeeded: true },
      'PENDING',
      [],
    ]);
  });

  it('in the future after a first transaction has nothing verified', async () => {
    const bench = fresh();
    const id = await bench.subscription(undefined, { own, originalTransactionId: 'network-1' });
    expect(await verification(bench, id)).toBeNull();
  });

  it.each(['2026-01-15T00:00:00Z', '2026-01-15T09:00:00Z', '2026-01-15T23:59:59Z'])(
    'on the day, at %s, charges at once and verifies nothing',
    async (startDate) => {
      const bench = fresh();
      const { body } = await bench.subscribe(undefined, { own: { ...own, setupFee: '2.00' }, startDate });
      expect(body.subscriptionInformation.status).toBe('ACTIVE');
      expect([await verification(bench, body.id), await bench.payments(body.id)]).toEqual([
        null,
        ['1 STANDARD PAID 2026-01-15T09:00'],
      ]);
      expect((await bench.coming(body.id, 1))[0]?.slice(0, 28)).toBe('2 STANDARD SCHEDULED 2026-02');
    },
  );

  it('that the verification spoils is a decline: 201, and the subscription has failed (D-16)', async () => {
    const bench = fresh();
    await bench.card('shopper_ada', { verifies: false });
    const { status, body } = await bench.subscribe(undefined, { own });
    expect([status, body.status, body.subscriptionInformation.status]).toEqual([201, 'DECLINED', 'FAILED']);
    await bench.to('2026-06-01T00:00:00Z');
    expect([await bench.state(body.id), await bench.payments(body.id)]).toEqual(['FAILED', []]);
  });

  it.each(['declined', 'doNotRetry'])(
    'on the day, with a card that is %s, has failed at once (D-16)',
    async (charge) => {
      const bench = fresh();
      await bench.card('shopper_ada', { charges: [charge] });
      const { status, body } = await bench.subscribe(undefined, { own, startDate: today });
      expect([status, body.status, body.subscriptionInformation.status]).toEqual([201, 'DECLINED', 'FAILED']);
      // Nothing of it can change any more (D-48).
      expect(Object.keys(body._links)).toEqual(['self']);
      await bench.to('2026-06-01T00:00:00Z');
      expect(await bench.payments(body.id)).toEqual(['1 STANDARD FAILED 2026-01-15T09:00']);
      expect((await bench.act(body.id, 'cancel')).status).toBe(400);
    },
  );

  it('on the day, with an internal error, waits, and is tried again until it is resolved', async () => {
    const bench = fresh();
    await bench.card('shopper_ada', { charges: ['error', 'error', 'paid'] });
    const { body } = await bench.subscribe(undefined, { own, startDate: '2026-01-15T09:00:00Z' });
    expect(body.subscriptionInformation.status).toBe('PENDING');
    await bench.to('2026-01-15T10:59:59.999Z');
    expect(await bench.payments(body.id)).toEqual([]);
    await bench.to('2026-01-15T11:00:00Z');
    expect([await bench.state(body.id), await bench.payments(body.id)]).toEqual([
      'ACTIVE',
      ['1 STANDARD PAID 2026-01-15T11:00'],
    ]);
  });
});

describe('the list of subscriptions', () => {
  it('narrows by code, status, customer and reference, and pages', async () => {
    const bench = fresh();
    for (let index = 0; index < 22; index += 1)
      await bench.subscribe(undefined, {
        own,
        code: `S${index}`,
        who: index < 3 ? 'shopper_bo' : 'shopper_ada',
        reference: `r-${index}`,
      });
    const codes = async (query: string) =>
      (await bench.call('GET', `/rbs/v1/subscriptions${query}`)).body.subscriptions.map(
        (it: { subscriptionInformation: { code: string } }) => it.subscriptionInformation.code,
      );
    expect(await codes(`?customerId=${customerOf('shopper_bo')}`)).toEqual(['S0', 'S1', 'S2']);
    expect(await codes('?code=S7')).toEqual(['S7']);
    expect(await codes('?clientReferenceInformationCode=r-9')).toEqual(['S9']);
    expect(await codes('?status=ACTIVE')).toEqual([]);
    expect((await codes('')).length).toBe(20);
    expect(await codes('?offset=20')).toEqual(['S20', 'S21']);
    const first = await bench.call('GET', `/rbs/v1/subscriptions?customerId=${customerOf('shopper_bo')}&limit=2`);
    const second = await bench.call('GET', first.body._links.next.href);
    expect([
      second.body.totalCount,
      second.body.subscriptions.map(
        (it: { subscriptionInformation: { code: string } }) => it.subscriptionInformation.code,
      ),
    ]).toEqual([3, ['S2']]);
  });

  it('of payments shows as many to come on every page', async () => {
    const bench = fresh();
    const id = await bench.subscription(undefined, { own });
    const cycles = (at: Told) => at.body.subscriptionPayment.map((it: { billingCycle: string }) => it.billingCycle);
    const first = await bench.call('GET', `/rbs/v1/subscriptions/${id}/payments?scheduledPaymentsCount=8&limit=3`);
    const second = await bench.call('GET', first.body._links.next.href);
    const third = await bench.call('GET', second.body._links.next.href);
    expect([first, second, third].map(cycles)).toEqual([
      ['1', '2', '3'],
      ['4', '5', '6'],
      ['7', '8'],
    ]);
    expect(cycles(await bench.call('GET', third.body._links.prev.href))).toEqual(['4', '5', '6']);
  });
});

describe('the merchant’s reference of a payment', () => {
  const january = 'startTime=2026-01-01T00:00:00Z&endTime=2026-02-01T00:00:00Z';
  const references = async (bench: BillingBench): Promise<readonly string[]> => {
    const { body } = await bench.call('GET', `/reporting/v3/purchase-refund-details?${january}`);
    return body.requestDetails.map(
      ({ merchantReferenceNumber }: { merchantReferenceNumber?: string }) => merchantReferenceNumber,
    );
  };
  const daily = { own: { ...own, every: '1', unit: 'D', total: '3' }, startDate: today };

  it('is the one of its subscription', async () => {
    const bench = fresh();
    await bench.subscription(undefined, { ...daily, reference: 'order-7' });
    await bench.to('2026-01-20T00:00:00Z');
    expect(await references(bench)).toEqual(['order-7', 'order-7', 'order-7']);
  });

  it('is a random number for each payment of a subscription without one', async () => {
    const bench = fresh();
    const id = await bench.subscription(undefined, daily);
    await bench.to('2026-01-20T00:00:00Z');
    const told = await references(bench);
    expect(told).toEqual(Array(3).fill(expect.stringMatching(/^\d{1,20}$/)));
    expect(new Set(told).size).toBe(3);
    expect((await bench.call('GET', `/rbs/v1/subscriptions/${id}`)).body.clientReferenceInformation).toBeUndefined();
  });
});

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

describe('a subscription that follows a payment', () => {
  it('is made for the customer of that payment, whose card was verified then', async () => {
    const bench = fresh();
    const root = '/rbs/v1/subscriptions/follow-ons/earlier-payment-0001';
    const found = await bench.call('GET', root);
    expect([found.status, found.body.buyerInformation, found.body.paymentInstrument.card]).toEqual([
      200,
      { merchantCustomerID: customerOf('shopper_ada'), email: 'ada@example.com' },
      { number: 'XXXXXXXXXXXX1111', expirationMonth: '12', expirationYear: '2031' },
    ]);
    const { status, body } = await bench.call('POST', root, {
      subscriptionInformation: { name: 'Gold', startDate: '2026-01-31T10:00:00Z' },
      planInformation: { billingPeriod: { length: '1', unit: 'M' } },
      orderInformation: { amountDetails: { billingAmount: '1.00', currency: 'GBP' } },
    });
    expect([status, body.subscriptionInformation.status]).toEqual([201, 'PENDING']);
    const shown = (await bench.call('GET', `/rbs/v1/subscriptions/${body.id}`)).body;
    expect(shown.paymentInformation.customer.id).toBe(customerOf('shopper_ada'));
  });

  it('can follow a payment of another subscription', async () => {
    const bench = fresh();
    const id = await bench.subscription(undefined, { own, startDate: today });
    const { subscriptionPayment } = (
      await bench.call('GET', `/rbs/v1/subscriptions/${id}/payments?scheduledPaymentsCount=0`)
    ).body;
    const found = await bench.call('GET', `/rbs/v1/subscriptions/follow-ons/${subscriptionPayment[0].transactionID}`);
    expect([found.status, found.body.buyerInformation.email]).toEqual([200, 'ada@example.com']);
  });

  it('is not found where there was none', async () => {
    expect((await fresh().call('GET', '/rbs/v1/subscriptions/follow-ons/nothing-1')).status).toBe(404);
  });
});
