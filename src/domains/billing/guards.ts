import { limits } from '../../core/limits.ts';
import { dayOf, isBillable, minute } from '../../core/schedule.ts';
import type { Facts } from '../facts.ts';
import { type Guard, guardOn } from '../guard.ts';
import {
  amountFault,
  asked,
  commitment,
  created,
  periodIn,
  processing,
  reprices,
  setsPeriod,
  updated,
  wholeAfter,
} from './charges.ts';
import type { billing } from './contract.ts';
import { isUsablePlan } from './machines.ts';
import { needsOriginalAmount } from './shapes.ts';

const guard = guardOn<keyof typeof billing>();

/** The guards of recurring billing, without what a machine or a schema already states. */
export const guards: readonly Guard[] = [
  guard('PL-03', {
    on: ['createPlan', 'amendPlan', 'createSubscription', 'createFollowOnSubscription'],
    holds: (facts) => {
      const period = setsPeriod(facts) ? periodIn(created(facts)) : undefined;
      return period === undefined || isBillable(period);
    },
    sees: () => 'The interval between two payments would be more than 12 months.',
    field: 'every',
    instead: [],
  }),
  guard('PL-02', {
    on: ['createPlan', 'amendPlan'],
    holds: (facts) => amountFault({ ...facts.things.plan?.body, ...asked(facts) }) === null,
    sees: (facts) => amountFault({ ...facts.things.plan?.body, ...asked(facts) }) ?? '',
    field: 'amount',
    instead: [],
  }),
  guard('PL-05', {
    on: ['amendPlan'],
    reading: 'document',
    holds: (facts) => !isUsable(facts) || refusedByDocument.every((name) => facts.args[name] === undefined),
    sees: ({ args }) =>
      `The plan is ACTIVE, so ${list(refusedByDocument.filter((name) => args[name] !== undefined))} can't change.`,
    field: 'plan',
    instead: ['create_plan'],
  }),
  guard('PL-05', {
    on: ['amendPlan'],
    reading: 'published',
    holds: (facts) => !isUsable(facts) || refusedAsPublished.every((name) => facts.args[name] === undefined),
    sees: ({ args }) =>
      `The plan is ACTIVE, so ${list(refusedAsPublished.filter((name) => args[name] !== undefined))} can't change.`,
    field: 'plan',
    instead: ['create_plan'],
  }),
  guard('PL-07', {
    on: ['amendPlan'],
    holds: ({ args, things }) =>
      args.payments === undefined ||
      (things.plan?.body.total !== undefined && Number(args.payments) >= Number(things.plan.body.total)),
    sees: ({ things }) =>
      things.plan?.body.total === undefined
        ? 'The plan has no end; a number of payments would end it sooner.'
        : `The plan has ${things.plan.body.total} payments, and the number may only increase.`,
    field: 'payments',
    instead: ['create_plan'],
  }),
  guard('EN-09', {
    on: ['amendPlan'],
    holds: ({ args }) => changesAny(args, ['plan', 'apply_to']),
    sees: () => "No change was given. Give the plan's new values.",
    field: 'arguments',
    instead: [],
  }),
  guard('EN-09', {
    on: ['updateSubscription'],
    holds: ({ args }) => changesAny(args, ['subscription']),
    sees: () => "No change was given. Give the subscription's new values.",
    field: 'arguments',
    instead: [],
  }),
  guard('EN-09', {
    on: ['updateSubscription'],
    holds: (facts) => keptOf(facts).length === 0,
    sees: (facts) => `The subscription is ${facts.things.subscription?.state}, so ${list(keptOf(facts))} can't change.`,
    field: 'subscription',
    instead: ['get_subscription'],
  }),
  guard('PL-10', {
    on: ['deletePlan'],
    holds: ({ things }) => things.plan?.body.assigned !== true,
    sees: () => "The plan has or had a subscription, so it can't be deleted. Deactivate it to accept no new ones.",
    field: 'plan',
    instead: ['deactivate_plan'],
  }),
  guard('SB-01', {
    on: ['createSubscription', 'createFollowOnSubscription'],
    holds: (facts) => missing(facts).length === 0,
    sees: (facts) =>
      `Without a plan the subscription needs its own schedule and price. Missing: ${list(missing(facts))}.`,
    field: 'plan',
    instead: ['list_plans'],
  }),
  guard('SB-01', {
    on: ['createSubscription', 'createFollowOnSubscription', 'updateSubscription'],
    holds: (facts) => facts.args.surcharge_label === undefined || surchargeAfter(facts) !== undefined,
    sees: () => 'There is no surcharge that this could be the label of.',
    field: 'surcharge_label',
    instead: [],
  }),
  guard('SB-02', {
    on: ['createSubscription', 'createFollowOnSubscription', 'updateSubscription'],
    holds: (facts) => facts.args.plan === undefined || (isUsable(facts) && !isOnPlan(facts)),
    sees: (facts) =>
      isUsable(facts)
        ? 'The subscription is already on this plan. Leave the plan out.'
        : `The plan is ${facts.things.plan?.state}; only an ACTIVE one can be used.`,
    field: 'plan',
    instead: ['list_plans', 'activate_plan'],
  }),
  guard('SB-01', {
    on: ['createSubscription', 'createFollowOnSubscription'],
    holds: (facts) => createdFault(facts) === null,
    sees: (facts) => createdFault(facts) ?? '',
    field: 'amount',
    instead: [],
  }),
  guard('SB-01', {
    on: ['updateSubscription'],
    holds: (facts) => updatedFault(facts) === null,
    sees: (facts) => updatedFault(facts) ?? '',
    field: 'amount',
    instead: [],
  }),
  guard('SB-01', {
    on: ['createSubscription', 'createFollowOnSubscription', 'updateSubscription'],
    holds: ({ args, now }) => args.start === undefined || dayOf(Date.parse(String(args.start))) >= dayOf(now),
    sees: ({ now }) => `The start is before today, which is ${new Date(now).toISOString().slice(0, 10)} in UTC.`,
    field: 'start',
    instead: [],
  }),
  guard('SB-06', {
    on: ['createSubscription'],
    holds: ({ args, things }) =>
      args.original_transaction === undefined ||
      args.original_amount !== undefined ||
      !needsOriginalAmount(things.card?.body.network),
    sees: ({ things }) =>
      `${things.card?.body.network} requires the authorized amount of the subscription's original transaction.`,
    field: 'original_amount',
    instead: [],
  }),
  guard('SB-11', {
    on: ['cancelSubscription'],
    holds: ({ things, now }) => processing(things.subscription?.body.payments, now) === undefined,
    sees: (facts) => {
      const at = paidAt(facts);
      const over = new Date(windowEnds(facts)).toISOString();
      return `A payment is due or was made at ${new Date(at).toISOString()}. Cancel after ${over}.`;
    },
    opens: (facts) => windowEnds(facts) + 1,
    field: 'subscription',
    instead: ['list_subscription_payments'],
  }),
  guard('SB-14', {
    on: ['skipSubscriptionPayments'],
    holds: (facts) => fixed(facts).length === 0,
    sees: (facts) =>
      `These billing cycles can no longer be skipped or restored: ${fixed(facts).join(', ')}. They are over, being retried, or begin within two hours.`,
    field: 'cycles',
    instead: ['list_subscription_payments'],
  }),
];

/** When the payment that blocks a cancellation is processed, and when its window ends. */
const paidAt = ({ things, now }: Facts): number => processing(things.subscription?.body.payments, now)?.at ?? now;
const windowEnds = (facts: Facts): number => paidAt(facts) + limits.cancelWindowMinutes * minute;

/** Whether a call has more than the arguments that change nothing by themselves. */
const changesAny = (args: Facts['args'], unchanging: readonly string[]): boolean =>
  Object.entries(args).some(([name, value]) => value !== undefined && !unchanging.includes(name));

/** What can't be changed in each state according to the machine, by argument name. */
const kept: { readonly [state: string]: readonly string[] } = {
  ACTIVE: ['start', 'setup_fee'],
  DELINQUENT: ['plan', 'start', 'payments', 'amount', 'setup_fee', 'surcharge', 'surcharge_label'],
  SUSPENDED: ['plan', 'start', 'payments', 'amount', 'setup_fee', 'surcharge', 'surcharge_label'],
};
const keptOf = ({ args, things }: Facts): readonly string[] =>
  (kept[things.subscription?.state ?? ''] ?? []).filter((name) => args[name] !== undefined);

/** The arguments that a new subscription needs without a plan. */
function missing(facts: Facts): readonly string[] {
  const { length, unit, amount, currency } = created(facts);
  const needed = { every: length, unit, amount, currency };
  return Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
}

/** The surcharge of a subscription after a call. */
const surchargeAfter = (facts: Facts): string | undefined =>
  (facts.things.subscription === undefined ? created(facts) : updated(facts)).surcharge;

/** Why the total of a call can't be computed; null if it can. */
const createdFault = (facts: Facts): string | null =>
  amountFault(created(facts)) ??
  (commitment(created(facts), Date.parse(String(facts.args.start))) === null ? untold : null);
const updatedFault = (facts: Facts): string | null =>
  amountFault(updated(facts)) ?? (reprices(facts) && wholeAfter(facts) === null ? untold : null);
const untold =
  "The total can't be computed: the billing period or the number of payments is invalid, or the amount is too large.";

const list = (names: readonly string[]): string => names.join(', ');

const isUsable = ({ things }: Facts): boolean => isUsablePlan(things.plan?.state ?? '');
const isOnPlan = ({ things }: Facts): boolean =>
  things.subscription !== undefined && things.plan?.handle === things.subscription.body.onPlan;

/** What can't be changed in an active plan, by document 2 and by public models of the platform's clients (D-01). */
const refusedByDocument: readonly string[] = ['name', 'code', 'description', 'amount', 'setup_fee'];
const refusedAsPublished: readonly string[] = ['every', 'unit', 'currency'];

/**
 * The cycles in a call that can't be changed, according to the listed payments. Unlisted cycles are far ahead or far in
 * the past, and only the platform knows which.
 */
function fixed({ args, things, now }: Facts): readonly number[] {
  const { skipped = [], payments = [] } = things.subscription?.body ?? {};
  const wanted = (args.cycles ?? []) as readonly number[]; // by the tool's schema
  const changed = [
    ...skipped.filter((cycle) => !wanted.includes(cycle)),
    ...wanted.filter((cycle) => !skipped.includes(cycle)),
  ];
  const over = (cycle: number) => {
    const listed = payments.filter((payment) => payment.cycle === cycle);
    return listed.some(
      ({ modifiable, at, type }) => type === 'RETRY' || !modifiable || at - limits.skipWindowMinutes * minute <= now,
    );
  };
  return changed.filter(over).toSorted((one, other) => one - other);
}
