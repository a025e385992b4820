import { BadCursor } from '../ledger/errors.ts';
import type { ErrorCode, Retry } from './answer.ts';

/** Why a call is not sent. A step throws it as `Refused`, which rolls back its transaction. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly rule: string;
  /** What is wrong, in one sentence without the value. */
  readonly because: string;
  /** Text by others that the caller needs in order to continue. */
  readonly quotes?: readonly string[] | undefined;
  readonly field?: string | undefined;
  /** All fields at fault, `field` first, if there are several. */
  readonly fields?: readonly string[];
  /** Derived from the other members by default: see `retryOf`. */
  readonly retry?: Retry;
  readonly wait?: number;
  readonly instead: readonly string[];
  /** The operation that blocks or answers this call. */
  readonly operation?: string;
}

/** Whether and when a refused call can succeed later, derived from the refusal's time, argument or next tool. */
export const retryOf = ({ retry, wait, field, instead }: Refusal): Retry => {
  if (retry !== undefined) return retry;
  if (wait !== undefined) return 'after';
  return field !== undefined || instead.length > 0 ? 'changed_call' : 'never';
};

/** Ends a call with a refusal. `isNoted`: whether the audit records it. */
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
  because: 'The cursor is not a `more` value of this list.',
  instead: [],
};

/** Whether a failure is a cursor of another list, as the ledger reports it. */
export const isBadCursor = (failure: unknown): boolean => failure instanceof BadCursor;

/** Other writers were faster each time the call was tried. A call that was sent has its own answer. */
export const otherWriters: Refusal = {
  code: 'IN_FLIGHT',
  rule: 'EN-07',
  because: 'Other calls changed what this call depends on, each time it was checked. This call changed nothing.',
  retry: 'same_call',
  instead: [],
};

/** The caller has no tool of this name. `closest`: the one that is probably meant. */
export const unknownTool = (closest?: string): Refusal => ({
  code: 'UNKNOWN_TOOL',
  rule: 'EN-01',
  because: `There is no such tool.${closest === undefined ? '' : ` Did you mean ${closest}?`}`,
  retry: 'never',
  instead: closest === undefined ? [] : [closest],
});
