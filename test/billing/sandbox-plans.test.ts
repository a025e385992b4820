import { describe, expect, it } from 'vitest';
import { contract } from '../../src/domains/index.ts';
import { type BillingBench, fresh, planBody } from './sandbox-support.ts';

// Plans as a client of the platform sees them, with no guard between: every rule marked P is the platform's own.

/** The platform's no: status, reason, and what is at fault. */
const no = ({ status, body }: { readonly status: number; readonly body: Refused }) => [
  status,
  body.status,
  body.reason,
  ...(body.details ?? []).map(({ field, reason }) => `${field} ${reason}`),
];
interface Refused {
  readonly status: string;
  readonly reason: string;
  readonly details?: readonly { readonly field: string; readonly reason: string }[];
}

describe('a new plan', () => {
  it('is active where nothing is said (D-11), and answers as document 2 shows', async () => {
    const bench = fresh();
    const { status, body } = await bench.createPlan({ code: 'GOLD-01', setupFee: '5.00', total: '12' });
    expect([status, body]).toEqual([
      201,
      {
        _links: {
          self: { href: `/rbs/v1/plans/${body.id}`, method: 'GET' },
          update: { href: `/rbs/v1/plans/${body.id}`, method: 'PATCH' },
          deactivate: { href: `/rbs/v1/plans/${body.id}/deactivate`, method: 'POST' },
        },
        id: body.id,
        submitTimeUtc: '2026-01-15T09:00:00.000Z',
        status: 'COMPLETED',
        planInformation: { code: 'GOLD-01', status: 'ACTIVE' },
      },
    ]);
    expect((await bench.call('GET', `/rbs/v1/plans/${body.id}`)).body).toEqual({
      _links: { self: { href: `/rbs/v1/plans/${body.id}`, method: 'GET' } },
      id: body.id,
      submitTimeUtc: '2026-01-15T09:00:00.000Z',
      planInformation: {
        ...{ code: 'GOLD-01', status: 'ACTIVE', name: 'Gold' },
        billingPeriod: { length: '1', unit: 'M' },
        billingCycles: { total: '12' },
      },
      orderInformation: { amountDetails: { currency: 'GBP', billingAmount: '9.99', setupFee: '5.00' } },
    });
  });

  it('can be a draft', async () => {
    const bench = fresh();
    const { body } = await bench.createPlan({ status: 'DRAFT' });
    expect([body.planInformation.status, Object.keys(body._links)]).toEqual(['DRAFT', ['self', 'update', 'activate']]);
  });

  it('takes the units of a request in lower case and answers them in upper case', async () => {
    const bench = fresh();
    const id = await bench.plan({ unit: 'w', every: '2' });
    expect((await bench.call('GET', `/rbs/v1/plans/${id}`)).body.planInformation.billingPeriod).toEqual({
      length: '2',
      unit: 'W',
    });
  });

  it.each([
    ['PL-01: a code of 11 characters', { code: 'A2345678901' }, 'planInformation.code'],
    ['PL-01: a code with a sign that is none of it', { code: 'GOLD_1' }, 'planInformation.code'],
    ['PL-02: an amount that is none', { amount: '9,99' }, 'orderInformation.amountDetails.billingAmount'],
    ['PL-02: more decimals than its currency has', { amount: '9.999' }, 'orderInformation.amountDetails.billingAmount'],
    ['PL-02: a currency that is none', { currency: 'XYZ' }, 'orderInformation.amountDetails.currency'],
    ['PL-02: a period of nothing', { every: '0' }, 'planInformation.billingPeriod.length'],
    ['PL-02: a unit that is none', { unit: 'Q' }, 'planInformation.billingPeriod.unit'],
    ['PL-03: 13 months', { every: '13' }, 'planInformation.billingPeriod'],
    ['PL-03: 2 years', { every: '2', unit: 'Y' }, 'planInformation.billingPeriod'],
    ['PL-03: 53 weeks', { every: '53', unit: 'W' }, 'planInformation.billingPeriod'],
    ['PL-03: 366 days', { every: '366', unit: 'D' }, 'planInformation.billingPeriod'],
  ])('is refused for %s', async (_, change, field) => {
    const bench = fresh();
    const told = await bench.createPlan(change);
    expect(no(told)).toEqual([400, 'INVALID_REQUEST', 'INVALID_DATA', `${field} INVALID_DATA`]);
    expect((await bench.call('GET', '/rbs/v1/plans')).body.totalCount).toBe(0);
  });

  it.each(['12 M', '1 Y', '52 W', '365 D'])('PL-03: is taken with %s', async (period) => {
    const [every = '', unit = ''] = period.split(' ');
    expect((await fresh().createPlan({ every, unit })).status).toBe(201);
  });

  it.each(['name', 'billingPeriod'])('PL-02: is refused without its %s', async (name) => {
    const bench = fresh();
    const { planInformation, ...rest } = planBody();
    const told = await bench.call('POST', '/rbs/v1/plans', {
      ...rest,
      planInformation: { ...planInformation, [name]: undefined },
    });
    expect(no(told)).toEqual([400, 'INVALID_REQUEST', 'INVALID_DATA', `planInformation.${name} MISSING_FIELD`]);
  });
});

describe('a plan code', () => {
  it('PL-01: is used once; a used one is a DUPLICATE, and one that is deleted is free', async () => {
    const bench = fresh();
    const id = await bench.plan({ code: 'A.1' });
    expect(no(await bench.createPlan({ code: 'A.1' }))).toEqual([
      ...[400, 'INVALID_REQUEST', 'INVALID_DATA'],
      'planInformation.code DUPLICATE',
    ]);
    await bench.call('DELETE', `/rbs/v1/plans/${id}`);
    expect((await bench.createPlan({ code: 'A.1' })).status).toBe(201);
  });

  it('PL-13: the next one follows the last that was specified, and skips what is taken', async () => {
    const bench = fresh();
    const next = async () => (await bench.call('GET', '/rbs/v1/plans/code')).body.code;
    const codes = [await next()];
    for (const code of ['GOLD-08', 'GOLD-10', 'GOLD-09', 'SILVER', '9999999999', 'Z']) {
      await bench.createPlan({ code });
      codes.push(await next());
    }
    expect(codes).toEqual(['1', 'GOLD-09', 'GOLD-11', 'GOLD-11', 'SILVER1', '1', 'Z1']);
  });

  it.each([
    ['ten letters count for nothing', 'VJLTMZINPQ', 'GOLD-10'],
    ['nor do ten signs of any kind', 'AUTUMN-26.', 'GOLD-10'],
    ['nine have room for a number', 'VJLTMZINP', 'VJLTMZINP1'],
    ['ten that end in a number count', 'VJLTMZINP1', 'VJLTMZINP2'],
  ])('PL-13: a code with no room for a number is followed by none: %s (D-49)', async (_, code, next) => {
    const bench = fresh();
    await bench.createPlan({ code: 'GOLD-09' });
    await bench.createPlan({ code });
    expect((await bench.call('GET', '/rbs/v1/plans/code')).body.code).toBe(next);
  });

  it('is made where none is given', async () => {
    const bench = fresh();
    const codes = [await bench.createPlan(), await bench.createPlan()].map(({ body }) => body.planInformation.code);
    expect(codes).toEqual(['1', '2']);
  });
});

describe('the list of plans', () => {
  async function many(): Promise<BillingBench> {
    const bench = fresh();
    for (let index = 0; index < 25; index += 1)
      await bench.plan({ code: `P${index}`, name: index % 2 === 0 ? 'Gold' : 'Silver' });
    await bench.plan({ code: 'DRAFTED', status: 'DRAFT', name: 'Golden' });
    return bench;
  }
  const names = ({
    body,
  }: {
    readonly body: { readonly plans: readonly { readonly planInformation: { readonly code: string } }[] };
  }) => body.plans.map((plan) => plan.planInformation.code);

  it('PL-12: has 20 plans where nothing is said, a next page, and the whole number', async () => {
    const bench = await many();
    const first = await bench.call('GET', '/rbs/v1/plans');
    expect([first.body.totalCount, names(first).length, first.body._links]).toEqual([
      26,
      20,
      {
        self: { href: '/rbs/v1/plans?offset=0&limit=20', method: 'GET' },
        next: { href: '/rbs/v1/plans?offset=20&limit=20', method: 'GET' },
      },
    ]);
    const second = await bench.call('GET', first.body._links.next.href);
    expect([names(second), Object.keys(second.body._links)]).toEqual([
      ['P20', 'P21', 'P22', 'P23', 'P24', 'DRAFTED'],
      ['self', 'previous'],
    ]);
    expect(names(await bench.call('GET', '/rbs/v1/plans?limit=100')).length).toBe(26);
  });

  it.each([
    ['name=gold', 14],
    ['filters=name:gold AND status:ACTIVE', 13],
    ['status=DRAFT', 1],
  ])('PL-12: keeps to what it is narrowed by from page to page, and back: %s', async (query, total) => {
    const bench = await many();
    const some = (limit: number) => bench.call('GET', `/rbs/v1/plans?${query.replaceAll(' ', '%20')}&limit=${limit}`);
    const all = names(await some(100));
    const pages: (typeof all)[] = [];
    const back: (typeof all)[] = [];
    let page = await some(4);
    for (; ; page = await bench.call('GET', page.body._links.next.href)) {
      pages.push(names(page));
      expect(names(await bench.call('GET', page.body._links.self.href))).toEqual(names(page));
      if (page.body._links.next === undefined) break;
    }
    for (; ; page = await bench.call('GET', page.body._links.previous.href)) {
      back.unshift(names(page));
      if (page.body._links.previous === undefined) break;
    }
    expect([all.length, pages.flat(), back]).toEqual([total, all, pages]);
  });

  it('PL-12: answers as the contract has it, however long what it is narrowed by is', async () => {
    const name = 'Größe'.repeat(51);
    const { body } = await fresh().call('GET', `/rbs/v1/plans?name=${encodeURIComponent(name)}`);
    expect(contract.listPlans.output[200].parse(body)).toEqual(body);
    expect(new URLSearchParams(body._links.self.href.split('?')[1]).get('name')).toBe(name);
  });

  it.each([
    '?limit=101',
    '?limit=0',
    '?limit=x',
    '?offset=-1',
    '?limit=',
    '?filters=price:9',
    '?filters=name',
    '?filters=name:A OR code:B',
  ])('PL-12: is refused with %s', async (query) => {
    const bench = fresh();
    expect((await bench.call('GET', `/rbs/v1/plans${query.replaceAll(' ', '%20')}`)).status).toBe(400);
  });

  it.each([
    ['?status=DRAFT', ['DRAFTED']],
    ['?code=P7', ['P7']],
    ['?name=gold&status=DRAFT', ['DRAFTED']],
    ['?filters=status:DRAFT', ['DRAFTED']],
    ['?filters=name:gold AND code:P4', ['P4']],
    ['?filters=name:gold AND code:P5', []],
    ['?filters=code:P4&status=DRAFT', []],
  ])('PL-12: narrows by %s', async (query, codes) => {
    const bench = await many();
    expect(names(await bench.call('GET', `/rbs/v1/plans${query.replaceAll(' ', '%20')}`))).toEqual(codes);
  });
});

describe('a plan’s life', () => {
  it('PL-09: is activated from draft and inactive, deactivated from active, by POST and PATCH', async () => {
    const bench = fresh();
    const id = await bench.plan({ status: 'DRAFT' });
    const step = async (name: string, method = 'POST') => {
      const { status, body } = await bench.call(method, `/rbs/v1/plans/${id}/${name}`, {});
      return status === 200 ? body.planInformation.status : body.reason;
    };
    expect([await step('deactivate'), await step('activate'), await step('activate')]).toEqual([
      'VALIDATION_ERROR',
      'ACTIVE',
      'VALIDATION_ERROR',
    ]);
    expect([await step('deactivate', 'PATCH'), await step('deactivate'), await step('activate', 'PATCH')]).toEqual([
      'INACTIVE',
      'VALIDATION_ERROR',
      'ACTIVE',
    ]);
  });

  it.each(['DRAFT', 'ACTIVE', 'INACTIVE'])(
    'PL-10: a plan that is %s and was never assigned can be deleted',
    async (state) => {
      const bench = fresh();
      const id = await bench.plan(state === 'DRAFT' ? { status: 'DRAFT' } : {});
      if (state === 'INACTIVE') await bench.call('POST', `/rbs/v1/plans/${id}/deactivate`, {});
      const { status, body } = await bench.call('DELETE', `/rbs/v1/plans/${id}`);
      expect([status, body]).toEqual([200, { submitTimeUtc: '2026-01-15T09:00:00.000Z', status: 'COMPLETED' }]);
      expect(no(await bench.call('GET', `/rbs/v1/plans/${id}`))).toEqual([
        404,
        'NOT_FOUND',
        'NOT_FOUND',
        'id NOT_FOUND',
      ]);
    },
  );

  it('PL-10: a plan that was ever assigned stays, even when its subscription is cancelled', async () => {
    const bench = fresh();
    const id = await bench.plan();
    await bench.act(await bench.subscription(id), 'cancel');
    expect(no(await bench.call('DELETE', `/rbs/v1/plans/${id}`))).toEqual([400, 'INVALID_REQUEST', 'VALIDATION_ERROR']);
    await bench.call('POST', `/rbs/v1/plans/${id}/deactivate`, {});
    expect((await bench.call('DELETE', `/rbs/v1/plans/${id}`)).status).toBe(400);
  });
});

describe('an amendment', () => {
  const members = [
    ['name', { name: 'Silver' }],
    ['code', { code: 'NEW' }],
    ['description', { description: 'More' }],
    ['billingAmount', { amount: '1.00' }],
    ['setupFee', { setupFee: '1.00' }],
    ['currency', { currency: 'EUR' }],
    ['billingPeriod', { every: '2', unit: 'W' }],
    ['billingCycles', { total: '24' }],
  ] as const;

  it.each(members)('PL-04: changes %s of a draft', async (_, change) => {
    const bench = fresh();
    const id = await bench.plan({ status: 'DRAFT', total: '12' });
    expect((await bench.amend(id, change)).status).toBe(200);
  });

  it('PL-04: changes the status of a draft to ACTIVE, which is to activate it, and no other status', async () => {
    const bench = fresh();
    const id = await bench.plan({ status: 'DRAFT', total: '12' });
    const become = (status: string, name: string) =>
      bench.call('PATCH', `/rbs/v1/plans/${id}`, { planInformation: { status, name } });
    const refused = [400, 'INVALID_REQUEST', 'INVALID_DATA', 'planInformation.status INVALID_DATA'];
    expect(no(await become('INACTIVE', 'Silver'))).toEqual(refused);
    expect((await become('DRAFT', 'Silver')).body.planInformation.status).toBe('DRAFT');
    expect((await become('ACTIVE', 'Bronze')).body).toMatchObject({
      _links: { deactivate: { method: 'POST' } },
      planInformation: { status: 'ACTIVE' },
    });
    expect((await bench.call('GET', `/rbs/v1/plans/${id}`)).body.planInformation).toMatchObject({
      ...{ status: 'ACTIVE', name: 'Bronze' },
    });
    expect(no(await become('DRAFT', 'Bronze'))).toEqual(refused);
    expect(no(await become('INACTIVE', 'Bronze'))).toEqual(refused);
  });

  it.each([
    ['its length', { length: '3' }, { length: '3', unit: 'M' }],
    ['its unit', { unit: 'w' }, { length: '1', unit: 'W' }],
    ['nothing of it', {}, { length: '1', unit: 'M' }],
  ])('PL-02: requires neither part of a period, and keeps what it leaves out: %s', async (_, billingPeriod, held) => {
    const bench = fresh();
    const id = await bench.plan({ every: '1', unit: 'm' });
    expect((await bench.call('PATCH', `/rbs/v1/plans/${id}`, { planInformation: { billingPeriod } })).status).toBe(200);
    expect((await bench.call('GET', `/rbs/v1/plans/${id}`)).body.planInformation.billingPeriod).toEqual(held);
  });

  it('PL-03: holds the period that it leads to against twelve months', async () => {
    const bench = fresh();
    const id = await bench.plan({ every: '12', unit: 'M' });
    const told = await bench.call('PATCH', `/rbs/v1/plans/${id}`, {
      planInformation: { billingPeriod: { unit: 'Y' } },
    });
    expect([told.status, told.body.details]).toEqual([
      400,
      [{ field: 'planInformation.billingPeriod', reason: 'INVALID_DATA' }],
    ]);
  });

  it.each([
    { processingInformation: {} },
    { processingInformation: { subscriptionBillingOptions: {} } },
    { orderInformation: {} },
    { orderInformation: { amountDetails: {} } },
    { planInformation: { billingCycles: {} } },
  ])('PL-08: is for new subscriptions by default, and requires nothing: %j', async (more) => {
    const bench = fresh();
    const planId = await bench.plan({ every: '1', unit: 'M' });
    const id = await bench.subscription(planId);
    const body = { ...more, planInformation: { ...more.planInformation, billingPeriod: { length: '2', unit: 'M' } } };
    expect((await bench.call('PATCH', `/rbs/v1/plans/${planId}`, body)).status).toBe(200);
    const held = async (path: string) => (await bench.call('GET', path)).body.planInformation.billingPeriod.length;
    expect([await held(`/rbs/v1/plans/${planId}`), await held(`/rbs/v1/subscriptions/${id}`)]).toEqual(['2', '1']);
  });

  const statuses = async (bench: BillingBench) => {
    const told = [];
    for (const [name, change] of members) {
      const id = await bench.plan({ total: '12' });
      told.push([name, (await bench.amend(id, change)).status]);
    }
    return Object.fromEntries(told);
  };

  it('PL-05: of an active plan changes period, cycles and currency alone', async () => {
    expect(await statuses(fresh())).toEqual({
      ...{ name: 400, code: 400, description: 400, billingAmount: 400, setupFee: 400 },
      ...{ currency: 200, billingPeriod: 200, billingCycles: 200 },
    });
  });

  it('PL-05: the other way round where the platform keeps it as it is published (D-01)', async () => {
    expect(await statuses(fresh({ published: ['PL-05'] }))).toEqual({
      ...{ name: 200, code: 200, description: 200, billingAmount: 200, setupFee: 200 },
      ...{ currency: 400, billingPeriod: 400, billingCycles: 200 },
    });
  });

  it('PL-06: of an inactive plan is refused', async () => {
    const bench = fresh();
    const id = await bench.plan({ total: '12' });
    await bench.call('POST', `/rbs/v1/plans/${id}/deactivate`, {});
    expect(no(await bench.amend(id, { total: '24' }))).toEqual([400, 'INVALID_REQUEST', 'VALIDATION_ERROR']);
  });

  it.each([
    ['12', '13', 200],
    ['12', '12', 200],
    ['12', '11', 400],
    [undefined, '12', 400],
  ])('PL-07: of %s payments to %s answers %i', async (from, total, status) => {
    const bench = fresh();
    const id = await bench.plan(from === undefined ? {} : { total: from });
    expect((await bench.amend(id, { total: total ?? '' })).status).toBe(status);
  });

  it('PL-08: applies to ALL or NEW, and to nothing else', async () => {
    const bench = fresh();
    const id = await bench.plan({ total: '12' });
    const told = [];
    for (const applyTo of ['ALL', 'NEW', 'SOME'] as const)
      told.push((await bench.amend(id, { total: '12' }, applyTo as 'ALL')).status);
    expect(told).toEqual([200, 200, 400]);
  });

  it.each([
    { processingInformation: {} },
    { processingInformation: { subscriptionBillingOptions: {} } },
    { orderInformation: {} },
  ])('PL-08: applies to NEW where nothing is said: %j', async (said) => {
    const bench = fresh();
    const id = await bench.plan({ total: '3' });
    const one = await bench.subscription(id);
    const change = { planInformation: { billingCycles: { total: '6' } }, ...said };
    expect((await bench.call('PATCH', `/rbs/v1/plans/${id}`, change)).status).toBe(200);
    const total = async (of: string) =>
      (await bench.call('GET', `/rbs/v1/${of}`)).body.planInformation.billingCycles.total;
    expect([await total(`plans/${id}`), await total(`subscriptions/${one}`)]).toEqual(['6', '3']);
  });

  it('PL-08: reaches existing subscriptions with ALL alone, and none of what they have of their own', async () => {
    const bench = fresh({ published: ['PL-05'] });
    const id = await bench.plan({ total: '3' });
    const own = await bench.subscription(id, { own: { amount: '5.00' } });
    const plain = await bench.subscription(id);
    const amounts = async () => {
      const views = [
        await bench.call('GET', `/rbs/v1/subscriptions/${own}`),
        await bench.call('GET', `/rbs/v1/subscriptions/${plain}`),
      ];
      return views.map(({ body }) => [
        body.orderInformation.amountDetails.billingAmount,
        body.planInformation.billingCycles.total,
      ]);
    };
    await bench.amend(id, { amount: '20.00' });
    expect(await amounts()).toEqual([
      ['5.00', '3'],
      ['9.99', '3'],
    ]);
    await bench.amend(id, { amount: '21.00', total: '6' }, 'ALL');
    expect(await amounts()).toEqual([
      ['5.00', '6'],
      ['21.00', '6'],
    ]);
    const later = await bench.subscription(id);
    expect(
      (await bench.call('GET', `/rbs/v1/subscriptions/${later}`)).body.orderInformation.amountDetails.billingAmount,
    ).toBe('21.00');
  });

  it('of the period keeps the next payment of an existing subscription, and counts from it', async () => {
    const bench = fresh();
    const id = await bench.plan();
    const it = await bench.subscription(id, { startDate: '2026-01-31T10:00:00Z' });
    await bench.to('2026-02-10T00:00:00Z');
    await bench.amend(id, { every: '1', unit: 'W' }, 'ALL');
    expect(await bench.coming(it)).toEqual([
      '2 STANDARD SCHEDULED 2026-02-28T10:00',
      '3 STANDARD SCHEDULED 2026-03-07T10:00',
      '4 STANDARD SCHEDULED 2026-03-14T10:00',
    ]);
    await bench.to('2026-03-08T00:00:00Z');
    expect(await bench.payments(it)).toEqual([
      '1 STANDARD PAID 2026-01-31T10:00',
      '2 STANDARD PAID 2026-02-28T10:00',
      '3 STANDARD PAID 2026-03-07T10:00',
    ]);
  });

  it('D-160: of the period stays on the day of month of the start, however often it changes', async () => {
    const bench = fresh();
    const id = await bench.plan();
    const it = await bench.subscription(id, { startDate: '2026-01-31T10:00:00Z' });
    await bench.to('2026-02-10T00:00:00Z');
    await bench.amend(id, { every: '2', unit: 'M' }, 'ALL');
    expect(await bench.coming(it)).toEqual([
      '2 STANDARD SCHEDULED 2026-02-28T10:00',
      '3 STANDARD SCHEDULED 2026-04-30T10:00',
      '4 STANDARD SCHEDULED 2026-06-30T10:00',
    ]);
    await bench.to('2026-03-01T00:00:00Z');
    await bench.amend(id, { every: '1', unit: 'M' }, 'ALL');
    expect(await bench.coming(it)).toEqual([
      '3 STANDARD SCHEDULED 2026-04-30T10:00',
      '4 STANDARD SCHEDULED 2026-05-31T10:00',
      '5 STANDARD SCHEDULED 2026-06-30T10:00',
    ]);
    // Of weeks the day of month is nothing: months that follow are counted from a day of theirs.
    await bench.amend(id, { every: '1', unit: 'W' }, 'ALL');
    await bench.to('2026-05-01T00:00:00Z');
    await bench.amend(id, { every: '1', unit: 'M' }, 'ALL');
    expect(await bench.coming(it, 2)).toEqual([
      '4 STANDARD SCHEDULED 2026-05-07T10:00',
      '5 STANDARD SCHEDULED 2026-06-07T10:00',
    ]);
  });

  it('D-160: of the period leaves what a suspended subscription missed as it was', async () => {
    const bench = fresh();
    const id = await bench.plan({ total: '20' });
    const it = await bench.subscription(id, { startDate: '2026-01-31T10:00:00Z' });
    await bench.to('2026-02-10T00:00:00Z');
    await bench.act(it, 'suspend');
    await bench.passOver(it, [3]);
    await bench.to('2026-06-10T00:00:00Z');
    const missed = async () => (await bench.call('GET', `/rbs/v1/subscriptions/${it}`)).body.reactivationInformation;
    const before = await missed();
    expect(before).toEqual({ missedPaymentsCount: '4', missedPaymentsTotalAmount: '39.96' });
    await bench.amend(id, { every: '1', unit: 'W' }, 'ALL');
    expect(await missed()).toEqual(before);
    await bench.to('2026-06-20T00:00:00Z');
    expect(await missed()).toEqual(before);
    await bench.act(it, 'activate');
    expect((await bench.payments(it)).map((one) => one.slice(0, 15))).toEqual(
      [1, 2, 3, 4, 5].map((cycle) => `${cycle} STANDARD PAID`),
    );
    expect(await bench.coming(it, 2)).toEqual([
      '6 STANDARD SCHEDULED 2026-06-30T10:00',
      '7 STANDARD SCHEDULED 2026-07-07T10:00',
    ]);
    const { subscriptionPayment } = (await bench.call('GET', `/rbs/v1/subscriptions/${it}/payments?limit=100`)).body;
    const periodOf = (cycle: string) =>
      subscriptionPayment
        .filter((one: { billingCycle: string }) => one.billingCycle === cycle)
        .map((one: { billingStartDate: string; billingEndDate: string }) =>
          [one.billingStartDate, one.billingEndDate].map((time) => time.slice(0, 16)),
        );
    expect([periodOf('3'), periodOf('5')]).toEqual([
      [['2026-03-31T10:00', '2026-04-30T09:59']],
      [['2026-05-31T10:00', '2026-06-30T09:59']],
    ]);
  });

  it('D-160: of the period leaves the retries of a payment, their number and the time between them', async () => {
    const bench = fresh();
    await bench.card('shopper_ada', { charges: ['paid', 'declined'] });
    const id = await bench.plan();
    const it = await bench.subscription(id, { startDate: '2026-01-31T10:00:00Z' });
    await bench.to('2026-03-01T00:00:00Z');
    await bench.amend(id, { every: '1', unit: 'W' }, 'ALL');
    await bench.to('2026-03-20T00:00:00Z');
    expect(await bench.payments(it)).toEqual([
      '1 STANDARD PAID 2026-01-31T10:00',
      '2 STANDARD FAILED 2026-02-28T10:00',
      ...['02', '04', '06', '08', '10'].map((day) => `2 RETRY FAILED 2026-03-${day}T10:00`),
    ]);
    const { subscriptionPayment } = (await bench.call('GET', `/rbs/v1/subscriptions/${it}/payments`)).body;
    expect(subscriptionPayment[0]).toMatchObject({
      ...{ billingStartDate: '2026-02-28T10:00:00.000Z', billingEndDate: '2026-03-31T09:59:59.999Z' },
    });
  });
});

it('shows a plan of another merchant to nobody', async () => {
  const bench = fresh();
  expect(no(await bench.call('GET', '/rbs/v1/plans/00000000-0000-4000-8000-000000000000'))).toEqual([
    404,
    'NOT_FOUND',
    'NOT_FOUND',
    'id NOT_FOUND',
  ]);
});
