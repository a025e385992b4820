import { z } from 'zod';
import type { JsonObject } from '../../src/core/canonical-json.ts';
import { isOfThing } from '../../src/core/outcome.ts';
import type { SubscriptionFacts } from '../../src/domains/billing/facts.ts';
import { isReactivated, missesPayments } from '../../src/domains/billing/machines.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { untrusted } from '../../src/engine/render.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { always } from '../../src/engine/tool-policy.ts';
import { countText, sumText, termsSummary } from './approval-text.ts';
import { subscriptionElsewhere } from './contradictions.ts';
import { subscriptionOutput, theSubscription } from './output.ts';
import { refreshSubscription } from './read-subscriptions.ts';
import { statusIn, subscriptionEntity, subscriptionNext, theSubscriptionArg } from './subscription.ts';
import { bySubscription, completedChange } from './subscription-read-back.ts';

/** Whether a reactivation charges the missed payments. */
const isCollecting = (query: unknown): boolean =>
  (query as { readonly processMissedPayments?: string } | undefined)?.processMissedPayments !== 'false';

type Missed = Pick<SubscriptionFacts, 'missedCount' | 'missedAmount' | 'currency'>;

/** Whether the platform says how many payments were missed, and what they come to: payments of nothing, or a sum of none, say neither. */
const isMissedKnown = ({ missedCount, missedAmount }: Missed): boolean =>
  missedCount !== undefined &&
  missedAmount !== undefined &&
  (Number(missedCount) === 0) === (Number(missedAmount) === 0);

/** What becomes of the missed payments, for a person. */
function missedText(
  { missedCount = 'unknown', missedAmount, currency }: Partial<Missed>,
  isCollected: boolean,
): string {
  const isNone = Number(missedCount) === 0 && Number(missedAmount) === 0;
  if (isNone) return 'none';
  const count = missedCount === 'unknown' ? missedCount : countText(missedCount);
  const sum = missedAmount === undefined ? 'an unknown amount' : sumText(missedAmount, currency);
  return `${count}, ${isCollected ? 'charged at once' : 'not charged'}: ${sum} in all`;
}

/** Whether there is something to collect, so that the state alone doesn't tell whether it was. */
const collected = ({ things: { subscription } }: Facts): JsonObject => ({
  collects: subscription !== undefined && Number(subscription.body.missedAmount ?? 1) !== 0,
});

export const reactivateSubscription: ToolSpec<'reactivateSubscription'> = {
  description:
    'Charge a suspended subscription again from its next cycle on, once the customer has given another card. A person approves it.',
  input: {
    args: () => ({
      subscription: theSubscriptionArg,
      // Money moves by it, so the agent says it (D-110).
      collect_missed: {
        schema: z.boolean().describe('Charge what was missed at once.'),
        fills: [{ path: '?processMissedPayments', value: String }],
      },
    }),
  },
  refresh: refreshSubscription,
  policy: {
    lockKey: ({ things }) => things.subscription?.handle ?? '',
    // Its price is read and approved, and a change of its plan can rewrite it.
    dependsOn: ({ things }) => things.subscription?.body.onPlan ?? '',
    spend: ({ args, things: { subscription }, merchant }) => {
      const { currency = '', missedAmount = '0' } = subscription?.body ?? {};
      if (args.collect_missed === true && subscription !== undefined && !isMissedKnown(subscription.body))
        return 'unknown';
      const amount = args.collect_missed === true ? missedAmount : '0';
      return { amount, currency, payee: merchant.name, instrument: '' };
    },
    approval: {
      needed: always,
      title: () => 'Allow the agent to reactivate a suspended subscription',
      text: ({ args, things, merchant }) => {
        const { name = '', customerName = 'unknown' } = things.subscription?.body ?? {};
        return [
          `Subscription: ${quoted(untrusted(name))}`,
          `Customer: ${quoted(untrusted(customerName))}`,
          `Missed payments: ${missedText(things.subscription?.body ?? {}, args.collect_missed === true)}`,
          `From the next cycle on: ${termsSummary({ ...things.subscription?.body, setupFee: undefined })}`,
          `Merchant: ${quoted(merchant.name)}`,
        ];
      },
    },
  },
  observe: {
    moves: { kind: 'subscription', entity: subscriptionEntity },
    // Only what it collects can suspend it again.
    contradicts: subscriptionElsewhere(
      (state, { query, noted }) =>
        isReactivated(state) || (missesPayments(state) && isCollecting(query) && noted?.collects !== false),
    ),
    observations: (_, __, { state }) => [
      { kind: 'subscription', body: missesPayments(state) ? {} : { missedCount: '0', missedAmount: '0' } },
    ],
    stateFromResponse: statusIn,
  },
  present: {
    messages: {
      ACTIVE: 'The subscription is active again, from its next billing cycle on.',
      DELINQUENT:
        'The subscription is active again, but a payment was declined and is being retried: have the customer check the card.',
      SUSPENDED:
        'The missed payments were declined for good: the subscription is suspended again. The customer needs another card.',
      COMPLETED:
        'No cycle is left, so the subscription is completed. list_subscription_payments shows what was charged.',
    },
    next: subscriptionNext,
    outputSchema: subscriptionOutput,
    shows: theSubscription,
  },
  reconcile: {
    // Of one that collects, only a subscription that is still suspended proves that nothing was collected.
    doubled: (refusal, { collect_missed: collects }) =>
      isOfThing(refusal) ? (collects === true ? 'moved' : 'perhaps') : undefined,
    readBack: bySubscription((it, { from, query, noted, isRefused = false }) => {
      const { status } = it.subscriptionInformation;
      // Somebody else may have reactivated it without collecting what was missed.
      const isProof = noted?.collects !== true || !isCollecting(query);
      if (isReactivated(status)) return isProof ? { happened: completedChange(it) } : 'unclear';
      // A subscription that is still suspended may have been charged in part, unless the request was refused.
      return status === from && (isRefused || !isCollecting(query)) ? 'nothing' : 'unclear';
    }, collected),
  },
};
