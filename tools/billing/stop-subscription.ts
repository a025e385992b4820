import type { ToolSpec } from '../../src/engine/tool.ts';
import { subscriptionElsewhere } from './contradictions.ts';
import { refreshPayments } from './list-payments.ts';
import { subscriptionOutput, theSubscription } from './output.ts';
import { refreshSubscription } from './read-subscriptions.ts';
import { subscriptionEntity, subscriptionNext, theSubscriptionArg } from './subscription.ts';
import { stateReadBack } from './subscription-read-back.ts';

export const cancelSubscription: ToolSpec<'cancelSubscription'> = {
  description:
    'End a subscription for good when the customer wants that. It refunds nothing. Not within ten minutes of a payment.',
  input: {
    args: () => ({ subscription: theSubscriptionArg }),
  },
  refresh: [...refreshSubscription, ...refreshPayments],
  policy: {
    lockKey: ({ things }) => things.subscription?.handle ?? '',
  },
  observe: {
    moves: { kind: 'subscription', entity: subscriptionEntity },
    contradicts: subscriptionElsewhere(),
    observations: () => [{ kind: 'subscription', body: { payments: [] } }],
  },
  present: {
    messages: { CANCELLED: 'The subscription is cancelled. That is final; nothing more is charged.' },
    outputSchema: subscriptionOutput,
    shows: theSubscription,
  },
  reconcile: {
    readBack: stateReadBack,
  },
};

export const suspendSubscription: ToolSpec<'suspendSubscription'> = {
  description: 'Pause an active subscription: nothing is charged until it is reactivated.',
  input: {
    args: () => ({ subscription: theSubscriptionArg }),
  },
  refresh: refreshSubscription,
  policy: {
    lockKey: ({ things }) => things.subscription?.handle ?? '',
  },
  observe: {
    moves: { kind: 'subscription', entity: subscriptionEntity },
    // The response may still show the previous state.
    contradicts: subscriptionElsewhere((state, { from }) => state === from),
    observations: () => [{ kind: 'subscription', body: {} }],
    stateFromResponse: () => 'SUSPENDED',
  },
  present: {
    messages: { SUSPENDED: 'The subscription is suspended. Payments that fall due now count as missed.' },
    next: subscriptionNext,
    outputSchema: subscriptionOutput,
    shows: theSubscription,
  },
  reconcile: {
    readBack: stateReadBack,
  },
};
