import { beforeEach, describe, expect, it } from 'vitest';
import { conversionReasons } from '../../src/domains/conversion/errors.ts';
import { AnswerLost } from '../../src/sandbox/index.ts';
import { Bench, host, signed } from '../sandbox/support.ts';

// What the platform itself refuses, whatever Purser's guards say: a client of the merchant's own calls it.

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});

const adas = { instrumentIdentifier: { id: 'FACE00000000000000000000000D0001' } };

// biome-ignore lint/suspicious/noExplicitAny: bodies are compared whole, not typed
const post = async (path: string, body: object): Promise<any> => bench.call('POST', path, body);
// biome-ignore lint/suspicious/noExplicitAny: as above
const get = async (path: string): Promise<any> => bench.call('GET', path);

const asking = (amounts: object = {}, more: object = {}) => ({
  orderInformation: { amountDetails: { originalAmount: '100.00', originalCurrency: 'USD', ...amounts } },
  paymentInformation: { card: { number: '40000036000' } },
  ...more,
});
const offer = async (amounts: object = {}) => (await post('/vas/v1/currencyconversion', asking(amounts))).body;

const paying = (amounts: object, more: object = {}) => ({
  paymentInformation: adas,
  orderInformation: { amountDetails: amounts },
  ...more,
});
const converted = {
  totalAmount: '157.00',
  currency: 'AUD',
  exchangeRate: '1.570029',
  exchangeRateTimeStamp: '20260115 09:00',
};
const opted = { ...converted, currencyConversion: { indicator: '1' } };
/** What an authorization may carry of an offer, whatever the processing. */
// biome-ignore lint/suspicious/noExplicitAny: as above
const carrying = ({ id, orderInformation: { currencyConversion } }: any) => ({
  ...converted,
  ...{ originalAmount: '100.00', originalCurrency: 'USD', foreignAmount: '157.00', foreignCurrency: 'AUD' },
  currencyConversion: { indicator: '1', id, reconciliationId: currencyConversion.reconciliationId },
});
const authorize = (amounts: object, more: object = {}) => post('/pts/v2/payments', paying(amounts, more));
const amount = (amounts: object) => ({ orderInformation: { amountDetails: amounts } });
const usd = (totalAmount: string) => amount({ totalAmount, currency: 'USD' });

const no = (reason: string, field?: string, status = 400, more: object = {}) => ({
  status,
  body: {
    ...more,
    submitTimeUtc: '2026-01-15T09:00:00.000Z',
    status: status === 404 ? 'NOT_FOUND' : 'INVALID_REQUEST',
    reason,
    message: expect.any(String),
    ...(field === undefined ? {} : { details: [{ field, reason }] }),
  },
});
const details = 'orderInformation.amountDetails';

/** A refused offer has an id, as public models require: that of its request, or else another. */
const named = expect.stringMatching(/^[0-9a-f]{26}$/);

describe('an offer', () => {
  it('has both prices, the rate with its markup, and when it expires; it is read back as it was made', async () => {
    const made = await post(
      '/vas/v1/currencyconversion',
      asking({}, { clientReferenceInformation: { code: 'order-1' } }),
    );
    expect(made).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        submitTimeUtc: '2026-01-15T09:00:00.000Z',
        status: 'PENDING',
        clientReferenceInformation: { code: 'order-1' },
        orderInformation: {
          currencyConversion: {
            type: 'DCC',
            reconciliationId: expect.any(String),
            disclaimer: expect.any(String),
            offer: [
              {
                ...{ originalAmount: '100.00', originalCurrency: 'USD', amount: '157.00', currency: 'AUD' },
                ...{ exchangeRate: '1.570029', exchangeRateInverted: false, marginRate: '3.00' },
                ...{ rateSource: 'Example Bank', exchangeRateTimeUtc: '2026-01-15T09:00:00.000Z' },
                exchangeRateExpirationTimeUtc: '2026-01-15T09:15:00.000Z',
                rateId: expect.any(String),
              },
            ],
          },
        },
        processorInformation: { responseCode: '00' },
      },
    });
    expect(await get(`/vas/v1/currencyconversion/${made.body.id}`)).toEqual({ status: 200, body: made.body });
  });

  it('has the id of its request, once', async () => {
    let asked = JSON.stringify(asking());
    const ask = async (id: string) => {
      const headers = (all: Record<string, string>) => {
        all['x-requestid'] = id;
      };
      return (await bench.send(signed(`http://${host}`, 'POST', '/vas/v1/currencyconversion', asked, { headers }))).body
        .id;
    };
    expect(await ask('request-1')).toBe('request-1');
    expect((await get('/vas/v1/currencyconversion/request-1')).status).toBe(200);
    const others = [await ask('request-1'), await ask('no id/'), await ask('')];
    for (const id of others) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    asked = JSON.stringify({});
    expect(await ask('request-2')).toBe('request-2');
  });

  it('can tell its rate inverted, and the amount is the same', async () => {
    await bench.control('POST', 'conversion', { inverted: true });
    const [rate] = (await offer()).orderInformation.currencyConversion.offer;
    expect(rate).toMatchObject({ amount: '157.00', exchangeRate: '0.636931', exchangeRateInverted: true });
  });

  it.each(conversionReasons)('is refused in the words of the document: %s', async (reason) => {
    await bench.control('POST', 'conversion', { reason });
    expect(await offer()).toMatchObject({ status: 'DECLINED', errorInformation: { reason } });
  });

  it.each([
    ['BIN_UNKNOWN', { paymentInformation: { card: { number: '41111111' } } }],
    ['CURRENCY_MATCH', { paymentInformation: { card: { number: '40000840' } } }],
  ])('is refused by itself for %s', async (reason, more) => {
    const { body } = await post('/vas/v1/currencyconversion', asking({}, more));
    expect(body).toMatchObject({ status: 'DECLINED', errorInformation: { reason } });
  });

  it('is in the currency of the longest first digits that are known of the card', async () => {
    for (const [bin, currency] of [
      ['40', 'SEK'],
      ['4000003600', 'EUR'],
      ['400000360001', 'GBP'],
    ])
      await bench.control('POST', `bins/${bin}`, { currency });
    const currencyOf = async (number: string) =>
      (await post('/vas/v1/currencyconversion', asking({}, { paymentInformation: { card: { number } } }))).body
        .orderInformation.currencyConversion.offer[0].currency;
    expect([await currencyOf('40000036000'), await currencyOf('40000036')]).toEqual(['EUR', 'AUD']);
  });

  it('is refused for no amount, and for a currency without a rate', async () => {
    expect(await offer({ originalAmount: '0.00' })).toMatchObject({ errorInformation: { reason: 'INVALID_AMOUNT' } });
    expect(await offer({ originalCurrency: 'SEK' })).toMatchObject({
      errorInformation: { reason: 'EXCHANGE_RATE_NOT_FOUND' },
    });
  });

  it.each([`${details}.originalAmount`, `${details}.originalCurrency`, 'paymentInformation.card.number'])(
    'DC-01 needs %s',
    async (path) => {
      const body = JSON.parse(JSON.stringify(asking()));
      const steps = path.split('.');
      const last = steps.pop() ?? '';
      delete steps.reduce((at, step) => at[step], body)[last];
      expect(await post('/vas/v1/currencyconversion', body)).toEqual(no('MISSING_FIELD', path, 400, { id: named }));
    },
  );

  it('DC-02 is of the type DCC alone', async () => {
    const body = asking();
    const wrong = { ...body, orderInformation: { ...body.orderInformation, currencyConversion: { type: 'MCP' } } };
    expect(await post('/vas/v1/currencyconversion', wrong)).toEqual(
      no('INVALID_DATA', 'orderInformation.currencyConversion.type', 400, { id: named }),
    );
  });
});

describe('a converted authorization', () => {
  it('carries the rate of an open offer, which is then used', async () => {
    await offer();
    expect(await authorize(opted)).toMatchObject({ status: 201, body: { status: 'AUTHORIZED' } });
    expect(await authorize(opted)).toEqual(no('INVALID_DATA', `${details}.exchangeRate`));
  });

  it('DC-05 is not made at a rate that has expired', async () => {
    await offer();
    await bench.control('POST', 'clock', { advance: 900_000 });
    expect(await authorize(opted)).toMatchObject({ status: 400, body: { reason: 'INVALID_DATA' } });
  });

  it.each([
    ['amount', { totalAmount: '156.99' }, 'totalAmount'],
    ['currency', { currency: 'EUR' }, 'totalAmount'],
    ['rate', { exchangeRate: '1.6' }, 'exchangeRate'],
  ])('DC-06 carries the %s of the offer', async (_, wrong, field) => {
    await offer();
    expect(await authorize({ ...opted, ...wrong })).toEqual(no('INVALID_DATA', `${details}.${field}`));
  });

  it.each(['exchangeRate', 'exchangeRateTimeStamp'])('DC-06 needs %s', async (name) => {
    await offer();
    const { [name as 'exchangeRate']: _, ...rest } = opted;
    expect(await authorize(rest)).toEqual(no('MISSING_FIELD', `${details}.${name}`));
  });

  it.each([
    ['direct', { originalAmount: '100.00', originalCurrency: 'USD' }],
    ['foreign', { foreignAmount: '157.00', foreignCurrency: 'AUD' }],
  ])('DC-07 needs the fields of %s processing', async (processing, fields) => {
    await bench.control('POST', 'conversion', { processing });
    const { id, orderInformation } = await offer();
    const { reconciliationId } = orderInformation.currencyConversion;
    const whole = { ...opted, ...fields, currencyConversion: { indicator: '1', id, reconciliationId } };
    for (const name of Object.keys(fields)) {
      const { [name as keyof typeof whole]: _, ...rest } = whole;
      expect(await authorize(rest)).toEqual(no('MISSING_FIELD', `${details}.${name}`));
    }
    expect((await authorize(whole)).status).toBe(201);
  });

  it.each([
    ['common', 'exchangeRateTimeStamp', '20260115 09:01'],
    ['common', 'exchangeRateTimeStamp', '20260115090001'],
    ['direct', 'originalAmount', '99.99'],
    ['direct', 'originalCurrency', 'GBP'],
    ['foreign', 'foreignAmount', '156.99'],
    ['foreign', 'foreignCurrency', 'USD'],
  ])('DC-06 DC-07 says what the offer says: %s processing, %s, not %s', async (processing, field, wrong) => {
    await bench.control('POST', 'conversion', { processing });
    const whole = carrying(await offer());
    expect(await authorize({ ...whole, [field]: wrong })).toEqual(no('INVALID_DATA', `${details}.${field}`));
    expect((await authorize(whole)).status).toBe(201);
  });

  it('DC-07 carries the reconciliation id of the offer', async () => {
    const whole = carrying(await offer());
    const another = { ...whole.currencyConversion, reconciliationId: 'another' };
    expect(await authorize({ ...whole, currencyConversion: another })).toEqual(
      no('INVALID_DATA', `${details}.currencyConversion.reconciliationId`),
    );
  });

  it.each(['20260115090000', '20260115 09:00'])(
    'DC-06 carries the time of the rate in either format: %s',
    async (exchangeRateTimeStamp) => {
      await offer();
      expect((await authorize({ ...opted, exchangeRateTimeStamp })).status).toBe(201);
    },
  );

  it.each(['exchangeRate', 'exchangeRateTimeStamp', 'foreignAmount'] as const)(
    'DC-06 needs its indicator where it carries %s',
    async (name) => {
      const { [name]: value, totalAmount, currency } = carrying(await offer());
      expect(await authorize({ totalAmount, currency, [name]: value })).toEqual(
        no('MISSING_FIELD', `${details}.currencyConversion.indicator`),
      );
    },
  );

  it.each([
    { totalAmount: '157' },
    { totalAmount: '157.0' },
    { exchangeRate: '1.57002900' },
    { exchangeRate: '1.57' },
    { exchangeRate: '01.5700' },
  ])('DC-06 carries an amount and a rate however they are written: %j', async (written) => {
    await offer();
    const { id } = (await authorize({ ...opted, ...written })).body;
    const { exchangeRate = opted.exchangeRate } = written;
    const capture = amount({ totalAmount: '157.0', currency: 'AUD', exchangeRate: `${exchangeRate}0` });
    expect((await post(`/pts/v2/payments/${id}/captures`, capture)).status).toBe(201);
  });

  it('DC-08 captures nothing in the same call', async () => {
    await offer();
    expect(await authorize(opted, { processingInformation: { capture: true } })).toEqual(
      no('NOT_SUPPORTED', 'processingInformation.capture'),
    );
  });
});

describe('an authorization in the local currency', () => {
  const sale = { processingInformation: { capture: true } };

  it('D-120 can be captured in the same call: DC-08 is about conversions', async () => {
    const { status, body } = await authorize({ totalAmount: '100.00', currency: 'USD' }, sale);
    expect([status, body.status]).toEqual([201, 'AUTHORIZED']);
    expect(await post(`/pts/v2/payments/${body.id}/captures`, usd('1.00'))).toMatchObject({ status: 400 });
    expect((await post(`/pts/v2/payments/${body.id}/refunds`, usd('100.00'))).status).toBe(201);
  });

  it('captures nothing where it is declined', async () => {
    const declines = { paymentInformation: { instrumentIdentifier: { id: 'FACE00000000000000000000000D0004' } } };
    const { body } = await authorize({ totalAmount: '100.00', currency: 'USD' }, { ...sale, ...declines });
    expect(body.status).toBe('DECLINED');
    expect((await post(`/pts/v2/payments/${body.id}/refunds`, usd('100.00'))).status).toBe(404);
  });
});

describe('captures and refunds', () => {
  const authorized = async () => (await authorize({ totalAmount: '100.00', currency: 'USD' })).body.id;

  it('DC-09 take no more than was authorized, in the currency and at the rate of the authorization', async () => {
    await offer();
    const { id } = (await authorize(opted)).body;
    const capture = (amounts: object) => post(`/pts/v2/payments/${id}/captures`, amount({ ...converted, ...amounts }));
    expect(await capture({ totalAmount: '157.01' })).toEqual(no('INVALID_AMOUNT', `${details}.totalAmount`));
    expect(await capture({ currency: 'USD' })).toEqual(no('INVALID_DATA', `${details}.currency`));
    expect(await capture({ exchangeRate: '1.5' })).toEqual(no('INVALID_DATA', `${details}.exchangeRate`));
    expect((await capture({ totalAmount: '100.00' })).status).toBe(201);
    // DC-11: a converted order has one capture.
    expect(await capture({ totalAmount: '1.00' })).toEqual(no('NOT_SUPPORTED'));
  });

  it.each([
    ['direct', { originalCurrency: 'GBP' }, 'originalCurrency'],
    ['direct', { originalAmount: '100.01' }, 'originalAmount'],
    ['foreign', { foreignAmount: '99.99' }, 'foreignAmount'],
    ['foreign', { foreignCurrency: 'USD' }, 'foreignCurrency'],
    ['foreign', { exchangeRateTimeStamp: '20260115 08:59' }, 'exchangeRateTimeStamp'],
  ])('DC-07 say what the authorization says: %s, not %j', async (processing, wrong, field) => {
    await bench.control('POST', 'conversion', { processing });
    const { currencyConversion, ...said } = carrying(await offer());
    const charge = (await authorize({ ...said, currencyConversion })).body.id;
    const one = { ...said, totalAmount: '100.00', originalAmount: '63.69', foreignAmount: '100.00' };
    const capture = (amounts: object) => post(`/pts/v2/payments/${charge}/captures`, amount({ ...one, ...amounts }));
    expect(await capture(wrong)).toEqual(no('INVALID_DATA', `${details}.${field}`));
    const taken = (await capture({})).body.id;
    const refund = (amounts: object) => post(`/pts/v2/captures/${taken}/refunds`, amount({ ...one, ...amounts }));
    expect(await refund(wrong)).toEqual(no('INVALID_DATA', `${details}.${field}`));
    expect((await refund({})).status).toBe(201);
  });

  it('DC-10 pay back no more than was captured, all refunds together', async () => {
    const id = await authorized();
    const taken = (await post(`/pts/v2/payments/${id}/captures`, usd('60.00'))).body.id;
    const refund = (sum: string) => post(`/pts/v2/captures/${taken}/refunds`, usd(sum));
    expect((await refund('40.00')).body).toMatchObject({
      status: 'PENDING',
      refundAmountDetails: { refundAmount: '40.00' },
    });
    expect(await refund('20.01')).toEqual(no('INVALID_AMOUNT', `${details}.totalAmount`));
    expect((await refund('20.00')).status).toBe(201);
  });

  it('are voided until 00:00 GMT, and a payment with one capture is named as well as its capture', async () => {
    const id = await authorized();
    const taken = (await post(`/pts/v2/payments/${id}/captures`, usd('60.00'))).body.id;
    expect((await post(`/pts/v2/payments/${id}/voids`, {})).body).toMatchObject({ status: 'VOIDED' });
    const again = (await post(`/pts/v2/payments/${id}/captures`, usd('100.00'))).body.id;
    const back = (await post(`/pts/v2/captures/${again}/refunds`, usd('10.00'))).body.id;
    const whole = (await post(`/pts/v2/payments/${await authorized()}/captures`, usd('100.00'))).body.id;
    await bench.control('POST', 'clock', { advance: 15 * 3_600_000 });
    for (const path of [`captures/${again}`, `captures/${whole}`, `refunds/${back}`]) {
      expect((await get(`/pts/v2/${path}`)).body.status).toBe('TRANSMITTED');
      expect((await post(`/pts/v2/${path}/voids`, {})).body.reason).toBe('NOT_SUPPORTED');
    }
    expect((await get(`/pts/v2/captures/${taken}`)).body.status).toBe('VOIDED');
  });

  it('are not reversed: only an authorization of which nothing is captured is, and as a whole', async () => {
    const id = await authorized();
    const reverse = (totalAmount: string) =>
      post(`/pts/v2/payments/${id}/reversals`, {
        reversalInformation: { amountDetails: { totalAmount, currency: 'USD' } },
      });
    expect(await reverse('99.00')).toEqual(no('INVALID_DATA', 'reversalInformation.amountDetails.totalAmount'));
    expect((await reverse('100.00')).body).toMatchObject({ status: 'REVERSED' });
    expect((await get(`/pts/v2/payments/${id}`)).body.status).toBe('REVERSED');
    expect(await reverse('100.00')).toEqual(no('NOT_SUPPORTED'));
    expect(await post(`/pts/v2/payments/${id}/captures`, usd('1.00'))).toEqual(no('NOT_SUPPORTED'));
  });

  it('of another merchant, or of nothing, are not found', async () => {
    expect((await get('/pts/v2/captures/none')).status).toBe(404);
    expect((await get('/pts/v2/payments/none')).status).toBe(404);
  });
});

describe('what a payment is paid with', () => {
  const one = { totalAmount: '10.00', currency: 'USD' };
  const payWith = (paymentInformation: object) => authorize(one, { paymentInformation });
  const cards = async (): Promise<readonly string[]> => {
    const { body } = await bench.control('GET', 'snapshot');
    return body.documents.flatMap((it: { kind: string; body: { cardId: string } }) =>
      it.kind === 'charge' ? [it.body.cardId] : [],
    );
  };
  const released = async () => {
    await bench.enroll('shopper_ada');
    return (await bench.retrieve(await bench.bought())).body;
  };
  const declines = { id: 'FACE00000000000000000000000D0004' };
  const adasCustomer = { id: 'FACE00000000000000000000000C0001' };

  // Public models require none of these, and the merchant's own systems pay with any of them.
  it.each([
    [
      'a card',
      { card: { number: '4111111111111111', expirationMonth: '12', expirationYear: '2031' } },
      '',
      'AUTHORIZED',
    ],
    ['a token', { tokenizedCard: { number: '4111111111111111', cryptogram: 'eA==' } }, '', 'AUTHORIZED'],
    ['a customer', { customer: adasCustomer }, adas.instrumentIdentifier.id, 'AUTHORIZED'],
    ['a saved card', { paymentInstrument: { id: 'FACE00000000000000000000000E0004' } }, declines.id, 'DECLINED'],
    ['its instrument', { instrumentIdentifier: declines, customer: adasCustomer }, declines.id, 'DECLINED'],
    ['an unknown instrument', { instrumentIdentifier: { id: 'other' } }, 'other', 'AUTHORIZED'],
    ['a bank account', { bank: { account: { number: '1' } } }, '', 'AUTHORIZED'],
  ])('may be %s', async (_, paymentInformation, card, status) => {
    const paid = await payWith(paymentInformation);
    expect([paid.status, paid.body.status, await cards()]).toEqual([201, status, [card]]);
  });

  it('may be what the credentials of a purchase are: it is the card that they were released for', async () => {
    const { signedPayload } = await released();
    const { number, cryptogram } = JSON.parse(Buffer.from(signedPayload.split('.')[1], 'base64url').toString('utf8'));
    expect((await payWith({ tokenizedCard: { number, cryptogram } })).body.status).toBe('AUTHORIZED');
    expect(await cards()).toEqual([adas.instrumentIdentifier.id]);
  });

  it.each([
    ['card.number', { card: { number: 'abc' } }],
    ['card.number', { card: { number: '41111111111' } }],
    ['card.number', { card: { number: '41111111111111111111' } }],
    ['tokenizedCard.number', { tokenizedCard: { number: 'abc' } }],
    ['customer.id', { customer: { id: 'no such' } }],
  ])('is refused with the wrong %s: %j', async (source, paymentInformation) => {
    expect(await payWith(paymentInformation)).toEqual(no('INVALID_DATA', `paymentInformation.${source}`));
    expect(await cards()).toEqual([]);
  });

  it.each([
    ['4111111111111111', '4111111111111111'],
    ['4111 1111 1111 1111', '4111 1111 1111 1111'],
    ['4111.1111.1111.1111', '4111.1111.1111.1111'],
    [4111111111111111, '4111111111111111'],
  ])('is kept without its number and its code while it is late: %j', async (number, hidden) => {
    await bench.control('POST', 'faults', { on: 'authorizePayment', kind: 'late-apply', afterSeconds: 5 });
    const card = { number, pan: number, securityCode: '739', expirationYear: '2031' };
    await expect(payWith({ card })).rejects.toThrow(AnswerLost);
    const { documents } = (await bench.control('GET', 'snapshot')).body;
    const late = documents.find(({ kind }: { kind: string }) => kind === 'late').body.body;
    expect([late.includes(hidden), late.includes('739'), late.includes('2031')]).toEqual([false, false, true]);
  });

  it('is approved late, with its card, without its number having been kept', async () => {
    const { signedPayload } = await released();
    const token = JSON.parse(Buffer.from(signedPayload.split('.')[1], 'base64url').toString('utf8'));
    for (const paymentInformation of [
      { card: { number: '4111111111111111', securityCode: '739' } },
      { tokenizedCard: { number: token.number } },
    ]) {
      await bench.control('POST', 'faults', { on: 'authorizePayment', kind: 'late-apply', afterSeconds: 5 });
      await expect(payWith(paymentInformation)).rejects.toThrow(AnswerLost);
    }
    await bench.control('POST', 'clock', { advance: 'PT1M' });
    expect((await cards()).toSorted()).toEqual(['', adas.instrumentIdentifier.id]);
  });

  it('is something', async () => {
    for (const nothing of [{}, { customer: {} }, { nothing: 1 }, { bank: {} }, { card: { expirationMonth: '12' } }])
      expect(await payWith(nothing)).toEqual(no('MISSING_FIELD', 'paymentInformation.card.number'));
    expect(await post('/pts/v2/payments', usd('10.00'))).toEqual(no('MISSING_FIELD', 'paymentInformation'));
  });
});

it.each([
  [{ clientReferenceInformation: { code: 'own' } }, 'own'],
  [{}, 'order-7'],
])('tells what is undone by its own number, or by that of its order: %j', async (more, code) => {
  const order = { clientReferenceInformation: { code: 'order-7' } };
  const { id } = (await authorize({ totalAmount: '10.00', currency: 'USD' }, order)).body;
  const taken = (await post(`/pts/v2/payments/${id}/captures`, { ...usd('10.00'), ...order })).body.id;
  const paid = (await post(`/pts/v2/captures/${taken}/refunds`, { ...usd('10.00'), ...order })).body.id;
  const whole = { reversalInformation: { amountDetails: { totalAmount: '10.00', currency: 'USD' } } };
  const undone = [
    await post(`/pts/v2/refunds/${paid}/voids`, more),
    await post(`/pts/v2/captures/${taken}/voids`, more),
    await post(`/pts/v2/payments/${id}/reversals`, { ...whole, ...more }),
  ];
  expect(undone.map(({ body }) => body.clientReferenceInformation)).toEqual([{ code }, { code }, { code }]);
});

it('knows no offer by any other id, and does not call it a payment', async () => {
  expect(await get('/vas/v1/currencyconversion/none')).toEqual(no('INVALID_DATA', 'id', 404, { id: named }));
  expect(await get('/pts/v2/payments/none')).toEqual(no('INVALID_PAYMENT_ID', 'id', 404));
});
