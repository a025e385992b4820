import { decimal } from '../../src/core/money.ts';
import { once } from '../../src/core/once.ts';
import { dayOf } from '../../src/core/schedule.ts';
import { commitment, created } from '../../src/domains/billing/charges.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { hostOf } from '../../src/engine/confusables.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { untrusted } from '../../src/engine/render.ts';
import type { SentRequest } from '../../src/engine/sent-request.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { field, handle, optional, reference, undescribed } from '../../src/engine/tool-arguments.ts';
import { always } from '../../src/engine/tool-policy.ts';
import { ofAnother } from '../echo.ts';
import { commitmentLine, firstAtOnce, firstOn, planLines, surchargeLabelOf, termsLines } from './approval-text.ts';
import { count, sumOf, unitOf, wholePeriod } from './arguments.ts';
import { doubledBy, ownCode } from './code.ts';
import { planAssigned } from './observations.ts';
import { subscriptionOutput, theSubscription } from './output.ts';
import { refreshPlan } from './read-plans.ts';
import { type SubscriptionChanged, statusIn, subscriptionEntity } from './subscription.ts';
import { creationOf, newReadBack } from './subscription-read-back.ts';

const create = field('createSubscription');
const follow = field('createFollowOnSubscription');

const newSubscription = (_: Things, now: number, answer?: SubscriptionChanged) => ({
  ...subscriptionEntity({}, now),
  declined: answer?.body.status === 'DECLINED',
});

/** Arguments of a new subscription. Both requests that create one use the same paths. */
const termsArgs = once(
  () =>
    ({
      every: optional(count('planInformation.billingPeriod.length', 'With unit: time between payments.', 'PL-02')),
      unit: optional(unitOf('planInformation.billingPeriod.unit')),
      payments: optional(count('planInformation.billingCycles.total', 'Own number of payments.', 'PL-02')),
      amount: optional(create('orderInformation.amountDetails.billingAmount', 'Own amount of each payment.')),
      currency: optional(create('orderInformation.amountDetails.currency', 'Own, such as USD.')),
      setup_fee: optional(sumOf('orderInformation.amountDetails.setupFee', 'Own fee on the first payment.')),
      surcharge: optional(sumOf('orderInformation.amountDetails.surcharge.amount', 'Added to each payment.')),
      surcharge_label: optional(create('orderInformation.amountDetails.surcharge.description', 'What it is for.')),
    }) as const,
);

const newArgs = once(
  () =>
    ({
      plan: optional(handle('plan', 'Active. Without: give every, unit, amount, currency.')),
      name: create('subscriptionInformation.name', 'What it is called.'),
      start: create('subscriptionInformation.startDate', 'First payment, UTC; today charges at once.'),
      reference: reference("Merchant's number; one per subscription."),
      code: optional(create('subscriptionInformation.code', 'Up to 10 letters or digits.')),
      ...termsArgs(),
    }) as const,
);

/** The total commitment of a new subscription, which limits count. */
const commitmentOf = (facts: Facts) => {
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

/** Approval text for a new subscription. */
const approvalText = (facts: Facts, payer: readonly string[]): readonly string[] => {
  const { args, things, merchant } = facts;
  const start = String(args.start);
  // SB-05: one that starts today is charged at once, whatever the hour.
  const isToday = !(dayOf(Date.parse(start)) > dayOf(facts.now));
  // A surcharge of its own replaces the plan's with its label.
  const kept = args.surcharge === undefined ? things.plan?.body.surchargeLabel : undefined;
  const label = surchargeLabelOf(args.surcharge_label, kept);
  return [
    ...termsLines(created(facts), label),
    isToday ? firstAtOnce : firstOn(start),
    commitmentLine(created(facts), start),
    `Merchant: ${quoted(merchant.name)}`,
    `Shop: ${hostOf(merchant.url)}`,
    ...payer,
    ...(things.plan === undefined ? [] : planLines('Plan', things.plan.body)),
  ];
};

const observationsOf = (facts: Facts, { body }: SubscriptionChanged) => {
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

const messages = {
  PENDING: 'The subscription is created. Its first payment is charged on its start date.',
  ACTIVE: 'The subscription is created, and its first payment was charged.',
  COMPLETED: 'The subscription is created, and its only payment was charged.',
  done: 'The subscription is created.',
  FAILED:
    "The customer's card was declined; nothing is charged. Have the customer give another card, then create another one.",
} as const;
const lookedAt = {
  tools: ['get_subscription', 'list_subscription_payments', 'cancel_subscription'],
  because: 'A new subscription is looked at before it is changed.',
} as const;
const next = {
  PENDING: lookedAt,
  ACTIVE: lookedAt,
  FAILED: { tools: ['list_cards'], because: 'The customer needs another card.' },
} as const;

/** What is sent besides the arguments. */
const carriedOver = (facts: Facts) => ({ ...ownCode('subscriptionInformation.code')(facts), ...wholePeriod(facts) });

/** Both tools that create a subscription, but for the payer. */
const starting = (payer: (facts: Facts) => readonly string[]) =>
  ({
    refresh: refreshPlan,
    policy: {
      lockKey: () => '',
      dependsOn: ({ things }: Facts) => things.plan?.handle ?? '',
      spend: commitmentOf,
      approval: {
        needed: always,
        title: () => 'Allow the agent to create a subscription that charges the customer',
        text: (facts: Facts) => approvalText(facts, payer(facts)),
      },
    },
    observe: {
      moves: { kind: 'subscription', entity: newSubscription },
      contradicts: (_: Facts, { body }: SubscriptionChanged, sent: SentRequest) =>
        ofAnother(sent, body, 'subscriptionInformation.code') ??
        (body.status === creationOf(body.subscriptionInformation.status) ? undefined : 'status'),
      observations: observationsOf,
      stateFromResponse: statusIn,
    },
    present: { messages, next, outputSchema: subscriptionOutput, shows: theSubscription },
    reconcile: { readBack: newReadBack, doubled: doubledBy, noChargeStates: ['FAILED'] },
  }) as const;

export const createSubscription: ToolSpec<'createSubscription'> = {
  description:
    "Charge a customer regularly, by a plan or by a schedule of its own. A person approves the whole commitment. Only at the customer's request.",
  input: {
    args: () => ({
      card: handle('card', "Customer's card; the token's default card pays."),
      ...newArgs(),
      original_transaction: optional(
        create('subscriptionInformation.originalTransactionId', 'Network id of the first payment.'),
      ),
      original_amount: optional(
        create('subscriptionInformation.originalTransactionAuthorizedAmount', 'What that was authorized for.'),
      ),
    }),
    reference: ({ args }) => String(args.reference),
    carryOver: carriedOver,
  },
  ...starting(({ things }) => [
    `Customer: ${quoted(things.shopper?.body.displayName ?? 'unknown')}`,
    `Paid by: the customer's default card, which may be another than the one ending ${things.card?.body.lastFour ?? 'unknown'}`,
  ]),
};

export const createFollowOnSubscription: ToolSpec<'createFollowOnSubscription'> = {
  description:
    'Charge the customer of an earlier payment regularly, on terms as in create_subscription. Look it up with get_follow_on first. A person approves it.',
  sharesArguments: {
    tool: 'create_subscription',
    otherwise:
      'Charge the customer of an earlier payment regularly. Look it up with get_follow_on first. A person approves it.',
  },
  input: {
    args: () => ({
      follow_on: handle('followOn', 'From get_follow_on.'),
      ...undescribed({ ...newArgs(), name: follow('subscriptionInformation.name', '') }),
    }),
    reference: ({ args }) => String(args.reference),
    carryOver: carriedOver,
  },
  ...starting(({ things: { followOn } }) => [
    `Customer: ${quoted(untrusted(followOn?.body.customerName ?? 'unknown'))}`,
    `Paid by: the card of the payment ${quoted(followOn?.body.requestId ?? 'unknown')}, which expires ${quoted(followOn?.body.expires ?? 'unknown')}`,
  ]),
};
