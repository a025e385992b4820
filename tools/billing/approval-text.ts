import { limits } from '../../src/core/limits.ts';
import { inDecimals, type Money, spoken } from '../../src/core/money.ts';
import { isBillable, wordOfUnit } from '../../src/core/schedule.ts';
import { commitment, periodIn } from '../../src/domains/billing/charges.ts';
import type { PlanFacts, TermsFacts } from '../../src/domains/billing/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { untrusted } from '../../src/engine/render.ts';

/** "month", "2 weeks", for people. */
function everyOf(terms: Partial<TermsFacts>): string {
  const period = periodIn(terms);
  const word = period && wordOfUnit(period.unit);
  if (word === undefined || period === undefined || !isBillable(period)) return 'unknown';
  return period.length === 1 ? word : `${period.length} ${word}s`;
}

/**
 * What a subscription charges, how often, from when, and the total. `first` is the line about the first payment; by default
 * it is charged on the start date.
 */
export function termsLines(
  terms: Partial<TermsFacts>,
  start: string,
  label?: unknown,
  first = firstOn(start),
): readonly string[] {
  const { amount: each = 'unknown', currency = '', setupFee, surcharge, total } = inDecimalsAll(terms);
  const whole = commitment(terms, Date.parse(start));
  return [
    `Amount: ${each} ${currency}`,
    `Every: ${everyOf(terms)}`,
    total === undefined ? 'Number of payments: no end, until it is cancelled' : `Number of payments: ${total}`,
    ...(setupFee === undefined ? [] : [`Setup fee, once: ${setupFee} ${currency}`]),
    ...(surcharge === undefined ? [] : [`Surcharge, each time: ${surcharge} ${currency}${called(label)}`]),
    first,
    total === undefined
      ? `Total commitment: no end; ${say(whole)} in the first ${limits.openEndMonths} months`
      : `Total commitment: ${say(whole)}`,
  ];
}

/** All terms in one line. */
export function termsSummary(terms: Partial<TermsFacts>): string {
  const { amount: each = 'unknown', currency = '', setupFee, surcharge, surchargeLabel, total } = inDecimalsAll(terms);
  return [
    `${each} ${currency}`,
    ...(surcharge === undefined
      ? []
      : [`with a surcharge of ${surcharge} ${currency}${called(surchargeLabel && labelText(surchargeLabel))}`]),
    `every ${everyOf(terms)}`,
    total === undefined ? 'without an end' : `${total} ${total === '1' ? 'payment' : 'payments'} in all`,
    ...(setupFee === undefined ? [] : [`a setup fee of ${setupFee} ${currency}, once`]),
  ].join(', ');
}

/** Terms with every amount in the decimals of their currency. */
function inDecimalsAll(terms: Partial<TermsFacts>): Partial<TermsFacts> {
  const { currency = '', amount: each, setupFee, surcharge } = terms;
  const shown = (sum: string) => inDecimals(sum, currency);
  return {
    ...terms,
    ...(each === undefined ? {} : { amount: shown(each) }),
    ...(setupFee === undefined ? {} : { setupFee: shown(setupFee) }),
    ...(surcharge === undefined ? {} : { surcharge: shown(surcharge) }),
  };
}

const called = (label: unknown): string => (label === undefined ? '' : `, called ${quoted(String(label))}`);

/** A plan's name and description. Subscribers may read both. */
export const planLines = (label: string, plan: PlanFacts): readonly string[] => [
  `${label}: ${quoted(labelText(plan.name ?? ''))}`,
  ...(plan.description === undefined ? [] : [`Its description: ${quoted(labelText(plan.description))}`]),
];

/** A label from the platform. It is never shortened, because it may be sent again. */
export const labelText = (label: string): string => untrusted(label, limits.textCharacters);

/** The line about the first payment. */
export const firstOn = (start: string): string => `First payment: ${momentOf(start)}`;
export const chargedSince = (start: string): string => `Charged since: ${momentOf(start)}`;
export const firstAtOnce = 'First payment: at once';

/** A time for people to read; the platform's text may not be one. */
const momentOf = (text: string): string =>
  Number.isNaN(Date.parse(text)) ? 'unknown' : new Date(Date.parse(text)).toISOString();

const say = (it: Money | null): string => (it === null ? 'an unknown amount' : spoken(it));
