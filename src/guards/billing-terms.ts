import { isCurrency } from '../contract/currencies.ts';
import { limits } from '../contract/limits.ts';
import { type Money, money, moneyFault } from '../contract/money.ts';
import { minute, type Period, type PeriodUnit, paymentsWithin } from '../contract/schedule.ts';
import type { ListedPayment, TermsFacts } from './billing-facts.ts';
import type { Facts } from './facts.ts';

// What a call about billing would have a customer charged, from what is known and what is asked for.

/** The terms that a call names itself, in the words of the tools. */
export function asked({ args }: Facts): Partial<TermsFacts> {
  const given = {
    length: args.every,
    unit: args.unit,
    total: args.payments,
    currency: args.currency,
    amount: args.amount,
    setupFee: args.setup_fee,
    surcharge: args.surcharge,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** What a new subscription would charge: its plan's terms with its own, or its own alone. */
export const created = (facts: Facts): Partial<TermsFacts> => ({
  ...termsIn(facts.things.plan?.body),
  ...asked(facts),
});

/** What a subscription would charge after an update. */
export const updated = (facts: Facts): Partial<TermsFacts> => ({
  ...termsIn(facts.things.plan?.body ?? facts.things.subscription?.body),
  ...asked(facts),
});

/** The terms among what is known of a plan or a subscription. */
export function termsIn(known: TermsFacts | undefined): Partial<TermsFacts> {
  if (known === undefined) return {};
  const { length, unit, total, currency, amount, setupFee, surcharge } = known;
  return { length, unit, total, currency, amount, setupFee, surcharge };
}

/** The period of terms; undefined where they name none. */
export const periodIn = ({ length, unit }: Partial<TermsFacts>): Period | undefined =>
  // The tools' shapes, and the platform, know these units alone.
  length === undefined || unit === undefined
    ? undefined
    : { length: Number(length), unit: unit.toUpperCase() as PeriodUnit };

/** Why the amounts of terms are none of their currency; null where they are. */
export function amountFault({ currency = '', amount, setupFee, surcharge }: Partial<TermsFacts>): string | null {
  for (const sum of [amount, setupFee, surcharge]) {
    const fault = sum === undefined ? null : moneyFault(sum, currency);
    if (fault !== null) return fault;
  }
  return null;
}

/** What terms would have charged in all, or within the first months where they have no end (D-38); null where that can't be said. */
export function commitment(terms: Partial<TermsFacts>, start: number): Money | null {
  const period = periodIn(terms);
  const { currency = '', amount, setupFee = '0', surcharge = '0', total } = terms;
  if (!isCurrency(currency) || amount === undefined || period === undefined || amountFault(terms) !== null) return null;
  const payments = total === undefined ? paymentsWithin(start, period, limits.openEndMonths) : Number(total);
  const each = money(amount, currency).minor + money(surcharge, currency).minor;
  return { currency, minor: each * BigInt(payments) + money(setupFee, currency).minor };
}

const begun: readonly string[] = ['SCHEDULED', 'PAID', 'FAILED'];

/** The payment that begins processing within ten minutes, or began within the last ten (SB-11). */
export const processing = (payments: readonly ListedPayment[] | undefined, now: number): ListedPayment | undefined =>
  payments?.find(
    ({ status, at }) => begun.includes(status) && Math.abs(at - now) <= limits.cancelWindowMinutes * minute,
  );
