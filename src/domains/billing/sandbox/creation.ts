import { dayOf } from '../../../core/schedule.ts';
import { type BodyOf, find, invalid, PlatformError } from '../../../sandbox/answer.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { World } from '../../../sandbox/world.ts';
import type { billing } from '../contract.ts';
import { isUsablePlan } from '../machines.ts';
import { needsOriginalAmount } from '../shapes.ts';
import { chargeOf, verifies } from './charges.ts';
import { bill, fail, freshPayment, moved, over, settleNow, started } from './clock.ts';
import { takeCode } from './codes.ts';
import type { Customer } from './customers.ts';
import { noticedBefore } from './cycles.ts';
import type { Override, PlanDocument, SubscriptionDocument, Terms } from './documents.ts';
import { checkedTerms, periodOf, surchargeOf, termsOf } from './plans.ts';

type Asked = BodyOf<typeof billing.createFollowOnSubscription>;

/** Creates a subscription, and bills it at once if it starts today (SB-01 to SB-06, D-16). */
export function create(world: World, merchant: Merchant, asked: Asked, customer: Customer): SubscriptionDocument {
  const { subscriptionInformation: said } = asked;
  demandAmount(said, customer);
  const anchor = Date.parse(said.startDate);
  // D-112: today in UTC.
  if (dayOf(anchor) < dayOf(world.now))
    throw invalid('subscriptionInformation.startDate', 'The start date has already passed.');
  const plan = planOf(world, merchant, said.planId);
  const { terms, overrides } = effective(plan, asked);
  const id = world.uuid('subscription');
  const code = takeCode(world, 'subscription', merchant.id, said.code, id);
  if (plan !== undefined) world.put('plan', { ...plan, assigned: true });
  const today = dayOf(anchor) === dayOf(world.now);
  const verified = said.originalTransactionId !== undefined || today || verifies(world, customer.card.id);
  const fresh: SubscriptionDocument = {
    ...{ id, code, terms, overrides, anchor, state: 'none', merchantId: merchant.id },
    seq: world.count('subscription/seq'),
    name: said.name,
    planId: plan?.id ?? null,
    reference: asked.clientReferenceInformation?.code ?? '',
    customerId: customer.id,
    cardId: customer.card.id,
    ...{ email: customer.email, firstName: customer.firstName, lastName: customer.lastName },
    startDate: said.startDate,
    originalTransactionId: said.originalTransactionId ?? null,
    verification:
      today || said.originalTransactionId !== undefined ? null : { at: world.now, amount: '0.00', succeeded: verified },
    ...{ first: 1, setupCycle: 1, next: 1, skips: [], retries: [], missed: [], noticed: 0 },
    noticeDays: world.must('origin', 'origin').noticeDays,
    ...{ paid: 0, payments: 0, attempts: 0, lastAttempt: null },
  };
  if (!verified) return settleNow(world, moved(fresh, 'create', { declined: true }));
  const it = { ...fresh, noticed: noticedBefore(fresh, world.now) };
  return settleNow(world, today ? firstDay[chargeOf(world, it)](world, it) : moved(it, 'create'));
}

type FirstDay = (world: World, it: SubscriptionDocument) => SubscriptionDocument;

const refused: FirstDay = (world, it) => {
  const tried = { ...it, attempts: 1, lastAttempt: world.now, next: 2 };
  return moved(fail(world, tried, freshPayment(it, 1, world.now)), 'create', { declined: true });
};

/** The state of a subscription that starts today, by the outcome of its first payment. */
const firstDay: { readonly [O in ReturnType<typeof chargeOf>]: FirstDay } = {
  paid: (world, it) => over(bill(world, started(moved(it, 'create')))),
  declined: refused,
  doNotRetry: refused,
  // The charge was not attempted: the subscription waits for its first payment.
  error: (world, it) => {
    const active = bill(world, started(moved(it, 'create')));
    return { ...active, state: moved(it, 'create').state };
  },
};

/** The stored plan that a request names, if any. Throws the platform's 400 unless it is active (SB-02). */
export function planOf(world: World, merchant: Merchant, planId: string | undefined): PlanDocument | undefined {
  if (planId === undefined) return undefined;
  const plan = find(world, 'plan', planId, merchant, 'subscriptionInformation.planId');
  if (isUsablePlan(plan.state)) return plan;
  throw new PlatformError(400, 'VALIDATION_ERROR', `The plan is ${plan.state}; only an active one can be used.`, {
    source: 'subscriptionInformation.planId',
  });
}

/** SB-06 and D-21: two networks require the authorized amount of the original transaction. */
function demandAmount(said: Asked['subscriptionInformation'], { card }: Customer): void {
  const { originalTransactionId, originalTransactionAuthorizedAmount } = said;
  if (!needsOriginalAmount(card.network) || originalTransactionId === undefined) return;
  if (originalTransactionAuthorizedAmount === undefined)
    throw new PlatformError(400, 'MISSING_FIELD', 'The network of this card asks for the authorized amount.', {
      source: 'subscriptionInformation.originalTransactionAuthorizedAmount',
    });
}

/** The terms of a subscription: its plan's with its overrides (SB-04), or its own if it has no plan. */
function effective(
  plan: PlanDocument | undefined,
  { planInformation = {}, orderInformation }: Asked,
): { readonly terms: Terms; readonly overrides: readonly Override[] } {
  const { currency, billingAmount, setupFee, surcharge: extra } = orderInformation?.amountDetails ?? {};
  const surcharge = surchargeOf(extra);
  const { billingPeriod, billingCycles } = planInformation;
  if (plan === undefined) {
    if (
      billingPeriod === undefined ||
      periodOf(billingPeriod) === undefined ||
      currency === undefined ||
      billingAmount === undefined
    )
      throw new PlatformError(400, 'MISSING_FIELD', 'There is neither a plan nor a schedule and an amount.', {
        source: 'subscriptionInformation.planId',
      });
    const own = termsOf({ billingPeriod, billingCycles }, { currency, billingAmount, setupFee });
    return { terms: checkedTerms({ ...own, surcharge: surcharge ?? null }), overrides: [] };
  }
  const given: { readonly [O in Override]: Terms[O] | undefined } = {
    period: periodOf(billingPeriod, plan.terms.period),
    total: billingCycles?.total === undefined ? undefined : Number(billingCycles.total),
    currency,
    amount: billingAmount,
    setupFee,
    surcharge,
  };
  const own = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    terms: checkedTerms({ ...plan.terms, ...Object.fromEntries(own) }),
    // The keys of `given` are the parts of the terms.
    overrides: own.map(([part]) => part as Override),
  };
}
