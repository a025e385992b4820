import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawClient } from './raw-client.ts';

// What real clients of the platform send, over a real socket.

let client: Awaited<ReturnType<typeof rawClient>>;
beforeAll(async () => {
  client = await rawClient();
});
afterAll(() => client.close());

const invoice = (invoiceNumber: string, more: object = {}) => ({
  customerInformation: { name: 'Ada Example', email: 'ada@example.com' },
  invoiceInformation: {
    ...{ invoiceNumber, description: 'Repair', dueDate: '2026-03-01', sendImmediately: false, deliveryMode: 'none' },
    ...more,
  },
  orderInformation: { amountDetails: { totalAmount: '10.00', currency: 'GBP' } },
});
const path = '/invoicing/v2/invoices';

describe('an invoice number', () => {
  it.each(['2026/001', 'INV 7', 'RE-Ü1', 'a%2Fb', "O'Brien", '1+1=2?', 'a.b'])('may be %s', async (number) => {
    const created = await client.call('POST', path, invoice(number));
    expect([created.status, created.body.id]).toEqual([201, number]);
    const { self, cancel } = created.body._links;
    // Whatever a link says works as it stands; it leaves out the prefix of invoicing.
    const found = await client.call(self.method, `/invoicing${self.href}`);
    expect([found.status, found.body.id]).toEqual([200, number]);
    expect((await client.call('GET', `${path}/${encodeURIComponent(number)}`)).body.id).toBe(number);
    expect((await client.call(cancel.method, `/invoicing${cancel.href}`, {})).body.status).toBe('CANCELED');
  });

  it('that is not UTF-8 belongs to nothing', async () => {
    expect((await client.call('GET', `${path}/%ff`)).status).toBe(404);
  });
});

describe('a signature', () => {
  it.each(["?customerId=O'Brien", '?name=a b'.replace(' ', '%20'), '?code=%7e', '?code=A|B', '?code={a}'])(
    'is verified over the path exactly as it was sent: %s',
    async (query) => {
      expect((await client.call('GET', `/rbs/v1/subscriptions${query}`)).status).not.toBe(401);
    },
  );

  it('of the path as a URL parser would rewrite it is not that of the path that was sent', async () => {
    const good = await client.token('GET', "/rbs/v1/plans?name=O'Brien");
    const rewritten = await client.token('GET', "/rbs/v1/plans?name=O'Brien", {
      'request-resource-path': '/rbs/v1/plans?name=O%27Brien',
    });
    expect([good.status, rewritten.status]).toEqual([200, 401]);
  });
});

describe('a token', () => {
  const plans = '/rbs/v1/plans';
  const seconds = () => Math.floor(client.now / 1000);

  it.each(['api.platform.example', 'apitest.platform.example', 'APITEST.Platform.example:443'])(
    'may name a usual host of the platform: %s',
    async (host) => {
      expect((await client.token('GET', plans, { 'request-host': host })).status).toBe(200);
    },
  );

  it.each(['platform.example', 'api.', 'evil.api.example', ''])('may name no other host: %s', async (host) => {
    expect((await client.token('GET', plans, { 'request-host': host })).status).toBe(401);
  });

  it('lives for minutes and is from now', async () => {
    const tried = await Promise.all(
      [
        { iat: seconds(), exp: seconds() + 300 },
        { iat: seconds(), exp: seconds() + 301 },
        { iat: seconds(), exp: seconds() + 3 * 366 * 86_400 },
        { iat: seconds() + 86_400, exp: seconds() + 86_520 },
        { iat: seconds() - 120, exp: seconds() - 1 },
      ].map((claims) => client.token('GET', plans, claims)),
    );
    expect(tried.map(({ status }) => status)).toEqual([200, 401, 401, 401, 401]);
  });
});

describe('an expiration date', () => {
  it.each([
    ['31-03-2026', '2026-03-31'],
    ['2026-03-31', '2026-03-31'],
    ['2026-03-31T00:00:00.000Z', '2026-03-31'],
  ])('may be %s and is answered as %s', async (expirationDate, shown) => {
    const number = `E${expirationDate.replace(/\W/g, '')}`;
    const { status, body } = await client.call('POST', path, invoice(number, { expirationDate }));
    expect([status, body.invoiceInformation.expirationDate]).toEqual([201, shown]);
  });

  it.each(['2026-02-30T00:00:00.000Z', '30-02-2026', '31-03-2026T00:00:00Z', '2026-03-31Tnoon'])(
    'is not %s',
    async (expirationDate) => {
      expect((await client.call('POST', path, invoice('E0', { expirationDate }))).status).toBe(400);
    },
  );
});

it('answers the settings without productType, and refuses to change them so', async () => {
  const at = '/invoicing/v2/invoiceSettings';
  const tried = await Promise.all([
    client.call('GET', at),
    client.call('GET', `${at}?productType=OTHER`),
    client.call('PUT', at, { invoiceSettingsInformation: { shipTo: true } }),
  ]);
  expect(tried.map(({ status }) => status)).toEqual([200, 400, 400]);
});

it('says of an encrypted body that it can read none (D-142)', async () => {
  const tried = await client.call('POST', '/acp/v1/tokens', { encryptedRequest: 'e30.e30.e30.e30.e30' });
  expect([tried.status, tried.body.error.detail.source]).toEqual([400, 'encryptedRequest']);
});

it('refuses a body that is not UTF-8 (400), and TRACE (405)', async () => {
  const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
  const tried = [await client.call('POST', '/rbs/v1/plans', body), await client.send('TRACE', '/rbs/v1/plans', {})];
  expect(tried.map(({ status }) => status)).toEqual([400, 405]);
});

it('moves its clock by calendar months', async () => {
  const moves = ['P1M', 'P1M', 'P1Y', 'PT1H'];
  const shown: string[] = [];
  for (const advance of moves) {
    const { body } = await client.send('POST', '/sandbox/clock', {}, Buffer.from(JSON.stringify({ advance })));
    shown.push(body.now);
  }
  expect(shown).toEqual([
    '2026-02-15T09:00:00.000Z',
    '2026-03-15T09:00:00.000Z',
    '2027-03-15T09:00:00.000Z',
    '2027-03-15T10:00:00.000Z',
  ]);
});

describe('a subscription', () => {
  const subscriptions = '/rbs/v1/subscriptions';
  const order = {
    subscriptionInformation: { name: 'Gold', startDate: '2028-06-01T00:00:00Z' },
    planInformation: { billingPeriod: { length: '1', unit: 'M' }, billingCycles: { total: '12' } },
    orderInformation: { amountDetails: { currency: 'GBP', billingAmount: '10.00' } },
    paymentInformation: { customer: { id: 'FACE00000000000000000000000C0001' } },
  };
  const subscribed = async (more: object = {}) =>
    (await client.call('POST', subscriptions, { ...order, ...more })).body.id as string;

  it.each([
    { clientReferenceInformation: { partner: { developerId: 'D1', solutionId: 'S1' } } },
    { clientReferenceInformation: { comments: 'imported', partner: {} }, unknownMember: { any: [1, null] } },
    { clientReferenceInformation: {} },
  ])('takes members that the documents do not list: %j', async (more) => {
    const created = await client.call('POST', subscriptions, { ...order, ...more });
    expect(created.status).toBe(201);
    const changed = await client.call('PATCH', `${subscriptions}/${created.body.id}`, {
      ...more,
      subscriptionInformation: { name: 'Silver' },
    });
    expect(changed.status).toBe(200);
  });

  it.each([
    ['orderInformation.amountDetails.currency', { orderInformation: { amountDetails: { currency: 'EUR' } } }],
    ['planInformation.billingPeriod.unit', { planInformation: { billingPeriod: { length: '1', unit: 'W' } } }],
    ['planInformation.billingPeriod.length', { planInformation: { billingPeriod: { length: '2', unit: 'M' } } }],
    [
      'paymentInformation.customer.id',
      { paymentInformation: { customer: { id: 'FACE00000000000000000000000C0002' } } },
    ],
  ])('refuses another %s, and takes the same again', async (field, change) => {
    const id = await subscribed();
    const refused = await client.call('PATCH', `${subscriptions}/${id}`, change);
    expect([refused.status, refused.body.details]).toEqual([400, [{ field, reason: 'INVALID_DATA' }]]);
    const { planInformation, orderInformation, paymentInformation } = order;
    const same = {
      orderInformation,
      paymentInformation,
      planInformation: { billingPeriod: planInformation.billingPeriod },
    };
    expect((await client.call('PATCH', `${subscriptions}/${id}`, same)).status).toBe(200);
  });

  it('numbers its scheduled payments', async () => {
    const { body } = await client.call('GET', `${subscriptions}/${await subscribed()}/payments`);
    const numbers = body.subscriptionPayment.map(({ paymentNumber }: { paymentNumber: string }) => paymentNumber);
    expect(numbers).toEqual(['1', '2', '3', '4', '5']);
  });
});

it('takes the values of an active plan again, and refuses others (PL-05)', async () => {
  const plan = {
    planInformation: { name: 'Gold', billingPeriod: { length: '1', unit: 'M' } },
    orderInformation: { amountDetails: { currency: 'GBP', billingAmount: '10.00', setupFee: '1.00' } },
  };
  const { id } = (await client.call('POST', '/rbs/v1/plans', plan)).body;
  const same = {
    ...plan,
    orderInformation: { amountDetails: { currency: 'GBP', billingAmount: '10.0', setupFee: '1' } },
  };
  const other = { orderInformation: { amountDetails: { currency: 'GBP', billingAmount: '11.00' } } };
  const tried = [
    await client.call('PATCH', `/rbs/v1/plans/${id}`, same),
    await client.call('PATCH', `/rbs/v1/plans/${id}`, other),
    await client.call('PATCH', `/rbs/v1/plans/${id}`, { planInformation: { name: 'Silver' } }),
  ];
  expect(tried.map(({ status }) => status)).toEqual([200, 400, 400]);
});

describe('members of the platform’s models', () => {
  it('of a follow-on: billing and delivery address', async () => {
    const { body } = await client.call('GET', '/rbs/v1/subscriptions/follow-ons/earlier-payment-0001');
    const ada = {
      firstName: 'Ada',
      lastName: 'Example',
      country: 'GB',
      email: 'ada@example.com',
      phoneNumber: '7700900001',
      address1: '1 Example Quay',
      locality: 'Exampleton',
      postalCode: 'EX1 1EX',
    };
    expect(body.paymentInstrument.billTo).toEqual({ ...ada, administrativeArea: 'Exampleshire' });
    expect(body.shippingAddress).toEqual({
      id: 'shopper_ada',
      shipTo: ada,
    });
  });

  it('of the settings: phone and address; a group of null goes back to its default', async () => {
    const at = '/invoicing/v2/invoiceSettings?productType=INVOICING';
    const set = (invoiceSettingsInformation: object) => client.call('PUT', at, { invoiceSettingsInformation });
    const styled = await set({ headerStyle: { fontColor: '#112233' } });
    const plain = await set({ headerStyle: null, customRedirectUrls: null });
    expect([
      styled.body.invoiceSettingsInformation.headerStyle,
      plain.status,
      plain.body.invoiceSettingsInformation.headerStyle,
    ]).toEqual([{ fontColor: '#112233' }, 200, undefined]);
    expect(Object.keys(plain.body.merchantInformation)).toEqual(['name', 'phone', 'addressDetails']);
    expect(Object.keys(plain.body.merchantInformation.addressDetails)).toEqual([
      ...['address1', 'address2', 'city', 'state', 'country', 'postalCode'],
    ]);
  });

  it('of the definition of a custom field', async () => {
    const { body } = await client.call('POST', path, {
      ...invoice('F1'),
      merchantDefinedFieldValues: [{ definitionId: 7, value: 'blue' }],
    });
    expect(Object.keys(body.merchantDefinedFieldValuesWithDefinition[0]).toSorted()).toEqual([
      ...['customerVisible', 'definitionId', 'fieldType', 'label', 'mdfValueId', 'merchantDefinedDataIndex'],
      ...[
        'position',
        'possibleValues',
        'readOnly',
        'referenceType',
        'textDefaultValue',
        'textMaxLength',
        'textMinLength',
      ],
      'value',
    ]);
  });
});
