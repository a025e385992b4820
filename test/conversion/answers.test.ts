import { describe, expect, it } from 'vitest';
import { ofAnother } from '../../tools/echo.ts';
import { authorized, captured, converted, offered, offering, paying, refunded } from '../engine/conversion.ts';
import { until, type World, world } from '../engine/support.ts';
import { playRowsOneIn } from '../support/drawn.ts';

playRowsOneIn(3);

// Answers of the platform that leave something out, that contradict the request, or that nobody can read: none of them raises what a
// person approved or a customer chose, and none makes a call fail.

/** A world whose platform answers POSTs of a path otherwise. */
// biome-ignore lint/suspicious/noExplicitAny: answers are changed as JSON
const answering = (path: RegExp, change: (body: any) => void): Promise<World> =>
  world({
    replace: {
      platform: (real) => async (request) => {
        const response = await real(request);
        if (request.method !== 'POST' || !path.test(new URL(request.url).pathname)) return response;
        const body = await response.json();
        change(body);
        return new Response(JSON.stringify(body), response);
      },
    },
  });
const unknown = { outcome: 'unknown', error: { rule: 'EN-08' } };

describe('an authorization', () => {
  const details = { authorizedAmount: '100.00', currency: 'USD' };

  it.each([
    ['more than was approved', { ...details, authorizedAmount: '100.01' }],
    ['ten times as much', { ...details, authorizedAmount: '1000.00' }],
    ['another currency', { ...details, currency: 'JPY' }],
    ['an amount with too many decimals', { ...details, authorizedAmount: '99.999' }],
    ['more, under another name', { totalAmount: '100.01', currency: 'USD' }],
  ])('of %s is no success: nothing of it can be captured', async (_, amountDetails) => {
    const it = await answering(/payments$/, (body) => {
      body.orderInformation = { amountDetails };
    });
    const said = await it.through('authorize_payment', paying());
    expect(said).toMatchObject(unknown);
    expect((await it.call('list_payments')).data.total).toBe(0);
    expect((await it.call('list_operations', { state: 'UNKNOWN' })).data.items).toMatchObject([
      { operation: said.operation },
    ]);
  });

  it('of more than the customer chose in the currency of the card is no success', async () => {
    const it = await answering(/payments$/, (body) => {
      body.orderInformation.amountDetails.authorizedAmount = '157.01';
    });
    const offer = await offered(it);
    await it.through('choose_currency', { offer, currency: 'AUD' });
    expect(await it.through('authorize_payment', { offer, reference: 'order-1' })).toMatchObject(unknown);
  });

  it.each([
    ['says no amount', undefined],
    ['says no details', { amountDetails: {} }],
    ['says the whole in other decimals', { amountDetails: { authorizedAmount: '100.000', currency: 'USD' } }],
    ['says the total alone', { amountDetails: { totalAmount: '100', currency: 'USD' } }],
  ])('that %s is of what was asked for', async (_, orderInformation) => {
    const it = await answering(/payments$/, (body) => {
      body.orderInformation = orderInformation;
    });
    const charge = await authorized(it);
    expect((await it.call('capture_payment', { charge })).data.billing).toEqual({ amount: '100.00', currency: 'USD' });
  });

  it.each([
    ['local', authorized, { amount: '60.00', currency: 'USD' }, '60.00'],
    ['converted, at its rate (DC-12)', converted, { amount: '60.00', currency: 'AUD' }, '38.22'],
  ] as const)('of a part is taken no further than that part: %s', async (_, made, billing, local) => {
    const it = await answering(/payments$/, (body) => {
      body.status = 'PARTIAL_AUTHORIZED';
      body.orderInformation.amountDetails.authorizedAmount = '60.00';
    });
    const charge = await made(it);
    await it.call('capture_payment', { charge });
    expect(it.sent.at(-1)?.body.orderInformation.amountDetails.totalAmount).toBe('60.00');
    const shown = (await it.call('get_payment', { charge })).data;
    expect([shown.billing, shown.local.amount]).toEqual([billing, local]);
  });

  it('of a part is no evidence that a purchase is paid (AP-12)', async () => {
    const it = await answering(/payments$/, (body) => {
      body.status = 'PARTIAL_AUTHORIZED';
      body.orderInformation.amountDetails.authorizedAmount = '60.00';
    });
    await it.call('enroll_card', { card: 'card_ada' });
    const limit = { amount: '100.00', currency: 'USD' };
    const wish = { card: 'card_ada', reference: 'order-1', limit, until, description: 'Headphones' };
    const { instruction } = (await it.through('initiate_purchase', wish)).data;
    await it.call('retrieve_credentials', { instruction, ...limit });
    await authorized(it, { instruction });
    const receipt = String((await it.thing(instruction)).body.receipt);
    expect((await it.thing(receipt)).body).toMatchObject({ amount: '60.00', currency: 'USD' });
    expect(await it.call('confirm_transaction', { instruction })).toMatchObject({
      error: { rule: 'AP-12', field: 'instruction' },
    });
  });

  it('that was declined moves nothing, whatever amount it says', async () => {
    const it = await answering(/payments$/, (body) => {
      body.orderInformation = { amountDetails: { authorizedAmount: '9999.00', currency: 'JPY' } };
    });
    expect(await it.through('authorize_payment', paying({ card: 'card_cleo_declines' }))).toMatchObject({
      outcome: 'done',
      data: { state: 'NOT_AUTHORIZED', billing: { amount: '100.00', currency: 'USD' } },
    });
  });
});

describe('a capture or a refund', () => {
  it.each([
    [{ totalAmount: '60.00', currency: 'USD' }],
    [{ totalAmount: '100.01', currency: 'USD' }],
    [{ totalAmount: '100.00', currency: 'EUR' }],
  ])('of another sum than was asked for is no success: %j', async (amountDetails) => {
    const it = await answering(/captures$/, (body) => {
      body.orderInformation = { amountDetails };
    });
    const charge = await authorized(it);
    const said = await it.call('capture_payment', { charge });
    expect(said).toMatchObject(unknown);
    // Until a person has looked, nothing more of the payment moves.
    for (const [tool, args] of [
      ['capture_payment', { charge, reference: 'order-1-b', amount: '1.00' }],
      ['reverse_payment', { charge }],
    ] as const)
      expect((await it.through(tool, args)).outcome).not.toBe('done');
    expect(await it.effects('capturePayment')).toHaveLength(1);
  });

  it.each([[{ refundAmount: '99.99', currency: 'USD' }], [{ refundAmount: '100.00', currency: 'EUR' }]])(
    'pays back what was asked for, or is no success: %j',
    async (refundAmountDetails) => {
      const it = await answering(/refunds$/, (body) => {
        body.refundAmountDetails = refundAmountDetails;
      });
      const capture = await captured(it);
      expect(await it.through('refund_capture', { capture })).toMatchObject(unknown);
      expect((await it.through('refund_capture', { capture, reference: 'order-1-b' })).outcome).not.toBe('done');
      expect(await it.effects('refundCapture')).toHaveLength(1);
    },
  );
});

describe('an answer to what undoes a call', () => {
  it.each([
    ['reverse_payment', /reversals$/, { reversalAmountDetails: { reversedAmount: '40.00', currency: 'USD' } }],
    ['reverse_payment', /reversals$/, { reversalAmountDetails: { reversedAmount: '100.00', currency: 'EUR' } }],
    ['reverse_payment', /reversals$/, { clientReferenceInformation: { code: 'of-another' } }],
    ['void_capture', /voids$/, { voidAmountDetails: { voidAmount: '1.00', currency: 'USD' } }],
    ['void_capture', /voids$/, { clientReferenceInformation: { code: 'of-another' } }],
    ['void_refund', /voids$/, { voidAmountDetails: { voidAmount: '100.00', currency: 'EUR' } }],
    ['capture_payment', /captures$/, { status: 'VOIDED' }],
  ] as const)('is no success where it is about something else: %s, %s, %j', async (tool, path, change) => {
    const it = await answering(path, (body) => Object.assign(body, change));
    const handles = {
      reverse_payment: async () => ({ charge: await authorized(it) }),
      capture_payment: async () => ({ charge: await authorized(it) }),
      void_capture: async () => ({ capture: await captured(it) }),
      void_refund: async () => ({ refund: await refunded(it) }),
    };
    expect(await it.through(tool, await handles[tool]())).toMatchObject(unknown);
  });

  it('is no refund where it is voided at once', async () => {
    const it = await answering(/refunds$/, (body) => {
      body.status = 'VOIDED';
    });
    const capture = await captured(it);
    expect(await it.through('refund_capture', { capture })).toMatchObject({
      data: { state: 'VOIDED' },
      next: ['get_capture'],
    });
    expect((await it.call('get_capture', { capture })).data.refunded.amount).toBe('0.00');
  });
});

describe('the answer to another call (D-182)', () => {
  /** What each call needs, and how it is made. */
  const calls = [
    [/payments$/, (it: World) => it.through('authorize_payment', paying())],
    [/captures$/, async (it: World) => it.call('capture_payment', { charge: await authorized(it) })],
    [/refunds$/, async (it: World) => it.through('refund_capture', { capture: await captured(it) })],
  ] as const;

  // One may begin with another: what was sent is order-1.
  it.each(calls.flatMap(([path, make]) => ['order-2', 'order', 'order-10'].map((code) => [path, code, make] as const)))(
    'is no success: %s, %s',
    async (path, code, make) => {
      const it = await answering(path, (body) => {
        body.clientReferenceInformation = { code };
      });
      expect(await make(it)).toMatchObject(unknown);
    },
  );

  it('is not one that cuts off what is long', () => {
    const [name, sent] = ['r'.repeat(25), { body: { code: 'r'.repeat(25) } }];
    expect([25, 24, 20, 19, 1, 0].map((length) => ofAnother(sent, { code: name.slice(0, length) }, 'code'))).toEqual([
      ...[undefined, undefined, undefined],
      ...['code', 'code', undefined],
    ]);
    expect(ofAnother(sent, { code: `${name}r` }, 'code')).toBe('code');
  });

  it.each(calls)('is not one that leaves the reference out, pads it or says it in capitals: %s', async (path, make) => {
    for (const said of [undefined, {}, { code: 'ORDER-1' }, { code: ' ' }, { code: 'order-1  ' }]) {
      const it = await answering(path, (body) => {
        body.clientReferenceInformation = said;
      });
      expect((await make(it)).outcome).toBe('done');
    }
  });

  it('is told where a connection passes on the answer to the payment before', async () => {
    const kept: Response[] = [];
    const it = await world({
      replace: {
        platform: (real) => async (request) => {
          const response = await real(request);
          if (!request.url.endsWith('/payments')) return response;
          kept.push(response.clone());
          return (kept[0] as Response).clone();
        },
      },
    });
    await authorized(it);
    expect(await it.through('authorize_payment', paying({ reference: 'order-2' }))).toMatchObject(unknown);
    expect((await it.call('list_payments')).data.total).toBe(1);
  });
});

describe('an offer', () => {
  const changed = (change: object) => (body: { orderInformation: { currencyConversion: { offer: object[] } } }) => {
    const { currencyConversion: it } = body.orderInformation;
    it.offer = [{ ...it.offer[0], ...change }];
  };

  it.each([
    [{ originalAmount: '10.00' }],
    [{ originalCurrency: 'EUR' }],
    [{ currency: 'USD' }],
    [{ currency: undefined }],
    [{ amount: undefined }],
    [{ amount: '157.001' }],
    [{ amount: '0.00' }],
    [{ exchangeRate: '0.0' }],
    [{ amount: '15700.00' }],
    [{ amount: '157.03' }],
    [{ exchangeRateInverted: true }],
  ])('that is not one for this price counts as none: %j', async (change) => {
    const it = await answering(/currencyconversion$/, changed(change));
    const { data, next } = await it.call('offer_conversion', offering());
    expect([data.state, data.reason, data.billing, next]).toEqual([
      'INELIGIBLE',
      'UNKNOWN',
      undefined,
      ['authorize_payment'],
    ]);
    expect(await it.through('choose_currency', { offer: data.offer, currency: 'AUD' })).toMatchObject({
      outcome: 'refused',
    });
  });

  it.each([
    ['9000.00', 'USD', 'EUR', '0.8573', '7716.15'],
    ['1000000.00', 'USD', 'EUR', '0.8573', '857349.99'],
    ['50000', 'JPY', 'KWD', '0.0021', '104.250'],
  ])(
    'of which the platform tells four decimals of the rate is one: %s %s',
    async (amount, currency, billing, rate, told) => {
      const offer = { originalAmount: amount, originalCurrency: currency, amount: told, currency: billing };
      const it = await answering(
        /currencyconversion$/,
        changed({ ...offer, exchangeRate: rate, exchangeRateInverted: false }),
      );
      const { data } = await it.call('offer_conversion', offering({ price: { amount, currency } }));
      expect(data.state).toBe('PENDING');
    },
  );

  it.each([
    ['exchangeRate', 'DC-13'],
    ['marginRate', 'DC-13'],
    ['exchangeRateExpirationTimeUtc', 'DC-05'],
    ['exchangeRateTimeUtc', undefined],
    ['originalAmount', undefined],
    ['originalCurrency', undefined],
    ['exchangeRateInverted', undefined],
    ['rateSource', undefined],
    ['rateId', undefined],
  ] as const)(
    'without %s is read, and chosen only where the customer can be shown everything',
    async (member, rule) => {
      const it = await answering(/currencyconversion$/, changed({ [member]: undefined }));
      const said = await it.call('offer_conversion', offering());
      expect(said.outcome).toBe('done');
      const { offer } = said.data;
      expect((await it.call('get_conversion_offer', { offer })).outcome).toBe('done');
      const chosen = await it.through('choose_currency', { offer, currency: 'AUD' });
      expect(chosen).toMatchObject(rule === undefined ? { outcome: 'done' } : { outcome: 'refused', error: { rule } });
      expect(JSON.stringify([said, chosen])).not.toMatch(/undefined|NaN|null/);
      // The order goes on in the local currency whatever the offer left out.
      expect((await it.through('authorize_payment', paying())).data.billing).toEqual({
        amount: '100.00',
        currency: 'USD',
      });
    },
  );

  it('whose rate had expired when it arrived is told so, and waits for nobody', async () => {
    const it = await answering(
      /currencyconversion$/,
      changed({ exchangeRateExpirationTimeUtc: '2020-01-01T00:00:00Z' }),
    );
    const { data, next } = await it.call('offer_conversion', offering());
    expect([data.state, data.waiting_for, next]).toEqual([
      'EXPIRED',
      undefined,
      ['offer_conversion', 'authorize_payment'],
    ]);
    expect(await it.call('choose_currency', { offer: data.offer, currency: 'AUD' })).toMatchObject({
      outcome: 'refused',
      error: { rule: 'DC-05' },
    });
  });

  it.each(['+275760-09-14', 'tomorrow', '9999999-01-01', undefined])(
    'whose end is no time counts as expired: %j',
    async (end) => {
      const it = await answering(/currencyconversion$/, changed({ exchangeRateExpirationTimeUtc: end }));
      const { data } = await it.call('offer_conversion', offering());
      for (const [tool, args] of [
        ['choose_currency', { offer: data.offer, currency: 'AUD' }],
        ['authorize_payment', { offer: data.offer, reference: 'order-1' }],
      ] as const) {
        const refusal = await it.through(tool, args);
        expect(refusal).toMatchObject({ outcome: 'refused', error: { rule: 'DC-05' } });
        expect(refusal.said).not.toContain('undefined');
      }
    },
  );
});
