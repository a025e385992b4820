import { isCurrency, minorDigits } from './currencies.ts';
import type { FileSum } from './file-answer.ts';

// Sums of a file's amounts, counted in thousandths of a unit, so that every currency fits.

const digits = 3;

/** An amount of a file in thousandths; undefined if the text isn't one, or is longer than any amount. */
export const thousandths = (text: string): bigint | undefined =>
  /^-?\d{1,15}(?:\.|$)/.test(text) ? sumOf(text) : undefined;

/** A sum in thousandths, which is longer than what it adds up; undefined if the text isn't one. */
function sumOf(text: string): bigint | undefined {
  const [, sign = '', whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d{1,3}))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const size = BigInt(whole + decimals.padEnd(digits, '0'));
  return sign === '-' ? -size : size;
}

/** Decimal text with the currency's decimals, or more where the sum has more. */
export function amountText(sum: bigint, currency: string): string {
  const size = sum < 0n ? -sum : sum;
  const decimals = String(size % 1_000n).padStart(digits, '0');
  const kept = decimals.slice(
    0,
    Math.max(isCurrency(currency) ? minorDigits(currency) : digits, decimals.replace(/0+$/, '').length),
  );
  return `${sum < 0n ? '-' : ''}${size / 1_000n}${kept === '' ? '' : `.${kept}`}`;
}

/** The sums of all days by currency. Different currencies are never added up. */
export const sumsByCurrency = (sums: readonly FileSum[]): readonly Omit<FileSum, 'day'>[] =>
  [...Map.groupBy(sums, ({ currency }) => currency)].map(([currency, its]) => ({
    currency,
    amount: amountText(
      its.reduce((all, { amount }) => all + (sumOf(amount) ?? 0n), 0n),
      currency,
    ),
    count: its.reduce((all, { count }) => all + count, 0),
  }));
