import { termsIn } from '../../src/domains/billing/charges.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { readBack, type ToolSpec } from '../../src/engine/tool.ts';
import { moved } from '../read-back.ts';
import { planElsewhere } from './contradictions.ts';
import { planOutput, thePlan } from './output.ts';
import { changedPlan, planEntity, planNext, priceOf, thePlanArg } from './plan.ts';
import { refreshPlan } from './read-plans.ts';

const stateReadBack = readBack('getPlan', {
  with: ({ names }) => ({ names }),
  finds: (plan, sent) =>
    plan === undefined ? 'unclear' : moved(sent, plan.planInformation.status, () => changedPlan(plan)),
});

/** What each change of a plan's state has in common: the plan alone is named, and nothing but its state changes. */
const oneStateChange = {
  input: { args: () => ({ plan: thePlanArg }) },
  refresh: refreshPlan,
  observe: {
    moves: { kind: 'plan', entity: planEntity },
    observations: () => [{ kind: 'plan', body: {} }],
  },
} satisfies Pick<ToolSpec<'activatePlan'>, 'input' | 'refresh' | 'observe'>;

/** Of one whose answer shows the plan. */
const shownChange = {
  ...oneStateChange,
  observe: { ...oneStateChange.observe, contradicts: planElsewhere() },
};

const lockKey = ({ things }: Pick<Facts, 'things'>): string => things.plan?.handle ?? '';

export const activatePlan: ToolSpec<'activatePlan'> = {
  description: 'Make a draft or an inactive plan usable for new subscriptions.',
  ...shownChange,
  policy: {
    lockKey,
    amountIs: 'price',
    spend: ({ things }) => priceOf(termsIn(things.plan?.body)),
  },
  present: {
    messages: { ACTIVE: 'The plan is active.' },
    next: planNext,
    outputSchema: planOutput,
    shows: thePlan,
  },
  reconcile: {
    readBack: stateReadBack,
  },
};

export const deactivatePlan: ToolSpec<'deactivatePlan'> = {
  description: 'Close an active plan to new subscriptions. Existing ones are still charged.',
  ...shownChange,
  policy: { lockKey },
  present: {
    messages: { INACTIVE: 'The plan is inactive. Subscriptions on it go on until they are completed or cancelled.' },
    outputSchema: planOutput,
    shows: thePlan,
  },
  reconcile: {
    readBack: stateReadBack,
  },
};

export const deletePlan: ToolSpec<'deletePlan'> = {
  description: 'Remove a plan for good; only one that no subscription was ever on.',
  ...oneStateChange,
  policy: { lockKey },
  present: {
    messages: { deleted: 'The plan is deleted. That is final.' },
    next: { deleted: { tools: ['list_plans'], because: 'Other plans remain.' } },
    outputSchema: planOutput,
    shows: thePlan,
  },
  reconcile: {
    readBack: readBack('getPlan', {
      with: ({ names }) => ({ names }),
      finds: (plan) => (plan === undefined ? { happened: { submitTimeUtc: '', status: 'COMPLETED' } } : 'nothing'),
    }),
  },
};
