import { plans } from './billing-plans.ts';
import { subscriptions } from './billing-subscriptions.ts';

/** Recurring billing: document 2. */
export const billing = { ...plans, ...subscriptions } as const;
