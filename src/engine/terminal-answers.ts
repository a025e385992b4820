import type { Answer } from './answer.ts';
import type { DecisionResult } from './person.ts';
import { denial } from './render.ts';

// Answers that a face gives where the engine has none.

/** What a call answers whose person was asked within the conversation and said no. */
export const denied = (environment: string, decided: DecisionResult): Answer =>
  decided.ok
    ? { ...denial(decided.operation), environment }
    : { ...tooLate, environment, said: `A person said no, but that came too late. ${decided.because}` };

const { operation: _, ...tooLate } = denial('');

/** What a call answers where Purser or its database failed: nobody may take it for not sent. */
export const failed = (environment: string): Answer => ({
  outcome: 'unknown',
  environment,
  said: 'Purser failed inside, and whether the call was sent is not known. Do not start another one: look with list_operations, and tell the operator.',
  next: ['list_operations'],
  error: { code: 'OUTCOME_UNKNOWN', retry: 'never', rule: 'EN-06' },
});
