import { type Currency, isCurrency, minorDigits } from '../../core/currencies.ts';
import { limits } from '../../core/limits.ts';
import { added, type Money, money, moneyFault, subtracted } from '../../core/money.ts';
import type { Both, Rate } from './facts.ts';

// Amounts of a converted payment. All of it is whole numbers: minor units, and rates as fractions.

/** Decimal text of a rate. */
export const rateText = new RegExp(`^\\d{1,${limits.rateDigits}}(\\.\\d{1,${limits.rateDigits}})?$`);

/** Converts a local amount at a rate, rounded half up to the minor unit of the billing currency (D-08). */
export function convert(
  local: Money,
  billing: Currency,
  { exchangeRate, inverted }: Pick<Rate, 'exchangeRate' | 'inverted'>,
): Money {
  const [whole = '0', decimals = ''] = exchangeRate.split('.');
  const rate = BigInt(whole + decimals);
  const scale = 10n ** BigInt(decimals.length);
  if (rate === 0n) throw new RangeError('An exchange rate is more than zero.');
  const [times, over] = inverted ? [scale, rate] : [rate, scale];
  const numerator = local.minor * times * 10n ** BigInt(minorDigits(billing));
  const denominator = over * 10n ** BigInt(minorDigits(local.currency));
  return { currency: billing, minor: (2n * numerator + denominator) / (2n * denominator) };
}

/** A whole in both currencies, and what was taken of it. */
export interface Balance extends Partial<Pick<Rate, 'exchangeRate' | 'inverted'>> {
  readonly localCurrency: string;
  readonly billingCurrency: string;
  readonly whole: Both;
  readonly taken: Both;
}

/** What is left of a whole, in both currencies. */
export function left({ localCurrency, billingCurrency, whole, taken }: Balance): {
  readonly local: Money;
  readonly billing: Money;
} {
  return {
    local: minus(money(whole.localAmount, localCurrency), money(taken.localAmount, localCurrency)),
    billing: minus(money(whole.billingAmount, billingCurrency), money(taken.billingAmount, billingCurrency)),
  };
}

/**
 * A part of a whole in both currencies, from its local amount; all that is left where no amount is given. The last part takes what
 * rounding has left, and no part takes more than is left, so the parts never add up to more than the whole.
 */
export function part(balance: Balance, amount: string | undefined): { readonly local: Money; readonly billing: Money } {
  const rest = left(balance);
  const local = amount === undefined ? rest.local : money(amount, balance.localCurrency);
  if (local.minor === rest.local.minor) return { local, billing: rest.billing };
  const { billingCurrency, exchangeRate, inverted = false } = balance;
  if (exchangeRate === undefined || !isCurrency(billingCurrency)) return { local, billing: local };
  const converted = convert(local, billingCurrency, { exchangeRate, inverted });
  // Only a part that is not above the rest is capped: one that is above it must be refused.
  const isCapped = local.minor < rest.local.minor && converted.minor > rest.billing.minor;
  return { local, billing: isCapped ? rest.billing : converted };
}

/** Whether a part is not above what is left. */
export function fits(balance: Balance, amount: string | undefined): boolean {
  const [wanted, rest] = [part(balance, amount), left(balance)];
  return wanted.local.minor <= rest.local.minor && wanted.billing.minor <= rest.billing.minor;
}

/** The sum of what was taken and one more part. */
export const plus = (
  taken: Both,
  more: Both,
  { localCurrency, billingCurrency }: Pick<Balance, 'localCurrency' | 'billingCurrency'>,
): Both => ({
  localAmount: added(taken.localAmount, more.localAmount, localCurrency),
  billingAmount: added(taken.billingAmount, more.billingAmount, billingCurrency),
});

/** What was taken, without one part. */
export const without = (
  taken: Both,
  part: Both,
  { localCurrency, billingCurrency }: Pick<Balance, 'localCurrency' | 'billingCurrency'>,
): Both => ({
  localAmount: subtracted(taken.localAmount, part.localAmount, localCurrency),
  billingAmount: subtracted(taken.billingAmount, part.billingAmount, billingCurrency),
});

/** An amount that the platform answered; undefined for text that is none. Some platforms write two decimals for every currency. */
export function answered(amount: string, currency: string): Money | undefined {
  const plain = amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
  return moneyFault(plain, currency) === null ? money(plain, currency) : undefined;
}

interface Sum {
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
}

/** Whether an answer is about the sum that was asked for; `orLess`: or a part of it. What it leaves out contradicts nothing. */
export function isAbout(asked: Money, { amount, currency = asked.currency }: Sum, orLess = false): boolean {
  if (currency !== asked.currency) return false;
  const minor = amount === undefined ? asked.minor : answered(amount, currency)?.minor;
  return minor !== undefined && (orLess ? minor <= asked.minor : minor === asked.minor);
}

/** Nothing, in both currencies. */
export const nothing: Both = { localAmount: '0', billingAmount: '0' };

/** Whether an amount is zero. */
export const isZero = (amount: string): boolean => /^[0.]*$/.test(amount);

const minus = (one: Money, other: Money): Money => ({ currency: one.currency, minor: one.minor - other.minor });

/** A rate with at most so many decimals, rounded half up. */
export function rounded(rate: string, digits: number): string {
  const [whole = '0', decimals = ''] = rate.split('.');
  if (decimals.length <= digits) return rate;
  const kept = BigInt(whole + decimals.slice(0, digits)) + (Number(decimals[digits]) >= 5 ? 1n : 0n);
  const padded = kept.toString().padStart(digits + 1, '0');
  return `${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}

/** How few decimals of a rate count: a platform may tell no more of the rate that it converts at. */
const toldDecimals = 4;

/** The rates between which the one is that a platform has rounded to this text. */
export function neighbours(rate: string): readonly string[] {
  const [whole = '0', decimals = ''] = rate.split('.');
  const told = decimals.padEnd(toldDecimals, '0');
  return [-5n, 5n].map((half) => {
    const digits = (BigInt(`${whole}${told}`) * 10n + half).toString().padStart(told.length + 2, '0');
    return `${digits.slice(0, -told.length - 1)}.${digits.slice(-told.length - 1)}`;
  });
}

/** Whether two texts are the same rate: `1.57` is `1.5700`. */
export const isSameRate = (one: string, other: string): boolean => plainRate(one) === plainRate(other);

const plainRate = (rate: string): string =>
  (rate.includes('.') ? rate.replace(/\.?0+$/, '') : rate).replace(/^0+(?=\d)/, '');
