import type { Answer } from './answer.ts';
import { denial } from './denial.ts';
import type { DecisionResult } from './person.ts';
import type { Body } from './render.ts';

// Answers for calls without an answer of the engine.

/** The answer to a call that a person denied within the conversation. */
export const denied = (environment: string, decided: DecisionResult): Answer =>
  decided.ok
    ? { ...(decided.denied ?? denial(decided.operation)), environment }
    : { ...tooLate, environment, said: `A person denied this, but too late. ${decided.because}` };

const { operation: _, ...tooLate } = denial('');

/** The answer if Purser or its database failed. Unless the call only reads, it must not suggest that nothing was sent. */
export const failed = (environment: string, reads: boolean): Answer =>
  reads ? unread(environment) : unknown(environment);

const unread = (environment: string): Answer => ({
  outcome: 'refused',
  environment,
  said: 'Purser had an internal error. The call only reads, so nothing was changed. Tell the operator, and make the same call again when it is fixed.',
  next: [],
  error: { code: 'INTERNAL_HALT', retry: 'same_call' },
});

const unknown = (environment: string): Answer => ({
  outcome: 'unknown',
  environment,
  said: 'Purser had an internal error, and it is unknown whether the call was sent. Do not start another one: check list_operations, and tell the operator.',
  next: ['list_operations'],
  error: { code: 'OUTCOME_UNKNOWN', retry: 'never', rule: 'EN-06' },
});

/** The answer if the ledger can't be read or written. Not for a call that was sent. */
export const ledgerUnavailable: Body = {
  outcome: 'refused',
  said: "The ledger can't be read or written, so this call changed nothing, here or on the platform. Tell the operator (purser doctor says why), and make the same call again once it is fixed.",
  next: [],
  error: { code: 'INTERNAL_HALT', retry: 'same_call' },
};

/** The answer if the engine could not start: nothing can have been sent. */
export const notStarted = (environment: string): Answer => ({
  outcome: 'refused',
  environment,
  said: 'Purser could not start, so nothing was sent. Tell the operator: purser doctor says why.',
  next: [],
  error: { code: 'INTERNAL_HALT', retry: 'never' },
});
