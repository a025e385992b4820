import { type Currency, isCurrency, minorDigits } from './currencies.ts';
import { limits } from './limits.ts';

/** An amount of money in whole minor units, never a float. */
export interface Money {
  readonly minor: bigint;
  readonly currency: Currency;
}

/** Digits, with optional decimals. */
const decimalText = /^\d+(\.\d+)?$/;

/** Whether a text has the form of an amount, with more digits before the decimal point than Purser takes. */
export const isTooLarge = (amount: string): boolean =>
  decimalText.test(amount) && amount.search(/\.|$/) > limits.amountDigits;

/** Why a text is not an amount of a currency; null if it is one. */
export function moneyFault(amount: string, currency: string): string | null {
  if (!isCurrency(currency)) return `${currency.slice(0, 8)} is not an ISO 4217 currency.`;
  if (!decimalText.test(amount)) return 'The amount is not decimal text such as "40.00".';
  if (isTooLarge(amount)) return `The amount has more than ${limits.amountDigits} digits before the decimal point.`;
  const decimals = amount.split('.')[1]?.length ?? 0;
  const allowed = minorDigits(currency);
  return decimals > allowed ? `${currency} has ${allowed} decimals; the amount has ${decimals}.` : null;
}

/** Parses decimal text. Throws RangeError if `moneyFault` finds a fault. */
export function money(amount: string, currency: string): Money {
  const fault = moneyFault(amount, currency);
  if (fault !== null || !isCurrency(currency)) throw new RangeError(fault ?? 'not money');
  const [whole = '0', decimals = ''] = amount.split('.');
  return { currency, minor: BigInt(whole + decimals.padEnd(minorDigits(currency), '0')) };
}

/** Decimal text with exactly the currency's decimals. */
export function decimal({ minor, currency }: Money): string {
  const digits = minorDigits(currency);
  const padded = minor.toString().padStart(digits + 1, '0');
  return digits === 0 ? padded : `${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}

/** Pads an amount to the currency's decimals. Returns any other text unchanged. */
export const inDecimals = (amount: string, currency: string): string =>
  moneyFault(amount, currency) === null ? decimal(money(amount, currency)) : amount;

/** An amount of whatever currency in its shortest spelling: 10 for 10.00. */
export const shortest = (amount: string): string =>
  (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount).replace(/^0+(?=\d)/, '');

/** What should be an amount, for people: "100.00 USD". What isn't one is shown as it is. */
export const spokenSum = (amount = '', currency = ''): string => `${inDecimals(amount, currency)} ${currency}`;

/** An amount for people: "40.00 EUR". */
export const spoken = (it: Money): string => `${decimal(it)} ${it.currency}`;

/** The sum of two amounts of a currency, as decimal text. Throws RangeError if one of them is not an amount. */
export const added = (one: string, other: string, currency: string): string =>
  decimal({ ...money(one, currency), minor: money(one, currency).minor + money(other, currency).minor });

/** The sum of any number of amounts of a currency; undefined if the currency isn't known or an amount isn't valid in it. */
export const sumOf = (amounts: readonly string[], currency: string): Money | undefined =>
  isCurrency(currency) && amounts.every((it) => moneyFault(it, currency) === null)
    ? { currency, minor: amounts.reduce((sum, it) => sum + money(it, currency).minor, 0n) }
    : undefined;

/** One amount of a currency less another, which is not above it. */
export const subtracted = (one: string, other: string, currency: string): string =>
  decimal({ ...money(one, currency), minor: money(one, currency).minor - money(other, currency).minor });

/** Whether both have one currency and `it` is not above `limit`. */
export const within = (it: Money, limit: Money): boolean => it.currency === limit.currency && it.minor <= limit.minor;

/** Whether both are the same amount and currency: `25` equals `25.00`. */
export const sameMoney = (one: Money, other: Money): boolean =>
  one.currency === other.currency && one.minor === other.minor;
