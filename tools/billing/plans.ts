import { z } from 'zod';
import { decimal } from '../../src/core/money.ts';
import { wordOfUnit } from '../../src/core/schedule.ts';
import { chargeOf, asked as termsAsked, termsIn } from '../../src/domains/billing/charges.ts';
import type { TermsFacts } from '../../src/domains/billing/facts.ts';
import { plan } from '../../src/domains/billing/machines.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { untrusted } from '../../src/engine/render.ts';
import { codeShown } from '../../src/engine/shown.ts';
import { platformTools, readBack } from '../../src/engine/tool.ts';
import { field, handle, labelled, optional, queryField, reference } from '../../src/engine/tool-arguments.ts';
import { codeIn, isAsSent, moved, ownCode } from '../read-back.ts';
import {
  count,
  labelText,
  listOutput,
  listState,
  none,
  paged,
  paging,
  planObservation,
  planOutput,
  showPlan,
  sumOf,
  thePlan,
  unitOf,
  unmatched,
} from './presentation.ts';

// The tools for plans.

const create = field('createPlan');
const amend = field('amendPlan');
const list = queryField('listPlans');
const thePlanArg = handle('plan', 'From list_plans.');

const stateOf = ({ planInformation }: PlanShown): string => planInformation.status;
const noSuch = 'No plan matches. Other arguments, or none, may find it.';
const isUsable = (state: string): boolean => usable.includes(state);
const usable: readonly string[] = ['ACTIVE'];

const deletion = 'Purser may not know every subscription of a plan, so it never suggests deleting one.';
const planNext = {
  DRAFT: { tools: ['activate_plan', 'amend_plan'], because: deletion },
  ACTIVE: {
    tools: ['create_subscription', 'amend_plan', 'deactivate_plan'],
    because: `A plan exists for its subscriptions. ${deletion}`,
  },
  INACTIVE: { tools: ['activate_plan'], because: deletion },
} as const;

/** The plan of a call, as the plan machine reads it. */
const planEntity = ({ plan }: Things) => ({
  state: plan?.state ?? 'none',
  draft: false,
  assigned: plan?.body.assigned === true,
});

/** The most that one payment of a plan charges: its price plus the setup fee of the first payment. */
function priceOf(terms: Partial<TermsFacts>) {
  const { currency, amount, setupFee, surcharge } = terms;
  if (currency === undefined || amount === undefined) return 'unknown';
  const charge = chargeOf({ currency, amount, setupFee, surcharge });
  return charge === null ? 'unknown' : { amount: decimal(charge), currency, payee: '', instrument: '' };
}

/** Arguments of an amendment that change what a plan charges, or how often. */
const repricing = ['amount', 'currency', 'setup_fee', 'every', 'unit', 'payments'] as const;

/** The fields of a call that the platform's answer doesn't return. */
const named = ({ args }: Facts) => ({
  ...(args.name === undefined ? {} : { name: String(args.name) }),
  ...(args.code === undefined ? {} : { code: String(args.code) }),
  ...(args.description === undefined ? {} : { description: String(args.description) }),
});

const reads = platformTools({
  listPlans: {
    description: 'List stored plans with their state and price, narrowed by name, code or status.',
    input: {
      args: {
        name: optional(list('name', 'Part of the name.')),
        code: optional(list('code', 'The whole code.')),
        status: optional(list('status', 'Only these.')),
        filters: optional(list('filters', 'Instead: name:Gold AND status:ACTIVE.')),
        ...paging('?limit', '?offset', 'PL-12'),
      },
    },
    observe: {
      observations: (_, { body }) => body.plans.map(planObservation),
      stateFromResponse: ({ body }, args) => body.plans.map(stateOf).find(isUsable) ?? listState(body.totalCount, args),
    },
    present: {
      messages: { done: 'These are the plans.', [none]: 'There are no plans yet.', [unmatched]: noSuch },
      next: {
        ACTIVE: { tools: ['get_plan', 'create_subscription'], because: 'Only an active plan takes subscriptions.' },
        '': { tools: ['get_plan'], because: 'A list shows less of a plan than the plan itself.' },
        [none]: { tools: ['create_plan'], because: 'There is nothing to choose from yet.' },
        [unmatched]: { tools: [], because: 'The plan may exist under other arguments.' },
      },
      outputSchema: listOutput(planOutput),
      toOutput: (_, facts, { body }) =>
        paged(
          facts,
          body.totalCount,
          body.plans.map(planObservation).map(({ handle: found, state, body: it }) => showPlan(found, state, it)),
        ),
    },
  },

  getPlan: {
    description: 'Look at one plan as the platform has it now.',
    input: {
      args: { plan: thePlanArg },
    },
    observe: {
      observations: (_, { body }) => [planObservation(body)],
      stateFromResponse: ({ body }) => stateOf(body),
      looksAt: { kind: 'plan', machine: plan.on('amend').machine, entity: planEntity },
    },
    present: {
      messages: { done: 'This is the plan.' },
      next: planNext,
      outputSchema: planOutput,
      toOutput: thePlan,
    },
  },

  getPlanCode: {
    description: 'Get the next free plan code, where they are numbered consecutively.',
    input: {
      args: {},
    },
    observe: {
      observations: () => [],
    },
    present: {
      messages: { done: 'This code comes next.' },
      next: { '': { tools: ['create_plan'], because: 'The code is for a new plan.' } },
      outputSchema: z.looseObject({ code: codeShown }),
      toOutput: (_, __, { body }) => ({ code: untrusted(body.code) }),
    },
  },
});
const [, getPlan] = reads;
if (getPlan === undefined) throw new Error('There is no tool that asks for a plan.');

/** Reads a plan before changing it, because the portal and other agents change plans too. */
export const asksForPlan = [
  { tool: getPlan, args: ({ plan }: Facts['args']) => (plan === undefined ? undefined : { plan }) },
] as const;

/** The response that a lost plan change would have had. */
const done = (plan: PlanShown) => ({ ...plan, submitTimeUtc: '', status: 'COMPLETED' });
interface PlanShown {
  readonly id: string;
  readonly planInformation: { readonly code?: string | undefined; readonly status: string };
}

const stateReadBack = readBack('getPlan', {
  with: ({ names }) => ({ names }),
  finds: (plan, sent) => (plan === undefined ? 'unclear' : moved(sent, plan.planInformation.status, () => done(plan))),
});

/** The tools that put a customer on a plan. Their approvals show the plan's name. */
const letsOut: readonly string[] = ['create_subscription', 'create_follow_on_subscription', 'update_subscription'];

const changes = platformTools({
  createPlan: {
    description: 'Store a billing schedule for many subscriptions. A draft can be changed, not used. Charges nobody.',
    input: {
      args: {
        name: create('planInformation.name', 'Its name.'),
        reference: reference('One per plan.'),
        every: count('planInformation.billingPeriod.length', 'With unit: time between payments.', 'PL-02'),
        unit: unitOf('planInformation.billingPeriod.unit'),
        amount: create('orderInformation.amountDetails.billingAmount', 'Of each payment.'),
        currency: create('orderInformation.amountDetails.currency', 'Three letters.'),
        payments: optional(count('planInformation.billingCycles.total', 'How many; no end without it.', 'PL-02')),
        setup_fee: optional(sumOf('orderInformation.amountDetails.setupFee', 'Added to the first payment.')),
        code: optional(create('planInformation.code', 'Its code.')),
        description: optional(create('planInformation.description', 'What it is for.')),
        draft: optional({
          schema: z.boolean().describe('Keep it a draft.'),
          // D-11: always sent, so the platform's default never decides.
          fills: [{ path: 'planInformation.status', value: (given) => (given === true ? 'DRAFT' : 'ACTIVE') }],
        }),
      },
      carryOver: ownCode('planInformation.code'),
      reference: ({ args }) => String(args.reference),
    },
    policy: {
      releasedBy: () => letsOut,
      lockKey: () => '',
      // Shops rarely want two plans with the same terms within minutes.
      warnsOfNearDuplicate: true,
      amountIs: 'price',
      spend: (facts) => priceOf(termsAsked(facts)),
    },
    observe: {
      moves: { kind: 'plan', entity: (_, __, answer) => ({ state: 'none', draft: isDraft(answer), assigned: false }) },
      observations: (facts, { body }) => {
        const { length = '', unit = '', currency = '', amount = '', ...more } = termsAsked(facts);
        const { name, description } = named(facts);
        const known = { planId: body.id, code: body.planInformation.code, name, description };
        const terms = { length, unit, currency, amount, ...more };
        const made = { ...known, ...terms, assigned: false };
        return [{ kind: 'plan', handle: handleFor('plan', body.id), owner: '', body: made }];
      },
    },
    present: {
      messages: {
        ACTIVE: 'The plan is stored, and subscriptions can use it.',
        DRAFT: 'The plan is stored as a draft; activate it before a subscription uses it.',
      },
      next: planNext,
      outputSchema: planOutput,
      toOutput: thePlan,
    },
    reconcile: {
      readBack: readBack('listPlans', {
        with: ({ body }) => ({ names: {}, query: { code: codeIn(body?.planInformation) } }),
        finds: (found, { body }) => {
          const code = codeIn(body?.planInformation);
          const plan = found?.plans.find((it) => it.planInformation.code === code);
          // The agent's code may belong to another plan.
          if (plan !== undefined) return isAsSent(plan, body) ? { happened: done(plan) } : 'unclear';
          return found === undefined ? 'unclear' : 'nothing';
        },
      }),
    },
  },

  amendPlan: {
    description:
      'Change a plan. Of an active one only period, payments and currency. A person approves it for existing subscriptions.',
    input: {
      args: {
        plan: thePlanArg,
        apply_to: {
          ...amend('processingInformation.subscriptionBillingOptions.applyTo', 'ALL: existing subscriptions, too.'),
        },
        name: optional(amend('planInformation.name', 'New name.')),
        every: labelled(
          'Units between payments',
          optional(count('planInformation.billingPeriod.length', 'With unit: time between payments.', 'PL-02')),
        ),
        unit: optional(unitOf('planInformation.billingPeriod.unit')),
        amount: optional(amend('orderInformation.amountDetails.billingAmount', 'Of each payment.')),
        currency: optional(amend('orderInformation.amountDetails.currency', 'Three letters.')),
        payments: labelled(
          'Number of payments',
          optional(count('planInformation.billingCycles.total', 'How many; only more.', 'PL-07')),
        ),
        setup_fee: optional(sumOf('orderInformation.amountDetails.setupFee', 'Added to the first payment.')),
        code: optional(amend('planInformation.code', 'New code.')),
        description: optional(amend('planInformation.description', 'What it is for.')),
      },
    },
    refresh: asksForPlan,
    policy: {
      lockKey: ({ things }) => things.plan?.handle ?? '',
      invalidates: true,
      amountIs: 'price',
      spend: (facts) =>
        repricing.some((name) => facts.args[name] !== undefined)
          ? priceOf({ ...termsIn(facts.things.plan?.body), ...termsAsked(facts) })
          : undefined,
      releasedBy: ({ args }) => (args.apply_to === 'ALL' ? [] : letsOut),
      approval: {
        needed: ({ args }) => args.apply_to === 'ALL',
        title: ({ args }) =>
          args.apply_to === 'ALL'
            ? 'Allow the agent to change a plan for every subscription that it has'
            : 'Allow the agent to change a plan for new subscriptions',
        before: ({ things }, name) => was(things, name),
        text: ({ args, things }) => [
          `Plan: ${quoted(untrusted(things.plan?.body.name ?? ''))} (${quoted(untrusted(things.plan?.body.code ?? 'no code'))})`,
          args.apply_to === 'ALL'
            ? 'Customers: all that are on this plan'
            : 'Customers: those who subscribe from now on',
        ],
      },
    },
    observe: {
      moves: { kind: 'plan', entity: planEntity },
      observations: (facts) => [{ kind: 'plan', body: { ...termsAsked(facts), ...named(facts) } }],
    },
    present: {
      messages: { ACTIVE: 'The plan is changed.', DRAFT: 'The draft is changed.' },
      next: planNext,
      outputSchema: planOutput,
      toOutput: thePlan,
    },
    reconcile: {
      confirmed: (_, sent) => amendedBy(sent),
    },
  },

  activatePlan: {
    description: 'Make a draft or an inactive plan usable for new subscriptions.',
    input: {
      args: { plan: thePlanArg },
    },
    refresh: asksForPlan,
    policy: {
      lockKey: ({ things }) => things.plan?.handle ?? '',
      amountIs: 'price',
      spend: ({ things }) => priceOf(termsIn(things.plan?.body)),
    },
    observe: {
      moves: { kind: 'plan', entity: planEntity },
      observations: () => [{ kind: 'plan', body: {} }],
    },
    present: {
      messages: { ACTIVE: 'The plan is active.' },
      next: planNext,
      outputSchema: planOutput,
      toOutput: thePlan,
    },
    reconcile: {
      readBack: stateReadBack,
    },
  },

  deactivatePlan: {
    description: 'Take an active plan away from new subscriptions. Existing ones are still charged.',
    input: {
      args: { plan: thePlanArg },
    },
    refresh: asksForPlan,
    policy: {
      lockKey: ({ things }) => things.plan?.handle ?? '',
    },
    observe: {
      moves: { kind: 'plan', entity: planEntity },
      observations: () => [{ kind: 'plan', body: {} }],
    },
    present: {
      messages: { INACTIVE: 'The plan is inactive. Subscriptions on it go on until they are completed or cancelled.' },
      outputSchema: planOutput,
      toOutput: thePlan,
    },
    reconcile: {
      readBack: stateReadBack,
    },
  },

  deletePlan: {
    description: 'Remove a plan for good; only one that no subscription was ever on.',
    input: {
      args: { plan: thePlanArg },
    },
    refresh: asksForPlan,
    policy: {
      lockKey: ({ things }) => things.plan?.handle ?? '',
    },
    observe: {
      moves: { kind: 'plan', entity: planEntity },
      observations: () => [{ kind: 'plan', body: {} }],
    },
    present: {
      messages: { deleted: 'The plan is deleted. That is final.' },
      next: { deleted: { tools: ['list_plans'], because: 'Other plans remain.' } },
      outputSchema: planOutput,
      toOutput: thePlan,
    },
    reconcile: {
      readBack: readBack('getPlan', {
        with: ({ names }) => ({ names }),
        finds: (plan) => (plan === undefined ? { happened: { submitTimeUtc: '', status: 'COMPLETED' } } : 'nothing'),
      }),
    },
  },
});

const isDraft = (answer: { readonly body: { readonly planInformation: { readonly status: string } } } | undefined) =>
  answer?.body.planInformation.status === 'DRAFT';

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
    readonly billingPeriod?: { readonly length: string; readonly unit: string };
    readonly billingCycles?: { readonly total: string };
  };
  readonly orderInformation?: {
    readonly amountDetails: { readonly currency?: string; readonly billingAmount?: string; readonly setupFee?: string };
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

export const plans = [...reads, ...changes];
