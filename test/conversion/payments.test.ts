import { describe, expect, it } from 'vitest';
import { conversionReasons } from '../../src/domains/conversion/errors.ts';
import { authorized, captured, converted, offered, offering, paying, refunded } from '../engine/conversion.ts';
import { bought, deny, payment, settle, type World, world } from '../engine/support.ts';

describe('an offer', () => {
  it.each(conversionReasons)(
    'that is refused for %s says what that means, and that the order goes on',
    async (reason) => {
      const it = await world();
      await it.control('POST', 'conversion', { reason });
      const { said, data, next } = await it.call('offer_conversion', offering());
      expect([data.state, data.reason, data.meaning.length > 10]).toEqual(['INELIGIBLE', reason, true]);
      expect(said).toContain('local currency');
      expect(next).toEqual(['authorize_payment']);
    },
  );

  it.each(['decline', '5xx', 'timeout-after-commit', 'wrong-shape'] as const)(
    'DC-03 that the platform refuses or does not answer leaves the order to go on: %s',
    async (kind) => {
      const it = await world();
      for (let times = 0; times < 8; times++) await it.fault('offerConversion', kind);
      const { outcome, said, next } = await it.call('offer_conversion', offering());
      expect(outcome).not.toBe('done');
      expect(said).toContain('local currency');
      expect(next).toContain('authorize_payment');
      const { data } = await it.through('authorize_payment', paying());
      expect(data).toMatchObject({ state: 'AUTHORIZED', billing: { currency: 'USD' } });
    },
  );

  it('that is refused for a reason nobody knows counts as one of the 18, and repeats no words of others', async () => {
    const it = await world();
    await it.control('POST', 'conversion', { disclaimer: 'x'.repeat(300) });
    expect((await it.call('offer_conversion', offering())).data.disclaimer).toHaveLength(120);
    const strange = await world({
      replace: {
        platform: (real) => async (request) => {
          const answer = await real(request);
          if (!request.url.includes('currencyconversion')) return answer;
          return new Response((await answer.text()).replace('NOT_ELIGIBLE', 'PAY_SOMEBODY_ELSE'), answer);
        },
      },
    });
    await strange.control('POST', 'conversion', { reason: 'NOT_ELIGIBLE' });
    const answer = await strange.call('offer_conversion', offering());
    expect([answer.data.reason, JSON.stringify(answer).includes('PAY_SOMEBODY_ELSE')]).toEqual(['UNKNOWN', false]);
  });
});

describe('the choice of a currency', () => {
  it('is asked with both prices, the rate, the markup, the disclaimer and the expiry', async () => {
    const it = await world();
    const { approval } = await it.call('choose_currency', { offer: await offered(it), currency: 'AUD' });
    const text = approval?.text ?? '';
    for (const shown of [
      '100.00 USD',
      '157.00 AUD',
      '1 USD = 1.570029 AUD',
      'Markup: 3.00 %',
      '2026-01-15T09:15',
      'Notice:',
    ])
      expect(text).toContain(shown);
  });

  it('is given by no standing mandate: a configuration with one does not start', async () => {
    const mandate = { name: 'all', tools: ['choose_currency'], currency: 'USD', per: [] } as const;
    await expect(world({ configure: { mandates: [mandate] } })).rejects.toThrow('choose_currency');
  });

  it('that was denied converts nothing: the local currency is left', async () => {
    const it = await world();
    const offer = await offered(it);
    await deny(it, await it.call('choose_currency', { offer, currency: 'AUD' }));
    const refusal = await it.call('authorize_payment', { offer, reference: 'order-1' });
    expect(refusal).toMatchObject({ outcome: 'refused', error: { rule: 'DC-04' } });
    expect(await it.effects('authorizePayment')).toEqual([]);
    expect((await it.through('authorize_payment', paying())).data.billing).toEqual({
      amount: '100.00',
      currency: 'USD',
    });
  });
});

describe('a payment', () => {
  it('carries the rate of its own offer, chosen for its card, once', async () => {
    const it = await world();
    const [chosen, other] = [await offered(it), await offered(it, { reference: 'order-2' })];
    await it.through('choose_currency', { offer: chosen, currency: 'AUD' });
    const pay = (args: object) => it.through('authorize_payment', { reference: 'order-1', ...args });
    const no = (rule: string) => ({ outcome: 'refused', error: { rule } });
    expect(await pay({ offer: other })).toMatchObject(no('DC-04'));
    expect(await pay({ offer: chosen, card: 'card_bo' })).toMatchObject(no('DC-04'));
    expect(await pay({ offer: chosen })).toMatchObject({ outcome: 'done', data: { state: 'AUTHORIZED' } });
    expect(await pay({ offer: chosen, reference: 'order-3' })).toMatchObject(no('DC-04'));
    expect(await it.effects('authorizePayment')).toHaveLength(1);
  });

  it('is approved with both prices, each with its currency', async () => {
    const it = await world();
    const offer = await offered(it);
    await it.through('choose_currency', { offer, currency: 'AUD' });
    const { approval } = await it.call('authorize_payment', { offer, reference: 'order-1' });
    const lines = approval?.text.split('\n') ?? [];
    for (const line of [
      "In the shop's currency: 100.00 USD",
      "In the card's currency: 157.00 AUD",
      'Rate: 1 USD = 1.570029 AUD',
      'Markup: 3.00 %',
      'Charged: 157.00 AUD',
    ])
      expect(lines.map((it) => it.trim())).toContain(line);
  });

  it('is taken and paid back to the last cent, in as many parts, and no cent more', async () => {
    const it = await world();
    const charge = await authorized(it);
    const part = async (tool: string, from: object, amount: string | undefined, reference: string) => {
      const { outcome, error, data } = await it.through(tool, {
        ...from,
        ...(amount === undefined ? {} : { amount }),
        reference,
      });
      return outcome === 'done' ? data : `${error?.rule} ${error?.field}`;
    };
    const { capture } = await part('capture_payment', { charge }, '60.00', 'order-1-a');
    expect(await part('capture_payment', { charge }, '40.01', 'order-1-b')).toBe('DC-09 amount');
    expect(await part('capture_payment', { charge }, '40.00', 'order-1-c')).toMatchObject({ state: 'PENDING' });
    expect(await part('capture_payment', { charge }, undefined, 'order-1-g')).toBe('DC-09 amount');
    expect(await part('refund_capture', { capture }, '59.99', 'order-1-d')).toMatchObject({ state: 'PENDING' });
    expect(await part('refund_capture', { capture }, '0.02', 'order-1-e')).toBe('DC-10 amount');
    expect(await part('refund_capture', { capture }, '0.01', 'order-1-f')).toMatchObject({ state: 'PENDING' });
    expect(await part('refund_capture', { capture }, undefined, 'order-1-h')).toBe('DC-10 amount');
    expect([await it.effects('capturePayment'), await it.effects('refundCapture')].map(({ length }) => length)).toEqual(
      [2, 2],
    );
  });

  it('says of a second part without a reference under which call it counts, and what makes it another one', async () => {
    const it = await world();
    const charge = await authorized(it);
    const first = await it.call('capture_payment', { charge, amount: '5.00' });
    const counts =
      'No reference was given, so this counts as the call under order-1. For another one, give a reference of its own. ';
    expect(await it.call('capture_payment', { charge, amount: '6.00' })).toMatchObject({
      said: `${counts}That call was made with other arguments.`,
      error: { code: 'CONFLICT', field: 'reference', rule: 'EN-03' },
    });
    expect(await it.call('capture_payment', { charge, amount: '5.00' })).toMatchObject({
      ...{ outcome: 'done', replayed: true },
      said: `${counts}This call was made before, and nothing is sent again. Its answer was: ${first.said}`,
    });
    const own = { charge, amount: '5.00', reference: 'order-1-b' };
    expect((await it.call('capture_payment', own)).replayed).toBeUndefined();
    expect((await it.call('capture_payment', own)).said).toMatch(/^This call was made before/);
    expect(await it.call('capture_payment', { ...own, amount: '6.00' })).toMatchObject({
      said: 'This reference already belongs to another call. Use a new reference for a different call.',
    });
    const { capture } = first.data;
    await it.call('refund_capture', { capture, amount: '1.00' });
    expect((await it.call('refund_capture', { capture, amount: '2.00' })).said).toBe(
      `${counts}A call with this reference and other arguments waits for a person. The reference is free again once that call is withdrawn, denied or expires.`,
    );
    expect(await it.effects('capturePayment')).toHaveLength(2);
  });

  it.each([
    ['common', { exchangeRate: '1.5700', exchangeRateTimeStamp: '20260115 09:00' }],
    [
      'direct',
      {
        ...{ exchangeRate: '1.570029', exchangeRateTimeStamp: '20260115090000' },
        ...{ originalAmount: '100.00', originalCurrency: 'USD' },
      },
    ],
    [
      'foreign',
      {
        ...{ exchangeRate: '1.5700', exchangeRateTimeStamp: '20260115 09:00' },
        ...{ foreignAmount: '157.00', foreignCurrency: 'AUD' },
      },
    ],
  ] as const)(
    'carries the fields of %s processing, from the authorization to the refund',
    async (processing, fields) => {
      const sent: object[] = [];
      const it = await world({
        configure: { merchant: { id: 'm', name: 'M', country: 'GB', url: 'https://m.example.com', processing } },
        replace: {
          platform: (real) => async (request) => {
            if (request.url.includes('/pts/')) sent.push((await request.clone().json()) as object);
            return real(request);
          },
        },
      });
      await it.control('POST', 'conversion', { processing });
      const charge = await converted(it);
      const taken = await it.through('capture_payment', { charge });
      await it.through('refund_capture', { capture: taken.data.capture });
      // biome-ignore lint/suspicious/noExplicitAny: bodies are compared whole, not typed
      const amounts = sent.map((body: any) => body.orderInformation.amountDetails);
      expect(amounts[0]).toMatchObject({
        ...fields,
        totalAmount: '157.00',
        currency: 'AUD',
        currencyConversion: { indicator: '1' },
      });
      const { exchangeRateTimeStamp, ...always } = fields;
      const later = processing === 'foreign' ? fields : always;
      expect(amounts.slice(1)).toEqual([1, 2].map(() => ({ ...later, totalAmount: '157.00', currency: 'AUD' })));
      if (processing === 'direct')
        expect(Object.keys(amounts[0].currencyConversion).toSorted()).toEqual(['id', 'indicator', 'reconciliationId']);
    },
  );

  it('is captured without a second approval, refunded and undone only with one', async () => {
    const it = await world();
    const charge = await authorized(it);
    expect((await it.call('capture_payment', { charge })).outcome).toBe('done');
    const other = await captured(it, { reference: 'order-2' });
    expect((await it.call('refund_capture', { capture: other })).outcome).toBe('needs_approval');
    expect((await it.call('void_capture', { capture: other })).outcome).toBe('needs_approval');
    expect((await it.call('void_refund', { refund: await refunded(it, { reference: 'order-3' }) })).outcome).toBe(
      'needs_approval',
    );
  });

  it('stays captured where the platform answers that it voided nothing, and is voided at the next try', async () => {
    const it = await world();
    const capture = await captured(it);
    const { charge } = (await it.call('get_capture', { capture })).data;
    await it.control('POST', 'conversion', { voids: 'failed' });
    expect(await it.through('void_capture', { capture })).toMatchObject({
      outcome: 'done',
      data: { state: 'PENDING' },
    });
    expect((await it.call('get_payment', { charge })).data.captured.amount).toBe('100.00');
    await it.control('POST', 'conversion', { voids: 'done' });
    expect((await it.through('void_capture', { capture })).data.state).toBe('VOIDED');
    expect((await it.call('get_payment', { charge })).data.captured.amount).toBe('0.00');
  });

  it('stays refunded where the platform answers that it voided nothing', async () => {
    const it = await world();
    const refund = await refunded(it);
    const { capture } = (await it.call('get_refund', { refund })).data;
    await it.control('POST', 'conversion', { voids: 'failed' });
    expect((await it.through('void_refund', { refund })).data.state).toBe('PENDING');
    expect((await it.call('get_capture', { capture })).data.refunded.amount).toBe('100.00');
  });

  it('is refunded again after a refund was declined, which pays nothing back', async () => {
    const it = await world();
    const capture = await captured(it);
    await it.control('POST', 'conversion', { refunds: 'declined' });
    const declined = await it.through('refund_capture', { capture });
    expect([declined.data.state, declined.next]).toEqual(['NOT_REFUNDED', ['get_capture']]);
    expect((await it.call('get_refund', { refund: declined.data.refund })).data.state).toBe('NOT_REFUNDED');
    expect((await it.call('get_capture', { capture })).data.refunded.amount).toBe('0.00');
    await it.control('POST', 'conversion', { refunds: 'approved' });
    const { data } = await it.through('refund_capture', { capture, reference: 'order-1-b' });
    expect([data.state, data.local.amount]).toEqual(['PENDING', '100.00']);
  });

  it('has a receipt with both amounts, the rate and the markup where it was converted (DC-13)', async () => {
    const it = await world();
    const lines = async (charge: string) =>
      (await it.call('get_payment_receipt', { charge })).data.receipt.split('\n') as string[];
    expect(await lines(await converted(it))).toEqual(
      expect.arrayContaining([
        'Price: 100.00 USD',
        'Charged in the card’s currency: 157.00 AUD',
        'Exchange rate: 1 USD = 1.570029 AUD',
        'Markup: 3.00 %',
      ]),
    );
    const unconverted = await lines(await authorized(it, { reference: 'order-2' }));
    expect(unconverted.filter((line) => /rate|Markup|AUD/.test(line))).toEqual([]);
  });

  it('has a receipt whose HTML holds no markup of anybody’s', async () => {
    const it = await world({
      configure: {
        merchant: { id: 'm', name: '<b>M & Co</b>', country: 'GB', url: 'https://m.example.com', processing: 'common' },
      },
    });
    const { data } = await it.call('get_payment_receipt', { charge: await converted(it), format: 'html' });
    expect(data.receipt).toContain('&#60;b&#62;M &#38; Co&#60;/b&#62;');
    expect(data.receipt).toContain('1 USD = 1.570029 AUD');
  });

  it('is found by its order and its state', async () => {
    const it = await world();
    const charge = await authorized(it);
    await it.call('capture_payment', { charge });
    const found = async (args: object) =>
      (await it.call('list_payments', args)).data.items.map((one: { charge: string }) => one.charge);
    expect(await found({ reference: 'order-1' })).toEqual([charge]);
    expect(await found({ state: 'CAPTURED' })).toEqual([charge]);
    expect(await found({ state: 'REVERSED' })).toEqual([]);
  });

  it('is counted by its order and its state together', async () => {
    const it = await world();
    const charge = await authorized(it);
    const found = (state: string) => it.call('list_payments', { reference: 'order-1', state });
    expect(await found('AUTHORIZED')).toMatchObject({ data: { items: [{ charge }], total: 1 } });
    expect(await found('REVERSED')).toMatchObject({ data: { items: [], total: 0 }, next: ['list_operations'] });
  });
});

describe('a purchase whose payment was given back (AP-10)', () => {
  const price = { amount: '40.00', currency: 'GBP' };
  const pays = async () => {
    const it = await world();
    const instruction = await bought(it);
    await it.call('retrieve_credentials', payment(instruction));
    const charge = await authorized(it, { price, instruction, reference: 'pay-1' });
    return { it, instruction, charge };
  };
  const confirmed = (it: World, instruction: string) => it.call('confirm_transaction', { instruction });
  const refused = { outcome: 'refused', error: { rule: 'AP-10', field: 'instruction' } };

  it('is not confirmed', async () => {
    const { it, instruction, charge } = await pays();
    await it.through('reverse_payment', { charge });
    expect(await confirmed(it, instruction)).toMatchObject(refused);
  });

  it('is not confirmed while nobody knows whether a reversal took effect, and is where it did not', async () => {
    const { it, instruction, charge } = await pays();
    await it.fault('reversePayment', '5xx');
    const { operation } = await it.through('reverse_payment', { charge });
    expect(await confirmed(it, instruction)).toMatchObject({
      error: { code: 'OUTCOME_UNKNOWN', rule: 'EN-06' },
      operation,
    });
    await it.advance(121);
    await settle(it, operation, false);
    expect(await confirmed(it, instruction)).toMatchObject({ outcome: 'done' });
  });

  it('is not confirmed where a person finds out that a lost reversal took effect', async () => {
    const { it, instruction, charge } = await pays();
    await it.fault('reversePayment', 'timeout-after-commit');
    const said = await it.through('reverse_payment', { charge });
    await it.advance(121);
    await settle(it, said.operation, true);
    expect(await confirmed(it, instruction)).toMatchObject(refused);
  });

  it('is not confirmed where a look shows that somebody else has reversed it', async () => {
    const { it, instruction, charge } = await pays();
    const { paymentId: id } = (await it.thing(charge)).body;
    const amountDetails = { totalAmount: price.amount, currency: price.currency };
    const body = { clientReferenceInformation: { code: 'of-another' }, reversalInformation: { amountDetails } };
    await it.parts.client.reversePayment({ id, body } as never);
    expect(await it.call('get_payment', { charge })).toMatchObject({ data: { state: 'REVERSED' } });
    expect(await confirmed(it, instruction)).toMatchObject(refused);
  });

  it('is confirmed where it was paid again since', async () => {
    const { it, instruction, charge } = await pays();
    await it.through('reverse_payment', { charge });
    await authorized(it, { price, instruction, reference: 'pay-2' });
    expect(await it.call('get_payment', { charge })).toMatchObject({ data: { state: 'REVERSED' } });
    expect(await confirmed(it, instruction)).toMatchObject({ outcome: 'done' });
  });

  it("leaves the merchant's own receipt, and is not confirmed", async () => {
    const { it, instruction, charge } = await pays();
    await it.receipt(instruction);
    const { receipt = '' } = (await it.thing(instruction)).body as { readonly receipt?: string };
    const posted = await it.thing(receipt);
    await it.through('reverse_payment', { charge });
    expect((await it.thing(receipt)).body).toEqual(posted.body);
    expect(await confirmed(it, instruction)).toMatchObject(refused);
  });
});

describe('what arrives twice, and is refused as a duplicate of itself', () => {
  const price = { amount: '40.00', currency: 'GBP' };
  it.each([
    ['authorize_payment', /payments$/, async () => paying({ price })],
    ['capture_payment', /captures$/, async (it: World) => ({ charge: await authorized(it, { price }) })],
    ['refund_capture', /refunds$/, async (it: World) => ({ capture: await captured(it, { price }) })],
  ] as const)('is unknown where it is refused as a duplicate: %s', async (tool, path, given) => {
    let isOn = false;
    const it = await world({
      replace: {
        platform: (real) => async (request) => {
          if (!isOn || request.method !== 'POST' || !path.test(new URL(request.url).pathname)) return real(request);
          await real(request);
          const error = { status: 'INVALID_REQUEST', reason: 'DUPLICATE_REQUEST', message: 'A duplicate.' };
          return Response.json(error, { status: 400 });
        },
      },
    });
    const args = await given(it);
    isOn = true;
    const said = expect.stringContaining('DUPLICATE_REQUEST');
    expect(await it.through(tool, args)).toMatchObject({ outcome: 'unknown', said });
    expect(await it.through(tool, args)).toMatchObject({ outcome: 'unknown' });
    expect(it.sent.filter(({ path: to }) => path.test(to))).toHaveLength(1);
  });
});
