import type { Body } from './render.ts';

/** A person denied the approval. */
export const denial = (operation: string): Body => ({
  outcome: 'refused',
  said: 'A person denied this, and nothing was sent. If the customer still wants it, make the same call again to ask again.',
  operation,
  next: ['list_approvals'],
  error: { code: 'APPROVAL_DENIED', retry: 'same_call', rule: 'EN-04' },
});
