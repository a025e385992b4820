import type { KindsOf, Thing } from '../../core/thing.ts';

// What is known of an invoice: as the platform answered last. Amounts are decimal text, days `YYYY-MM-DD`.

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
  /** Its number, which is the platform's id, too. */
  readonly invoiceId: string;
  readonly currency: string;
  readonly total: string;
  /** What is left to be paid; absent until the whole invoice was read. */
  readonly balance?: string | undefined;
  /** `email` or `none`; absent until the whole invoice was read. */
  readonly delivery?: string | undefined;
  /** The day on which it expires; null where it does not. */
  readonly expires?: string | null | undefined;
  /** Where its customer pays; null where that is nobody's to know but the merchant's. */
  readonly link?: string | null | undefined;
  /** Every field that a replacement of it would have to repeat, by contract path, in the shape of a request. */
  readonly terms?: InvoiceTerms | undefined;
  /** Fields of it that no request can repeat: the contract does not know them. */
  readonly strange?: readonly string[] | undefined;
  /** Whether it was to leave the drafts as soon as it was created; absent where somebody else created it. */
  readonly sendImmediately?: boolean | undefined;
  /** When `terms` were read: milliseconds since the epoch. */
  readonly readAt?: number | undefined;
  /** What a list says of it. */
  readonly customer?: string | undefined;
  /** The merchant's own id of the customer. */
  readonly customerId?: string | undefined;
  /** Which state of `terms` a person has approved to be seen by the customer. */
  readonly approved?: string | undefined;
  readonly due?: string | undefined;
}

/** Values of a request by contract path; a list stands under the path of its elements, with `[]`. */
export type InvoiceTerms = { readonly [path: string]: unknown };
