import { z } from 'zod';
import { dayText } from '../../src/domains/invoicing/dates.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { badCursor, Refused } from '../../src/engine/refusal.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { optional, queryField } from '../../src/engine/tool-arguments.ts';
import { listOutput, listState, none, paged, paging, unmatched } from '../offset-pages.ts';
import { amountText, listedInvoiceOutput, showInvoice } from './output.ts';
import { recallsInvoices, remembered } from './search-invoices.ts';

const list = queryField('listInvoices');

const { limit, cursor } = paging('?limit', '?offset', 'EN-01');

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly customerInformation?:
    | { readonly name?: string | undefined; readonly merchantCustomerId?: string | undefined }
    | undefined;
  readonly invoiceInformation: { readonly dueDate: string; readonly expirationDate?: string | undefined };
  readonly orderInformation: {
    readonly amountDetails: { readonly totalAmount: string | number; readonly currency: string };
  };
}

/** The observation of a listed invoice. A list doesn't return its content. */
const listedObservation = (it: Listed) => ({
  kind: 'invoice' as const,
  handle: handleFor('invoice', it.id),
  state: it.status,
  owner: '',
  body: {
    invoiceId: it.id,
    currency: it.orderInformation.amountDetails.currency,
    total: amountText(it.orderInformation.amountDetails.totalAmount, it.orderInformation.amountDetails.currency),
    customer: it.customerInformation?.name ?? '',
    customerId: it.customerInformation?.merchantCustomerId,
    due: dayText(it.invoiceInformation.dueDate) ?? it.invoiceInformation.dueDate,
  },
});

/** The offset of a page. */
function offsetOf(given: unknown): unknown {
  if (given === undefined) return '0';
  if (!cursor.schema.safeParse(given).success) throw new Refused(badCursor);
  return given;
}

export const listInvoices: ToolSpec<'listInvoices'> = {
  description: 'List invoices with state, customer, total and due date.',
  input: {
    args: () => ({
      state: optional(list('status', 'Only these.')),
      ...remembered(),
      limit,
      // The platform requires both.
      cursor: {
        ...cursor,
        schema: z.string().max(200).describe('From `more`.').optional(),
        fills: [{ path: '?offset', value: offsetOf }],
      },
    }),
    oneOf: { names: Object.keys(remembered()) },
    localSearch: recallsInvoices,
  },
  observe: {
    observations: (_, { body }) => body.invoices.map(listedObservation),
    stateFromResponse: ({ body }, args) => listState(body.totalInvoices, args),
  },
  present: {
    messages: {
      done: 'These are the invoices.',
      [none]: 'There are no invoices yet.',
      [unmatched]: 'No invoice matches. Other arguments, or none, may find it.',
    },
    next: {
      '': {
        tools: ['get_invoice', 'create_invoice'],
        because: 'A list shows less of an invoice than the invoice itself.',
      },
      [none]: { tools: ['create_invoice'], because: 'There is nothing to look at yet.' },
      [unmatched]: { tools: [], because: 'The invoice may exist under other arguments.' },
    },
    outputSchema: () => listOutput(listedInvoiceOutput()),
    toOutput: (_, facts, { body }) =>
      paged(
        facts,
        body.totalInvoices,
        body.invoices.map(listedObservation).map(({ handle: found, state, body: it }) => showInvoice(found, state, it)),
      ),
  },
};
