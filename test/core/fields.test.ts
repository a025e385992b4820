import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  bare,
  fieldOf,
  leaves,
  model,
  platform,
  schemaAt,
  secret,
  server,
  shopper,
  text,
  under,
  word,
} from '../../src/core/fields.ts';
import type { Operation } from '../../src/core/operation.ts';
import { contract, domains, kinds } from '../../src/domains/index.ts';
import { parts } from '../spec/shape.ts';

const operations: readonly (readonly [string, Operation])[] = Object.entries(contract);
const requests = operations.flatMap(([name, it]) =>
  [[name, it.body] as const, [it.body === undefined ? name : `${name}, its query`, it.query] as const].flatMap(
    ([part, schema]) => (schema === undefined ? [] : [[part, schema] as const]),
  ),
);
const answers = operations.flatMap(([name, it]) =>
  [...Object.entries(it.output), ['error', it.error.schema] as const].map(
    ([code, schema]) => [`${name} ${code}`, schema] as const,
  ),
);

describe('a word of the platform', () => {
  it('is never the name of what every object has: tables are looked up by it', () => {
    const named = Object.getOwnPropertyNames(Object.prototype);
    expect(named.filter((it) => word.safeParse(it).success)).toEqual([]);
    expect(['ACTIVE', 'Constructor', 'anything new'].every((it) => word.safeParse(it).success)).toBe(true);
  });

  it('is every state and every unit that an answer states', () => {
    const stated = answers
      .filter(([name]) => !name.endsWith(' error'))
      .flatMap(([name, schema]) =>
        leaves(schema).map((leaf) => ({ name: `${name} ${leaf.path}`, schema: leaf.schema })),
      )
      .filter(({ name }) => /\b(?:status|unit)$/.test(name));
    expect(stated.length).toBeGreaterThan(40);
    expect(stated.filter(({ schema }) => schema.safeParse('constructor').success)).toEqual([]);
  });
});

describe('the leaves of a schema', () => {
  const schema = z.looseObject({
    name: model(text),
    lines: z.array(z.looseObject({ price: server(text, 'card.price'), notes: z.array(shopper(text)).optional() })),
    extra: z.looseObject({ key: secret(platform(text)) }).optional(),
    late: under('AP-02', shopper(text)).optional(),
  });

  it('are its fields in order, each with where it comes from', () => {
    expect(leaves(schema).map(({ path, field, optional }) => [path, field, optional])).toEqual([
      ['name', { from: 'model' }, false],
      ['lines[].price', { from: 'server', at: 'card.price' }, false],
      ['lines[].notes[]', { from: 'shopper', at: undefined }, true],
      ['extra.key', { from: 'platform', secret: true }, true],
      ['late', { from: 'shopper', at: undefined, rule: 'AP-02' }, true],
    ]);
  });

  it('are found again by their path, and nothing else is', () => {
    expect(leaves(schema).map((leaf) => fieldOf(schemaAt(schema, leaf.path) ?? z.never()).from)).toEqual([
      'model',
      'server',
      'shopper',
      'platform',
      'shopper',
    ]);
    const absent = [
      'nothing',
      'name.first',
      'name[]',
      'lines.price',
      'lines[][]',
      'extra[].key',
      'constructor',
      'toString',
    ];
    expect(absent.map((path) => schemaAt(schema, path))).toEqual(absent.map(() => undefined));
  });

  it('do not change when the same text is marked twice: a mark belongs to one field', () => {
    const [one, other] = [model(text), shopper(text)];
    expect([fieldOf(one).from, fieldOf(other).from, fieldOf(text).from]).toEqual(['model', 'shopper', 'platform']);
  });
});

/** Whether a value is a record, or is made one. */
const isRecord = (schema: unknown): boolean =>
  schema instanceof z.ZodRecord || (schema instanceof z.ZodPipe && isRecord(schema.out));

describe.each(requests)('the request of %s', (name, schema) => {
  const all = leaves(schema);

  it('has the leaves that zod itself shows, with the same requiredness', () => {
    const shown = parts(schema).filter((part) => part.type !== 'object');
    // A record is an object whose names nobody knows beforehand.
    const plain = all.filter((leaf) => !isRecord(bare(leaf.schema)));
    expect(plain.map((leaf) => [leaf.path, !leaf.optional])).toEqual(shown.map((part) => [part.path, part.always]));
  });

  it('says of every leaf who may author it', () => {
    expect(all.filter((leaf) => leaf.field.from === 'platform').map((leaf) => leaf.path)).toEqual([]);
  });

  it('finds every leaf by its path', () => {
    expect(all.filter((leaf) => schemaAt(schema, leaf.path) === undefined).map((leaf) => leaf.path)).toEqual([]);
  });

  it('names for what Purser fills where it comes from', () => {
    const source = new RegExp(`^(reference|fixed|computed|(new|merchant|${kinds.join('|')})\\.\\w+)$`);
    const filled = all.filter((leaf) => leaf.field.from === 'server');
    expect(filled.filter((leaf) => !source.test(leaf.field.at ?? '')).map((leaf) => leaf.path)).toEqual([]);
  });

  it.runIf(Object.hasOwn(domains.purchase.contract, name))('carries an identifier of its own', () => {
    expect(all.filter((leaf) => leaf.field.from === 'server').map((leaf) => leaf.path)).toContain(
      'clientCorrelationId',
    );
  });

  it('lets the model author what it should, and nothing else', () => {
    const authored = all.filter((leaf) => leaf.field.from === 'model').map((leaf) => leaf.path);
    expect(authored, `list them in \`byModel\` for ${name}`).toEqual(byModel[name]);
  });

  it('takes evidence, identity and device from the merchant’s app, never from the model or from Purser', () => {
    const evidence = /^(assuranceData|billTo|consumerIdentity|deviceInformation|consentData|buyerInformation)\b/;
    const wrong = all.filter((leaf) => evidence.test(leaf.path) && !['shopper', 'device'].includes(leaf.field.from));
    expect(wrong.map((leaf) => leaf.path)).toEqual([]);
  });
});

const mandate = [
  'mandates[].declineThreshold.amount',
  'mandates[].declineThreshold.currencyCode',
  'mandates[].effectiveUntilTime',
  'mandates[].description',
  'mandates[].preferredMerchantName',
  'mandates[].merchantCategory',
  'mandates[].merchantCategoryCode',
  'mandates[].quantity',
  'mandates[].recurringPaymentInformation.occurrence',
];
const order = 'transactionData[].orderInformation';
const money = ['totalAmount', 'currency', 'subTotalAmount', 'discountAmount', 'shippingAmount', 'handlingAmount'];
const period = ['planInformation.billingPeriod.length', 'planInformation.billingPeriod.unit'];
const cycles = 'planInformation.billingCycles.total';
const charged = 'orderInformation.amountDetails';
const planCharges = [`${charged}.currency`, `${charged}.billingAmount`, `${charged}.setupFee`];
const surcharge = [`${charged}.surcharge.amount`, `${charged}.surcharge.description`];
const subscribed = ['code', 'name', 'startDate', 'originalTransactionId', 'originalTransactionAuthorizedAmount'];
const newSubscription = [
  ...subscribed.map((name) => `subscriptionInformation.${name}`),
  ...[...period, cycles, ...planCharges, ...surcharge],
];
const bill = [
  ...['name', 'email', 'merchantCustomerId', 'company.name'].map((name) => `customerInformation.${name}`),
  ...['requestPhone', 'requestShipping'].map((name) => `processingInformation.${name}`),
  ...[
    'transactionReferenceNumber',
    'description',
    'dueDate',
    'expirationDate',
    'allowPartialPayments',
    'deliveryMode',
  ].map((name) => `invoiceInformation.${name}`),
];
const billCharges = [
  ...['totalAmount', 'currency', 'subAmount', 'discountAmount', 'discountPercent', 'minimumPartialAmount'],
  ...[
    'taxDetails.type',
    'taxDetails.amount',
    'taxDetails.rate',
    'freight.amount',
    'freight.taxable',
    'freight.taxRate',
  ],
].map((name) => `${charged}.${name}`);
const billLines = [
  ...['productSku', 'productName', 'quantity', 'unitPrice', 'totalAmount'],
  ...['discountAmount', 'discountRate', 'discountPercent', 'taxAmount', 'taxRate'],
].map((name) => `orderInformation.lineItems[].${name}`);
const billFields = ['definitionId', 'value'].map((name) => `merchantDefinedFieldValues[].${name}`);
const item = ['productName', 'productSku', 'quantity', 'unitPrice', 'unitPriceCurrency', 'productUrl'];

/** What a language model may write into a request of the platform: written by hand, because it is what Purser is about. */
const byModel: Readonly<Record<string, readonly string[]>> = {
  enrollCard: [],
  offerConversion: [
    'orderInformation.amountDetails.originalAmount',
    'orderInformation.amountDetails.originalCurrency',
    'orderInformation.currencyConversion.type',
  ],
  authorizePayment: ['processingInformation.capture'],
  reversePayment: ['reversalInformation.reason'],
  capturePayment: [],
  voidCapture: [],
  refundCapture: [],
  voidRefund: [],
  initiatePurchase: [...mandate, 'isRecurring', 'consumerPrompt'],
  updatePurchase: [...mandate, 'consumerPrompt'],
  cancelPurchase: [],
  retrieveCredentials: [
    'transactionData[].type',
    ...money.map((name) => `${order}.amountDetail.${name}`),
    ...item.map((name) => `${order}.lineItems[].items.${name}`),
    `${order}.deliveryMethod`,
  ],
  confirmTransaction: [],
  createAuthenticationOptions: [`${charged}.totalAmount`, `${charged}.currency`],
  createOneTimePassword: [],
  validateAuthenticationCode: [],
  createAuthenticationRegistration: [],
  createPaymentCredentials: [],
  generateDeviceKey: [],
  createPlan: [
    ...['code', 'name', 'description', 'status'].map((name) => `planInformation.${name}`),
    ...[...period, cycles, ...planCharges],
  ],
  listPlans: ['filters', 'name', 'code', 'status', 'offset', 'limit'],
  amendPlan: [
    ...['code', 'name', 'description', 'status'].map((name) => `planInformation.${name}`),
    ...[...period, cycles, 'processingInformation.subscriptionBillingOptions.applyTo', ...planCharges],
  ],
  createSubscription: newSubscription,
  listSubscriptions: ['filters', 'code', 'status', 'offset', 'limit'],
  updateSubscription: [
    ...['code', 'name', 'startDate'].map((name) => `subscriptionInformation.${name}`),
    ...[cycles, `${charged}.billingAmount`, `${charged}.setupFee`, ...surcharge],
  ],
  reactivateSubscription: ['processMissedPayments'],
  listSubscriptionPayments: ['offset', 'limit', 'scheduledPaymentsCount'],
  skipSubscriptionPayments: ['billingCyclesToSkip[]'],
  createFollowOnSubscription: newSubscription,
  createInvoice: [...bill, 'invoiceInformation.sendImmediately', ...billCharges, ...billLines, ...billFields],
  listInvoices: ['offset', 'limit', 'status'],
  updateInvoice: [...bill, ...billCharges, ...billLines, ...billFields],
  getInvoiceSettings: [],
  'updateInvoiceSettings, its query': [],
  updateInvoiceSettings: [
    ...['merchantLogo', 'merchantDisplayName', 'customEmailMessage', 'enableReminders'],
    ...['headerStyle.fontColor', 'headerStyle.backgroundColor', 'deliveryLanguage', 'defaultCurrencyCode'],
    ...['payerAuthenticationInInvoicing', 'showVatNumber', 'vatRegistrationNumber', 'shipTo', 'phoneNumber', 'email'],
    ...['enableMerchantEmailNotifications', 'merchantEmail'],
    ...['key', 'value', 'hidden', 'hiddenForInvoice', 'hiddenForItem'].map((name) => `customLabels[].${name}`),
    ...['Accepted', 'Rejected', 'Pending'].map((name) => `customRedirectUrls.payment${name}`),
  ].map((name) => `invoiceSettingsInformation.${name}`),
  listWebhookSubscriptions: ['productId', 'eventType'],
  listReportDefinitions: ['organizationId'],
  describeReportDefinition: ['organizationId'],
  listReportSubscriptions: ['organizationId'],
  getReportSubscription: ['organizationId'],
  deleteReportSubscription: ['organizationId'],
  getReport: ['organizationId'],
  downloadReport: ['organizationId'],
  listReports: [
    ...['organizationId', 'startTime', 'endTime', 'timeQueryType', 'reportMimeType', 'reportFrequency'],
    ...['reportName', 'reportDefinitionId', 'reportStatus'],
  ],
  requestReport: [
    ...['organizationId', 'reportDefinitionName', 'reportFields[]', 'reportMimeType', 'reportName', 'timezone'],
    ...['reportStartTime', 'reportEndTime', 'reportFilters'],
    ...['reportPreferences.signedAmounts', 'reportPreferences.fieldNameConvention', 'selectedMerchantGroupName'],
  ],
  saveReportSubscription: [
    ...['organizationId', 'reportDefinitionName', 'reportFields[]', 'reportMimeType', 'reportFrequency'],
    ...['reportInterval', 'reportName', 'timezone', 'startTime', 'startDay', 'reportFilters'],
    ...['reportPreferences.signedAmounts', 'reportPreferences.fieldNameConvention', 'selectedMerchantGroupName'],
  ],
  getConversionDetails: ['startTime', 'endTime', 'organizationId'],
  getNotificationOfChanges: ['startTime', 'endTime'],
  getPurchaseRefundDetails: ['startTime', 'endTime', 'paymentSubtype', 'viewBy', 'groupName', 'offset', 'limit'],
  getNetFundings: ['startTime', 'endTime', 'organizationId', 'groupName'],
  getPaymentBatchSummaries: ['startTime', 'endTime', 'rollUp', 'breakdown', 'startDayOfWeek', 'organizationId'],
  enrollDevice: ['with'],
  chargeDevice: ['amount', 'currency', 'tip.percentageChoice[]', 'tip.input', 'autocapture'],
  incrementPreauthorization: ['withAmount.amount'],
  capturePreauthorization: [],
  refundDeviceTransaction: [],
  refundWithoutOriginal: ['amount', 'currency'],
  lookupDeviceTransaction: [],
  showDeviceSummary: [],
  sendDeviceReceipt: [],
};

describe('the answers of the platform', () => {
  it('hold nothing that anybody but the platform authors', () => {
    const foreign = answers.flatMap(([name, schema]) =>
      leaves(schema)
        .filter((leaf) => leaf.field.from !== 'platform')
        .map((leaf) => `${name} ${leaf.path}`),
    );
    expect(foreign).toEqual([]);
  });

  it('keep released credentials secret, as requests keep codes and passkeys, and call nothing else a secret', () => {
    const secrets = [...answers, ...requests].flatMap(([name, schema]) =>
      leaves(schema)
        .filter((leaf) => leaf.field.secret)
        .map((leaf) => `${name} ${leaf.path}`),
    );
    expect(secrets, 'every secret field is listed here').toEqual([
      'retrieveCredentials 200 authorization',
      'retrieveCredentials 200 signedPayload',
      'createPaymentCredentials 200 tokenizedCard.number',
      'createPaymentCredentials 200 tokenizedCard.cryptogram',
      'generateDeviceKey 200 keyInformation[].key',
      'generateDeviceKey 201 keyInformation[].key',
      // What customers prove with. No model authors any of it.
      'validateAuthenticationCode otp',
      'validateAuthenticationCode issuerAuthCode',
      'createPaymentCredentials authenticatedIdentities[].data',
    ]);
  });
});

it('reads times as text of epoch seconds, under the rule for it', () => {
  const times = ['verificationTimestamp', 'acceptedTime', 'effectiveUntil'];
  const found = leaves(contract.enrollCard.body ?? z.never()).filter((leaf) => leaf.field.rule === 'AP-02');
  expect(found.map((leaf) => leaf.path.split('.').at(-1)).toSorted()).toEqual(times.toSorted());
  const taken = (value: unknown) => found.map((leaf) => leaf.schema.safeParse(value).success);
  expect(['1763683200', '2026-11-21T00:00:00Z', '', '17636832.5', '-1763683200', 1763683200].map(taken)).toEqual([
    [true, true, true],
    ...Array.from({ length: 5 }, () => [false, false, false]),
  ]);
});
