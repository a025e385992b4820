import { z } from 'zod';
import { isUsablePlan, plan } from '../../src/domains/billing/machines.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { untrusted } from '../../src/engine/render.ts';
import { codeShown } from '../../src/engine/shown.ts';
import { platformTool, type ToolSpec } from '../../src/engine/tool.ts';
import { optional, queryField } from '../../src/engine/tool-arguments.ts';
import { listOutput, listState, none, paged, paging, unmatched } from '../offset-pages.ts';
import { planObservation } from './observations.ts';
import { planOutput, showPlan, thePlan } from './output.ts';
import { type PlanShown, planEntity, planNext, thePlanArg } from './plan.ts';

const list = queryField('listPlans');

const stateOf = ({ planInformation }: PlanShown): string => planInformation.status;
const noSuch = 'No plan matches. Other arguments, or none, may find it.';

export const listPlans: ToolSpec<'listPlans'> = {
  description: 'List stored plans with their state and price, narrowed by name, code or state.',
  input: {
    args: () => ({
      name: optional(list('name', 'Part of the name.')),
      code: optional(list('code', 'The whole code.')),
      state: optional(list('status', 'Only these.')),
      filters: optional(list('filters', 'Instead: name:Gold AND status:ACTIVE.')),
      ...paging('?limit', '?offset', 'PL-12'),
    }),
  },
  observe: {
    observations: (_, { body }) => body.plans.map(planObservation),
    stateFromResponse: ({ body }, args) =>
      body.plans.map(stateOf).find(isUsablePlan) ?? listState(body.totalCount, args),
  },
  present: {
    messages: { done: 'These are the plans.', [none]: 'There are no plans yet.', [unmatched]: noSuch },
    next: {
      ACTIVE: { tools: ['get_plan', 'create_subscription'], because: 'Only an active plan takes subscriptions.' },
      '': { tools: ['get_plan'], because: 'A list shows less of a plan than the plan itself.' },
      [none]: { tools: ['create_plan'], because: 'There is nothing to choose from yet.' },
      [unmatched]: { tools: [], because: 'The plan may exist under other arguments.' },
    },
    outputSchema: () => listOutput(planOutput()),
    toOutput: (_, facts, { body }) =>
      paged(
        facts,
        body.totalCount,
        body.plans.map(planObservation).map(({ handle: found, state, body: it }) => showPlan(found, state, it)),
      ),
  },
};

export const getPlan: ToolSpec<'getPlan'> = {
  description: 'Look at one plan as the platform has it now.',
  input: {
    args: () => ({ plan: thePlanArg }),
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
    shows: thePlan,
  },
};

export const getPlanCode: ToolSpec<'getPlanCode'> = {
  description: 'Get the next free plan code, if codes are numbered consecutively.',
  input: {
    args: () => ({}),
  },
  observe: {
    observations: () => [],
  },
  present: {
    messages: { done: 'This code comes next.' },
    next: { '': { tools: ['create_plan'], because: 'The code is for a new plan.' } },
    outputSchema: () => z.looseObject({ code: codeShown }),
    toOutput: (_, __, { body }) => ({ code: untrusted(body.code) }),
  },
};

/** Reads a plan before changing it, because the portal and other agents change plans too. */
export const refreshPlan = [
  {
    tool: platformTool('getPlan', getPlan),
    args: ({ plan }: Facts['args']) => (plan === undefined ? undefined : { plan }),
  },
] as const;
