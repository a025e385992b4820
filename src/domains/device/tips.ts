import { decimal, type Money, money, moneyFault } from '../../core/money.ts';

// The tip of a charge: DV-10. It is part of the charged total, so the most that it can be is approved and counted with the amount.

export interface Tip {
  readonly percentages?: readonly number[];
  readonly input?: 'amount' | 'total';
  /** The most that may be captured of a tip that the customer types. */
  readonly up_to?: string;
}

export interface Charged {
  readonly amount: string;
  readonly currency: string;
  readonly tip?: Tip | undefined;
}

/** Why a tip can't be charged; undefined if it can. */
export function tipFault({ currency, tip }: Charged, preauthorizes: boolean): string | undefined {
  if (tip === undefined) return undefined;
  if ((tip.percentages === undefined) === (tip.input === undefined))
    return 'A tip is a choice of percentages, or an amount that the customer types. Give one of `percentages` and `input`.';
  if (tip.percentages !== undefined)
    return tip.up_to === undefined ? undefined : '`up_to` is for a tip that the customer types. Leave it out.';
  if (!preauthorizes)
    return 'The customer can type any tip, and a sale would charge it at once. Pre-authorize: then no more is captured than was approved.';
  if (tip.up_to === undefined) return 'Give the most that may be captured of the tip (`up_to`).';
  return moneyFault(tip.up_to, currency) ?? undefined;
}

/**
 * The most that a charge can come to: the amount with the highest tip, a percentage of it rounded up to the minor unit (D-92).
 * An amount that isn't money is returned as it is: the call is refused for it elsewhere.
 */
export function mostCharged({ amount, currency, tip }: Charged): string {
  if ([amount, tip?.up_to ?? '0'].some((it) => moneyFault(it, currency) !== null)) return amount;
  const it = money(amount, currency);
  const highest = Math.max(0, ...(tip?.percentages ?? []));
  const typed = tip?.up_to === undefined ? 0n : money(tip.up_to, currency).minor;
  return decimal({ ...it, minor: it.minor + tipAt(it, highest).minor + typed });
}

/** A percentage of an amount, rounded up to the minor unit (D-92). */
export const tipAt = (it: Money, percent: number): Money => ({
  ...it,
  minor: (it.minor * BigInt(percent) + 99n) / 100n,
});
