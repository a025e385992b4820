import type { Answer } from './answer.ts';
import type { Decided } from './people.ts';

// Answers that a face gives where the engine has none.

/** What a call answers whose person was asked within the conversation and said no. */
export const denied = (environment: string, decided: Decided): Answer => ({
  outcome: 'refused',
  environment,
  said: decided.ok
    ? 'A person said no to this, and nothing was sent. It can be asked anew by the same call, if the customer wants that.'
    : `A person said no, but that came too late. ${decided.because}`,
  ...(decided.ok ? { operation: decided.operation } : {}),
  next: ['list_approvals'],
  error: { code: 'APPROVAL_DENIED', retry: 'never', rule: 'EN-04' },
});

/** What a call answers where Purser or its database failed: nobody may take it for not sent. */
export const failed = (environment: string): Answer => ({
  outcome: 'unknown',
  environment,
  said: 'Purser failed inside, and whether the call was sent is not known. Do not start another one: look with list_operations, and tell the operator.',
  next: ['list_operations'],
  error: { code: 'OUTCOME_UNKNOWN', retry: 'never', rule: 'EN-06' },
});
