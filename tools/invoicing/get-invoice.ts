import { z } from 'zod';
import { limits } from '../../src/core/limits.ts';
import type { Facts } from '../../src/domains/facts.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { momentText, untrusted } from '../../src/engine/render.ts';
import { amountShown, momentShown, stateShown } from '../../src/engine/shown.ts';
import { platformTool, type ToolSpec } from '../../src/engine/tool.ts';
import { optional } from '../../src/engine/tool-arguments.ts';
import { looksAtInvoice, theInvoiceArg } from './invoice.ts';
import { invoiceObservation } from './observations.ts';
import { amountText, invoiceOutput, theInvoice } from './output.ts';

export const getInvoice: ToolSpec<'getInvoice'> = {
  description: 'Look at one invoice: content, balance, link and history.',
  input: {
    args: () => ({
      invoice: optional(theInvoiceArg),
      reference: optional<never>({
        schema: z.string().min(1).max(limits.textCharacters).describe('Or its number.'),
        fills: [],
        mayMatch: { kind: 'invoice', handle: (given) => handleFor('invoice', given) },
      }),
    }),
    oneOf: { names: ['invoice', 'reference'], exactly: true },
    reference: ({ args, things }) => String(args.reference ?? things.invoice?.body.invoiceId ?? ''),
  },
  observe: {
    observations: ({ now }, { body }) => [invoiceObservation(body, now)],
    stateFromResponse: ({ body }) => body.status,
    looksAt: looksAtInvoice,
  },
  present: {
    messages: { done: 'This is the invoice.' },
    outputSchema: () =>
      z.looseObject({
        ...invoiceOutput().shape,
        history: z.array(z.looseObject({ event: stateShown, at: momentShown, amount: amountShown.optional() })),
      }),
    toOutput: (things, _, { body }) => ({
      ...theInvoice(things),
      history: (body.invoiceHistory ?? []).map(({ event, date, transactionDetails }) => ({
        event: untrusted(event),
        at: momentText(date),
        ...(transactionDetails?.amount === undefined
          ? {}
          : { amount: amountText(transactionDetails.amount, body.orderInformation.amountDetails.currency) }),
      })),
    }),
  },
};

/** Reads an invoice before changing it, because customers pay and people change invoices too. */
export const refreshInvoice = [
  {
    tool: platformTool('getInvoice', getInvoice),
    args: ({ invoice }: Facts['args']) => (invoice === undefined ? undefined : { invoice }),
  },
] as const;
