import type { BodyOf } from '../../../sandbox/answer.ts';
import type { Document } from '../../../sandbox/documents.ts';
import type { invoicing } from '../contract.ts';
import type { Invoice } from '../machines.ts';

// The documents of invoicing. Amounts are decimal text, moments milliseconds of the virtual clock.

declare module '../../../sandbox/documents.ts' {
  interface Kinds {
    readonly invoice: InvoiceDocument;
    readonly paymentLink: PaymentLinkDocument;
    readonly invoiceSettings: InvoiceSettingsDocument;
  }
}

/** The last body of an invoice. */
export type InvoiceTerms = BodyOf<typeof invoicing.updateInvoice>;

export interface InvoicePayment {
  readonly transactionId: string;
  readonly amount: string;
  readonly at: number;
}

export interface InvoiceEvent {
  readonly event: string;
  readonly at: number;
  readonly payment?: InvoicePayment | undefined;
}

/** An invoice, by merchant and number. */
export interface InvoiceDocument extends Document, Invoice {
  readonly merchantId: string;
  readonly number: string;
  /** Sorts invoices by age. */
  readonly seq: number;
  readonly createdAt: number;
  /** Where the platform was reached when it was created; the base of its payment link. */
  readonly origin: string;
  /** The last part of its payment link. */
  readonly token: string;
  readonly terms: InvoiceTerms;
  readonly payments: readonly InvoicePayment[];
  /** The payment that is under review. */
  readonly waiting: InvoicePayment | null;
  /** Oldest first. */
  readonly history: readonly InvoiceEvent[];
}

/** A valid payment link; its id is the last part of the link. */
export interface PaymentLinkDocument extends Document {
  readonly invoice: string;
}

export interface InvoiceLabel {
  readonly key: string;
  readonly value?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly hiddenForInvoice?: boolean | undefined;
  readonly hiddenForItem?: boolean | undefined;
}

/** The settings of a merchant, by its id: the differences from the defaults. */
export interface InvoiceSettingsDocument extends Document {
  readonly fields: { readonly [name: string]: unknown };
  readonly labels: readonly InvoiceLabel[];
}
