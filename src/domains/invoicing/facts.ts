import type { KindsOf, Thing } from '../../core/thing.ts';

// The facts of an invoice, from the platform's last responses. Amounts are decimal text, days `YYYY-MM-DD`.

export interface InvoicingThings {
  readonly invoice?: Thing<InvoiceFacts>;
}

export const kinds = {
  invoice: {
    platformId: 'invoiceId',
    foundBy: ['list_invoices'],
    shownBy: 'get_invoice',
    search: {
      keys: ({ state, body }) => ['', state].map((value) => ({ key: 'due', value, at: Date.parse(String(body.due)) })),
      text: ({ body }) => [body.invoiceId, body.customer, body.customerId].filter(Boolean).join(' '),
    },
  },
} as const satisfies KindsOf<InvoicingThings>;

export interface InvoiceFacts {
  /** Its number, which is also the platform's id. */
  readonly invoiceId: string;
  readonly currency: string;
  readonly total: string;
  /** The balance; absent until the whole invoice was read. */
  readonly balance?: string | undefined;
  /** `email` or `none`; absent until the whole invoice was read. */
  readonly delivery?: string | undefined;
  /** The day it expires; null if it doesn't. */
  readonly expires?: string | null | undefined;
  /** Where the customer pays; null if only the merchant may know it. */
  readonly link?: string | null | undefined;
  /** Every field that a replacement must repeat, by contract path, in the format of requests. */
  readonly terms?: InvoiceTerms | undefined;
  /** Fields that no request can repeat, because the contract doesn't have them. */
  readonly strange?: readonly string[] | undefined;
  /** Whether it was created to be sent immediately; absent if somebody else created it. */
  readonly sendImmediately?: boolean | undefined;
  /** When `terms` were read: milliseconds since the epoch. */
  readonly readAt?: number | undefined;
  /** From a list. */
  readonly customer?: string | undefined;
  /** The merchant's own id of the customer. */
  readonly customerId?: string | undefined;
  /** The version of `terms` that a person has approved for the customer. */
  readonly approved?: string | undefined;
  readonly due?: string | undefined;
}

/** Request values by contract path; a list is under the path of its elements, with `[]`. */
export type InvoiceTerms = { readonly [path: string]: unknown };
