import { z } from 'zod';
import { asked as termsAsked } from '../../src/domains/billing/charges.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { readBack, type ToolSpec } from '../../src/engine/tool.ts';
import { field, optional, reference } from '../../src/engine/tool-arguments.ts';
import { ofAnother } from '../echo.ts';
import { isAsSent } from '../read-back.ts';
import { isDraft } from './amend-plan.ts';
import { count, sumOf, unitOf } from './arguments.ts';
import { codeIn, doubledBy, ownCode } from './code.ts';
import { planOutput, thePlan } from './output.ts';
import { completedPlan, named, planNext, priceOf, releasingTools } from './plan.ts';

const create = field('createPlan');

export const createPlan: ToolSpec<'createPlan'> = {
  description: 'Store a billing schedule for many subscriptions. A draft can be changed, not used. Charges nobody.',
  input: {
    args: () => ({
      name: create('planInformation.name', 'Its name.'),
      reference: reference('One per plan.'),
      every: count('planInformation.billingPeriod.length', 'With unit: time between payments.', 'PL-02'),
      unit: unitOf('planInformation.billingPeriod.unit'),
      amount: create('orderInformation.amountDetails.billingAmount', 'Of each payment.'),
      currency: create('orderInformation.amountDetails.currency', 'Such as USD.'),
      payments: optional(count('planInformation.billingCycles.total', 'How many; no end without it.', 'PL-02')),
      setup_fee: optional(sumOf('orderInformation.amountDetails.setupFee', 'Added to the first payment.')),
      code: optional(create('planInformation.code', 'Up to 10 letters or digits.')),
      description: optional(create('planInformation.description', 'What it is for.')),
      draft: optional({
        schema: z.boolean().describe('Keep it a draft.'),
        // D-11: always sent, so the platform's default never decides.
        fills: [{ path: 'planInformation.status', value: (given) => (given === true ? 'DRAFT' : 'ACTIVE') }],
      }),
    }),
    carryOver: ownCode('planInformation.code'),
    reference: ({ args }) => String(args.reference),
  },
  policy: {
    releasedBy: () => releasingTools,
    lockKey: () => '',
    // Shops rarely want two plans with the same terms within minutes.
    warnsOfNearDuplicate: true,
    amountIs: 'price',
    spend: (facts) => priceOf(termsAsked(facts)),
  },
  observe: {
    moves: { kind: 'plan', entity: (_, __, answer) => ({ state: 'none', draft: isDraft(answer), assigned: false }) },
    contradicts: (_, { body }, sent) =>
      ofAnother(sent, body, 'planInformation.code') ?? ofAnother(sent, body, 'planInformation.status'),
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
    shows: thePlan,
  },
  reconcile: {
    readBack: readBack('listPlans', {
      with: ({ body }) => ({ names: {}, query: { code: codeIn(body?.planInformation) } }),
      finds: (found, { body }) => {
        const code = codeIn(body?.planInformation);
        const plan = found?.plans.find((it) => it.planInformation.code === code);
        // The agent's code may belong to another plan.
        if (plan !== undefined) return isAsSent(plan, body) ? { happened: completedPlan(plan) } : 'unclear';
        // A plan that is listed without its code may be the one.
        return found?.plans.every((it) => it.planInformation.code !== undefined) === true ? 'nothing' : 'unclear';
      },
    }),
    // The agent's code may be of a plan like this one, which another call has made.
    doubled: (refusal, args) => (args.code === undefined ? doubledBy(refusal, args) : undefined),
  },
};
