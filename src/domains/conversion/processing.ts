import { limits } from '../../core/limits.ts';
import { decimal, type Money } from '../../core/money.ts';
import { platformTime } from '../../core/platform-time.ts';
import { rounded } from './amounts.ts';
import type { Rate } from './facts.ts';

// The fields of a converted payment, by how the merchant's acquirer processes it: document 1, "Extra fields on authorization,
// capture and refund".

/** `common`: the gateway's own form; `direct`: a direct acquirer connection; `foreign`: foreign-amount processing. */
export const processings = ['common', 'direct', 'foreign'] as const;
export type Processing = (typeof processings)[number];

export const isProcessing = (text: string | undefined): text is Processing => processings.some((one) => one === text);

/** Calls that carry the fields. */
export type Step = 'authorize' | 'capture' | 'refund';

/** Every field that depends on the processing, and the calls that need it. */
export const needed: { readonly [P in Processing]: { readonly [S in Step]: readonly Extra[] } } = {
  common: {
    authorize: ['exchangeRate', 'exchangeRateTimeStamp', 'currencyConversion.indicator'],
    capture: ['exchangeRate'],
    refund: ['exchangeRate'],
  },
  direct: {
    authorize: [
      ...(['exchangeRate', 'exchangeRateTimeStamp', 'currencyConversion.indicator'] as const),
      ...(['originalAmount', 'originalCurrency'] as const),
      ...(['currencyConversion.reconciliationId', 'currencyConversion.id'] as const),
    ],
    capture: ['exchangeRate', 'originalAmount', 'originalCurrency'],
    refund: ['exchangeRate', 'originalAmount', 'originalCurrency'],
  },
  foreign: {
    authorize: [
      ...(['exchangeRate', 'exchangeRateTimeStamp', 'currencyConversion.indicator'] as const),
      ...(['foreignAmount', 'foreignCurrency'] as const),
    ],
    capture: ['exchangeRate', 'exchangeRateTimeStamp', 'foreignAmount', 'foreignCurrency'],
    refund: ['exchangeRate', 'exchangeRateTimeStamp', 'foreignAmount', 'foreignCurrency'],
  },
};

export type Extra =
  | 'exchangeRate'
  | 'exchangeRateTimeStamp'
  | 'originalAmount'
  | 'originalCurrency'
  | 'foreignAmount'
  | 'foreignCurrency'
  | 'currencyConversion.indicator'
  | 'currencyConversion.reconciliationId'
  | 'currencyConversion.id';

/** What the fields are computed from. */
export interface Converted extends Rate {
  readonly local: Money;
  readonly billing: Money;
  readonly reconciliationId?: string | undefined;
  readonly offerId?: string | undefined;
}

/** The cardholder opted for conversion. */
const opted = '1';

const values: { readonly [E in Extra]: (it: Converted, processing: Processing) => string | undefined } = {
  exchangeRate: ({ exchangeRate }, processing) =>
    processing === 'direct' ? exchangeRate : rounded(exchangeRate, limits.gatewayRateDigits),
  exchangeRateTimeStamp: ({ rateTime }, processing) => timeStamp(rateTime, processing),
  originalAmount: ({ local }) => decimal(local),
  originalCurrency: ({ local }) => local.currency,
  // D-51: the converted amount, as public models describe the field.
  foreignAmount: ({ billing }) => decimal(billing),
  foreignCurrency: ({ billing }) => billing.currency,
  'currencyConversion.indicator': () => opted,
  'currencyConversion.reconciliationId': ({ reconciliationId }) => reconciliationId,
  'currencyConversion.id': ({ offerId }) => offerId,
};

/** The fields of one call, by their path below `orderInformation.amountDetails`. */
export const extraFields = (
  it: Converted,
  processing: Processing,
  step: Step,
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(needed[processing][step].map((name) => [name, values[name](it, processing)]));

/** D-09: `yyyyMMddHHmmss` for a direct acquirer connection, `yyyyMMdd HH:mm` for the others; UTC. Undefined for text that is no time. */
function timeStamp(rateTime: string, processing: Processing): string | undefined {
  const at = platformTime(rateTime);
  if (Number.isNaN(at)) return undefined;
  const [day = '', time = ''] = new Date(at).toISOString().split('T');
  const [hours, minutes, seconds] = time.slice(0, 8).split(':');
  const date = day.replaceAll('-', '');
  return processing === 'direct' ? `${date}${hours}${minutes}${seconds}` : `${date} ${hours}:${minutes}`;
}
