import { describe, expect, it } from 'vitest';
import { leaves } from '../../src/core/fields.ts';
import type { Operation } from '../../src/core/operation.ts';
import { conversion } from '../../src/domains/conversion/contract.ts';
import { conversionError, conversionReasons } from '../../src/domains/conversion/errors.ts';
import { needed } from '../../src/domains/conversion/processing.ts';
import { apart, bodiesOf } from './compare.ts';
import { fields } from './document.ts';
import { printed } from './shape.ts';

// Document 1, "Currency conversion", typed by hand from its tables.

const amounts = 'orderInformation.amountDetails';

/** Field, and whether the offer request needs it. */
const offerFields: readonly (readonly [string, boolean])[] = [
  [`${amounts}.originalAmount`, true],
  [`${amounts}.originalCurrency`, true],
  ['paymentInformation.card.number', true],
  ['orderInformation.currencyConversion.type', false],
  ['pointOfSaleInformation.entryMode', false],
  ['pointOfSaleInformation.terminalId', false],
  ['clientReferenceInformation.code', false],
];

const offerAnswer = [
  'clientReferenceInformation.code',
  'id',
  'submitTimeUtc',
  'status',
  'orderInformation.currencyConversion.type',
  'orderInformation.currencyConversion.reconciliationId',
  'orderInformation.currencyConversion.disclaimer',
  ...['originalAmount', 'originalCurrency', 'amount', 'currency', 'exchangeRate', 'marginRate', 'rateSource']
    .concat(['exchangeRateTimeUtc', 'exchangeRateExpirationTimeUtc', 'exchangeRateInverted', 'rateId'])
    .map((name) => `orderInformation.currencyConversion.offer[].${name}`),
];

/** The extra fields: authorization, capture, refund. `direct`, `foreign`: only for that processing; `always`; `-`: not listed. */
const extra: readonly (readonly [string, string, string, string])[] = [
  ['exchangeRate', 'always', 'always', 'always'],
  ['exchangeRateTimeStamp', 'always', 'foreign', 'foreign'],
  ['currencyConversion.indicator', 'always', '-', '-'],
  ['foreignAmount', 'foreign', 'foreign', 'foreign'],
  ['foreignCurrency', 'foreign', 'foreign', 'foreign'],
  ['originalAmount', 'direct', 'direct', 'direct'],
  ['originalCurrency', 'direct', 'direct', 'direct'],
  // "The authorization shape for direct acquirer-connection processing also carries".
  ['currencyConversion.reconciliationId', 'direct', '-', '-'],
  ['currencyConversion.id', 'direct', '-', '-'],
];

const reasons =
  `BIN_UNKNOWN CARD_TYPE_NOT_ACCEPTED CURRENCY_MATCH CURRENCY_NOT_ALLOWED CURRENCY_NOT_CONFIGURED DUPLICATE_REQUEST
  EXCHANGE_RATE_NOT_FOUND INVALID_ACQUIRER INVALID_AMOUNT INVALID_CARD INVALID_CURRENCY INVALID_MERCHANT_CONFIGURATION
  INVALID_TERMINAL LOOKUP_FAILED NOT_ELIGIBLE PROCESSOR_ERROR SERVICE_DISABLED UNKNOWN`.split(/\s+/);

const endpoints: { readonly [call: string]: keyof typeof conversion } = {
  'POST /vas/v1/currencyconversion': 'offerConversion',
  'GET /pts/v2/payments/{id}': 'getPayment',
  'POST /pts/v2/payments/{id}/reversals': 'reversePayment',
  'POST /pts/v2/payments/{id}/captures': 'capturePayment',
  'POST /pts/v2/captures/{id}/voids': 'voidCapture',
  'POST /pts/v2/refunds/{id}/voids': 'voidRefund',
  'GET /pts/v2/captures/{id}': 'getCapture',
  'GET /pts/v2/refunds/{id}': 'getRefund',
};

/** Calls that public models of the platform's clients show, and the document only speaks of. */
const published: typeof endpoints = {
  'GET /vas/v1/currencyconversion/{id}': 'chooseCurrency',
  'POST /pts/v2/payments': 'authorizePayment',
  'POST /pts/v2/captures/{id}/refunds': 'refundCapture',
};

const bodyOf = (name: keyof typeof conversion) => leaves((conversion[name] as Operation).body as never);

describe('currency conversion, as document 1 prints it', () => {
  it('asks for an offer with its fields, each as required as it says', () => {
    const fields = bodyOf('offerConversion').map(({ path, optional }) => [path, !optional]);
    expect(Object.fromEntries(fields)).toEqual(Object.fromEntries(offerFields));
  });

  it('reads every field of an offer', () => {
    const paths = leaves(conversion.offerConversion.output[201]).map(({ path }) => path);
    expect(offerAnswer.filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('takes the entry modes that it lists', () => {
    const entry = (entryMode: string) =>
      conversion.offerConversion.body?.safeParse({
        orderInformation: { amountDetails: { originalAmount: '1.00', originalCurrency: 'USD' } },
        paymentInformation: { card: { number: '40000036' } },
        pointOfSaleInformation: { entryMode },
      }).success;
    expect(['KEYED', 'SWIPED', 'CONTACT', 'CONTACTLESS', 'keyed'].map(entry)).toEqual([true, true, true, true, false]);
  });

  it.each(['common', 'direct', 'foreign'] as const)('carries the extra fields of %s processing', (processing) => {
    const listed = (column: 1 | 2 | 3) =>
      extra.filter((row) => ['always', processing].includes(row[column])).map(([name]) => name);
    const { authorize, capture, refund } = needed[processing];
    expect([authorize, capture, refund].map((names) => [...names].toSorted())).toEqual(
      ([1, 2, 3] as const).map((column) => listed(column).toSorted()),
    );
  });

  it.each(['authorizePayment', 'capturePayment', 'refundCapture'] as const)(
    'lets nobody but Purser write the amounts of %s',
    (name) => {
      const written = bodyOf(name).filter(({ path }) => path.startsWith(amounts));
      expect(written.length).toBeGreaterThan(0);
      expect(written.filter(({ field }) => field.at !== 'computed').map(({ path }) => path)).toEqual([]);
    },
  );

  it('knows its 18 reasons', () => {
    expect([...conversionReasons]).toEqual(reasons);
    expect(reasons).toHaveLength(18);
  });

  it('has its endpoints, those of its links, and those of public models', () => {
    const calls = Object.entries(conversion).map(([name, { call }]) => [call, name]);
    expect(Object.fromEntries(calls)).toEqual({ ...endpoints, ...published });
  });
});

// Members of the public lists that no request or answer of ours names: the object that they stand in, their names, and why. A real
// client may send, and the platform answer, any of them: every object is loose.
type Reason = readonly [object: string, names: string, why: string];

const program = 'names the program and its partner, of which nobody tells the platform here';
const split = 'the document has one amount, and does not say what it is made of';
const other = 'the document shows nothing of it for a conversion or its payment';
const notShown: readonly Reason[] = [
  ['clientReferenceInformation', 'applicationName applicationUser applicationVersion partner', program],
  [
    'clientReferenceInformation',
    'comments pausedRequestId reconciliationId transactionId returnReconciliationId',
    'a call is named by the number of its order alone',
  ],
  [
    '',
    `acquirerInformation aggregatorInformation agreementInformation buyerInformation consumerAuthenticationInformation
    deviceInformation healthCareInformation hostedPaymentInformation installmentInformation invoiceDetails issuerInformation
    merchantDefinedInformation[] merchantDefinedSecureInformation merchantInformation pointOfSaleInformation processorInformation
    promotionInformation recipientInformation recurringPaymentInformation riskInformation senderInformation tokenInformation
    travelInformation unscheduledPaymentInformation watchlistScreeningInformation`,
    other,
  ],
  [
    '',
    'processingInformation paymentInformation',
    'a capture or refund is processed and paid as its authorization was',
  ],
  [
    'processingInformation',
    `actionList[] actionTokenTypes[] amexIndirectModelType authorizationOptions bankTransferOptions binSource
    businessApplicationId captureOptions cardVerification commerceIndicator commerceIndicatorLabel destinationType
    electronicBenefitsTransfer enableEscrowOption enablerId extendedCreditTotalCount industryDataType inquiryType intentsId
    isReturnAuthRecordEnabled japanPaymentOptions languageCode linkId loanOptions merchantVerificationValue
    mobileRemotePaymentType nationalNetDomesticData networkPartnerId networkRoutingOrder originalPaymentId payByPointsIndicator
    paymentSolution paymentType processingInstruction processorId programIndicators purchaseLevel purchaseOptions
    purposeOfPayment reconciliationId recurringOptions reportGroup timeout transactionTimeout transactionTypeIndicator
    walletTransactionIntent walletType`,
    other,
  ],
  [
    'paymentInformation',
    `bank card directDebit eWallet fluidData initiationChannel legacyToken merchantLimitedAcceptanceIndicator options
    paymentAccountReference paymentType sepa shippingAddress thirdPartyToken tokenizedCard tokenizedPaymentMethod`,
    'a stored card pays, named by its token: no agent and no request of ours has a card number',
  ],
  ['paymentInformation.customer', 'customerId', 'a customer is named by the token'],
  [
    'orderInformation',
    `billTo cutoffDateTime digitalCurrency extensionDays invoiceDetails isCryptocurrencyPurchase lineItems[] preOrder
    preOrderDate reordered returnsAccepted shipTo shippingDetails totalOffersCount`,
    other,
  ],
  [
    'orderInformation.amountDetails',
    `amexAdditionalAmounts[] anticipatedAmount cashbackAmount discountAmount dutyAmount freightAmount giftWrapAmount
    gratuityAmount invoiceAmount nationalTaxIncluded oct-surcharge order refundBalance serviceFeeAmount subTotalAmount
    surcharge taxAmount taxAppliedAfterDiscount taxAppliedLevel taxDetails[] taxTypeCode`,
    split,
  ],
  [
    'orderInformation.amountDetails',
    'settlementAmount settlementCurrency',
    'the document converts by the original and the foreign amount alone',
  ],
];
const notRead: readonly Reason[] = [
  ['', '_links', 'what can be done next comes from the machine'],
  ['', 'message', 'words of others; a status and a reason say the same in words that are known'],
  ['clientReferenceInformation', 'applicationName applicationUser applicationVersion partner', program],
  [
    'clientReferenceInformation',
    'ownerMerchantId submitLocalDateTime returnReconciliationId',
    'a call is found by its id and the number of its order',
  ],
  [
    '',
    `authorizationInformation clearingInformation embeddedActions installmentInformation issuerInformation merchantInformation
    paymentAccountInformation paymentInsightsInformation pointOfSaleInformation processingInformation processorInformation
    riskInformation tokenInformation watchlistScreeningInformation consumerAuthenticationInformation`,
    'how banks and processors came to their answer is not what an agent acts on',
  ],
  ['', 'buyerInformation paymentInformation', 'more of a person and of a card than an agent needs'],
  ['', 'orderInformation', 'the amount of a refund stands in its own object'],
  ['errorInformation', 'details[]', 'what Purser fills by itself can not be corrected by the agent'],
  [
    'orderInformation',
    'billTo shipTo invoiceDetails rewardPointsDetails',
    'more of a person and of an order than an agent needs',
  ],
  [
    'orderInformation.amountDetails',
    'cashbackAmount discountAmount processorTransactionFee settlementAmount settlementCurrency',
    split,
  ],
];
const paths = (reasons: readonly Reason[]): readonly string[] =>
  reasons.flatMap(([object, names]) => names.split(/\s+/).map((name) => (object === '' ? name : `${object}.${name}`)));

describe('the public field lists', () => {
  const page = 'conversion-fields.md';
  /** Bodies that no public model shows: the document only speaks of them. */
  const unlisted = ['reversePayment request', 'voidCapture request', 'voidRefund request'];
  const operations: readonly (readonly [string, Operation])[] = Object.entries(conversion);
  const schemas = [
    ...bodiesOf(operations, {}).filter(([heading]) => !unlisted.includes(heading)),
    ['refusal 400', conversionError.schema] as const,
  ];
  const reasonsOf = (heading: string) => (heading.endsWith('request') ? notShown : notRead);
  const differ = (way: 'leftOut' | 'added' | 'looser') =>
    schemas.flatMap(([heading, schema]) =>
      apart(printed(schema), fields(page, heading))[way].map((field) => [heading, field] as const),
    );

  it.each(schemas)('%s: every member is carried, or its absence has a reason', (heading, schema) => {
    const { leftOut } = apart(printed(schema), fields(page, heading));
    expect(leftOut.filter((field) => !paths(reasonsOf(heading)).includes(field))).toEqual([]);
  });

  it('have all members of ours, but for the amount that the document adds, and what an offer answers only when it is made', () => {
    expect(differ('added')).toEqual([
      ['chooseCurrency 200', 'processorInformation'],
      ['chooseCurrency 200', 'processorInformation.responseCode'],
      ['capturePayment request', 'orderInformation.amountDetails.originalAmount'],
      ['refundCapture request', 'orderInformation.amountDetails.originalAmount'],
    ]);
  });

  it('ask for nothing that ours may leave out', () => {
    expect(differ('looser')).toEqual([]);
  });

  it('hold every member that has a reason, and give each one reason', () => {
    for (const reasons of [notShown, notRead]) {
      const absent = new Set(
        differ('leftOut').flatMap(([heading, field]) => (reasonsOf(heading) === reasons ? [field] : [])),
      );
      expect(paths(reasons).filter((field) => !absent.has(field))).toEqual([]);
      expect(new Set(paths(reasons)).size).toBe(paths(reasons).length);
    }
  });
});
