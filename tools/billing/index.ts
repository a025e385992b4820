import type { domains } from '../../src/domains/index.ts';
import { platformTools } from '../../src/engine/tool.ts';
import { amendPlan } from './amend-plan.ts';
import { createPlan } from './create-plan.ts';
import { createFollowOnSubscription, createSubscription } from './create-subscription.ts';
import { getFollowOn } from './get-follow-on.ts';
import { listSubscriptionPayments } from './list-payments.ts';
import { activatePlan, deactivatePlan, deletePlan } from './plan-state.ts';
import { reactivateSubscription } from './reactivate-subscription.ts';
import { getPlan, getPlanCode, listPlans } from './read-plans.ts';
import { getSubscription, getSubscriptionCode, listSubscriptions } from './read-subscriptions.ts';
import { skipSubscriptionPayments } from './skip-payments.ts';
import { cancelSubscription, suspendSubscription } from './stop-subscription.ts';
import { updateSubscription } from './update-subscription.ts';

/** Recurring billing: plans, subscriptions, and the payments of subscriptions, in the order in which agents see the tools. */
export const billing = platformTools<keyof typeof domains.billing.contract>({
  listPlans,
  getPlan,
  getPlanCode,
  createPlan,
  amendPlan,
  activatePlan,
  deactivatePlan,
  deletePlan,

  listSubscriptions,
  getSubscription,
  getSubscriptionCode,
  listSubscriptionPayments,
  getFollowOn,
  createSubscription,
  createFollowOnSubscription,
  updateSubscription,
  cancelSubscription,
  suspendSubscription,
  reactivateSubscription,
  skipSubscriptionPayments,
});
