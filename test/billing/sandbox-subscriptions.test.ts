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
