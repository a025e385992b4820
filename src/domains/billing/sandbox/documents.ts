import type { Period } from '../../../core/schedule.ts';
import type { Document } from '../../../sandbox/documents.ts';

// The documents of recurring billing. Amounts are decimal text, moments milliseconds of the virtual clock.

declare module '../../../sandbox/documents.ts' {
  interface Kinds {
    readonly plan: PlanDocument;
    readonly subscription: SubscriptionDocument;
    readonly payment: PaymentDocument;
    readonly billingCode: CodeDocument;
    readonly lastCode: LastCodeDocument;
    readonly transaction: TransactionDocument;
  }

  interface CardBehavior {
    /** The card network, if it matters. */
    readonly network?: string | undefined;
    /** Outcomes of a subscription's attempts to charge it, in order; the last applies to all that follow. */
    readonly charges?: readonly ChargeOutcome[] | undefined;
    /** Whether a zero-amount authorization succeeds; true by default. */
    readonly verifies?: boolean | undefined;
  }

  interface WorldSettings {
    /** Days before a payment at which the customer is notified; three by default, never at 0 (D-20). */
    readonly noticeDays?: number | undefined;
  }
}

/** The outcome of a charge. `error`: the request never reached the bank network. */
export const chargeOutcomes = ['paid', 'declined', 'doNotRetry', 'error'] as const;
export type ChargeOutcome = (typeof chargeOutcomes)[number];

/** What is charged, how often, and in which currency. */
export interface Terms {
  readonly period: Period;
  /** How many payments; null where there is no end. */
  readonly total: number | null;
  readonly currency: string;
  readonly amount: string;
  readonly setupFee: string | null;
  readonly surcharge: { readonly amount: string; readonly description?: string | undefined } | null;
}

export interface PlanDocument extends Document {
  readonly state: string;
  readonly merchantId: string;
  /** Sorts plans by age. */
  readonly seq: number;
  readonly code: string;
  readonly name: string;
  readonly description: string | null;
  readonly terms: Terms;
  /** Whether a subscription ever had it. */
  readonly assigned: boolean;
}

/** A payment that is to be tried again. */
export interface Retry {
  readonly cycle: number;
  readonly at: number;
  /** `STANDARD`: the request never reached the bank network, so the payment was not tried at all. */
  readonly type: 'STANDARD' | 'RETRY';
  /** Retries that may follow this one. */
  readonly left: number;
}

/** The parts of its terms that a subscription has of its own. */
export type Override = keyof Terms;

export interface SubscriptionDocument extends Document {
  readonly state: string;
  readonly merchantId: string;
  readonly seq: number;
  readonly code: string;
  readonly name: string;
  /** Null where its plan is its own. */
  readonly planId: string | null;
  readonly terms: Terms;
  readonly overrides: readonly Override[];
  readonly reference: string;
  readonly customerId: string;
  /** The customer token's default card. */
  readonly cardId: string;
  /** From the customer token; empty where it has none. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly startDate: string;
  readonly originalTransactionId: string | null;
  /** What the zero-amount authorization found, where there was one. */
  readonly verification: { readonly at: number; readonly amount: string; readonly succeeded: boolean } | null;
  /** Cycle `first` is billed at the anchor, and all others are counted from there. */
  readonly anchor: number;
  readonly first: number;
  /** The cycle whose payment carries the setup fee: the first that is charged. */
  readonly setupCycle: number;
  /** The cycle that is billed next. */
  readonly next: number;
  /** Cycles to come that are skipped. */
  readonly skips: readonly number[];
  /** In the order of their moments. */
  readonly retries: readonly Retry[];
  /** Cycles that were given up, and can be collected when it is reactivated. */
  readonly missed: readonly number[];
  /** Days before a payment at which its customer is told of it, where the world's origin says it (D-20). */
  readonly noticeDays?: number | undefined;
  /** The last cycle that needs no notice any more. */
  readonly noticed: number;
  readonly paid: number;
  /** Payments that came to an end, attempts to charge, and when the last one began. */
  readonly payments: number;
  readonly attempts: number;
  readonly lastAttempt: number | null;
}

/** A payment that came to an end. What is still to come follows from the subscription. */
export interface PaymentDocument extends Document {
  readonly state: string;
  readonly subscriptionId: string;
  readonly type: 'STANDARD' | 'RETRY';
  readonly cycle: number;
  readonly number: number;
  readonly at: number;
  readonly billingStart: number;
  readonly billingEnd: number;
  readonly currency: string;
  readonly amount: string;
  readonly setupFee: string | null;
  readonly surcharge: Terms['surcharge'];
  readonly transactionId: string | null;
}

/** A code that is taken; its id says by what. */
export interface CodeDocument extends Document {
  readonly of: string;
}

/** The code that a merchant specified last, for plans or for subscriptions. */
export interface LastCodeDocument extends Document {
  readonly code: string;
}

/** A payment that was made before, outside of recurring billing. */
export interface TransactionDocument extends Document {
  readonly customerId: string;
  readonly networkTransactionId: string;
  readonly authorizedAmount: string;
  readonly currency: string;
}
