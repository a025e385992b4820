import { type Currency, isCurrency } from '../../../src/core/currencies.ts';
import { decimal, money, moneyFault } from '../../../src/core/money.ts';

/** An amount that is so many minor units more; as it is where it is no amount. */
export function raised(amount: string | undefined, currency: Currency | string, by: number): string | undefined {
  if (amount === undefined || !isCurrency(currency) || moneyFault(amount, currency) !== null) return amount;
  const { minor } = money(amount, currency);
  return minor + BigInt(by) < 0n ? amount : decimal({ minor: minor + BigInt(by), currency });
}
