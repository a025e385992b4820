import { wordOfUnit } from '../../src/core/schedule.ts';
import { created, asked as termsAsked, termsIn } from '../../src/domains/billing/charges.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { untrusted } from '../../src/engine/render.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { field, labelled, optional, undescribed } from '../../src/engine/tool-arguments.ts';
import { labelText, termsSummary } from './approval-text.ts';
import { count, sumOf, unitOf, wholePeriod } from './arguments.ts';
import { amendedPlanElsewhere } from './contradictions.ts';
import { planOutput, thePlan } from './output.ts';
import { named, planEntity, planNext, priceOf, releasingTools, thePlanArg } from './plan.ts';
import { refreshPlan } from './read-plans.ts';

const amend = field('amendPlan');
const applyTo = 'processingInformation.subscriptionBillingOptions.applyTo';

/** Arguments of an amendment that change what a plan charges, or how often. */
const repricing = ['amount', 'currency', 'setup_fee', 'every', 'unit', 'payments'] as const;

const isForAll = ({ args }: Facts): boolean => args.apply_to === 'ALL';
const isRepriced = ({ args }: Facts): boolean => repricing.some((name) => args[name] !== undefined);

/** What a customer pays until now and from now on: the amendment itself may name neither the amount nor the period (P5). */
const pricesOf = (facts: Facts): readonly string[] => [
  `Until now: ${termsSummary(termsIn(facts.things.plan?.body))}`,
  `From now on: ${termsSummary(created(facts))}`,
];

export const amendPlan: ToolSpec<'amendPlan'> = {
  description:
    'Change a plan, arguments as in create_plan; if it is active, only its period, payments and currency. A person approves it for existing subscriptions.',
  sharesArguments: {
    tool: 'create_plan',
    otherwise:
      'Change a plan; if it is active, only its period, payments and currency. A person approves it for existing subscriptions.',
  },
  input: {
    args: () => ({
      plan: thePlanArg,
      apply_to: {
        ...optional(amend(applyTo, 'ALL: existing subscriptions, too.')),
        // The platform's default, sent so that a call never relies on it.
        fills: [{ path: applyTo, value: (given) => given ?? 'NEW' }],
      },
      ...undescribed({
        name: optional(amend('planInformation.name', '')),
        every: labelled('Units between payments', optional(count('planInformation.billingPeriod.length', '', 'PL-02'))),
        unit: optional(unitOf('planInformation.billingPeriod.unit')),
        amount: optional(amend('orderInformation.amountDetails.billingAmount', '')),
        currency: optional(amend('orderInformation.amountDetails.currency', '')),
      }),
      payments: labelled(
        'Number of payments',
        optional(count('planInformation.billingCycles.total', 'How many; only more.', 'PL-07')),
      ),
      ...undescribed({
        setup_fee: optional(sumOf('orderInformation.amountDetails.setupFee', '')),
        code: optional(amend('planInformation.code', '')),
        description: optional(amend('planInformation.description', '')),
      }),
    }),
    carryOver: wholePeriod,
  },
  refresh: refreshPlan,
  policy: {
    lockKey: ({ things }) => things.plan?.handle ?? '',
    invalidates: true,
    amountIs: 'price',
    spend: (facts) => (isRepriced(facts) ? priceOf(created(facts)) : undefined),
    releasedBy: (facts) => (isForAll(facts) ? [] : releasingTools),
    approval: {
      needed: isForAll,
      title: (facts) =>
        isForAll(facts)
          ? 'Allow the agent to change a plan for every subscription that it has'
          : 'Allow the agent to change a plan for new subscriptions',
      before: ({ things }, name) => was(things, name),
      text: (facts) => [
        `Plan: ${quoted(untrusted(facts.things.plan?.body.name ?? ''))} (${quoted(untrusted(facts.things.plan?.body.code ?? 'no code'))})`,
        isForAll(facts) ? 'Customers: all that are on this plan' : 'Customers: those who subscribe from now on',
        ...(isRepriced(facts) ? pricesOf(facts) : []),
      ],
    },
  },
  observe: {
    moves: { kind: 'plan', entity: planEntity },
    contradicts: amendedPlanElsewhere,
    observations: (facts) => [{ kind: 'plan', body: { ...termsAsked(facts), ...named(facts) } }],
  },
  present: {
    messages: { ACTIVE: 'The plan is changed.', DRAFT: 'The draft is changed.' },
    next: planNext,
    outputSchema: planOutput,
    shows: thePlan,
  },
  reconcile: {
    confirmed: (_, { body }) => [{ kind: 'plan', body: amendedBy(body) }],
  },
};

export const isDraft = (
  answer: { readonly body: { readonly planInformation: { readonly status: string } } } | undefined,
) => answer?.body.planInformation.status === 'DRAFT';

/** The current value of an argument, as the approval text shows it. */
function was({ plan }: Things, name: string): string | undefined {
  const { amount, currency, length, unit, total, setupFee, name: called, code, description } = plan?.body ?? {};
  const known: Readonly<Record<string, string | undefined>> = {
    ...{ amount, currency, code, every: length, payments: total, setup_fee: setupFee },
    unit: unit === undefined ? undefined : wordOfUnit(unit),
    name: called === undefined ? undefined : untrusted(called),
    description: description === undefined ? undefined : labelText(description),
  };
  const value = known[name];
  return value === undefined ? absent[name] : quoted(value);
}

/** What the approval text shows for a missing value. */
const absent: Readonly<Record<string, string>> = {
  ...{ amount: 'none', currency: 'none', every: 'none', unit: 'none', setup_fee: 'none', name: 'none', code: 'none' },
  ...{ payments: 'no end', description: 'not shown' },
};

/** The part of an amendment's body that changes the plan's terms. */
interface AmendSent {
  readonly planInformation?: {
    readonly name?: string;
    readonly description?: string;
    readonly code?: string;
    readonly billingPeriod?: { readonly length?: string; readonly unit?: string };
    readonly billingCycles?: { readonly total?: string };
  };
  readonly orderInformation?: {
    readonly amountDetails?: {
      readonly currency?: string;
      readonly billingAmount?: string;
      readonly setupFee?: string;
    };
  };
}

/** The terms that a confirmed amendment set. */
function amendedBy(sent: unknown) {
  const { planInformation = {}, orderInformation } = sent as AmendSent; // sent bodies match the contract
  const { currency, billingAmount, setupFee } = orderInformation?.amountDetails ?? {};
  const { name, description, code, billingPeriod, billingCycles } = planInformation;
  const changed = {
    name,
    description,
    code,
    ...billingPeriod,
    total: billingCycles?.total,
    currency,
    amount: billingAmount,
    setupFee,
  };
  return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
}
