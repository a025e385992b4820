import { decimal } from '../../src/core/money.ts';
import { chargeOf } from '../../src/domains/billing/charges.ts';
import type { TermsFacts } from '../../src/domains/billing/facts.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { handle } from '../../src/engine/tool-arguments.ts';

export const thePlanArg = handle('plan', 'From list_plans.');

const deletion = 'Purser may not know every subscription of a plan, so it never suggests deleting one.';
export const planNext = {
  DRAFT: { tools: ['activate_plan', 'amend_plan'], because: deletion },
  ACTIVE: {
    tools: ['create_subscription', 'amend_plan', 'deactivate_plan'],
    because: `A plan exists for its subscriptions. ${deletion}`,
  },
  INACTIVE: { tools: ['activate_plan'], because: deletion },
} as const;

/** The plan of a call, as the plan machine reads it. */
export const planEntity = ({ plan }: Things) => ({
  state: plan?.state ?? 'none',
  draft: false,
  assigned: plan?.body.assigned === true,
});

/** The most that one payment of a plan charges: its price plus the setup fee of the first payment. */
export function priceOf(terms: Partial<TermsFacts>) {
  const { currency, amount, setupFee, surcharge } = terms;
  if (currency === undefined || amount === undefined) return 'unknown';
  const charge = chargeOf({ currency, amount, setupFee, surcharge });
  return charge === null ? 'unknown' : { amount: decimal(charge), currency, payee: '', instrument: '' };
}

/** The fields of a call that the platform's answer doesn't return. */
export const named = ({ args }: Facts) => ({
  ...(args.name === undefined ? {} : { name: String(args.name) }),
  ...(args.code === undefined ? {} : { code: String(args.code) }),
  ...(args.description === undefined ? {} : { description: String(args.description) }),
});

/** The response that a lost creation would have had. */
export const completedPlan = (plan: PlanShown) => ({
  ...plan,
  submitTimeUtc: '',
  status: 'COMPLETED' as const,
});
/** That of a change. It is found by its id: somebody may have changed its code since. */
export const changedPlan = (plan: PlanShown) => ({
  ...completedPlan(plan),
  planInformation: { ...plan.planInformation, code: undefined },
});
export interface PlanShown {
  readonly id: string;
  readonly planInformation: { readonly code?: string | undefined; readonly status: string };
}

/** The tools that put a customer on a plan. Their approvals show the plan's name. */
export const releasingTools: readonly string[] = [
  'create_subscription',
  'create_follow_on_subscription',
  'update_subscription',
];
