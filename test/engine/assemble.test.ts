import { describe, expect, it } from 'vitest';
import type { Thing } from '../../src/core/thing.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { assemble } from '../../src/engine/assemble.ts';
import type { PlatformTool } from '../../src/engine/tool.ts';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { tools } from '../../tools/index.ts';
import { type Parts, withParts } from '../support/tool-parts.ts';
import { start, wish } from './shop.ts';

// What goes out, whole: every value from where it may come from, and nothing else.

const { shopper_ada: ada } = sandboxSeed.shoppers;
const { cards, displayName, ...session } = ada;
const [card] = cards;
if (card === undefined) throw new Error('Ada has no card.');
/** What an authentication takes of a session, and no purchase. */
const { address1: _1, administrativeArea: _2, locality: _3, postalCode: _4, ...billTo } = session.billTo;
const deviceInformation = Object.fromEntries(
  Object.entries(session.deviceInformation).filter(
    ([name]) => !/^(http(Accept|Browser)|platformType|userAgentBrowserValue)/.test(name),
  ),
);
const correlationId = '00000000-0000-4000-8000-000000000001';
const mandateId = '00000000-0000-4000-8000-000000000002';

const toolOf = (name: string): PlatformTool => {
  const tool = tools.find((one) => one.name === name);
  if (tool?.kind !== 'platform') throw new Error(`There is no platform tool ${name}.`);
  return tool;
};
const thing = (kind: string, body: object): Thing => ({
  handle: `${kind}_1`,
  kind,
  owner: '',
  state: 'none',
  body: { ...body },
  createdAt: start,
});
/** What is known of a call about Ada and her card, and about more things by their kind. */
const factsOf = (args: object, bodies: Readonly<Record<string, object>> = {}, reference = ''): Facts => ({
  now: start,
  args: { ...args },
  things: Object.fromEntries(
    Object.entries({ shopper: { displayName, ...session }, card, ...bodies }).map(([kind, body]) => [
      kind,
      thing(kind, body),
    ]),
  ) as unknown as Facts['things'], // every body under its own kind
  merchant: sandboxSeed.merchant,
  configured: {},
  reference,
  new: { correlationId, mandateId },
});
const request = (name: string, facts: Facts) => assemble(toolOf(name), facts);

describe('a request', () => {
  const addressed = tools.filter((it) => it.kind === 'platform' && Object.keys(it.definition.path ?? {}).length > 0);
  it.each(addressed.map(({ name }) => name))('of %s names nothing where nothing is known', (name) => {
    expect([...new Set(Object.values(request(name, { ...factsOf({}), things: {} }).names))]).toEqual(['']);
  });

  it('takes the shopper and the device from the session, the card from what is known of it, and no other member', () => {
    const told = { ...session, displayName, loyalty: 'gold', billTo: { ...session.billTo, nickname: 'A.' } };
    expect(request('enroll_card', factsOf({}, { shopper: told }))).toEqual({
      names: {},
      body: {
        clientCorrelationId: correlationId,
        billTo,
        consumerIdentity: session.consumerIdentity,
        deviceInformation,
        paymentInformation: {
          instrumentIdentifier: { id: card.instrumentIdentifierId },
          customer: { id: card.customerId },
          paymentInstrument: { id: card.paymentInstrumentId },
        },
        assuranceData: session.assuranceData,
        buyerInformation: session.buyerInformation,
        consentData: session.consentData,
      },
    });
  });

  it('takes from the model what it may author, inside the one element that the call makes', () => {
    const { body, names } = request('initiate_purchase', factsOf({ ...wish, quantity: 2, recurring: true }));
    expect([names, body]).toEqual([
      {},
      {
        clientCorrelationId: correlationId,
        paymentInformation: {
          instrumentIdentifier: { id: card.instrumentIdentifierId },
          customer: { id: card.customerId },
          paymentInstrument: { id: card.paymentInstrumentId },
        },
        deviceInformation,
        assuranceData: session.assuranceData,
        buyerInformation: session.buyerInformation,
        mandates: [
          {
            mandateId,
            declineThreshold: { amount: '40.00', currencyCode: 'EUR' },
            effectiveUntilTime: String(Date.parse(wish.until) / 1_000),
            description: 'Headphones',
            preferredMerchantName: 'Harbour Audio',
            quantity: '2',
          },
        ],
        isRecurring: true,
      },
    ]);
  });

  it('takes the merchant from configuration, the reference from the call, and the address from its place in the session', () => {
    const shipTo = { country: 'GB', countryCallingCode: '44', phoneNumber: '7700900001', locality: 'Leeds' };
    const instruction = { instructionId: 'instruction-1', mandateId: 'mandate-1' };
    const facts = factsOf(
      { amount: '39.90', currency: 'EUR', shipping: '4.90' },
      { shopper: { ...session, shipTo }, instruction },
      'order-1',
    );
    const { names, body } = request('retrieve_credentials', facts);
    expect(names).toEqual({ instructionID: 'instruction-1' });
    expect(body).toMatchObject({
      transactionData: [
        {
          clientReferenceInformation: { code: 'order-1' },
          mandateReferenceData: [{ mandateId: 'mandate-1' }],
          merchantOrderId: 'order-1',
          orderInformation: {
            amountDetail: { totalAmount: '39.90', currency: 'EUR', shippingAmount: '4.90' },
            shipTo,
          },
          merchantInformation: {
            merchantName: sandboxSeed.merchant.name,
            merchantDescriptor: { country: 'GB', url: sandboxSeed.merchant.url },
            merchantId: sandboxSeed.merchant.id,
            categoryCode: '5732',
            domainName: sandboxSeed.merchant.domainName,
            language: 'en-GB',
          },
        },
      ],
    });
  });

  it('brings every element of a list in the session, each with its own members', () => {
    const [first] = session.assuranceData;
    const second = { ...first, verificationMethod: '21', verificationEvents: ['02', '03'] };
    const { body } = request('enroll_card', factsOf({}, { shopper: { ...session, assuranceData: [first, second] } }));
    expect(body).toMatchObject({ assuranceData: [first, second] });
  });

  it('brings a list of the model as it is', () => {
    const facts = factsOf({ cycles: [3, 5] }, { subscription: { subscriptionId: 'subscription-1' } });
    expect(request('skip_subscription_payments', facts)).toEqual({
      names: { id: 'subscription-1' },
      body: { billingCyclesToSkip: [3, 5] },
    });
    expect(request('skip_subscription_payments', { ...facts, args: { cycles: [] } }).body).toEqual({
      billingCyclesToSkip: [],
    });
  });

  it('keeps what stays of a thing that it replaces, where no argument says otherwise', () => {
    const terms = {
      'invoiceInformation.dueDate': '2026-03-01',
      'customerInformation.name': 'Ada Example',
      'customerInformation.email': 'ada@example.com',
    };
    const tool: PlatformTool = withParts(toolOf('update_invoice'), { input: { carryOver: () => terms } });
    const facts = factsOf(
      { customer_name: 'Ada Lovelace' },
      { invoice: { invoiceId: 'A-1', sendImmediately: false, terms } },
    );
    expect(assemble(tool, facts)).toMatchObject({
      names: { id: 'A-1' },
      body: {
        customerInformation: { name: 'Ada Lovelace', email: 'ada@example.com' },
        invoiceInformation: { invoiceNumber: 'A-1', sendImmediately: false, dueDate: '2026-03-01' },
      },
    });
  });
});

describe('a query', () => {
  it('is asked with what was given, apart from any body', () => {
    expect(request('list_plans', factsOf({ state: 'ACTIVE', limit: 20, cursor: '40' }))).toEqual({
      names: {},
      query: { status: 'ACTIVE', limit: '20', offset: '40' },
      body: undefined,
    });
  });

  it('takes the customer from the card and the reference from the call', () => {
    expect(request('list_subscriptions', factsOf({}, {}, 'order-1')).query).toEqual({
      customerId: card.customerId,
      clientReferenceInformationCode: 'order-1',
    });
  });

  it('tells no reference where the call stands under none', () => {
    expect(request('list_subscriptions', factsOf({}))).toEqual({
      names: {},
      query: { customerId: card.customerId },
      body: undefined,
    });
  });

  it('that can only say one thing says it', () => {
    expect(request('get_invoice_settings', factsOf({}))).toEqual({
      names: {},
      query: { productType: 'INVOICING' },
      body: undefined,
    });
  });

  it('is there though it asks for nothing, and is not where the operation takes none', () => {
    const subscription = { subscriptionId: 'subscription-1' };
    expect(request('list_subscription_payments', factsOf({}, { subscription })).query).toEqual({});
    expect(request('get_subscription', factsOf({}, { subscription }))).not.toHaveProperty('query');
  });

  it('goes beside a body without mixing with it', () => {
    expect(request('update_invoice_settings', factsOf({ display_name: 'Harbour' }))).toEqual({
      names: {},
      query: { productType: 'INVOICING' },
      body: { invoiceSettingsInformation: { merchantDisplayName: 'Harbour' } },
    });
  });

  it('never fills a field of the body that has its name', () => {
    const tool = toolOf('update_invoice_settings');
    const args = { name: { ...tool.input.args.display_name, fills: [{ path: '?isRecurring', value: () => true }] } };
    const body = assemble(withParts(toolOf('initiate_purchase'), { input: { args } } as Parts), factsOf({})).body;
    expect(body).not.toHaveProperty('isRecurring');
  });
});

describe('what is missing', () => {
  it('stays missing: no member, no empty object, no empty list', () => {
    const { assuranceData: _assured, buyerInformation: _buyer, consentData: _consent, ...bare } = session;
    const { body } = request('enroll_card', factsOf({}, { shopper: bare }));
    expect(Object.keys(body as object).toSorted()).toEqual([
      'billTo',
      'clientCorrelationId',
      'consumerIdentity',
      'deviceInformation',
      'paymentInformation',
    ]);
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['text', 'Leeds'],
    ['a list', ['GB']],
  ])('is not made up where the session holds %s in place of an object', (__, billTo) => {
    expect(request('enroll_card', factsOf({}, { shopper: { ...session, billTo } })).body).not.toHaveProperty('billTo');
  });

  it('is not made up where the session holds no list in place of one', () => {
    const { body } = request('enroll_card', factsOf({}, { shopper: { ...session, assuranceData: 'none' } }));
    expect(body).not.toHaveProperty('assuranceData');
  });

  it('leaves a list that the call itself makes out, where it knows nothing of its element', () => {
    const facts = factsOf({ amount: '1.00', currency: 'EUR' }, { instruction: { instructionId: 'instruction-1' } });
    const { body } = request('retrieve_credentials', facts);
    expect((body as { transactionData: object[] }).transactionData[0]).not.toHaveProperty('mandateReferenceData');
    expect(
      (body as { transactionData: { orderInformation: object }[] }).transactionData[0]?.orderInformation,
    ).not.toHaveProperty('lineItems');
  });

  it('is the whole session where nobody is known to shop, and the card where none is', () => {
    const facts = { ...factsOf({}), things: {} };
    expect(request('enroll_card', facts)).toEqual({ names: {}, body: { clientCorrelationId: correlationId } });
  });

  it('is a body, where the operation takes none', () => {
    const facts = factsOf({}, { subscription: { subscriptionId: 'subscription-1' } });
    expect(request('cancel_subscription', facts)).toEqual({ names: { id: 'subscription-1' }, body: undefined });
  });
});
