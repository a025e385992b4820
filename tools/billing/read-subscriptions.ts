import { z } from 'zod';
import { limits } from '../../src/core/limits.ts';
import { platformTime } from '../../src/core/platform-time.ts';
import { cycleDate, isBillable } from '../../src/core/schedule.ts';
import { periodIn } from '../../src/domains/billing/charges.ts';
import type { SubscriptionFacts } from '../../src/domains/billing/facts.ts';
import { isScheduled, isSkippedAhead } from '../../src/domains/billing/machines.ts';
import type { Things } from '../../src/domains/facts.ts';
import { iso, untrusted } from '../../src/engine/render.ts';
import { codeShown, digitsShown, handleShown, momentShown } from '../../src/engine/shown.ts';
import { platformTool, type ToolSpec } from '../../src/engine/tool.ts';
import { handle, optional, queryField, reference } from '../../src/engine/tool-arguments.ts';
import { listOutput, listState, none, paged, paging, unmatched } from '../offset-pages.ts';
import { ofCall, refreshPayments } from './list-payments.ts';
import { subscriptionObservations } from './observations.ts';
import { showSubscription, subscriptionOutput, theSubscription } from './output.ts';
import { subscriptionNext, theSubscriptionArg } from './subscription.ts';

const list = queryField('listSubscriptions');

const starts = "A subscription starts with a customer's card.";

/** The next charge, if payments were read recently. */
function nextPayment({ subscription: it }: Things, now: number) {
  const { payments: listed = [], paymentsReadAt = 0 } = it?.body ?? {};
  if (it === undefined || paymentsReadAt < now - limits.paymentsReadSeconds * 1_000) return {};
  const times = listed.filter(({ status }) => isScheduled(status)).map(({ at }) => at);
  const next = times.length === 0 ? behindSkipped(it.body) : Math.min(...times);
  return next === undefined ? {} : { next_payment: iso(next) };
}

/**
 * The first charge behind the listed payments, where all of them are skipped. Undefined if there is none, or if a payment is on another
 * day than the start date says: then only the platform knows.
 */
function behindSkipped(it: SubscriptionFacts): number | undefined {
  const coming = (it.payments ?? []).filter(({ status }) => isSkippedAhead(status));
  const [period, start] = [periodIn(it), platformTime(it.startDate)];
  if (coming.length === 0 || period === undefined || !isBillable(period)) return undefined;
  if (coming.some(({ cycle, at }) => at !== cycleDate(start, period, cycle))) return undefined;
  let cycle = Math.max(...coming.map((one) => one.cycle)) + 1;
  while (it.skipped?.includes(cycle)) cycle += 1;
  return it.total !== undefined && cycle > Number(it.total) ? undefined : cycleDate(start, period, cycle);
}

/** The card that the subscription was created with. The platform charges the default card, which may differ by now. */
const cardOf = ({ subscription, card }: Things) =>
  subscription?.body.card === undefined || card === undefined
    ? {}
    : { card: card.handle, last_four: card.body.lastFour };

export const listSubscriptions: ToolSpec<'listSubscriptions'> = {
  description: 'List subscriptions with state and price.',
  input: {
    args: () => ({
      card: optional(handle('card', 'Of the customer with this card.')),
      state: optional(list('status', 'Only these.')),
      code: optional(list('code', 'The whole code.')),
      reference: optional(reference("Merchant's number.")),
      ...paging('?limit', '?offset', 'EN-01'),
    }),
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
    outputSchema: () => listOutput(subscriptionOutput()),
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
};

export const getSubscription: ToolSpec<'getSubscription'> = {
  description:
    'Look at one subscription as it is now: next payment, the card it was created with, what reactivating would collect.',
  input: {
    args: () => ({ subscription: theSubscriptionArg }),
  },
  refresh: refreshPayments,
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
      COMPLETED: 'It is completed: no payment is to come.',
      FAILED: 'It never started: the card was declined when it was created.',
    },
    next: subscriptionNext,
    outputSchema: () =>
      subscriptionOutput().extend({
        next_payment: momentShown.optional(),
        card: handleShown.optional(),
        last_four: digitsShown.optional(),
      }),
    toOutput: (things, { now }) => ({ ...theSubscription(things), ...nextPayment(things, now), ...cardOf(things) }),
  },
};

export const getSubscriptionCode: ToolSpec<'getSubscriptionCode'> = {
  description: 'Get the next free subscription code, if codes are numbered consecutively.',
  input: {
    args: () => ({}),
  },
  observe: {
    observations: () => [],
  },
  present: {
    messages: { done: 'This code comes next.' },
    next: { '': { tools: ['create_subscription'], because: 'The code is for a new subscription.' } },
    outputSchema: () => z.looseObject({ code: codeShown }),
    toOutput: (_, __, { body }) => ({ code: untrusted(body.code) }),
  },
};

/** Reads a subscription before changing it, because time and people change subscriptions too. */
export const refreshSubscription = [{ tool: platformTool('getSubscription', getSubscription), args: ofCall }] as const;
