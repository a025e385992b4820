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

/** The amount, currency and period of a subscription. */
export interface Terms {
  readonly period: Period;
  /** The number of payments; null if there is no end. */
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

/** A scheduled retry. */
export interface Retry {
  readonly cycle: number;
  readonly at: number;
  /** `STANDARD`: the request never reached the bank network, so the payment was not tried at all. */
  readonly type: 'STANDARD' | 'RETRY';
  /** How many retries can follow this one, and milliseconds between them: by the period when the payment was first tried. */
  readonly left: number;
  readonly every?: number | undefined;
}

/** Cycle `first` is billed at the anchor, and those after it are counted from there. */
export interface Dates {
  readonly anchor: number;
  readonly first: number;
  /** The day of month that later cycles are on, where the month of the anchor is too short for it. */
  readonly dayOfMonth?: number | undefined;
}

/** Dates that an amended period has ended. */
export interface EarlierDates extends Dates {
  readonly period: Period;
}

/** The terms that a subscription overrides. */
export type Override = keyof Terms;

export interface SubscriptionDocument extends Document, Dates {
  readonly state: string;
  readonly merchantId: string;
  readonly seq: number;
  readonly code: string;
  readonly name: string;
  /** Null if it has no stored plan. */
  readonly planId: string | null;
  readonly terms: Terms;
  readonly overrides: readonly Override[];
  readonly reference: string;
  readonly customerId: string;
  /** The customer token's default card. */
  readonly cardId: string;
  /** From the customer token; empty if it has none. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly startDate: string;
  readonly originalTransactionId: string | null;
  /** The result of the zero-amount authorization, if there was one. */
  readonly verification: { readonly at: number; readonly amount: string; readonly succeeded: boolean } | null;
  /** The dates of the cycles before `first`, oldest first. */
  readonly earlier?: readonly EarlierDates[] | undefined;
  /** The first cycle whose payment can carry the setup fee, which is that of the first payment that is charged. */
  readonly setupCycle: number;
  /** The cycle that is billed next. */
  readonly next: number;
  /** Cycles to come that are skipped. */
  readonly skips: readonly number[];
  /** In the order of their moments. */
  readonly retries: readonly Retry[];
  /** Cycles that were given up; reactivating can collect them. */
  readonly missed: readonly number[];
  /** Days before a payment at which the customer is notified, from the world's settings (D-20). */
  readonly noticeDays?: number | undefined;
  /** The last cycle that needs no further notice. */
  readonly noticed: number;
  readonly paid: number;
  /** Completed payments, attempts to charge, and when the last attempt began. */
  readonly payments: number;
  readonly attempts: number;
  readonly lastAttempt: number | null;
}

/** A completed payment. Scheduled payments are derived from the subscription. */
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
  /** The subscription's, or else a random number of its own. */
  readonly reference: string;
}

/** A code that is in use. */
export interface CodeDocument extends Document {
  readonly of: string;
}

/** The merchant's last code, for plans or for subscriptions. */
export interface LastCodeDocument extends Document {
  readonly code: string;
}

/** An earlier payment outside of recurring billing. */
export interface TransactionDocument extends Document {
  readonly customerId: string;
  readonly networkTransactionId: string;
  readonly authorizedAmount: string;
  readonly currency: string;
}
