import { z } from 'zod';
import { limits } from '../../src/core/limits.ts';
import type { SubscriptionFacts } from '../../src/domains/billing/facts.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { iso, monthText, untrusted } from '../../src/engine/render.ts';
import {
  amountShown,
  codeShown,
  countShown,
  digitsShown,
  handleShown,
  momentShown,
  monthShown,
} from '../../src/engine/shown.ts';
import { platformTool, platformTools } from '../../src/engine/tool.ts';
import { handle, matching, optional, queryField, reference } from '../../src/engine/tool-arguments.ts';
import { missedCycles } from './missed-cycles.ts';
import {
  listOutput,
  listState,
  none,
  paged,
  paging,
  paymentOutput,
  showPayment,
  showSubscription,
  subscriptionObservations,
  subscriptionOutput,
  theSubscription,
  unmatched,
} from './presentation.ts';

// The tools that read subscriptions and their payments.

const list = queryField('listSubscriptions');
const theSubscriptionArg = handle('subscription', 'From list_subscriptions.');

const starts = "A subscription starts with a customer's card.";
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

const look = {
  tools: ['get_subscription'],
  because: 'What is possible depends on the state, which get_subscription shows.',
} as const;

const ofCall = ({ subscription }: Facts['args']) => (subscription === undefined ? undefined : { subscription });

const missedShown = z.looseObject({ cycle: countShown, date: momentShown, amount: amountShown });

const payments = platformTool('listSubscriptionPayments', {
  description: 'List payments of a subscription: to come, with the cycles that can be skipped; made; missed.',
  input: {
    args: {
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
    },
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
                  at: Date.parse(it.date),
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
    outputSchema: listOutput(paymentOutput).extend({
      paid: countShown,
      skipped: z.array(countShown),
      missed: z.array(missedShown).optional(),
    }),
    toOutput: ({ subscription }, facts, { body }) => ({
      ...paged(facts, body.totalCount, body.subscriptionPayment.map(showPayment)),
      paid: body.cyclesCompletedCount.paid,
      skipped: body.billingCyclesToSkip,
      ...missedIn(subscription?.body, facts, body),
    }),
  },
});

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

/** The next charge, if payments were read recently. */
function nextPayment({ subscription }: Things, now: number) {
  const { payments: listed = [], paymentsReadAt = 0 } = subscription?.body ?? {};
  const times = listed.filter(({ status }) => status === 'SCHEDULED').map(({ at }) => at);
  if (times.length === 0 || paymentsReadAt < now - limits.paymentsReadSeconds * 1_000) return {};
  return { nextPayment: iso(Math.min(...times)) };
}

/** The card that the subscription was created with. The platform charges the default card, which may differ by now. */
const cardOf = ({ subscription, card }: Things) =>
  subscription?.body.card === undefined || card === undefined
    ? {}
    : { card: card.handle, lastFour: card.body.lastFour };

const subscriptions = platformTools({
  listSubscriptions: {
    description:
      "List subscriptions with state and price, narrowed by customer, status, code or the merchant's reference.",
    input: {
      args: {
        card: optional(handle('card', 'Of the customer with this card.')),
        status: optional(list('status', 'Only these.')),
        code: optional(list('code', 'The whole code.')),
        reference: optional(reference("Merchant's number.")),
        ...paging('?limit', '?offset', 'EN-01'),
      },
      reference: ({ args }) => String(args.reference ?? ''),
    },
    observe: {
      observations: (_, { body }) => body.subscriptions.flatMap(subscriptionObservations),
      stateFromResponse: ({ body }, args) => listState(body.totalCount, args),
    },
    present: {
      messages: {
        done: 'These are the subscriptions.',
        [none]: 'There are no subscriptions yet.',
        [unmatched]: 'No subscription matches. Other arguments, or none, may find it.',
      },
      next: {
        '': {
          tools: ['get_subscription', 'list_subscription_payments'],
          because: 'A list shows neither what is possible now nor the payments.',
        },
        [none]: { tools: ['find_shopper', 'list_plans'], because: starts },
        [unmatched]: { tools: ['find_shopper'], because: starts },
      },
      outputSchema: listOutput(subscriptionOutput),
      toOutput: (_, facts, { body }) =>
        paged(
          facts,
          body.totalCount,
          body.subscriptions.flatMap((it) => {
            const [learned] = subscriptionObservations(it);
            return learned?.kind === 'subscription'
              ? [showSubscription(learned.handle, learned.state, learned.body)]
              : [];
          }),
        ),
    },
  },

  getSubscription: {
    description:
      'Look at one subscription as it is now: next payment, the card it was created with, what reactivating would collect.',
    input: {
      args: { subscription: theSubscriptionArg },
    },
    refresh: [{ tool: payments, args: ofCall }],
    observe: {
      observations: ({ now }, { body }) => [
        ...subscriptionObservations(body),
        { kind: 'subscription', body: { missedAt: now } },
      ],
      stateFromResponse: ({ body }) => body.subscriptionInformation.status,
    },
    present: {
      messages: {
        PENDING: 'Its first payment is still to come.',
        ACTIVE: 'It is active: payments are charged as scheduled.',
        DELINQUENT: 'A payment was declined and is being retried. Have the customer check the card.',
        SUSPENDED: 'It is suspended: nothing is charged. Have the customer give another card before it is reactivated.',
        CANCELLED: 'It is cancelled, for good.',
        COMPLETED: 'All its payments were made.',
        FAILED: 'It never started: the card was declined when it was created.',
      },
      next: subscriptionNext,
      outputSchema: subscriptionOutput.extend({
        nextPayment: momentShown.optional(),
        card: handleShown.optional(),
        lastFour: digitsShown.optional(),
      }),
      toOutput: (things, { now }) => ({ ...theSubscription(things), ...nextPayment(things, now), ...cardOf(things) }),
    },
  },

  getSubscriptionCode: {
    description: 'Get the next free subscription code, where they are numbered consecutively.',
    input: {
      args: {},
    },
    observe: {
      observations: () => [],
    },
    present: {
      messages: { done: 'This code comes next.' },
      next: { '': { tools: ['create_subscription'], because: 'The code is for a new subscription.' } },
      outputSchema: z.looseObject({ code: codeShown }),
      toOutput: (_, __, { body }) => ({ code: untrusted(body.code) }),
    },
  },
});

const followOns = platformTools({
  getFollowOn: {
    description: 'Look up an earlier payment by its request id, to create a subscription for its customer.',
    input: {
      args: { payment: matching(/^[\w-]{1,64}$/, 'Request id of the payment.') },
    },
    observe: {
      observations: ({ args }, { body }) => {
        const { card, billTo } = body.paymentInstrument ?? {};
        return [
          {
            kind: 'followOn',
            handle: handleFor('followOn', String(args.payment)),
            state: 'FOUND',
            body: {
              requestId: String(args.payment),
              customerName: [billTo?.firstName, billTo?.lastName].filter((part) => part !== undefined).join(' '),
              expires: [card?.expirationMonth, card?.expirationYear].filter((part) => part !== undefined).join('/'),
            },
          },
        ];
      },
    },
    present: {
      messages: { done: 'This is the customer of that payment.' },
      next: {
        '': { tools: ['create_follow_on_subscription'], because: 'The payment is looked up for its subscription.' },
      },
      outputSchema: z.looseObject({ follow_on: handleShown, customer: z.string(), expires: monthShown }),
      toOutput: ({ followOn }) => ({
        follow_on: followOn?.handle,
        customer: untrusted(followOn?.body.customerName ?? ''),
        expires: monthText(followOn?.body.expires),
      }),
    },
  },
});

export const looksAtSubscriptions = [...subscriptions, payments, ...followOns];

const byOperation = (operation: string) => {
  const found = looksAtSubscriptions.find((tool) => tool.operation === operation);
  if (found === undefined) throw new Error(`There is no tool for ${operation}.`);
  return found;
};

/** Reads a subscription before changing it, because time and people change subscriptions too. */
export const asksForSubscription = [{ tool: byOperation('getSubscription'), args: ofCall }] as const;
/** Reads the payment schedule, from which the windows around a payment are computed. */
export const asksForPayments = [{ tool: payments, args: ofCall }] as const;
