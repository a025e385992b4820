import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { webhookProducts } from '../../src/domains/webhooks/events.ts';
import { credentials, host, signed, start } from '../sandbox/support.ts';
import { Desk, lookup, organizationId, path, policy, subscription } from './support.ts';

// What the platform itself does and refuses, whatever Purser's guards say: a client of the merchant's own calls it.

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
});

const now = '2026-01-15T09:00:00.000Z';
const uuid = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
const no = (status: 400 | 404, field: string, reason = 'INVALID_DATA') => ({
  status,
  body: {
    submitTimeUtc: now,
    status: status === 404 ? 'NOT_FOUND' : 'INVALID_REQUEST',
    reason: status === 404 ? 'RESOURCE_NOT_FOUND' : 'INVALID_DATA',
    message: expect.any(String),
    details: [{ field, reason }],
  },
});

describe('a subscription', () => {
  it('is created inactive, as it was asked for, without its key', async () => {
    const { securityPolicy: _, ...asked } = subscription();
    const { status, body } = await desk.create();
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        ...{ ...asked, webhookId: uuid, status: 'INACTIVE', createdOn: now },
        securityPolicy: { securityType: 'key' },
      },
    });
    const { key } = (await desk.control('GET', `webhooks/${body.webhookId}/key`)).body;
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(JSON.stringify([body, (await desk.list()).body])).not.toContain(key);
  });

  it('takes what real clients send: figures as text, a flag as a truth value, members nobody knows, no policy', async () => {
    const figures = { firstRetry: '1', interval: '1', numberOfRetries: '100', repeatSequenceCount: '0' };
    const { body } = await desk.create({
      retryPolicy: policy({ ...figures, deactivateFlag: true }),
      more: { of: 'it' },
    });
    expect(body.retryPolicy).toEqual(policy({ numberOfRetries: 100, deactivateFlag: 'true' }));
    const bare = await desk.call('POST', path, {
      organizationId,
      products: subscription().products,
      webhookUrl: 'https://shop.example.com/hook',
    });
    expect(bare.body).toEqual({
      ...{ webhookId: uuid, organizationId, products: subscription().products, status: 'INACTIVE', createdOn: now },
      ...{ webhookUrl: 'https://shop.example.com/hook', notificationScope: 'DESCENDANTS', retryPolicy: policy() },
      securityPolicy: { securityType: 'key' },
    });
  });

  it('is read, changed, switched, and deleted', async () => {
    const id = await desk.on();
    await desk.control('POST', 'clock', { advance: 'PT1H' });
    const changed = await desk.call('PATCH', `${path}/${id}`, { name: 'Books', retryPolicy: policy({ interval: 9 }) });
    expect(changed.body).toMatchObject({
      ...{ name: 'Books', status: 'ACTIVE', description: 'For the books', retryPolicy: policy() },
      ...{ createdOn: now, updatedOn: '2026-01-15T10:00:00.000Z' },
    });
    expect(await desk.call('GET', `${path}/${id}`)).toEqual(changed);
    expect(await desk.status(id, 'INACTIVE')).toEqual({ status: 200, body: undefined });
    expect((await desk.list()).body).toMatchObject([{ webhookId: id, status: 'INACTIVE' }]);
    expect(await desk.call('DELETE', `${path}/${id}`)).toEqual({ status: 200, body: undefined });
    expect((await desk.call('GET', `${path}/${id}`)).status).toBe(404);
    expect((await desk.list()).body).toEqual([]);
  });

  it.each([
    ['no organization', { organizationId: undefined }, 'organizationId', 'MISSING_FIELD'],
    ['another organization', { organizationId: 'somebody_else' }, 'organizationId'],
    ['no address', { webhookUrl: undefined }, 'webhookUrl', 'MISSING_FIELD'],
    ['an address that is none', { webhookUrl: 'file:///etc/passwd' }, 'webhookUrl'],
    ['no product', { products: [] }, 'products'],
    ['an unknown product', { products: [{ productId: 'none', eventTypes: ['a.b'] }] }, 'products[0].productId'],
    [
      "another product's event",
      { products: [{ productId: 'recurringBilling', eventTypes: ['tms.token.created'] }] },
      'products[0].eventTypes',
    ],
    ['an algorithm that is none', { retryPolicy: { algorithm: 'RANDOM' } }, 'retryPolicy.algorithm'],
    ['too many retries', { retryPolicy: { numberOfRetries: 101 } }, 'retryPolicy.numberOfRetries'],
    ['a scope that is none', { notificationScope: 'ALL' }, 'notificationScope'],
  ])('with %s is refused', async (_, change, field, reason = 'INVALID_DATA') => {
    expect(await desk.create(change)).toEqual(no(400, field, reason));
    expect((await desk.list()).body).toEqual([]);
  });

  it.each([
    ['GET', '', undefined],
    ['PATCH', '', {}],
    ['DELETE', '', undefined],
    ['PUT', '/status', { status: 'ACTIVE' }],
    ['POST', '/tests', {}],
  ])('that does not exist gets a 404: %s %s', async (method, rest, body) => {
    expect(await desk.call(method, `${path}/none${rest}`, body)).toEqual(no(404, 'webhookId'));
  });

  it('takes no other status', async () => {
    const id = await desk.on();
    expect(await desk.status(id, 'SUSPENDED')).toEqual(no(400, 'status'));
  });
});

describe('the key of deliveries, as public models have it', () => {
  const keys = '/kms/egress/v2/keys-sym';
  const asked = { provider: 'own', tenant: organizationId, keyType: 'sharedSecret', organizationId };
  const make = (more: object = {}) =>
    desk.call('POST', keys, { clientRequestAction: 'CREATE', keyInformation: asked, ...more });
  const signatures = () => desk.sent.map(({ headers }) => headers['v-c-signature']);
  const billed = async () => {
    await desk.bill();
    await desk.sandbox.deliver();
    return desk.sent.at(-1);
  };

  it('is created once, for a year, and signs whatever is delivered from then on', async () => {
    const id = await desk.on();
    await billed();
    const { status, body } = await make({ clientReferenceInformation: { code: 'k-1' } });
    expect([status, body]).toEqual([
      201,
      {
        ...{ submitTimeUtc: now, status: 'SUCCESS', clientReferenceInformation: { code: 'k-1' } },
        keyInformation: {
          ...{ ...asked, keyId: uuid, key: expect.stringMatching(/^[\w+/]{43}=$/), status: 'Active' },
          expirationDate: '2027-01-15T09:00:00.000Z',
        },
      },
    ]);
    const { keyId, key } = body.keyInformation;
    const sent = await billed();
    const sig = createHmac('sha256', Buffer.from(key, 'base64')).update(`${start}.${sent?.body}`).digest('base64');
    expect(signatures()[0]).not.toContain(keyId);
    expect(signatures()[1]).toBe(`t=${start};keyId=${keyId};sig=${sig}`);
    expect((await desk.control('GET', `webhooks/${id}/key`)).body).toEqual({ keyId, key });
    const { keyInformation: newer } = (await make()).body;
    await billed();
    expect([newer.keyId === keyId, signatures()[2]?.includes(newer.keyId)]).toEqual([false, true]);
  });

  it("may be the merchant's own, for as long as it says; keys of other types sign nothing", async () => {
    await desk.on();
    const key = Buffer.alloc(32, 7).toString('base64');
    const own = { ...asked, key, clientKeyId: 'mine', expiryDuration: '30' };
    const { body } = await make({ clientRequestAction: 'STORE', keyInformation: own });
    expect(body.keyInformation).toMatchObject({ key, clientKeyId: 'mine', expirationDate: '2026-02-14T09:00:00.000Z' });
    const other = await make({ keyInformation: { ...asked, keyType: 'oAuthClientCredentials' } });
    expect(other.status).toBe(201);
    const sent = await billed();
    const sig = createHmac('sha256', Buffer.from(key, 'base64')).update(`${start}.${sent?.body}`).digest('base64');
    expect(signatures()).toEqual([`t=${start};keyId=${body.keyInformation.keyId};sig=${sig}`]);
  });

  it('needs nothing, as no member of the model is required', async () => {
    expect((await desk.call('POST', keys, {})).body.keyInformation).toMatchObject({
      ...{ tenant: organizationId, organizationId, keyType: 'sharedSecret' },
    });
  });

  it.each([
    ['another organization', { keyInformation: { organizationId: 'other' } }, 'keyInformation.organizationId'],
    ['no key to store', { clientRequestAction: 'STORE' }, 'keyInformation.key', 'MISSING_FIELD'],
    ['an action that is none', { clientRequestAction: 'DELETE' }, 'clientRequestAction'],
    ['a key that is none', { keyInformation: { key: 'secret' } }, 'keyInformation.key'],
    ['a time that is none', { keyInformation: { expiryDuration: 'P1Y' } }, 'keyInformation.expiryDuration'],
  ])('is refused with %s', async (_, change, field, reason = 'INVALID_DATA') => {
    expect(await make(change)).toEqual(no(400, field, reason));
  });
});

it('answers the attributes of a retry policy', async () => {
  const additionalAttributes = [{ team: 'books' }];
  await desk.create({ retryPolicy: policy({ additionalAttributes }) });
  expect((await desk.list()).body).toMatchObject([{ retryPolicy: { additionalAttributes } }]);
});

it('takes the events of hosted checkout by their beginning, which is all that is public of them', async () => {
  const of = (...eventTypes: readonly string[]) =>
    desk.create({ products: [{ productId: 'secureAcceptance', eventTypes }] });
  expect((await of('sa.orders.one', 'sa.orders.two')).status).toBe(201);
  expect(await of('sa.orders.one', 'tms.token.created')).toEqual(no(400, 'products[0].eventTypes'));
  expect((await desk.list('&eventType=sa.orders.two')).body).toHaveLength(1);
});

it.each([' anything', ' ', ' sa.orders.one'])('refuses an event of no product: %j', async (event) => {
  for (const productId of ['tokenManagement', 'secureAcceptance'])
    expect(await desk.create({ products: [{ productId, eventTypes: [event] }] })).toEqual(
      no(400, 'products[0].eventTypes'),
    );
});

describe('the lookup (WH-01)', () => {
  const billing = [{ productId: 'recurringBilling', eventTypes: ['rbs.subscriptions.charge.failed'] }];

  beforeEach(async () => {
    await desk.create({ name: 'one' });
    await desk.create({ name: 'two', products: billing });
    await desk.create({ name: 'three', products: [...subscription().products, ...billing] });
  });

  it.each([
    ['', ['one', 'two', 'three']],
    ['&productId=recurringBilling', ['two', 'three']],
    ['&eventType=invoicing.customer.invoice.cancel', ['one', 'three']],
    ['&productId=recurringBilling&eventType=rbs.subscriptions.charge.failed', ['two', 'three']],
    ['&productId=customerInvoicing&eventType=rbs.subscriptions.charge.failed', []],
    ['&productId=tokenManagement&eventType=tms.networktoken.provisioned', []],
    ['&productId=nothing', []],
    ['&more=of-it', ['one', 'two', 'three']],
  ])('narrowed by "%s" answers a bare list of %j', async (query, names) => {
    const { status, body } = await desk.list(query);
    expect([status, body.map((it: { name: string }) => it.name)]).toEqual([200, names]);
  });

  it('needs an organization, and knows that of the credentials alone', async () => {
    expect(await desk.call('GET', path)).toEqual(no(400, 'organizationId', 'MISSING_FIELD'));
    expect(await desk.call('GET', `${path}?organizationId=`)).toEqual(no(400, 'organizationId'));
    expect(await desk.call('GET', `${path}?organizationId=somebody_else`)).toEqual(no(404, 'organizationId'));
  });

  it('takes no empty product', async () => {
    expect(await desk.call('GET', `${lookup}&productId=`)).toEqual(no(400, 'productId'));
  });
});

it('lists the products with their event types', async () => {
  const { status, body } = await desk.call('GET', `/notification-subscriptions/v2/products/${organizationId}`);
  const listed = body.map((it: { productId: string; eventTypes: { eventName: string }[] }) => [
    it.productId,
    it.eventTypes.map(({ eventName }) => eventName),
  ]);
  expect([status, Object.fromEntries(listed)]).toEqual([
    200,
    Object.fromEntries(Object.entries(webhookProducts).map(([id, { eventTypes }]) => [id, eventTypes])),
  ]);
  expect((await desk.call('GET', '/notification-subscriptions/v2/products/other')).status).toBe(404);
});

describe('a delivery', () => {
  it('has the headers and the body of public models, signed with the key of its subscription', async () => {
    const id = await desk.on();
    const invoice = await desk.bill();
    await desk.sandbox.deliver();
    const [sent] = desk.sent;
    const { keyId, key } = (await desk.control('GET', `webhooks/${id}/key`)).body;
    const body = JSON.parse(sent?.body ?? '');
    expect(body).toEqual({
      ...{ eventType: 'invoicing.customer.invoice.send', webhookId: id, productId: 'customerInvoicing' },
      ...{ organizationId, eventDate: now, transactionTraceId: uuid, retryNumber: 0, requestType: 'NEW' },
      payload: {
        data: { id: invoice, status: 'SENT', totalAmount: '40.00', balanceAmount: '40.00', currency: 'USD', at: now },
        organizationId,
      },
    });
    // The scheme once more, written out.
    const sig = createHmac('sha256', Buffer.from(key, 'base64')).update(`${start}.${sent?.body}`).digest('base64');
    expect(sent).toMatchObject({
      url: 'http://127.0.0.1:9/webhooks/platform',
      headers: {
        'content-type': 'application/json',
        'v-c-event-type': 'invoicing.customer.invoice.send',
        'v-c-organization-id': organizationId,
        'v-c-product-name': 'customerInvoicing',
        'v-c-request-type': 'NEW',
        'v-c-retry-count': '0',
        'v-c-signature': `t=${start};keyId=${keyId};sig=${sig}`,
        'v-c-transaction-trace-id': body.transactionTraceId,
        'v-c-webhook-id': id,
      },
    });
  });

  it('is signed with the real time, whatever the virtual clock says', async () => {
    await desk.on();
    await desk.control('POST', 'clock', { advance: 'P30D' });
    await desk.bill();
    desk.wall += 60_000;
    await desk.sandbox.deliver();
    expect(desk.sent[0]?.headers['v-c-signature']).toContain(`t=${start + 60_000};`);
    expect(JSON.parse(desk.sent[0]?.body ?? '').eventDate).toBe('2026-02-14T09:00:00.000Z');
  });

  it('goes to every subscription that covers the event and is active, with one trace id, and to no other', async () => {
    const [one, two] = [await desk.on(), await desk.on({ name: 'again' })];
    await desk.create({ name: 'off' });
    await desk.on({ products: [{ productId: 'customerInvoicing', eventTypes: ['invoicing.customer.invoice.paid'] }] });
    await desk.bill();
    await desk.sandbox.deliver();
    expect(desk.sent.map(({ headers }) => headers['v-c-webhook-id']).toSorted()).toEqual([one, two].toSorted());
    expect(new Set(desk.sent.map(({ headers }) => headers['v-c-transaction-trace-id'])).size).toBe(1);
  });

  it('is of no event that happened before the subscription was active', async () => {
    await desk.bill();
    const id = await desk.on();
    await desk.status(id, 'INACTIVE');
    await desk.bill();
    await desk.sandbox.deliver();
    expect(desk.sent).toEqual([]);
  });

  it('waits where nothing sends it, and is made once where two ask for it', async () => {
    await desk.on();
    await desk.bill();
    expect(await desk.deliveries()).toMatchObject([{ state: 'PENDING', attempts: [], next: now }]);
    await Promise.all([desk.sandbox.deliver(), desk.sandbox.deliver()]);
    await desk.sandbox.deliver();
    expect(desk.sent).toHaveLength(1);
    expect(await desk.deliveries()).toMatchObject([{ state: 'DELIVERED', attempts: [{ status: 200 }], next: null }]);
  });
});

describe('the events', () => {
  const all = Object.entries(webhookProducts).map(([productId, { eventTypes }]) => ({ productId, eventTypes }));
  const told = () => desk.sent.map(({ headers, body }) => [headers['v-c-event-type'], JSON.parse(body).payload.data]);
  const types = () => told().map(([type]) => type);

  it('of tokens: created, provisioned when the cardholder is verified, updated', async () => {
    await desk.on({ products: all });
    await desk.enroll('shopper_bo');
    await desk.sandbox.deliver();
    expect(types()).toEqual(['tms.token.created']);
    await desk.control('POST', 'cards/FACE00000000000000000000000D0002/verify');
    await desk.enroll('shopper_bo');
    await desk.enroll('shopper_ada');
    await desk.sandbox.deliver();
    expect(types().slice(1)).toEqual([
      ...['tms.token.updated', 'tms.networktoken.provisioned', 'tms.token.updated'],
      ...['tms.token.created', 'tms.networktoken.provisioned'],
    ]);
    expect(told().at(-1)?.[1]).toEqual({
      instrumentIdentifierId: 'FACE00000000000000000000000D0001',
      customerId: expect.any(String),
      paymentInstrumentId: expect.any(String),
      status: 'ACTIVE',
    });
  });

  it('of invoices: sent, sent again, cancelled', async () => {
    await desk.on({ products: all });
    const id = await desk.bill();
    await desk.call('POST', `/invoicing/v2/invoices/${id}/delivery`, {});
    await desk.call('POST', `/invoicing/v2/invoices/${id}/cancelation`, {});
    await desk.sandbox.deliver();
    expect(types().map((it) => String(it).replace('invoicing.customer.invoice.', ''))).toEqual([
      'send',
      'send',
      'cancel',
    ]);
  });
});

describe('a test', () => {
  it('answers what it delivers, once, to an inactive subscription too', async () => {
    const { body: made } = await desk.create();
    const { status, body } = await desk.call('POST', `${path}/${made.webhookId}/tests`, {});
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        ...{
          eventDate: now,
          eventType: 'invoicing.customer.invoice.send',
          organizationId,
          productId: 'customerInvoicing',
        },
        ...{ requestType: 'TEST', retryNumber: 0, transactionTraceId: uuid, webhookId: made.webhookId },
        payloads: { testPayload: { message: expect.any(String) } },
      },
    });
    desk.answers = [500];
    await desk.after('P1D');
    expect(desk.sent.map(({ body }) => JSON.parse(body))).toEqual([body]);
    expect(await desk.deliveries()).toMatchObject([{ state: 'FAILED' }]);
  });
});

it('shows another merchant none of it', async () => {
  const id = await desk.on();
  const stranger = { merchantId: 'other', keyId: '00000000-0000-4000-8000-000000000009' };
  await desk.sandbox.world.transaction((world) => {
    const { secret } = credentials;
    world.put('merchant', { id: stranger.merchantId, name: 'Other', keyId: stranger.keyId, secret });
  });
  const asked = (at: string) => desk.send(signed(`http://${host}`, 'GET', at, undefined, stranger));
  expect((await asked(`${path}/${id}`)).status).toBe(404);
  expect((await asked(lookup)).status).toBe(404);
  expect((await asked(`${path}?organizationId=other`)).body).toEqual([]);
});
