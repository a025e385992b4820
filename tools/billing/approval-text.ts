import { limits } from '../../src/core/limits.ts';
import { type Money, money, moneyFault, spoken } from '../../src/core/money.ts';
import { platformTime } from '../../src/core/platform-time.ts';
import { isBillable, wordOfUnit } from '../../src/core/schedule.ts';
import { commitment, periodIn, toCome } from '../../src/domains/billing/charges.ts';
import type { PlanFacts, TermsFacts } from '../../src/domains/billing/facts.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { countOf, untrusted } from '../../src/engine/render.ts';

/** "month", "2 weeks", for people. */
function everyOf(terms: Partial<TermsFacts>): string {
  const period = periodIn(terms);
  const word = period && wordOfUnit(period.unit);
  if (word === undefined || period === undefined || !isBillable(period)) return 'unknown';
  return period.length === 1 ? word : `${period.length} ${word}s`;
}

/** What a subscription charges, and how often. */
export function termsLines(terms: Partial<TermsFacts>, label?: unknown): readonly string[] {
  const { amount: each, currency, setupFee, surcharge, total } = terms;
  return [
    `Amount: ${sumText(each, currency)}`,
    `Every: ${everyOf(terms)}`,
    `Number of payments: ${total === undefined ? 'no end, until it is cancelled' : countText(total)}`,
    ...(setupFee === undefined ? [] : [`Setup fee, once: ${sumText(setupFee, currency)}`]),
    ...(surcharge === undefined ? [] : [`Surcharge, each time: ${sumText(surcharge, currency)}${called(label)}`]),
  ];
}

/** What it comes to from its start on. */
export function commitmentLine(terms: Partial<TermsFacts>, start: string): string {
  const whole = say(commitment(terms, platformTime(start)));
  return terms.total === undefined
    ? `Total commitment: no end; ${whole} in the first ${limits.openEndMonths} months`
    : `Total commitment: ${whole}`;
}

/** What is still to come of one that has begun: past payments were charged at the prices of then. */
export function toComeLine(facts: Facts): string {
  const { payments, sum, isMost } = toCome(facts);
  if (payments === undefined) return `Still to come: no end; ${say(sum)} in ${limits.openEndMonths} months`;
  return `Still to come: ${isMost ? 'at most ' : ''}${payments} ${payments === 1 ? 'payment' : 'payments'}, ${say(sum)}`;
}

/** All terms in one line. */
export function termsSummary(terms: Partial<TermsFacts>): string {
  const { amount: each, currency, setupFee, surcharge, surchargeLabel, total } = terms;
  return [
    sumText(each, currency),
    ...(surcharge === undefined
      ? []
      : [`with a surcharge of ${sumText(surcharge, currency)}${called(surchargeLabel && labelText(surchargeLabel))}`]),
    `every ${everyOf(terms)}`,
    total === undefined ? 'without an end' : `${countText(total)} ${total === '1' ? 'payment' : 'payments'} in all`,
    ...(setupFee === undefined ? [] : [`a setup fee of ${sumText(setupFee, currency)}, once`]),
  ].join(', ');
}

/** An amount for people, in the decimals of its currency. What isn't one is a text of the platform's, and quoted. */
export function sumText(amount: string | undefined, currency = ''): string {
  if (amount === undefined) return 'unknown';
  return moneyFault(amount, currency) === null
    ? spoken(money(amount, currency))
    : quoted(untrusted(`${amount} ${currency}`));
}

/** A number for people. What isn't one is a text of the platform's, and quoted. */
export const countText = (text: string): string => (countOf(text) === undefined ? quoted(untrusted(text)) : text);

const called = (label: unknown): string => (label === undefined ? '' : `, called ${quoted(String(label))}`);

/** A plan's name and description. Subscribers may read both. */
export const planLines = (label: string, plan: PlanFacts): readonly string[] => [
  `${label}: ${quoted(labelText(plan.name ?? ''))}`,
  ...(plan.description === undefined ? [] : [`Its description: ${quoted(labelText(plan.description))}`]),
];

/** A label from the platform. It is never shortened, because it may be sent again. */
export const labelText = (label: string): string => untrusted(label, limits.textCharacters);

/** The label of a surcharge that customers will read: the agent's, or the one that is kept. */
export const surchargeLabelOf = (given: unknown, kept: string | undefined): unknown =>
  given ?? (kept && labelText(kept));

/** The line about the first payment. */
export const firstOn = (start: string): string => `First payment: ${momentOf(start)}`;
export const chargedSince = (start: string): string => `Charged since: ${momentOf(start)}`;
export const firstAtOnce = 'First payment: at once';

/** A time for people to read; the platform's text may not be one. */
const momentOf = (text: string): string =>
  Number.isNaN(platformTime(text)) ? 'unknown' : new Date(platformTime(text)).toISOString();

const say = (it: Money | null): string => (it === null ? 'an unknown amount' : spoken(it));
