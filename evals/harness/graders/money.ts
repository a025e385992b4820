import { isCurrency } from '../../../src/core/currencies.ts';
import { money, moneyFault, within } from '../../../src/core/money.ts';

interface Sum {
  readonly amount?: unknown;
  readonly currency?: unknown;
}

/** A sum in one form, so that two are equal as texts when they are the same money. */
export function sum({ amount, currency }: Sum): string {
  const [text, code] = [String(amount), String(currency)];
  if (!isCurrency(code) || moneyFault(text, code) !== null) return `${text} ${code}`;
  return `${money(text, code).minor} ${code}`;
}

/** Why a sum is not within another one; null where it is. */
export function sumFault(asked: Sum, most: Sum): string | null {
  const code = String(asked.currency);
  if (!isCurrency(code) || code !== most.currency) return 'another currency';
  const fault = moneyFault(String(asked.amount), code) ?? moneyFault(String(most.amount), code);
  if (fault !== null) return fault;
  return within(money(String(asked.amount), code), money(String(most.amount), code)) ? null : 'more';
}
