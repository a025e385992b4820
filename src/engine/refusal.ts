import type { ErrorCode, Retry } from './answer.ts';

/** Why a call is not sent. Carried as a value inside the engine, thrown only to leave a transaction without a trace. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly rule: string;
  /** One sentence: what is wrong with what was seen. It never holds the value itself. */
  readonly because: string;
  /** What somebody else may have written, and the caller must know to go on. */
  readonly quotes?: readonly string[] | undefined;
  readonly field?: string | undefined;
  /** By default told from the rest: see `retryOf`. */
  readonly retry?: Retry;
  readonly wait?: number;
  readonly instead: readonly string[];
  /** The operation that stands in the way, or that ended this call. */
  readonly operation?: string;
}

/** Whether a refused call can succeed later: what names a time, an argument or a way out says so by that. */
export const retryOf = ({ retry, wait, field, instead }: Refusal): Retry => {
  if (retry !== undefined) return retry;
  if (wait !== undefined) return 'after';
  return field !== undefined || instead.length > 0 ? 'changed_call' : 'never';
};

/** Carries a refusal out of a nested call. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.because);
    this.refusal = refusal;
  }
}

/** A cursor that belongs to another list, or to none. */
export const badCursor: Refusal = {
  code: 'INVALID_ARGUMENT',
  rule: 'EN-01',
  field: 'cursor',
  because: 'This cursor is not the `more` of the list that is asked for.',
  instead: [],
};

/** Nobody knows this tool. */
export const unknownTool: Refusal = {
  code: 'UNKNOWN_TOOL',
  rule: 'EN-01',
  because: 'There is no such tool.',
  retry: 'never',
  instead: [],
};
