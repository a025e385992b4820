import { z } from 'zod';
import { handleShown, momentShown, ownWords } from './shown.ts';

/**
 * What every call of every face answers. `done`; `declined`: the platform said no; `refused`: Purser never asked it;
 * `needs_approval`: a person must approve first; `unknown`: it was sent, and nobody knows what became of it.
 */
export const outcomes = ['done', 'declined', 'refused', 'needs_approval', 'unknown'] as const;
export type Outcome = (typeof outcomes)[number];

/** Hosts treat an error as a broken call: some throw it away, text and all. A question to a person is a step on the normal way. */
const normal: readonly unknown[] = ['done', 'needs_approval'] satisfies readonly Outcome[];

/** Whether frameworks get an outcome as an error. */
export const isError = (outcome: unknown): boolean => !normal.includes(outcome);

/** Stable codes of errors, each for one way out. */
export const errorCodes = [
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'RULE',
  'CONFLICT',
  'IN_FLIGHT',
  'APPROVAL_REQUIRED',
  'APPROVAL_DENIED',
  'DECLINED',
  'RATE_LIMITED',
  'UNAUTHORIZED',
  'UNREACHABLE',
  'OUTCOME_UNKNOWN',
  'UNKNOWN_TOOL',
  'INTERNAL_HALT',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** Whether a refused call can succeed later, and what must change until then. */
export const retries = {
  never:
    'Neither this call nor a variant of it can succeed. Look with a tool of `next`, or tell the operator what `said` says.',
  same_call:
    'Make the very same call again, once what `said` asks for has happened: a person decides, the platform answers.',
  changed_call: 'Change the argument in `field`, or use a tool of `next` first.',
  after: 'Make the very same call again after `wait` seconds.',
} as const;
export type Retry = keyof typeof retries;
const retryNames = Object.keys(retries) as [Retry, ...Retry[]]; // the keys of the table

export interface AnswerError {
  readonly code: ErrorCode;
  readonly retry: Retry;
  /** Seconds to wait: with `after`, before the call; with OUTCOME_UNKNOWN, before get_operation can tell more. */
  readonly wait?: number;
  /** The argument it is about. */
  readonly field?: string;
  readonly rule?: string;
  /** Text of the platform, never an instruction: capped, control characters removed. */
  readonly untrusted?: string;
}

export interface AnswerApproval {
  readonly id: string;
  readonly text: string;
  /** ISO 8601. */
  readonly expires: string;
}

export interface Answer {
  readonly outcome: Outcome;
  readonly environment: string;
  /** What happened and what to do, in one or two sentences. */
  readonly said: string;
  /** The operation's handle, where one was begun. */
  readonly operation?: string;
  /** This is the first result once more: nothing happened now. */
  readonly replayed?: true;
  readonly data?: { readonly [field: string]: unknown };
  readonly warnings?: readonly string[];
  /** The tools that are possible now. */
  readonly next: readonly string[];
  readonly approval?: AnswerApproval;
  readonly error?: AnswerError;
}

/** The shape of an answer whose data have the given shape: what `outputSchema` shows. */
export const answerSchema = (data: z.ZodType) =>
  z.looseObject({
    outcome: z.enum(outcomes),
    environment: ownWords,
    said: ownWords,
    operation: handleShown.optional(),
    replayed: z.literal(true).optional(),
    data: data.optional(),
    warnings: z.array(ownWords).optional(),
    next: z.array(ownWords),
    approval: z.looseObject({ id: handleShown, text: z.string(), expires: momentShown }).optional(),
    error: z
      .object({
        code: z.enum(errorCodes),
        retry: z.enum(retryNames),
        wait: z.number().optional(),
        field: ownWords.optional(),
        rule: ownWords.optional(),
        // The platform's words, or those that stand on a thing.
        untrusted: z.string().optional(),
      })
      .optional(),
  });
