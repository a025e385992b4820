import { limitScopeKinds } from '../domains/index.ts';

/** What the totals and counts of a policy can be kept by. Apart from the policy: a start reads that without the domains. */
export const scopes = [...limitScopeKinds, 'session', 'day'] as const;
export type Scope = (typeof scopes)[number];
