import type { ErrorCode, Retry } from './answer.ts';

/** Why a call is not sent. A step of the call throws it as `Refused`, which rolls its transaction back. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly rule: string;
  /** One sentence: what is wrong with what was seen. It never holds the value itself. */
  readonly because: string;
  /** Text by others that the caller needs in order to continue. */
  readonly quotes?: readonly string[] | undefined;
  readonly field?: string | undefined;
  /** By default derived from the other members: see `retryOf`. */
  readonly retry?: Retry;
  readonly wait?: number;
  readonly instead: readonly string[];
  /** The operation that blocks this call, or that ended it. */
  readonly operation?: string;
}

/** Whether a refused call can succeed later, by what the refusal names: a time, an argument or another tool. */
export const retryOf = ({ retry, wait, field, instead }: Refusal): Retry => {
  if (retry !== undefined) return retry;
  if (wait !== undefined) return 'after';
  return field !== undefined || instead.length > 0 ? 'changed_call' : 'never';
};

/** Ends a call with a refusal. `isNoted`: whether the audit gets a row for it. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;
  readonly isNoted: boolean;
  constructor(refusal: Refusal, { isNoted = true } = {}) {
    super(refusal.because);
    this.refusal = refusal;
    this.isNoted = isNoted;
  }
}

/** A cursor of another list, or an invalid one. */
export const badCursor: Refusal = {
  code: 'INVALID_ARGUMENT',
  rule: 'EN-01',
  field: 'cursor',
  because: 'This cursor is not the `more` of this list.',
  instead: [],
};

export const unknownTool: Refusal = {
  code: 'UNKNOWN_TOOL',
  rule: 'EN-01',
  because: 'There is no such tool.',
  retry: 'never',
  instead: [],
};
