import type { BodyOf } from '../../../sandbox/answer.ts';
import type { Document } from '../../../sandbox/documents.ts';
import type { reporting } from '../contract.ts';

// The documents of reporting. Moments are milliseconds of the virtual clock.

declare module '../../../sandbox/documents.ts' {
  interface Kinds {
    readonly reportSubscription: ReportSubscriptionDocument;
  }
}

/** A report subscription, by merchant and name. */
export interface ReportSubscriptionDocument extends Document {
  readonly merchantId: string;
  /** Sorts subscriptions by age. */
  readonly seq: number;
  readonly terms: BodyOf<typeof reporting.saveReportSubscription>;
}
