import { describe, expect, it } from 'vitest';
import { leaves } from '../../src/core/fields.ts';
import type { Operation } from '../../src/core/operation.ts';
import { conversion } from '../../src/domains/conversion/contract.ts';
import { conversionReasons } from '../../src/domains/conversion/errors.ts';
import { needed } from '../../src/domains/conversion/processing.ts';

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

/** Fields of the document that nobody authors here: they name the program and its partner. Every object is loose and takes them. */
const notShown = [
  ...['applicationName', 'applicationUser', 'applicationVersion', 'partner.developerId', 'partner.solutionId'].map(
    (name) => `clientReferenceInformation.${name}`,
  ),
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
    expect(fields.map(([path]) => path).filter((path) => notShown.includes(String(path)))).toEqual([]);
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
