import type { BodyOf } from '../../../sandbox/answer.ts';
import type { Document } from '../../../sandbox/documents.ts';
import type { reporting } from '../contract.ts';

// The documents of reporting. Moments are milliseconds of the virtual clock.

declare module '../../../sandbox/documents.ts' {
  interface Kinds {
    readonly reportSubscription: ReportSubscriptionDocument;
    readonly report: ReportDocument;
    readonly reportFile: ReportFileDocument;
    readonly chargeback: ChargebackDocument;
    readonly accountChange: AccountChangeDocument;
  }
}

type With<T, K extends keyof T> = T & { readonly [N in K]-?: NonNullable<T[N]> };

/** A request, with the defaults of its definition in place of what it left out. */
export type SubscriptionTerms = With<
  BodyOf<typeof reporting.saveReportSubscription>,
  'reportMimeType' | 'reportFrequency' | 'startTime'
>;
export type ReportTerms = With<BodyOf<typeof reporting.requestReport>, 'reportMimeType'>;

/** A report subscription, by merchant and name. */
export interface ReportSubscriptionDocument extends Document {
  readonly merchantId: string;
  /** Sorts subscriptions by age. */
  readonly seq: number;
  readonly terms: SubscriptionTerms;
  /** Where the range of the next report begins. */
  readonly from: number;
  /** When it was saved: an interval of its own is counted from there. */
  readonly since?: number | undefined;
}

/** A payment that its customer's bank took back. */
export interface ChargebackDocument extends Document {
  readonly merchantId: string;
  /** The request of the payment. */
  readonly transactionId: string;
  readonly amount: string;
  readonly currency: string;
  readonly at: number;
}

/** What a bank says of the account of an electronic check. */
export interface AccountChangeDocument extends Document {
  readonly merchantId: string;
  readonly at: number;
  readonly told: { readonly [member: string]: string | undefined };
}

/** The file of a report, by its id. It never changes, whatever becomes of what it is about. */
export interface ReportFileDocument extends Document {
  readonly text: string;
}

/** A report and what it is about. */
export interface ReportDocument extends Document {
  readonly merchantId: string;
  readonly state: string;
  /** Sorts reports by age. */
  readonly seq: number;
  readonly terms: ReportTerms;
  /** In capitals; `ADHOC` for one-time reports. */
  readonly frequency: string;
  /** Its range; the end is not part of it. */
  readonly from: number;
  readonly to: number;
  /** When it came into each state. */
  readonly times: { readonly [state: string]: number | undefined };
}
