import { z } from 'zod';
import type { JsonObject } from '../../src/core/canonical-json.ts';
import { limits } from '../../src/core/limits.ts';
import { decimal } from '../../src/core/money.ts';
import { dayOf } from '../../src/core/schedule.ts';
import {
  commitment,
  created,
  hasBegun,
  processing,
  recommitment,
  reprices,
  updated,
} from '../../src/domains/billing/charges.ts';
import type { SubscriptionFacts } from '../../src/domains/billing/facts.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { hostOf } from '../../src/engine/confusables.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { untrusted } from '../../src/engine/render.ts';
import { handleShown } from '../../src/engine/shown.ts';
import { type Finding, platformTools, readBack, type SentRequest } from '../../src/engine/tool.ts';
import { field, handle, labelled, optional, reference } from '../../src/engine/tool-arguments.ts';
import { codeIn, isAsSent, isOtherwise, isSame, moved, ownCode } from '../read-back.ts';
import { asksForPlan } from './plans.ts';
import {
  chargedSince,
  count,
  customerNamed,
  firstAtOnce,
  firstOn,
  labelText,
  planAssigned,
  planLines,
  type SubscriptionAnswer,
  subscriptionOutput,
  sumOf,
  termsLines,
  termsSummary,
  theSubscription,
  unitOf,
} from './presentation.ts';
import { asksForPayments, asksForSubscription, looksAtSubscriptions, subscriptionNext } from './read-subscriptions.ts';

// The tools that change subscriptions.

const create = field('createSubscription');
const follow = field('createFollowOnSubscription');
const update = field('updateSubscription');
const theSubscriptionArg = handle('subscription', 'From list_subscriptions.');

/** The subscription of a call, as the subscription machine reads it. */
const subscriptionEntity = ({ subscription }: Things, now: number) => ({
  state: subscription?.state ?? 'none',
  declined: false,
  processing: processing(subscription?.body.payments, now) !== undefined,
  outstanding: false,
  changes: 'names',
  ends: subscription?.body.total !== undefined,
});

interface Created {
  readonly body: {
    readonly id: string;
    readonly status: string;
    readonly subscriptionInformation: { readonly code?: string | undefined; readonly status: string };
  };
}
const newSubscription = (_: Things, now: number, answer?: Created) => ({
  ...subscriptionEntity({}, now),
  declined: answer?.body.status === 'DECLINED',
});

/** Arguments of a new subscription. Both requests that create one use the same paths. */
const termsArgs = {
  every: optional(count('planInformation.billingPeriod.length', 'With unit: time between payments.', 'PL-02')),
  unit: optional(unitOf('planInformation.billingPeriod.unit')),
  payments: optional(count('planInformation.billingCycles.total', 'Own number of payments.', 'PL-02')),
  amount: optional(create('orderInformation.amountDetails.billingAmount', 'Own amount of each payment.')),
  currency: optional(create('orderInformation.amountDetails.currency', 'Own currency.')),
  setup_fee: optional(sumOf('orderInformation.amountDetails.setupFee', 'Own fee on the first payment.')),
  surcharge: optional(sumOf('orderInformation.amountDetails.surcharge.amount', 'Added to each payment.')),
  surcharge_label: optional(create('orderInformation.amountDetails.surcharge.description', 'What it is for.')),
} as const;

const newArgs = {
  plan: optional(handle('plan', 'Active. Without: give every, unit, amount, currency.')),
  name: create('subscriptionInformation.name', 'What it is called.'),
  start: create('subscriptionInformation.startDate', 'First payment, UTC; today charges at once.'),
  reference: reference("Merchant's number; one per subscription."),
  code: optional(create('subscriptionInformation.code', 'Its code.')),
  ...termsArgs,
} as const;

/** The total commitment of a new subscription, which limits count. */
const outlayOf = (facts: Facts) => {
  const whole = commitment(created(facts), Date.parse(String(facts.args.start)));
  return whole === null
    ? 'unknown'
    : {
        amount: decimal(whole),
        currency: whole.currency,
        payee: facts.merchant.name,
        instrument: facts.things.card?.handle ?? '',
      };
};

const titleNew = (): string => 'Allow the agent to create a subscription that charges the customer';
/** Approval text for a new subscription. */
const readsNew = (facts: Facts, payer: readonly string[]): readonly string[] => {
  const { args, things, merchant } = facts;
  const start = String(args.start);
  // SB-05: one that starts today is charged at once, whatever the hour.
  const isToday = !(dayOf(Date.parse(start)) > dayOf(facts.now));
  return [
    ...termsLines(created(facts), start, args.surcharge_label, isToday ? firstAtOnce : undefined),
    `Merchant: ${quoted(merchant.name)}`,
    `Shop: ${hostOf(merchant.url)}`,
    ...payer,
    ...(things.plan === undefined ? [] : planLines('Plan', things.plan.body)),
  ];
};

const learnsNew = (facts: Facts, { body }: Created) => {
  const { length = '', unit = '', currency = '', amount = '', ...more } = created(facts);
  const { plan, shopper, card, followOn } = facts.things;
  return [
    {
      kind: 'subscription' as const,
      handle: handleFor('subscription', body.id),
      state: body.subscriptionInformation.status,
      body: {
        subscriptionId: body.id,
        code: body.subscriptionInformation.code,
        name: String(facts.args.name),
        startDate: String(facts.args.start),
        ...{ length, unit, currency, amount, ...more },
        customerName: shopper?.body.displayName ?? followOn?.body.customerName,
        ...(plan === undefined ? {} : { onPlan: plan.handle }),
        ...(card === undefined ? {} : { card: card.handle }),
      },
    },
    ...(plan === undefined ? [] : [planAssigned(plan.handle)]),
  ];
};

/** The response that a lost change would have had. */
const done = (it: SubscriptionSeen) => ({ ...it, submitTimeUtc: '', status: 'COMPLETED' as const });
/** The response that a lost creation would have had. A declined one has its own status. */
const made = (it: SubscriptionSeen) => ({
  ...done(it),
  status: creation[it.subscriptionInformation.status] ?? ('COMPLETED' as const),
});
const creation: { readonly [state: string]: 'DECLINED' | undefined } = { FAILED: 'DECLINED' };
interface SubscriptionSeen {
  readonly id: string;
  readonly subscriptionInformation: { readonly code?: string | undefined; readonly status: string };
}

/** Reads the outcome from the subscription itself. */
const bySubscription = (
  tells: (it: SubscriptionSeen, sent: SentRequest) => Finding<ReturnType<typeof done>>,
  notes?: (facts: Facts) => JsonObject,
) =>
  readBack('getSubscription', {
    with: ({ names }) => ({ names }),
    ...(notes === undefined ? {} : { notes }),
    finds: (it, sent) => (it === undefined ? 'unclear' : tells(it, sent)),
  });

const stateReadBack = bySubscription((it, sent) => moved(sent, it.subscriptionInformation.status, () => done(it)));

/**
 * Finds a new subscription by code and reference. If it isn't listed it may still be charged later; if it charges another
 * customer or other terms it isn't ours. In both cases a person decides.
 */
const newReadBack = readBack('listSubscriptions', {
  // The request names an earlier payment by id only, so the payer is noted here.
  notes: ({ things }) => ({ payer: things.followOn?.body.customerName ?? '' }),
  with: ({ body, reference: number }) => ({
    names: {},
    query: { code: codeIn(body?.subscriptionInformation), clientReferenceInformationCode: number },
  }),
  finds: (found, { body, noted }) => {
    const code = codeIn(body?.subscriptionInformation);
    const mine = found?.subscriptions.find((it) => it.subscriptionInformation.code === code);
    if (mine === undefined || !isAsSent(mine, body)) return 'unclear';
    const { paymentInformation: pays } = (body ?? {}) as Pick<SubscriptionAnswer, 'paymentInformation'>; // of the contract's shape
    const isPayer =
      pays === undefined
        ? customerNamed(mine) === noted?.payer
        : mine.paymentInformation?.customer?.id === pays.customer?.id;
    return isPayer ? { happened: made(mine) } : 'unclear';
  },
});

const createdSaid = {
  PENDING: 'The subscription is created. Its first payment is charged on its start date.',
  ACTIVE: 'The subscription is created, and its first payment was charged.',
  COMPLETED: 'The subscription is created, and its only payment was charged.',
  FAILED:
    "The customer's card was declined; nothing is charged. Have the customer give another card, then create another one.",
} as const;
const lookedAt = {
  tools: ['get_subscription', 'list_subscription_payments', 'cancel_subscription'],
  because: 'A new subscription is looked at before it is changed.',
} as const;
const createdNext = {
  PENDING: lookedAt,
  ACTIVE: lookedAt,
  FAILED: { tools: ['list_cards'], because: 'The customer needs another card.' },
} as const;
const tells = ({ body }: Created): string => body.subscriptionInformation.status;

/** States that a reactivated subscription can be in. */
const reactivated: readonly string[] = ['ACTIVE', 'DELINQUENT', 'COMPLETED'];

/** Whether an update differs from the stored subscription. */
function changesOfTerms({ args, things }: Facts): JsonObject {
  const it: Partial<SubscriptionFacts> = things.subscription?.body ?? {};
  const known = {
    ...{ name: it.name, code: it.code, start: it.startDate, plan: it.onPlan },
    ...{ payments: it.total, amount: it.amount, setup_fee: it.setupFee },
    ...{ surcharge: it.surcharge, surcharge_label: it.surchargeLabel },
  };
  const differs = ([of, was]: readonly [string, unknown]) =>
    args[of] !== undefined && !isSame(String(args[of]), String(was));
  return { changes: Object.entries(known).some(differs) };
}

/** The platform replaces a surcharge as a whole, so the unchanged part is sent again. */
function surchargeWhole(facts: Facts) {
  const { args } = facts;
  if (args.surcharge === undefined && args.surcharge_label === undefined) return {};
  const { surcharge, surchargeLabel } = updated(facts);
  return {
    'orderInformation.amountDetails.surcharge.amount': surcharge,
    'orderInformation.amountDetails.surcharge.description': surchargeLabel,
  };
}

/** The surcharge label that customers will read: the agent's new one, or the current one. */
function labelOf(facts: Facts): unknown {
  const { surchargeLabel } = updated(facts);
  return facts.args.surcharge_label ?? (surchargeLabel && labelText(surchargeLabel));
}

/** Whether a reactivation charges the missed payments. */
const isCollecting = (query: unknown): boolean =>
  (query as { readonly processMissedPayments?: string } | undefined)?.processMissedPayments !== 'false';

/** The strictest kind of change in an update, in the machine's terms. */
const changesOf = (args: Facts['args']): string =>
  args.start !== undefined || args.setup_fee !== undefined ? 'start' : reprices({ args }) ? 'terms' : 'names';

const changes = platformTools({
  createSubscription: {
    description:
      "Charge a customer regularly, by a plan or by a schedule of its own. A person approves the whole commitment. Needs the customer's wish.",
    input: {
      args: {
        card: handle('card', "Card of the customer; the token's default card pays."),
        ...newArgs,
        original_transaction: optional(
          create('subscriptionInformation.originalTransactionId', 'Network id of the first payment.'),
        ),
        original_amount: optional(
          create('subscriptionInformation.originalTransactionAuthorizedAmount', 'What that was authorized for.'),
        ),
      },
      reference: ({ args }) => String(args.reference),
      carryOver: ownCode('subscriptionInformation.code'),
    },
    refresh: asksForPlan,
    policy: {
      lockKey: () => '',
      dependsOn: ({ things }) => things.plan?.handle ?? '',
      spend: outlayOf,
      approval: {
        needed: () => true,
        title: titleNew,
        text: (facts) =>
          readsNew(facts, [
            `Customer: ${quoted(facts.things.shopper?.body.displayName ?? 'unknown')}`,
            `Paid by: the customer's default card, which may be another than the one ending ${facts.things.card?.body.lastFour ?? 'unknown'}`,
          ]),
      },
    },
    observe: {
      moves: { kind: 'subscription', entity: newSubscription },
      observations: learnsNew,
      stateFromResponse: tells,
    },
    present: {
      messages: createdSaid,
      next: createdNext,
      outputSchema: subscriptionOutput,
      toOutput: theSubscription,
    },
    reconcile: {
      readBack: newReadBack,
      noChargeStates: ['FAILED'],
    },
  },

  createFollowOnSubscription: {
    description:
      'Charge the customer of an earlier payment regularly. Look the payment up with get_follow_on first. A person approves it.',
    input: {
      args: {
        follow_on: handle('followOn', 'From get_follow_on.'),
        ...newArgs,
        name: follow('subscriptionInformation.name', 'What it is called.'),
      },
      reference: ({ args }) => String(args.reference),
      carryOver: ownCode('subscriptionInformation.code'),
    },
    refresh: asksForPlan,
    policy: {
      lockKey: () => '',
      dependsOn: ({ things }) => things.plan?.handle ?? '',
      spend: outlayOf,
      approval: {
        needed: () => true,
        title: titleNew,
        text: (facts) => {
          const { followOn } = facts.things;
          return readsNew(facts, [
            `Customer: ${quoted(untrusted(followOn?.body.customerName ?? 'unknown'))}`,
            `Paid by: the card of the payment ${quoted(followOn?.body.requestId ?? 'unknown')}, which expires ${quoted(followOn?.body.expires ?? 'unknown')}`,
          ]);
        },
      },
    },
    observe: {
      moves: { kind: 'subscription', entity: newSubscription },
      observations: learnsNew,
      stateFromResponse: tells,
    },
    present: {
      messages: createdSaid,
      next: createdNext,
      outputSchema: subscriptionOutput,
      toOutput: theSubscription,
    },
    reconcile: {
      readBack: newReadBack,
      noChargeStates: ['FAILED'],
    },
  },

  updateSubscription: {
    description:
      'Change name, code, price or number of payments of one subscription, or move it to another plan, which charges at once.',
    input: {
      args: {
        subscription: theSubscriptionArg,
        name: labelled('New name', optional(update('subscriptionInformation.name', 'New name.'))),
        code: labelled('New code', optional(update('subscriptionInformation.code', 'New code.'))),
        plan: optional(handle('plan', 'Another active plan.')),
        start: optional(update('subscriptionInformation.startDate', 'New start, while PENDING.')),
        payments: optional(count('planInformation.billingCycles.total', 'New number of payments.', 'PL-02')),
        amount: optional(update('orderInformation.amountDetails.billingAmount', 'New amount of each.')),
        setup_fee: optional(sumOf('orderInformation.amountDetails.setupFee', 'New setup fee, while PENDING.')),
        surcharge: optional(sumOf('orderInformation.amountDetails.surcharge.amount', 'New surcharge of each.')),
        surcharge_label: optional(update('orderInformation.amountDetails.surcharge.description', 'What it is for.')),
      },
      carryOver: surchargeWhole,
    },
    refresh: [...asksForSubscription, ...asksForPlan],
    policy: {
      lockKey: ({ things }) => things.subscription?.handle ?? '',
      dependsOn: ({ things }) => things.plan?.handle ?? '',
      // The commitment was counted at creation; only an increase is added.
      spend: (facts) => {
        if (!reprices(facts)) return undefined;
        const it = recommitment(facts);
        if (it === null) return 'unknown';
        const { whole, counted } = it;
        return {
          amount: decimal(whole),
          currency: whole.currency,
          counted: decimal(counted),
          payee: facts.merchant.name,
          instrument: '',
        };
      },
      approval: {
        needed: () => true,
        title: (facts) =>
          reprices(facts)
            ? 'Allow the agent to change what a subscription charges'
            : 'Allow the agent to change the name or code of a subscription',
        text: (facts) => {
          const { args, things } = facts;
          const { subscription, plan } = things;
          const start = String(args.start ?? subscription?.body.startDate);
          const isToCome = !hasBegun(facts) && Date.parse(start) > facts.now;
          const first = isToCome ? firstOn(start) : hasBegun(facts) ? chargedSince(start) : firstAtOnce;
          const atOnce = isToCome ? [] : ['Its first payment is charged at once'];
          return [
            `Subscription: ${quoted(untrusted(subscription?.body.name ?? ''))}`,
            `Customer: ${quoted(untrusted(subscription?.body.customerName ?? 'unknown'))}`,
            `Until now: ${termsSummary(subscription?.body ?? {})}`,
            ...(plan === undefined ? [] : [...planLines('Another plan', plan.body), ...atOnce]),
            ...termsLines(updated(facts), start, labelOf(facts), first),
            `Merchant: ${quoted(facts.merchant.name)}`,
          ];
        },
      },
    },
    observe: {
      moves: {
        kind: 'subscription',
        entity: (things, now, _, args) => ({ ...subscriptionEntity(things, now), changes: changesOf(args) }),
      },
      observations: (facts) => {
        const { args, things } = facts;
        const names = { name: args.name, code: args.code, startDate: args.start, onPlan: things.plan?.handle };
        const given = Object.entries(names).filter(([, value]) => value !== undefined);
        // A term that the new plan doesn't have is removed.
        const learned = { kind: 'subscription', body: { ...updated(facts), ...Object.fromEntries(given) } } as const;
        return things.plan === undefined ? [learned] : [learned, planAssigned(things.plan.handle)];
      },
      // The immediate charge decides the resulting state.
      stateFromResponse: tells,
    },
    present: {
      messages: {
        PENDING: 'The subscription is changed. Its first payment is still to come.',
        ACTIVE: 'The subscription is changed, and active.',
        DELINQUENT:
          'The subscription is changed. A payment was declined and is being retried: have the customer check the card.',
        SUSPENDED:
          'The subscription is changed, and suspended: nothing is charged. The customer needs another card before it is reactivated.',
        COMPLETED: 'The subscription is changed, and completed: all its payments were made.',
        done: 'The subscription is changed.',
      },
      next: subscriptionNext,
      outputSchema: subscriptionOutput,
      toOutput: theSubscription,
    },
    reconcile: {
      readBack: bySubscription((it, { body, noted }) => {
        // Without a difference, the subscription proves nothing.
        if (noted?.changes !== true) return 'unclear';
        if (isAsSent(it, body)) return { happened: done(it) };
        return isOtherwise(it, body) ? 'nothing' : 'unclear';
      }, changesOfTerms),
    },
  },

  cancelSubscription: {
    description:
      'End a subscription for good when the customer wants that. It refunds nothing. Not within ten minutes of a payment.',
    input: {
      args: { subscription: theSubscriptionArg },
    },
    refresh: [...asksForSubscription, ...asksForPayments],
    policy: {
      lockKey: ({ things }) => things.subscription?.handle ?? '',
    },
    observe: {
      moves: { kind: 'subscription', entity: subscriptionEntity },
      observations: () => [{ kind: 'subscription', body: { payments: [] } }],
    },
    present: {
      messages: { CANCELLED: 'The subscription is cancelled. That is final; nothing more is charged.' },
      outputSchema: subscriptionOutput,
      toOutput: theSubscription,
    },
    reconcile: {
      readBack: stateReadBack,
    },
  },

  suspendSubscription: {
    description: 'Pause an active subscription: nothing is charged until it is reactivated.',
    input: {
      args: { subscription: theSubscriptionArg },
    },
    refresh: asksForSubscription,
    policy: {
      lockKey: ({ things }) => things.subscription?.handle ?? '',
    },
    observe: {
      moves: { kind: 'subscription', entity: subscriptionEntity },
      observations: () => [{ kind: 'subscription', body: {} }],
      // The response may still show the previous state.
      stateFromResponse: () => 'SUSPENDED',
    },
    present: {
      messages: { SUSPENDED: 'The subscription is suspended. Payments that fall due now count as missed.' },
      next: subscriptionNext,
      outputSchema: subscriptionOutput,
      toOutput: theSubscription,
    },
    reconcile: {
      readBack: stateReadBack,
    },
  },

  reactivateSubscription: {
    description:
      'Charge a suspended subscription again from its next cycle on, once the customer has given another card. A person approves it.',
    input: {
      args: {
        subscription: theSubscriptionArg,
        collect_missed: {
          schema: z.boolean().describe('Charge what was missed at once.'),
          fills: [{ path: '?processMissedPayments', value: String }],
        },
      },
    },
    refresh: asksForSubscription,
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
                ? `Missed payments: ${missedCount}, charged at once: ${missedAmount} ${currency} in all`
                : `Missed payments: ${missedCount}, not charged: ${missedAmount} ${currency} in all`,
            `From the next cycle on: ${termsSummary({ ...things.subscription?.body, setupFee: undefined })}`,
            `Merchant: ${quoted(merchant.name)}`,
          ];
        },
      },
    },
    observe: {
      moves: { kind: 'subscription', entity: subscriptionEntity },
      observations: () => [{ kind: 'subscription', body: { missedCount: '0', missedAmount: '0' } }],
      stateFromResponse: tells,
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
  },

  skipSubscriptionPayments: {
    description: 'Set which coming cycles are skipped; all others are charged. Not within two hours.',
    input: {
      args: {
        subscription: theSubscriptionArg,
        cycles: {
          schema: z.array(z.int().positive()).max(limits.arrayElements).describe('All to skip; [] restores every one.'),
          fills: [{ path: 'billingCyclesToSkip[]', value: (given) => given }],
          rule: 'SB-14',
        },
      },
    },
    refresh: [...asksForSubscription, ...asksForPayments],
    policy: {
      lockKey: ({ things }) => things.subscription?.handle ?? '',
    },
    observe: {
      observations: (_, { body }) => [{ kind: 'subscription', body: { skipped: body.billingCyclesToSkip } }],
    },
    present: {
      messages: { done: 'These cycles are skipped; all others are charged.' },
      next: { '': { tools: ['list_subscription_payments'], because: 'The list shows which cycles are skipped now.' } },
      outputSchema: z.looseObject({ subscription: handleShown, skipped: z.array(z.number()) }),
      toOutput: ({ subscription }, _, { body }) => ({
        subscription: subscription?.handle,
        skipped: body.billingCyclesToSkip,
      }),
    },
  },
});

export const subscriptions = [...looksAtSubscriptions, ...changes];
