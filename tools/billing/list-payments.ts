import { z } from 'zod';
import { once } from '../../src/core/once.ts';
import { platformTime } from '../../src/core/platform-time.ts';
import type { SubscriptionFacts } from '../../src/domains/billing/facts.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { amountShown, countShown, momentShown } from '../../src/engine/shown.ts';
import { platformTool, type ToolSpec } from '../../src/engine/tool.ts';
import { optional } from '../../src/engine/tool-arguments.ts';
import { listOutput, listState, none, paged, paging, unmatched } from '../offset-pages.ts';
import { missedCycles } from './missed-cycles.ts';
import { paymentOutput, showPayment } from './output.ts';
import { theSubscriptionArg } from './subscription.ts';

const look = {
  tools: ['get_subscription'],
  because: 'What is possible depends on the state, which get_subscription shows.',
} as const;

export const ofCall = ({ subscription }: Facts['args']) => (subscription === undefined ? undefined : { subscription });

const missedShown = once(() => z.looseObject({ cycle: countShown, date: momentShown, amount: amountShown }));

export const listSubscriptionPayments: ToolSpec<'listSubscriptionPayments'> = {
  description: 'List payments of a subscription: to come, with the cycles that can be skipped; made; missed.',
  input: {
    args: () => ({
      subscription: theSubscriptionArg,
      scheduled: optional({
        schema: z.int().min(0).max(9_999).describe('How many to come; 5 without it.'),
        fills: [
          {
            path: '?scheduledPaymentsCount',
            value: (given) => (given === undefined ? undefined : String(given)),
          },
        ],
      }),
      ...paging('?limit', '?offset', 'EN-01'),
    }),
  },
  observe: {
    observations: (facts, { body }) =>
      // Only the first page lists scheduled payments.
      facts.args.cursor !== undefined
        ? []
        : [
            {
              kind: 'subscription',
              body: {
                skipped: body.billingCyclesToSkip,
                payments: body.subscriptionPayment.map((it) => ({
                  cycle: Number(it.billingCycle),
                  status: it.status,
                  type: it.paymentType,
                  at: platformTime(it.date),
                  modifiable: it.modifiable,
                })),
                paymentsReadAt: facts.now,
              },
            },
          ],
    stateFromResponse: ({ body }) => listState(body.totalCount),
  },
  present: {
    messages: { done: 'These are its payments.', [none]: 'It has no payments, and none are scheduled.' },
    next: { '': look, [none]: look, [unmatched]: look },
    outputSchema: () =>
      listOutput(paymentOutput()).extend({
        paid: countShown,
        skipped: z.array(countShown),
        missed: z.array(missedShown()).optional(),
      }),
    toOutput: ({ subscription }, facts, { body }) => ({
      ...paged(facts, body.totalCount, body.subscriptionPayment.map(showPayment)),
      paid: body.cyclesCompletedCount.paid,
      skipped: body.billingCyclesToSkip,
      ...missedIn(subscription?.body, facts, body),
    }),
  },
};

/** The missed cycles, shown on the first page of payments. */
function missedIn(
  it: SubscriptionFacts | undefined,
  { args }: Facts,
  body: { readonly totalCount: number; readonly subscriptionPayment: readonly unknown[] },
) {
  const isFirst = args.cursor === undefined;
  const missed =
    it !== undefined && isFirst ? missedCycles(it, body.subscriptionPayment.length >= body.totalCount) : undefined;
  return missed === undefined || missed.length === 0 ? {} : { missed };
}

/** Reads the payment schedule, from which the windows around a payment are computed. */
export const refreshPayments = [
  { tool: platformTool('listSubscriptionPayments', listSubscriptionPayments), args: ofCall },
] as const;
