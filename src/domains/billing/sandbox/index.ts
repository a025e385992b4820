import { plans } from './plans.ts';
import { subscriptions } from './subscriptions.ts';

/** Recurring billing: document 2. */
export const billing = { ...plans, ...subscriptions } as const;
