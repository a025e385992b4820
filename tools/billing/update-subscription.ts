import type { JsonObject } from '../../src/core/canonical-json.ts';
import { valueAt } from '../../src/core/members.ts';
import { decimal } from '../../src/core/money.ts';
import { hasBegun, recommitment, reprices, updated } from '../../src/domains/billing/charges.ts';
import type { SubscriptionFacts } from '../../src/domains/billing/facts.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { untrusted } from '../../src/engine/render.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { field, handle, labelled, optional, undescribed } from '../../src/engine/tool-arguments.ts';
import { always } from '../../src/engine/tool-policy.ts';
import { isAsSent, isSame } from '../read-back.ts';
import {
  chargedSince,
  commitmentLine,
  firstAtOnce,
  firstOn,
  planLines,
  surchargeLabelOf,
  termsLines,
  termsSummary,
  toComeLine,
} from './approval-text.ts';
import { count, sumOf } from './arguments.ts';
import { updatedSubscriptionElsewhere } from './contradictions.ts';
import { planAssigned } from './observations.ts';
import { subscriptionOutput, theSubscription } from './output.ts';
import { refreshPlan } from './read-plans.ts';
import { refreshSubscription } from './read-subscriptions.ts';
import { statusIn, subscriptionEntity, subscriptionNext, theSubscriptionArg } from './subscription.ts';
import { bySubscription, completedChange } from './subscription-read-back.ts';

const update = field('updateSubscription');

const planPlace = 'subscriptionInformation.planId';

/**
 * Where an update differs from the stored subscription: the places in the request, which are those in the platform's answers, with what is
 * there before. And whether it charges at once.
 */
function changesOfTerms(facts: Facts): JsonObject {
  const { args, things } = facts;
  const it: Partial<SubscriptionFacts> = things.subscription?.body ?? {};
  const [named, priced] = ['subscriptionInformation', 'orderInformation.amountDetails'];
  const known = [
    ['name', it.name, `${named}.name`],
    ['code', it.code, `${named}.code`],
    ['start', it.startDate, `${named}.startDate`],
    ['plan', it.onPlan, planPlace],
    ['payments', it.total, 'planInformation.billingCycles.total'],
    ['amount', it.amount, `${priced}.billingAmount`],
    ['setup_fee', it.setupFee, `${priced}.setupFee`],
    ['surcharge', it.surcharge, `${priced}.surcharge.amount`],
    ['surcharge_label', it.surchargeLabel, `${priced}.surcharge.description`],
  ] as const;
  const changed = known.filter(([of, was]) => args[of] !== undefined && !isSame(String(args[of]), String(was)));
  const before = changed.map(([, was, place]) => [place, was === undefined ? null : String(was)] as const);
  return { changes: Object.fromEntries(before), charges: chargesAtOnce(facts) };
}

/** Its start, as it is after the update. */
const startOf = ({ args, things }: Facts): string => String(args.start ?? things.subscription?.body.startDate);
const isToCome = (facts: Facts): boolean => !hasBegun(facts) && Date.parse(startOf(facts)) > facts.now;

/** Whether it charges something at once: another plan, or a start that is moved to today. */
const chargesAtOnce = (facts: Facts): boolean =>
  !isToCome(facts) && (facts.args.plan !== undefined || facts.args.start !== undefined);

/** Whether it goes on as it has begun, and its setup fee is paid: another plan begins anew. */
const goesOn = (facts: Facts): boolean => hasBegun(facts) && facts.things.plan === undefined;

/** The terms of one that goes on: past payments stay what they were. */
const goingOnLines = (facts: Facts, label: unknown): readonly string[] => [
  ...termsLines({ ...updated(facts), setupFee: undefined }, label),
  chargedSince(startOf(facts)),
  ...(reprices(facts) ? [toComeLine(facts)] : []),
];

/** The terms of one that is still to begin, or begins anew. */
const beginningLines = (facts: Facts, label: unknown): readonly string[] => [
  ...termsLines(updated(facts), label),
  ...(hasBegun(facts) ? [] : [isToCome(facts) ? firstOn(startOf(facts)) : firstAtOnce]),
  commitmentLine(updated(facts), startOf(facts)),
];

/** The values at some places, by place; those that aren't there are left out. */
const valuesAt = (value: unknown, places: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    places.map((place) => [place, valueAt(value, place.split('.'))]).filter(([, found]) => found !== undefined),
  );

/** The same with the handle of the plan, by which Purser knows it, in place of the platform's id. */
const withPlanHandle = ({ [planPlace]: id, ...values }: Readonly<Record<string, unknown>>) =>
  id === undefined ? values : { ...values, [planPlace]: handleFor('plan', String(id)) };

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

/** The strictest kind of change in an update, in the machine's terms. */
const changesOf = (args: Facts['args']): string =>
  args.start !== undefined || args.setup_fee !== undefined ? 'start' : reprices({ args }) ? 'terms' : 'names';

export const updateSubscription: ToolSpec<'updateSubscription'> = {
  description:
    'Change name, code, price or number of payments of one subscription, as in create_subscription, or move it to another plan, which charges at once.',
  sharesArguments: {
    tool: 'create_subscription',
    otherwise:
      'Change name, code, price or number of payments of one subscription, or move it to another plan, which charges at once.',
  },
  input: {
    args: () => ({
      subscription: theSubscriptionArg,
      ...undescribed({
        name: labelled('New name', optional(update('subscriptionInformation.name', ''))),
        code: labelled('New code', optional(update('subscriptionInformation.code', ''))),
      }),
      plan: optional(handle('plan', 'Another active plan.')),
      start: optional(update('subscriptionInformation.startDate', 'New start, while PENDING.')),
      ...undescribed({
        payments: optional(count('planInformation.billingCycles.total', '', 'PL-02')),
        amount: optional(update('orderInformation.amountDetails.billingAmount', '')),
      }),
      setup_fee: optional(sumOf('orderInformation.amountDetails.setupFee', 'New setup fee, while PENDING.')),
      ...undescribed({
        surcharge: optional(sumOf('orderInformation.amountDetails.surcharge.amount', '')),
        surcharge_label: optional(update('orderInformation.amountDetails.surcharge.description', '')),
      }),
    }),
    carryOver: surchargeWhole,
  },
  refresh: [...refreshSubscription, ...refreshPlan],
  policy: {
    lockKey: ({ things }) => things.subscription?.handle ?? '',
    // What it adds is counted from the terms of the plan that it is on, which a change of that plan can rewrite.
    dependsOn: ({ things }) => things.plan?.handle ?? things.subscription?.body.onPlan ?? '',
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
      needed: always,
      title: (facts) =>
        reprices(facts)
          ? 'Allow the agent to change what a subscription charges'
          : 'Allow the agent to change the name or code of a subscription',
      text: (facts) => {
        const { args, things } = facts;
        const { subscription, plan } = things;
        const atOnce = isToCome(facts) ? [] : ['Its first payment is charged at once'];
        const label = surchargeLabelOf(args.surcharge_label, updated(facts).surchargeLabel);
        return [
          `Subscription: ${quoted(untrusted(subscription?.body.name ?? ''))}`,
          `Customer: ${quoted(untrusted(subscription?.body.customerName ?? 'unknown'))}`,
          `Until now: ${termsSummary(subscription?.body ?? {})}`,
          ...(plan === undefined ? [] : [...planLines('Another plan', plan.body), ...atOnce]),
          ...(goesOn(facts) ? goingOnLines(facts, label) : beginningLines(facts, label)),
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
    contradicts: updatedSubscriptionElsewhere,
    observations: (facts) => {
      const { args, things } = facts;
      const names = { name: args.name, code: args.code, startDate: args.start, onPlan: things.plan?.handle };
      const given = Object.entries(names).filter(([, value]) => value !== undefined);
      // A term that the new plan doesn't have is removed.
      const learned = { kind: 'subscription', body: { ...updated(facts), ...Object.fromEntries(given) } } as const;
      return things.plan === undefined ? [learned] : [learned, planAssigned(things.plan.handle)];
    },
    // The immediate charge decides the resulting state.
    stateFromResponse: statusIn,
  },
  present: {
    messages: {
      PENDING: 'The subscription is changed. Its first payment is still to come.',
      ACTIVE: 'The subscription is changed, and active.',
      DELINQUENT:
        'The subscription is changed. A payment was declined and is being retried: have the customer check the card.',
      SUSPENDED:
        'The subscription is changed, and suspended: nothing is charged. The customer needs another card before it is reactivated.',
      COMPLETED: 'The subscription is changed, and completed: no payment is to come.',
      done: 'The subscription is changed.',
    },
    next: subscriptionNext,
    outputSchema: subscriptionOutput,
    shows: theSubscription,
  },
  reconcile: {
    readBack: bySubscription((it, { body, noted, isRefused = false }) => {
      // Only what the update changes proves anything, where the platform shows it.
      const before = new Map(Object.entries(noted?.changes ?? {}));
      const places = [...before.keys()];
      const [shown, sent] = [valuesAt(it, places), valuesAt(body, places)];
      if (isAsSent(shown, sent)) return { happened: completedChange(it) };
      // Somebody else may have changed it again, which pays back nothing.
      const isAsBefore = isAsSent(withPlanHandle(shown), Object.fromEntries(before));
      return isAsBefore && (isRefused || noted?.charges !== true) ? 'nothing' : 'unclear';
    }, changesOfTerms),
  },
};
