import { z } from 'zod';
import { amount } from '../../src/core/fields.ts';
import { limits } from '../../src/core/limits.ts';
import { decimal, inDecimals, type Money, spoken } from '../../src/core/money.ts';
import { isBillable, type UnitWord, unitWords, wordOfUnit } from '../../src/core/schedule.ts';
import { chargeOf, commitment, periodIn } from '../../src/domains/billing/charges.ts';
import type { PlanFacts, SubscriptionFacts, TermsFacts } from '../../src/domains/billing/facts.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { countOf, momentText, untrusted } from '../../src/engine/render.ts';
import {
  amountShown,
  codeShown,
  countShown,
  currencyShown,
  digitsShown,
  handleShown,
  momentShown,
  stateShown,
  unitShown,
} from '../../src/engine/shown.ts';
import type { Arg } from '../../src/engine/tool.ts';

// Shared by the tools for plans and subscriptions: arguments, observations, output and approval text.

/** A whole number. The platform takes it as text. */
export const count = <P extends string>(path: P, about: string, rule: string): Arg<P> => ({
  schema: z.int().min(1).max(limits.billingCycleElements).describe(about),
  fills: [{ path, value: textOf }],
  rule,
});

/** The unit of a billing period. */
export const unitOf = <P extends string>(path: P): Arg<P> => ({
  schema: z.enum(Object.keys(unitWords) as [UnitWord, ...UnitWord[]]).describe('What every counts.'), // the keys of the table
  fills: [{ path, value: (given) => (given === undefined ? undefined : unitWords[given as UnitWord]) }], // by the schema
  approvalText: String,
  rule: 'PL-02',
});

/** An amount in the currency that another argument gives. */
export const sumOf = <P extends string>(path: P, about: string): Arg<P> => ({
  schema: amount.describe(about),
  fills: [{ path, value: (given) => given }],
});

/** The state of a list: empty text for a list with rows, `none` if nothing exists, `unmatched` if no row fits the filters. */
export const none = 'none';
export const unmatched = 'unmatched';
export const listState = (total: number, { limit, cursor, ...narrowed }: Facts['args'] = {}): string => {
  if (total > 0) return '';
  return [cursor, ...Object.values(narrowed)].every((value) => value === undefined) ? none : unmatched;
};

/** Paging arguments. The cursor is the offset of the page. */
export const paging = <L extends string, O extends string>(limit: L, offset: O, rule: string) => ({
  limit: {
    schema: z.int().min(1).max(limits.billingRowsMost).default(limits.billingRows).describe('Rows of a page.'),
    fills: [{ path: limit, value: textOf }],
    rule,
  } satisfies Arg<L>,
  cursor: {
    schema: z
      .string()
      .max(9)
      .refine((at) => /^[1-9]\d*$/.test(at), 'must be the `more` of a list')
      .optional()
      .describe('From `more`.'),
    fills: [{ path: offset, value: (given: unknown) => given }],
  } satisfies Arg<O>,
});

const textOf = (given: unknown): unknown => (given === undefined ? undefined : String(given));

/** The output of one page of a list. */
export function paged<Shown>({ args }: Facts, total: number, items: readonly Shown[]) {
  const end = Number(args.cursor ?? 0) + items.length;
  return { items, total, ...(end < total && items.length > 0 ? { more: String(end) } : {}) };
}

export const listOutput = (item: z.ZodObject) =>
  z.looseObject({ items: z.array(item), total: countShown, more: digitsShown.optional() });

// Observations from the platform's responses.

interface PlanAnswer {
  readonly id: string;
  readonly planInformation: {
    readonly code?: string | undefined;
    readonly status: string;
    readonly name?: string | undefined;
    readonly description?: string | undefined;
    readonly billingPeriod: { readonly length: string; readonly unit: string };
    readonly billingCycles?: { readonly total?: string | undefined } | undefined;
  };
  readonly orderInformation: { readonly amountDetails: AmountsAnswer };
}

interface AmountsAnswer {
  readonly currency: string;
  readonly billingAmount: string;
  readonly setupFee?: string | undefined;
  readonly surcharge?: { readonly amount?: string | undefined; readonly description?: string | undefined } | undefined;
}

/** The terms in a response. A missing term is undefined, so the stored one is removed. */
const termsAnswered = (
  { billingPeriod, billingCycles }: Pick<PlanAnswer['planInformation'], 'billingPeriod' | 'billingCycles'>,
  { currency, billingAmount, setupFee, surcharge }: AmountsAnswer,
) => ({
  ...{ length: billingPeriod.length, unit: billingPeriod.unit.toUpperCase(), currency, amount: billingAmount },
  ...{ total: billingCycles?.total, setupFee },
  ...{ surcharge: surcharge?.amount, surchargeLabel: surcharge?.description },
});

/** The observation of a plan in a response. */
export const planObservation = (it: PlanAnswer) => ({
  kind: 'plan' as const,
  handle: handleFor('plan', it.id),
  state: it.planInformation.status,
  owner: '',
  body: {
    planId: it.id,
    code: it.planInformation.code,
    name: it.planInformation.name,
    description: it.planInformation.description,
    ...termsAnswered(it.planInformation, it.orderInformation.amountDetails),
  } satisfies PlanFacts,
});

export interface SubscriptionAnswer {
  readonly id: string;
  readonly planInformation: Pick<PlanAnswer['planInformation'], 'billingPeriod'> & {
    readonly billingCycles?: { readonly total?: string | undefined; readonly current?: string | undefined } | undefined;
  };
  readonly subscriptionInformation: {
    readonly code?: string | undefined;
    readonly planId?: string | undefined;
    readonly name: string;
    readonly startDate: string;
    readonly status: string;
  };
  readonly paymentInformation?: { readonly customer?: { readonly id?: string | undefined } | undefined } | undefined;
  readonly orderInformation: {
    readonly amountDetails: AmountsAnswer;
    readonly billTo?: { readonly firstName?: string | undefined; readonly lastName?: string | undefined } | undefined;
  };
  readonly reactivationInformation?:
    | { readonly missedPaymentsCount?: string | undefined; readonly missedPaymentsTotalAmount?: string | undefined }
    | undefined;
}

/** The observations of a subscription in a response: the subscription itself, and that its plan is in use. */
export const subscriptionObservations = (it: SubscriptionAnswer) => {
  const { code, planId, name, startDate, status } = it.subscriptionInformation;
  const { amountDetails } = it.orderInformation;
  const { missedPaymentsCount, missedPaymentsTotalAmount } = it.reactivationInformation ?? {};
  return [
    {
      kind: 'subscription' as const,
      handle: handleFor('subscription', it.id),
      state: status,
      body: {
        subscriptionId: it.id,
        ...{ code, name, startDate, current: it.planInformation.billingCycles?.current },
        ...{ missedCount: missedPaymentsCount ?? '0', missedAmount: missedPaymentsTotalAmount ?? '0' },
        customerId: it.paymentInformation?.customer?.id,
        customerName: customerNamed(it),
        onPlan: planId === undefined ? undefined : handleFor('plan', planId),
        ...termsAnswered(it.planInformation, amountDetails),
      } satisfies SubscriptionFacts,
    },
    ...(planId === undefined ? [] : [planAssigned(handleFor('plan', planId))]),
  ];
};

/** The payer's name; empty if the platform doesn't return one. */
export const customerNamed = ({ orderInformation: { billTo } }: Pick<SubscriptionAnswer, 'orderInformation'>): string =>
  [billTo?.firstName, billTo?.lastName].filter((part) => part !== undefined).join(' ');

/** A plan that has a subscription. It can no longer be deleted. */
export const planAssigned = (handle: string) => ({
  kind: 'plan' as const,
  handle,
  ifKnown: true as const,
  body: { assigned: true },
});

// Output.

/** "month", "2 weeks", for people. */
export function everyOf(terms: Partial<TermsFacts>): string {
  const period = periodIn(terms);
  const word = period && wordOfUnit(period.unit);
  if (word === undefined || period === undefined || !isBillable(period)) return 'unknown';
  return period.length === 1 ? word : `${period.length} ${word}s`;
}

const termsShape = {
  amount: amountShown,
  currency: currencyShown,
  every: countShown.optional(),
  unit: unitShown.optional(),
  payments: countShown.optional(),
  setupFee: amountShown.optional(),
  surcharge: amountShown.optional(),
  surchargeLabel: z.string().optional(),
};
function showTerms({ amount, currency, length, unit, total, setupFee, surcharge, surchargeLabel }: TermsFacts) {
  const shown = (sum: string) => inDecimals(sum, currency);
  const [every, payments] = [countOf(length), countOf(total)];
  const word = wordOfUnit(unit);
  return {
    ...{ amount: shown(amount), currency },
    ...(every === undefined || word === undefined ? {} : { every, unit: word }),
    ...(payments === undefined ? {} : { payments }),
    ...(setupFee === undefined ? {} : { setupFee: shown(setupFee) }),
    ...(surcharge === undefined ? {} : { surcharge: shown(surcharge) }),
    ...(surchargeLabel === undefined ? {} : { surchargeLabel: untrusted(surchargeLabel) }),
  };
}

export const planOutput = z.looseObject({
  ...{ plan: handleShown, state: stateShown, code: codeShown.optional(), name: z.string().optional() },
  ...termsShape,
});
export const showPlan = (handle: string, state: string, body: PlanFacts) => ({
  ...{ plan: handle, state },
  ...(body.code === undefined ? {} : { code: untrusted(body.code) }),
  ...(body.name === undefined ? {} : { name: untrusted(body.name) }),
  ...showTerms(body),
});

/** The output of a call about one plan. */
export const thePlan = ({ plan }: Things) => (plan === undefined ? {} : showPlan(plan.handle, plan.state, plan.body));

export const subscriptionOutput = z.looseObject({
  ...{ subscription: handleShown, state: stateShown, code: codeShown.optional(), name: z.string() },
  ...{ starts: momentShown, customer: z.string().optional(), plan: handleShown.optional() },
  ...termsShape,
  missed: z.looseObject({ payments: countShown, amount: amountShown }).optional(),
});
export const showSubscription = (handle: string, state: string, body: SubscriptionFacts) => ({
  ...{ subscription: handle, state, name: untrusted(body.name), starts: momentText(body.startDate) },
  ...(body.code === undefined ? {} : { code: untrusted(body.code) }),
  ...(body.customerName === undefined || body.customerName === '' ? {} : { customer: untrusted(body.customerName) }),
  ...(body.onPlan === undefined ? {} : { plan: body.onPlan }),
  ...showTerms(body),
  ...missedOf(body),
});

/** The missed payments of a suspended subscription, if there are any. */
function missedOf({ missedCount, missedAmount = '0', currency }: SubscriptionFacts) {
  const payments = countOf(missedCount) ?? 0;
  return payments === 0 ? {} : { missed: { payments, amount: inDecimals(missedAmount, currency) } };
}

/** The output of a call about one subscription. */
export const theSubscription = ({ subscription }: Things) =>
  subscription === undefined ? {} : showSubscription(subscription.handle, subscription.state, subscription.body);

interface PaymentAnswer {
  readonly status: string;
  readonly paymentType: string;
  readonly date: string;
  readonly billingCycle: string;
  readonly currency: string;
  readonly billingAmount: string;
  readonly setupFee?: string | undefined;
  readonly surchargeAmount?: string | undefined;
  readonly surchargeDescription?: string | undefined;
  readonly modifiable: boolean;
}

export const paymentOutput = z.looseObject({
  ...{ cycle: countShown, status: stateShown, type: stateShown, date: momentShown },
  ...{ amount: amountShown, setupFee: amountShown.optional(), surcharge: amountShown.optional() },
  ...{ surchargeLabel: z.string().optional(), total: amountShown.optional() },
  ...{ currency: currencyShown, skippable: z.boolean() },
});

/** One payment of a subscription: its parts and their total. */
export function showPayment(it: PaymentAnswer) {
  const { currency, billingAmount: amount, setupFee, surchargeAmount: surcharge, surchargeDescription: label } = it;
  const shown = (sum: string) => inDecimals(sum, currency);
  const total = chargeOf({ currency, amount, setupFee, surcharge });
  return {
    ...{ cycle: Number(it.billingCycle), status: it.status, type: it.paymentType, date: momentText(it.date) },
    amount: shown(amount),
    ...(setupFee === undefined ? {} : { setupFee: shown(setupFee) }),
    ...(surcharge === undefined ? {} : { surcharge: shown(surcharge) }),
    ...(label === undefined ? {} : { surchargeLabel: untrusted(label) }),
    ...(total === null ? {} : { total: decimal(total) }),
    ...{ currency, skippable: it.modifiable },
  };
}

// Approval text.

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
