import { z } from 'zod';
import { quoted } from '../../src/engine/approval-text.ts';
import { untrusted } from '../../src/engine/render.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { countText, sumText, termsSummary } from './approval-text.ts';
import { subscriptionOutput, theSubscription } from './output.ts';
import { refreshSubscription } from './read-subscriptions.ts';
import { statusIn, subscriptionEntity, subscriptionNext, theSubscriptionArg } from './subscription.ts';
import { bySubscription, done } from './subscription-read-back.ts';

/** States that a reactivated subscription can be in. */
const reactivated: readonly string[] = ['ACTIVE', 'DELINQUENT', 'COMPLETED'];

/** States in which missed payments are left; how many of them were charged, only the subscription itself says. */
const stillMissing: readonly string[] = ['SUSPENDED'];

/** Whether a reactivation charges the missed payments. */
const isCollecting = (query: unknown): boolean =>
  (query as { readonly processMissedPayments?: string } | undefined)?.processMissedPayments !== 'false';

export const reactivateSubscription: ToolSpec<'reactivateSubscription'> = {
  description:
    'Charge a suspended subscription again from its next cycle on, once the customer has given another card. A person approves it.',
  input: {
    args: () => ({
      subscription: theSubscriptionArg,
      collect_missed: {
        schema: z.boolean().describe('Charge what was missed at once.'),
        fills: [{ path: '?processMissedPayments', value: String }],
      },
    }),
  },
  refresh: refreshSubscription,
  policy: {
    lockKey: ({ things }) => things.subscription?.handle ?? '',
    spend: (facts) => {
      const { currency = '', missedAmount = '0' } = facts.things.subscription?.body ?? {};
      const amount = facts.args.collect_missed === true ? missedAmount : '0';
      return { amount, currency, payee: facts.merchant.name, instrument: '' };
    },
    approval: {
      needed: () => true,
      title: () => 'Allow the agent to reactivate a suspended subscription',
      text: ({ args, things, merchant }) => {
        const {
          name = '',
          customerName = 'unknown',
          currency = '',
          missedCount = '0',
          missedAmount = '0',
        } = things.subscription?.body ?? {};
        return [
          `Subscription: ${quoted(untrusted(name))}`,
          `Customer: ${quoted(untrusted(customerName))}`,
          Number(missedCount) === 0
            ? 'Missed payments: none'
            : args.collect_missed === true
              ? `Missed payments: ${countText(missedCount)}, charged at once: ${sumText(missedAmount, currency)} in all`
              : `Missed payments: ${countText(missedCount)}, not charged: ${sumText(missedAmount, currency)} in all`,
          `From the next cycle on: ${termsSummary({ ...things.subscription?.body, setupFee: undefined })}`,
          `Merchant: ${quoted(merchant.name)}`,
        ];
      },
    },
  },
  observe: {
    moves: { kind: 'subscription', entity: subscriptionEntity },
    observations: (_, __, { state }) => [
      { kind: 'subscription', body: stillMissing.includes(state) ? {} : { missedCount: '0', missedAmount: '0' } },
    ],
    stateFromResponse: statusIn,
  },
  present: {
    messages: {
      ACTIVE: 'The subscription is active again, from its next billing cycle on.',
      DELINQUENT: 'The subscription is active again, but the missed payments were declined; they are being retried.',
      SUSPENDED:
        'The missed payments were declined for good: the subscription is suspended again. The customer needs another card.',
      COMPLETED: 'Everything was charged: the subscription is completed.',
    },
    next: subscriptionNext,
    outputSchema: subscriptionOutput,
    toOutput: theSubscription,
  },
  reconcile: {
    readBack: bySubscription((it, { from, query }) => {
      const { status } = it.subscriptionInformation;
      if (reactivated.includes(status)) return { happened: done(it) };
      // A subscription that is still suspended may have been charged in part.
      return status === from && !isCollecting(query) ? 'nothing' : 'unclear';
    }),
  },
};
