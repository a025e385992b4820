import { isCurrency } from '../../core/currencies.ts';
import { limits } from '../../core/limits.ts';
import { decimal, type Money, money, moneyFault } from '../../core/money.ts';
import { platformTime } from '../../core/platform-time.ts';
import {
  isBillable,
  minute,
  type Period,
  type PeriodUnit,
  paymentsWithin,
  type UnitWord,
  unitWords,
} from '../../core/schedule.ts';
import type { Facts } from '../facts.ts';
import type { ListedPayment, TermsFacts } from './facts.ts';
import { isBeforeStart, isProcessed } from './machines.ts';

// What a billing call would charge a customer, from the facts and the arguments.

/** The terms in the arguments, named as in the tools. */
export function asked({ args }: Facts): Partial<TermsFacts> {
  const given = {
    length: args.every,
    unit: args.unit === undefined ? undefined : unitWords[args.unit as UnitWord], // checked by the tool's schema
    total: args.payments,
    currency: args.currency,
    amount: args.amount,
    setupFee: args.setup_fee,
    surcharge: args.surcharge,
    surchargeLabel: args.surcharge_label,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** The terms of a new subscription: its plan's with its overrides, or its own. Those of a plan after an amendment, too. */
export const created = (facts: Facts): Partial<TermsFacts> => ({
  ...termsIn(facts.things.plan?.body),
  ...asked(facts),
});

/** Whether a call sets a billing period, or a part of it: the other part stays the plan's. */
export const setsPeriod = ({ args }: Pick<Facts, 'args'>): boolean =>
  args.every !== undefined || args.unit !== undefined;

/** The terms of a subscription after an update. */
export const updated = (facts: Facts): Partial<TermsFacts> => ({
  ...termsIn(facts.things.plan?.body ?? facts.things.subscription?.body),
  ...asked(facts),
});

/**
 * Whether its first payment is over. A start time later today proves nothing: a subscription that started today was
 * charged at once (SB-05).
 */
export const hasBegun = ({ things }: Pick<Facts, 'things'>): boolean =>
  things.subscription !== undefined && !isBeforeStart(things.subscription.state);

/** The known terms of a plan or a subscription. */
export function termsIn(known: TermsFacts | undefined): Partial<TermsFacts> {
  if (known === undefined) return {};
  const { length, unit, total, currency, amount, setupFee, surcharge, surchargeLabel } = known;
  return { length, unit, total, currency, amount, setupFee, surcharge, surchargeLabel };
}

/** The period of terms; undefined if it is missing. */
export const periodIn = ({ length, unit }: Partial<TermsFacts>): Period | undefined =>
  // A cast: the tools' schemas and the platform know only these units.
  length === undefined || unit === undefined
    ? undefined
    : { length: Number(length), unit: unit.toUpperCase() as PeriodUnit };

/** Why the amounts of terms are invalid in their currency; null if they are valid. */
export function amountFault({ currency = '', amount, setupFee, surcharge }: Partial<TermsFacts>): string | null {
  for (const sum of [amount, setupFee, surcharge]) {
    const fault = sum === undefined ? null : moneyFault(sum, currency);
    if (fault !== null) return fault;
  }
  return null;
}

/** The amount of one payment, including the setup fee if it is given; null if an amount is invalid. */
export function chargeOf(terms: Pick<TermsFacts, 'currency' | 'amount' | 'setupFee' | 'surcharge'>): Money | null {
  const { currency, amount, setupFee = '0', surcharge = '0' } = terms;
  if (!isCurrency(currency) || amountFault(terms) !== null) return null;
  const parts = [amount, setupFee, surcharge].map((part) => money(part, currency).minor);
  return { currency, minor: parts.reduce((all, part) => all + part, 0n) };
}

/**
 * The total of terms, or of their first months if they have no end (D-38); null if it can't be computed, because even
 * the platform's period, number or amount may be invalid.
 */
export function commitment(terms: Partial<TermsFacts>, start: number): Money | null {
  return sumOf(terms, start, { over: 0, sets: true });
}

/** Like `commitment`, after a number of past payments, and including the setup fee if it is still due. */
function sumOf(
  terms: Partial<TermsFacts>,
  start: number,
  { over, sets }: { readonly over: number; readonly sets: boolean },
): Money | null {
  const period = periodIn(terms);
  const { currency = '', amount, setupFee = '0', surcharge = '0', total } = terms;
  if (!isCurrency(currency) || amount === undefined || period === undefined || amountFault(terms) !== null) return null;
  if (!isBillable(period) || Number.isNaN(start) || !(total === undefined || wholeNumber.test(total))) return null;
  const all = total === undefined ? paymentsWithin(start, period, limits.openEndMonths) : Number(total);
  const each = money(amount, currency).minor + money(surcharge, currency).minor;
  const once = sets ? money(setupFee, currency).minor : 0n;
  const sum = { currency, minor: each * BigInt(Math.max(0, all - over)) + once };
  return moneyFault(decimal(sum), currency) === null ? sum : null;
}
const wholeNumber = /^[1-9]\d{0,3}$/;

/** The arguments of an update that change a payment's amount, purpose or time. */
const repricing = ['plan', 'amount', 'setup_fee', 'surcharge', 'surcharge_label', 'payments', 'start'] as const;
export const reprices = ({ args }: Pick<Facts, 'args'>): boolean => repricing.some((name) => args[name] !== undefined);

/** The total after an update; null if it can't be computed. */
export function wholeAfter(facts: Facts): Money | null {
  const known = facts.things.subscription?.body;
  return known === undefined
    ? null
    : commitment(updated(facts), platformTime(String(facts.args.start ?? known.startDate)));
}

/**
 * The total after an update, and the part already counted when the subscription was created or changed before. Past
 * payments remain charged, so only future payments are compared.
 */
export function recommitment(facts: Facts): { readonly whole: Money; readonly counted: Money } | null {
  const { things } = facts;
  const known = things.subscription?.body;
  const whole = wholeAfter(facts);
  if (known === undefined || whole === null) return null;
  const start = platformTime(known.startDate);
  const isBegun = hasBegun(facts);
  const isAnew = isBegun && things.plan !== undefined;
  // Without an end, the number of future payments is always the same, unless another plan begins.
  const overBefore = isAnew || known.total !== undefined ? paymentsOver(facts) : 0;
  const before = overBefore === undefined ? null : sumOf(known, start, { over: overBefore, sets: !isBegun });
  const ahead = isAnew ? whole : sumAhead(facts);
  if (before === null || ahead === null || before.currency !== whole.currency)
    return { whole, counted: { ...whole, minor: 0n } };
  const adds = ahead.minor > before.minor ? ahead.minor - before.minor : 0n;
  return { whole, counted: { ...whole, minor: whole.minor - adds } };
}

/**
 * What is still charged of a subscription that has begun, after an update: the number of payments, undefined without an end, and their
 * sum, or that of the first months; null if it can't be computed. `isMost`: the platform doesn't say how many are over.
 */
export function toCome(facts: Facts): {
  readonly payments: number | undefined;
  readonly sum: Money | null;
  readonly isMost: boolean;
} {
  const { total } = updated(facts);
  const over = paymentsOver(facts);
  return {
    payments: total === undefined ? undefined : Math.max(0, Number(total) - (over ?? 0)),
    sum: sumAhead(facts),
    isMost: total !== undefined && over === undefined,
  };
}

/** What is still charged after an update, by the start of before; null if it can't be computed. */
function sumAhead(facts: Facts): Money | null {
  const after = updated(facts);
  const over = after.total === undefined ? 0 : (paymentsOver(facts) ?? 0);
  const start = platformTime(facts.things.subscription?.body.startDate ?? '');
  return sumOf(after, start, { over, sets: !hasBegun(facts) });
}

/** The number of past payments; undefined if the platform doesn't say. */
function paymentsOver(facts: Facts): number | undefined {
  if (!hasBegun(facts)) return 0;
  const current = facts.things.subscription?.body.current;
  return current !== undefined && /^\d{1,4}$/.test(current) ? Number(current) : undefined;
}

/** The payment that begins processing within ten minutes or began within the last ten (SB-11). */
export const processing = (payments: readonly ListedPayment[] | undefined, now: number): ListedPayment | undefined =>
  payments?.find(({ status, at }) => isProcessed(status) && Math.abs(at - now) <= limits.cancelWindowMinutes * minute);
