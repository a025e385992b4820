import { type Currency, isCurrency } from '../../../core/currencies.ts';
import type { World } from '../../../sandbox/world.ts';
import { rounded } from '../amounts.ts';
import type { ConversionReason } from '../errors.ts';
import type { BinDocument, ConversionSettingsDocument } from './documents.ts';

// The rates of the sandbox: made up, and always the same. What one US dollar costs in each currency, without markup.

const perDollar = {
  USD: '1',
  EUR: '0.92',
  GBP: '0.79',
  AUD: '1.5243',
  JPY: '148.35',
  KWD: '0.3071',
} as const satisfies { readonly [C in Currency]?: string };

type Rated = keyof typeof perDollar;
const isRated = (code: string): code is Rated => Object.hasOwn(perDollar, code);

/** Decimals of the sandbox's rates, and of the fractions behind them. */
const rateDigits = 6;
const scale = 10n ** 18n;

/** The settings of a new world: a markup of 3 %, rates valid for fifteen minutes. */
export const defaultSettings: ConversionSettingsDocument = {
  id: 'conversion',
  processing: 'common',
  reason: null,
  markup: '3.00',
  inverted: false,
  dated: true,
  validSeconds: 900,
  disclaimer: 'I have been offered a choice of currencies and agree to pay in the currency of my card.',
  refunds: 'approved',
  voids: 'done',
};

export const settingsOf = (world: World): ConversionSettingsDocument =>
  world.get('conversionSettings', defaultSettings.id) ?? defaultSettings;

/** The first digits of the sandbox's cards, and the currency that each is billed in. */
export const seededBins = {
  '40000036': 'AUD',
  '40000392': 'JPY',
  '40000414': 'KWD',
  '40000840': 'USD',
  '40000978': 'EUR',
} as const satisfies { readonly [bin: string]: Currency };

/** The rate from one currency to another with the markup, or why there is none. */
export function rateOf(
  world: World,
  { number, from }: { readonly number: string; readonly from: string },
): { readonly currency: Currency; readonly exchangeRate: string } | ConversionReason {
  const { reason, markup, inverted } = settingsOf(world);
  if (reason !== null) return reason;
  const bin = binOf(world.list('bin'), number);
  if (bin === undefined) return 'BIN_UNKNOWN';
  if (bin.reason !== undefined) return bin.reason;
  const { currency = '' } = bin;
  if (!isCurrency(currency)) return 'CURRENCY_NOT_CONFIGURED';
  if (currency === from) return 'CURRENCY_MATCH';
  if (!isRated(from) || !isRated(currency)) return 'EXCHANGE_RATE_NOT_FOUND';
  const withMarkup = (fraction(perDollar[currency]) * (scale * 100n + fraction(markup ?? '0'))) / (scale * 100n);
  const [cost, over] = inverted ? [fraction(perDollar[from]), withMarkup] : [withMarkup, fraction(perDollar[from])];
  return { currency, exchangeRate: rounded(decimals((cost * scale) / over), rateDigits) };
}

/** The first digits that say most about a card: the longest that it begins with, or else those that begin with its own. */
const binOf = (bins: readonly BinDocument[], number: string): BinDocument | undefined =>
  bins.filter(({ id }) => number.startsWith(id)).toSorted((one, other) => other.id.length - one.id.length)[0] ??
  bins.find(({ id }) => id.startsWith(number));

/** Decimal text as a whole number of 10^-18. */
function fraction(text: string): bigint {
  const [whole = '0', part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(18, '0'));
}

const decimals = (value: bigint): string => {
  const text = value.toString().padStart(19, '0');
  return `${text.slice(0, -18)}.${text.slice(-18)}`;
};
