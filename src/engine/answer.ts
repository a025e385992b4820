import { z } from 'zod';
import { type FileType, fileTypes } from '../core/file-answer.ts';
import { handleShown, momentShown, ownWords } from './shown.ts';

/**
 * The outcome of every call. `done`; `declined`: the platform declined; `refused`: Purser sent nothing;
 * `needs_approval`: a person must approve first; `unknown`: it was sent, and its outcome is unknown.
 */
export const outcomes = ['done', 'declined', 'refused', 'needs_approval', 'unknown'] as const;
export type Outcome = (typeof outcomes)[number];

/** Hosts treat an error as a broken call, and some discard its text. A question to a person is a normal step. */
const normal: readonly unknown[] = ['done', 'needs_approval'] satisfies readonly Outcome[];

/** Whether frameworks get an outcome as an error. */
export const isError = (outcome: unknown): boolean => !normal.includes(outcome);

/** Stable error codes, each with one way to continue. */
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
  'CALL_CANCELLED',
  'OUTCOME_UNKNOWN',
  'UNKNOWN_TOOL',
  'INTERNAL_HALT',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** Whether and when a refused call can succeed later. */
export const retries = {
  never:
    'Neither this call nor a variant of it can succeed. Use a tool of `next` to look, or report `said` to the operator.',
  same_call: 'Make the same call again when what `said` requires has happened, such as a decision by a person.',
  changed_call: 'Change the argument in `field`, or every one in `fields`, or use a tool of `next` first.',
  after: 'Make the same call again after `wait` seconds.',
} as const;
export type Retry = keyof typeof retries;
export const retryNames = Object.keys(retries) as [Retry, ...Retry[]]; // the keys of the table

export interface AnswerError {
  readonly code: ErrorCode;
  readonly retry: Retry;
  /** Seconds to wait: with `after`, before the next call; with OUTCOME_UNKNOWN, until get_operation may know more. */
  readonly wait?: number;
  /** The argument at fault. */
  readonly field?: string;
  /** All arguments at fault, `field` first, if there are several. */
  readonly fields?: readonly string[];
  readonly rule?: string;
  /** The platform's text, never an instruction: truncated, without control characters. */
  readonly untrusted?: string;
}

export interface AnswerApproval {
  readonly id: string;
  readonly text: string;
  /** ISO 8601. */
  readonly expires: string;
}

/** A file in a result. Agents read its text in pages; the merchant's app gets it as a whole. */
export interface AnswerFile {
  readonly handle: string;
  readonly type: FileType;
  readonly bytes: number;
  readonly pages: number;
  /** Absent if the contract doesn't define rows. */
  readonly rows?: number;
  /** Of its bytes, in Base64. */
  readonly sha256: string;
  /** ISO 8601. */
  readonly expires: string;
  /** Whether its sums by day can be shown as a chart. */
  readonly chart?: true;
}

export interface Answer {
  readonly outcome: Outcome;
  readonly environment: string;
  /** What happened and what to do, in one or two sentences. */
  readonly said: string;
  /** The operation's handle, if there is one. */
  readonly operation?: string;
  /** A replay of the first result: nothing happened now. */
  readonly replayed?: true;
  readonly data?: { readonly [field: string]: unknown };
  readonly file?: AnswerFile;
  readonly warnings?: readonly string[];
  /** The next actions: tools that are possible now. */
  readonly next: readonly string[];
  readonly approval?: AnswerApproval;
  readonly error?: AnswerError;
}

const fileShown = z.looseObject({
  handle: handleShown,
  type: z.enum(fileTypes),
  bytes: z.number(),
  pages: z.number(),
  rows: z.number().optional(),
  sha256: ownWords,
  expires: momentShown,
  chart: z.literal(true).optional(),
});

/** The shape of an answer whose data have the given shape: what `outputSchema` shows. Made once, because every answer is held against it. */
export function answerSchema(data: z.ZodType): ReturnType<typeof makeAnswerSchema> {
  const schema = answerSchemas.get(data) ?? makeAnswerSchema(data);
  answerSchemas.set(data, schema);
  return schema;
}

const answerSchemas = new WeakMap<z.ZodType, ReturnType<typeof makeAnswerSchema>>();

const makeAnswerSchema = (data: z.ZodType) =>
  z.looseObject({
    outcome: z.enum(outcomes),
    environment: ownWords,
    said: ownWords,
    operation: handleShown.optional(),
    replayed: z.literal(true).optional(),
    data: data.optional(),
    file: fileShown.optional(),
    warnings: z.array(ownWords).optional(),
    next: z.array(ownWords),
    approval: z.looseObject({ id: handleShown, text: z.string(), expires: momentShown }).optional(),
    error: z
      .object({
        code: z.enum(errorCodes),
        retry: z.enum(retryNames),
        wait: z.number().optional(),
        field: ownWords.optional(),
        fields: z.array(ownWords).optional(),
        rule: ownWords.optional(),
        // Text of the platform or of a thing.
        untrusted: z.string().optional(),
      })
      .optional(),
  });
