import { processing } from '../../src/domains/billing/charges.ts';
import type { Things } from '../../src/domains/facts.ts';
import { handle } from '../../src/engine/tool-arguments.ts';

// What the tools for subscriptions share.

/** The subscription of a call, as the subscription machine reads it. */
export const subscriptionEntity = ({ subscription }: Things, now: number) => ({
  state: subscription?.state ?? 'none',
  declined: false,
  processing: processing(subscription?.body.payments, now) !== undefined,
  outstanding: false,
  changes: 'names',
  ends: subscription?.body.total !== undefined,
});

/** A response to a change: the subscription as it is then. */
export interface SubscriptionChanged {
  readonly body: {
    readonly id: string;
    readonly status: string;
    readonly subscriptionInformation: { readonly code?: string | undefined; readonly status: string };
  };
}
export const statusIn = ({ body }: SubscriptionChanged): string => body.subscriptionInformation.status;

export const theSubscriptionArg = handle('subscription', 'From list_subscriptions.');

const paymentsFirst = 'The payments show what was charged and which cycles can be skipped.';
/** The next actions by state: the machine knows neither payments nor cycles. */
export const subscriptionNext = {
  PENDING: {
    tools: ['list_subscription_payments', 'skip_subscription_payments', 'update_subscription', 'cancel_subscription'],
    because: paymentsFirst,
  },
  ACTIVE: {
    tools: [
      'list_subscription_payments',
      'skip_subscription_payments',
      'update_subscription',
      'suspend_subscription',
      'cancel_subscription',
    ],
    because: paymentsFirst,
  },
  DELINQUENT: {
    tools: ['list_subscription_payments', 'cancel_subscription'],
    because: 'While a payment is retried only names can change.',
  },
  SUSPENDED: {
    tools: ['list_subscription_payments', 'reactivate_subscription', 'cancel_subscription'],
    because: 'The missed payments decide whether to reactivate. Only names can change.',
  },
  COMPLETED: { tools: ['list_subscription_payments'], because: 'Only its payments are left to look at.' },
} as const;
