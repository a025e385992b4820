import { plans } from './plans.ts';
import { subscriptions } from './subscriptions.ts';

/** Recurring billing: plans, subscriptions, and the payments of subscriptions. */
export const billing = [...plans, ...subscriptions];
