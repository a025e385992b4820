import type { CallerRole } from '../core/operation.ts';
import type { RuleId } from '../core/rules.ts';
import type { Facts } from '../domains/facts.ts';
import type { OperationName } from '../domains/index.ts';

/** The facts that the lock key of a call is made of. */
type LockFacts = Pick<Facts, 'things' | 'args' | 'configured'>;

/** What a call needs before it is sent: approval, budget, and no conflicting call in progress. */
export type ToolPolicy = {
  /** The thing that no other call may change at the same time; empty for a call that creates something. */
  readonly lockKey: (facts: LockFacts) => string;
  /** Another thing whose terms the call copies. No call that changes them may run at the same time. */
  readonly dependsOn?: (facts: Facts) => string;
  /** Another thing whose state the call reports to the platform. No call for it may be in progress or have an unknown outcome. */
  readonly restsOn?: (facts: Facts) => string;
  /** The call changes terms that other calls depend on. */
  readonly invalidates?: true;
  /** Warns of a near-duplicate with another reference even if no money moves. */
  readonly warnsOfNearDuplicate?: true;
  /** The call makes the agent's text visible to external people, so a person approves it first (EN-14). */
  readonly externalEffect?: true;
  /** The tools that later show customers what this call writes, each after approval. Empty if customers see it at once. */
  readonly releasedBy?: (facts: Facts) => readonly string[];
  readonly approval?: ApprovalPolicy;
  /**
   * The call begins what another one finishes, which moves this amount. The limits of that one apply already, so that no
   * customer is asked in vain. Undefined if no amount follows.
   */
  readonly prepares?: {
    readonly operation: OperationName;
    readonly spend: (facts: Facts) => SpendAmount | undefined;
  };
  readonly attempts?: readonly AttemptPolicy[];
} & AmountPolicy;

/** How often a call may be sent for one thing, whatever its outcome. Not for an operation that Purser repeats by itself. */
export interface AttemptPolicy {
  /** What attempts are counted for: a handle, with further distinctions if needed. */
  readonly of: (facts: Facts) => string;
  readonly most: (facts: Facts) => number;
  /** The refusal's text when none is left. */
  readonly rule: RuleId;
  readonly because: string;
  readonly instead: readonly string[];
}

/** The amount of a call, to which limits and mandates apply. */
type AmountPolicy =
  | {
      /** Undefined for a call that changes no amount; `unknown` if it can't be computed, which amount limits refuse. */
      readonly spend: (facts: Facts) => SpendAmount | 'unknown' | undefined;
      /** The meaning of the amount if the call itself moves no money: a customer's bill, or a price. */
      readonly amountIs?: 'bill' | 'price';
    }
  | { readonly spend?: never; readonly amountIs?: never };

/** For a call that a person approves whatever is known. */
export const always = (): boolean => true;

/** When a person must approve, and the approval text besides the model's values, which the engine adds. */
export interface ApprovalPolicy {
  /** `always`, where it depends on nothing. */
  readonly needed: (facts: Facts) => boolean;
  /** A person decides every time: no mandate replaces them. */
  readonly noMandate?: true;
  /** Callers whose call is the approval itself: the customer, or the merchant's app, which has asked the customer. */
  readonly givenBy?: readonly CallerRole[];
  readonly title: (facts: Facts) => string;
  /** One fact per line. Text by others is `quoted`. */
  readonly text: (facts: Facts) => readonly string[];
  /** Where a person's no is a choice of its own, and not only that nothing is sent. */
  readonly denied?: DenialPolicy;
  /** Why a person is asked once more, in Purser's words alone; the end of a sentence. */
  readonly why?: (facts: Facts) => string | undefined;
  /** What a person approved before, and the fields that may shrink without a new approval. */
  readonly within?: {
    readonly approved: (facts: Facts) => AuthoredFields | undefined;
    readonly narrower: Readonly<Record<string, Ordering>>;
  };
  /** The current value of what an argument would change, for the approval text. */
  readonly before?: (facts: Facts, argument: string) => string | undefined;
}

/** What a denial records of the thing that the call moves, without a call of the platform. */
export interface DenialPolicy {
  /** The arguments of the call that the person makes by it. */
  readonly as: (facts: Facts) => Facts['args'];
  /** What the agent reads of it, after the sentence that a person denied the call. */
  readonly said: string;
  readonly next: readonly string[];
}

/** The money that a call would move. */
export interface SpendAmount {
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  /** The part that an earlier call already counted, as decimal text in the same currency. */
  readonly counted?: string | undefined;
  /** An approval of the call, where it needs one, allows all of it once more: nothing of that is counted yet. */
  readonly isAnew?: boolean;
  /** The parts that calls of other operations held before, where that is what this call takes. */
  readonly held?: { readonly [O in OperationName]?: string } | undefined;
  readonly payee: string;
  /** Handle of the card. */
  readonly instrument: string;
}

/** Values that the model authored, by contract path. */
export type AuthoredFields = Readonly<Record<string, unknown>>;

/** Whether a value allows no more than the approved one. Undefined is a field that the request leaves out. */
export type Ordering = (now: unknown, approved: unknown, fields: AuthoredFields) => boolean;
