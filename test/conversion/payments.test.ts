import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversionReasons } from '../../src/domains/conversion/errors.ts';
import { authorized, captured, converted, offered, offering, paying, refunded } from '../engine/conversion.ts';
import { deny, world } from '../engine/support.ts';

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

  it('that is refused for a reason nobody knows counts as one of the 18, and repeats no words of others', async () => {
    const it = await world();
    await it.control('POST', 'conversion', { disclaimer: 'x'.repeat(300) });
    expect((await it.call('offer_conversion', offering())).data.disclaimer).toHaveLength(120);
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

  it('is given by no standing mandate', async () => {
    const mandate = { name: 'all', tools: ['choose_currency', 'authorize_payment'], currency: 'USD', per: [] } as const;
    const opened = world({ configure: { mandates: [mandate] } });
    const it = await opened.catch(() => undefined);
    if (it === undefined) return; // the configuration refuses a mandate on it
    expect((await it.call('choose_currency', { offer: await offered(it), currency: 'AUD' })).outcome).toBe(
      'needs_approval',
    );
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
});

describe('whatever an agent does', () => {
  it('the platform converts nothing that no person chose, at no expired rate, and no money is made', async () => {
    const runs = process.env.SOAK === '1' ? 100 : 3;
    const steps = process.env.SOAK === '1' ? 1_000 : 60;
    for (let seed = 1; seed <= runs; seed += 1) await randomFlow(seed, steps);
  });
});

/** An agent that makes any call at any time, with a person who says yes, no or nothing. */
async function randomFlow(seed: number, steps: number): Promise<void> {
  const it = await world();
  const chosenOffers = new Set<string>();
  const known: { [kind: string]: string[] } = { offer: [], charge: [], capture: [], refund: [] };
  const choices = fc.sample(
    fc.record({
      deed: fc.nat({ max: 8 }),
      which: fc.nat(),
      amount: fc.constantFrom(undefined, '0.01', '33.33', '60.00', '100.01'),
      yes: fc.boolean(),
    }),
    { seed, numRuns: steps },
  );
  let count = 0;
  for (const { deed, which, amount, yes } of choices) {
    count += 1;
    const one = (kind: string) => known[kind]?.[which % Math.max(1, known[kind]?.length ?? 0)] ?? `${kind}_none`;
    const part = amount === undefined ? {} : { amount };
    const reference = `order-${count}`;
    const card = ['card_ada', 'card_bo', 'card_cleo_declines'][which % 3];
    const calls: readonly (readonly [string, object])[] = [
      ['offer_conversion', { ...offering({ card }), reference }],
      ['choose_currency', { offer: one('offer'), currency: 'AUD' }],
      ['authorize_payment', { offer: one('offer'), reference }],
      ['authorize_payment', paying({ card, reference })],
      ['capture_payment', { charge: one('charge'), ...part, reference }],
      ['refund_capture', { capture: one('capture'), ...part, reference }],
      ['void_capture', { capture: one('capture') }],
      ['void_refund', { refund: one('refund') }],
      ['reverse_payment', { charge: one('charge') }],
    ];
    const [tool, args] = calls[deed] ?? ['', {}];
    const said = yes ? await it.through(tool, args) : await it.call(tool, args);
    if (said.outcome === 'done' && tool === 'choose_currency') chosenOffers.add((args as { offer: string }).offer);
    for (const kind of Object.keys(known)) {
      const handle = said.outcome === 'done' ? said.data?.[kind] : undefined;
      if (typeof handle === 'string' && !known[kind]?.includes(handle)) known[kind]?.push(handle);
    }
    if (which % 7 === 0) await it.advance(400);
  }
  const { documents } = (await it.control('GET', 'snapshot')) as { documents: { kind: string; body: Stored }[] };
  const of = (kind: string) => documents.filter((one) => one.kind === kind).map(({ body }) => body);
  const offers = await Promise.all(known.offer?.map(async (handle) => ({ handle, row: await it.thing(handle) })) ?? []);
  for (const charge of of('charge').filter(({ indicator }) => indicator === '1')) {
    const made = offers.find(({ row }) => row.body.offerId === charge.offerId);
    expect(chosenOffers.has(made?.handle ?? ''), `seed ${seed}: an offer that nobody chose`).toBe(true);
    expect(charge.createdAt, `seed ${seed}: an expired rate`).toBeLessThan(Date.parse(String(made?.row.body.expires)));
  }
  for (const charge of of('charge')) {
    const taken = of('capture').filter((one) => one.chargeId === charge.id && one.state !== 'VOIDED');
    expect(sumOf(taken), `seed ${seed}: captured`).toBeLessThanOrEqual(minor(charge.amount));
    for (const capture of taken) {
      const back = of('refund').filter((one) => one.captureId === capture.id && one.state !== 'VOIDED');
      expect(sumOf(back), `seed ${seed}: refunded`).toBeLessThanOrEqual(minor(capture.amount));
    }
  }
}

interface Stored {
  readonly id: string;
  readonly state: string;
  readonly amount: string;
  readonly indicator: string;
  readonly offerId: string;
  readonly chargeId: string;
  readonly captureId: string;
  readonly createdAt: number;
}

/** Thousandths, whatever the currency: amounts of one payment have one currency. */
const minor = (amount: string): number => Math.round(Number(amount) * 1_000);
const sumOf = (all: readonly Stored[]): number => all.reduce((sum, { amount }) => sum + minor(amount), 0);
