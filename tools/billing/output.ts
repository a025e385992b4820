import { z } from 'zod';
import { decimal, inDecimals } from '../../src/core/money.ts';
import { once } from '../../src/core/once.ts';
import { wordOfUnit } from '../../src/core/schedule.ts';
import { chargeOf } from '../../src/domains/billing/charges.ts';
import type { PlanFacts, SubscriptionFacts, TermsFacts } from '../../src/domains/billing/facts.ts';
import type { Things } from '../../src/domains/facts.ts';
import { countOf, momentText, untrusted } from '../../src/engine/render.ts';
import {
  amountShown,
  codeShown,
  countShown,
  currencyShown,
  handleShown,
  momentShown,
  stateShown,
  unitShown,
} from '../../src/engine/shown.ts';

const termsShape = once(() => ({
  amount: amountShown,
  currency: currencyShown,
  every: countShown.optional(),
  unit: unitShown.optional(),
  payments: countShown.optional(),
  setup_fee: amountShown.optional(),
  surcharge: amountShown.optional(),
  surcharge_label: z.string().optional(),
}));
function showTerms({ amount, currency, length, unit, total, setupFee, surcharge, surchargeLabel }: TermsFacts) {
  const shown = (sum: string) => inDecimals(sum, currency);
  const [every, payments] = [countOf(length), countOf(total)];
  const word = wordOfUnit(unit);
  return {
    ...{ amount: shown(amount), currency },
    ...(every === undefined || word === undefined ? {} : { every, unit: word }),
    ...(payments === undefined ? {} : { payments }),
    ...(setupFee === undefined ? {} : { setup_fee: shown(setupFee) }),
    ...(surcharge === undefined ? {} : { surcharge: shown(surcharge) }),
    ...(surchargeLabel === undefined ? {} : { surcharge_label: untrusted(surchargeLabel) }),
  };
}

export const planOutput = once(() =>
  z.looseObject({
    ...{ plan: handleShown, state: stateShown, code: codeShown.optional(), name: z.string().optional() },
    ...termsShape(),
  }),
);
export const showPlan = (handle: string, state: string, body: PlanFacts) => ({
  ...{ plan: handle, state },
  ...(body.code === undefined ? {} : { code: untrusted(body.code) }),
  ...(body.name === undefined ? {} : { name: untrusted(body.name) }),
  ...(body.description === undefined ? {} : { description: untrusted(body.description) }),
  ...showTerms(body),
});

/** The output of a call about one plan. */
export const thePlan = ({ plan }: Things) => (plan === undefined ? {} : showPlan(plan.handle, plan.state, plan.body));

export const subscriptionOutput = once(() =>
  z.looseObject({
    ...{ subscription: handleShown, state: stateShown, code: codeShown.optional(), name: z.string() },
    ...{ start: momentShown, customer: z.string().optional(), plan: handleShown.optional() },
    ...termsShape(),
    missed: z.looseObject({ payments: countShown, amount: amountShown }).optional(),
  }),
);
export const showSubscription = (handle: string, state: string, body: SubscriptionFacts) => ({
  ...{ subscription: handle, state, name: untrusted(body.name), start: momentText(body.startDate) },
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

export const paymentOutput = once(() =>
  z.looseObject({
    ...{ cycle: countShown, status: stateShown, type: stateShown, date: momentShown },
    ...{ amount: amountShown, setup_fee: amountShown.optional(), surcharge: amountShown.optional() },
    ...{ surcharge_label: z.string().optional(), total: amountShown.optional() },
    ...{ currency: currencyShown, skippable: z.boolean() },
  }),
);

/** One payment of a subscription: its parts and their total. */
export function showPayment(it: PaymentAnswer) {
  const { currency, billingAmount: amount, setupFee, surchargeAmount: surcharge, surchargeDescription: label } = it;
  const shown = (sum: string) => inDecimals(sum, currency);
  const total = chargeOf({ currency, amount, setupFee, surcharge });
  return {
    ...{ cycle: Number(it.billingCycle), status: it.status, type: it.paymentType, date: momentText(it.date) },
    amount: shown(amount),
    ...(setupFee === undefined ? {} : { setup_fee: shown(setupFee) }),
    ...(surcharge === undefined ? {} : { surcharge: shown(surcharge) }),
    ...(label === undefined ? {} : { surcharge_label: untrusted(label) }),
    ...(total === null ? {} : { total: decimal(total) }),
    ...{ currency, skippable: it.modifiable },
  };
}
