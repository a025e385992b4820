import { z } from 'zod';
import { limits } from '../../src/core/limits.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { kept, places, resulting } from '../../src/domains/invoicing/replacement.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { optional } from '../../src/engine/tool-arguments.ts';
import { always } from '../../src/engine/tool-policy.ts';
import {
  changeLines,
  customerLines,
  fingerprintOf,
  invoiceLine,
  isApproved,
  unchangedLines,
  wasOnInvoice,
} from './approval-text.ts';
import { contentAsCreated } from './arguments.ts';
import { contradictsBill } from './contradictions.ts';
import { refreshInvoice } from './get-invoice.ts';
import { bills, invoiceEntity, theInvoiceArg } from './invoice.ts';
import { invoiceObservation } from './observations.ts';
import { invoiceOutput, theInvoice } from './output.ts';

export const updateInvoice: ToolSpec<'updateInvoice'> = {
  description:
    'Change an invoice of which nothing is paid. Arguments as in create_invoice; what is not given stays. A person approves the difference.',
  sharesArguments: {
    tool: 'create_invoice',
    otherwise: 'Change an invoice of which nothing is paid. What is not given stays. A person approves the difference.',
  },
  input: {
    args: () => ({
      invoice: theInvoiceArg,
      delivery: {
        schema: z.enum(['email', 'none']).describe('How it goes out.').optional(),
        fills: [{ path: 'invoiceInformation.deliveryMode', value: (given) => given }],
        rule: 'IN-02',
      },
      ...contentAsCreated(),
      remove: optional({
        schema: z
          .array(z.string().min(1).max(limits.textCharacters))
          .refine(({ length }) => length <= limits.arrayElements, `must have at most ${limits.arrayElements} items`)
          .describe('What to take off: discount, lines.SKU.'),
        fills: [],
        rule: 'IN-06',
      }),
    }),
    carryOver: kept,
  },
  refresh: refreshInvoice,
  policy: {
    lockKey: ({ things }) => things.invoice?.handle ?? '',
    amountIs: 'bill',
    spend: (facts) => {
      const was = facts.things.invoice?.body;
      const { [places.total]: total, [places.currency]: currency } = resulting(facts);
      return bills(total, currency, facts, was?.currency === currency ? was?.total : undefined);
    },
    approval: {
      needed: always,
      title: () => 'Allow the agent to change an invoice',
      before: wasOnInvoice,
      text: (facts) => [
        invoiceLine(facts),
        ...customerLines(facts),
        ...changeLines(facts),
        ...(isApproved(facts) ? ['All else on it stays as it is'] : unchangedLines(facts)),
        ...(isReaddressed(facts) ? ['Its payment link changes, and the one that it has stops working'] : []),
      ],
    },
  },
  observe: {
    moves: { kind: 'invoice', entity: invoiceEntity },
    contradicts: contradictsBill,
    observations: ({ now }, { body }) => {
      const learned = invoiceObservation(body, now);
      return [{ ...learned, body: { ...learned.body, approved: fingerprintOf(learned.body) } }];
    },
    stateFromResponse: ({ body }) => body.status,
  },
  present: {
    messages: { done: 'The invoice is changed; nothing was e-mailed.' },
    outputSchema: invoiceOutput,
    shows: theInvoice,
  },
  reconcile: {
    confirmed: () => [{ kind: 'invoice', body: { readAt: 0 } }],
  },
};

/** IN-08: whether an update gives the customer another e-mail address. */
function isReaddressed(facts: Facts): boolean {
  const { terms = {} } = facts.things.invoice?.body ?? {};
  const after = facts.args.customer_email ?? kept(facts)[places.customer_email];
  return after !== terms[places.customer_email];
}
