import type { PlanFacts, SubscriptionFacts, TermsFacts } from '../../src/domains/billing/facts.ts';
import { missesPayments } from '../../src/domains/billing/machines.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { isSame } from '../read-back.ts';

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

/** Whether payments that fall due now are missed: the platform tells their sum in no other state. */
const canMiss = missesPayments;

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
        // A suspended one of which the platform doesn't say it may have missed anything.
        missedCount: missedPaymentsCount ?? (canMiss(status) ? undefined : '0'),
        missedAmount: missedPaymentsTotalAmount ?? (canMiss(status) ? undefined : '0'),
        customerId: it.paymentInformation?.customer?.id,
        customerName: customerNamed(it),
        onPlan: planId === undefined ? undefined : handleFor('plan', planId),
        ...termsAnswered(it.planInformation, amountDetails),
      } satisfies SubscriptionFacts,
    },
    ...(planId === undefined ? [] : [planAssigned(handleFor('plan', planId))]),
  ];
};

/** Whether a subscription charges what it was asked to. Terms that the platform doesn't return say nothing, and no sum is a sum of zero. */
export function isOnTerms(it: SubscriptionAnswer, asked: unknown): boolean {
  const terms = asked as Partial<TermsFacts> | undefined; // as noted; an older version noted none
  if (terms === undefined) return true;
  const shown = termsAnswered(it.planInformation, it.orderInformation.amountDetails);
  return charged.every((name) => shown[name] === undefined || isSame(shown[name], terms[name] ?? none[name] ?? ''));
}
const charged = ['length', 'unit', 'total', 'currency', 'amount', 'setupFee', 'surcharge'] as const;
const none: Partial<TermsFacts> = { setupFee: '0', surcharge: '0' };

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
