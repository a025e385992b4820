import { termsIn } from '../../src/domains/billing/charges.ts';
import { readBack, type ToolSpec } from '../../src/engine/tool.ts';
import { moved } from '../read-back.ts';
import { planOutput, thePlan } from './output.ts';
import { done, planEntity, planNext, priceOf, thePlanArg } from './plan.ts';
import { refreshPlan } from './read-plans.ts';

const stateReadBack = readBack('getPlan', {
  with: ({ names }) => ({ names }),
  finds: (plan, sent) => (plan === undefined ? 'unclear' : moved(sent, plan.planInformation.status, () => done(plan))),
});

export const activatePlan: ToolSpec<'activatePlan'> = {
  description: 'Make a draft or an inactive plan usable for new subscriptions.',
  input: {
    args: { plan: thePlanArg },
  },
  refresh: refreshPlan,
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
};

export const deactivatePlan: ToolSpec<'deactivatePlan'> = {
  description: 'Take an active plan away from new subscriptions. Existing ones are still charged.',
  input: {
    args: { plan: thePlanArg },
  },
  refresh: refreshPlan,
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
};

export const deletePlan: ToolSpec<'deletePlan'> = {
  description: 'Remove a plan for good; only one that no subscription was ever on.',
  input: {
    args: { plan: thePlanArg },
  },
  refresh: refreshPlan,
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
};
