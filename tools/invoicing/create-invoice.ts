import { z } from 'zod';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { readBack, type ToolSpec } from '../../src/engine/tool.ts';
import { customerLines, fingerprintOf } from './approval-text.ts';
import { content, type DeliveryMode, deliveryModes, required } from './arguments.ts';
import { contradictsBill } from './contradictions.ts';
import { bills, invoiceEntity, looksAtInvoice, openNext } from './invoice.ts';
import { invoiceObservation, isSameInvoice, wasThereBefore } from './observations.ts';
import { invoiceOutput, theInvoice } from './output.ts';

/** A new invoice, as the machine reads it. */
const newInvoice = (_: Things, now: number, __: unknown, args: Facts['args']) => ({
  ...invoiceEntity({}, now),
  ...deliveryModes[args.how as DeliveryMode], // by the tool's shape
});

/** The tools that deliver an invoice to its customer. */
const releasingTools: readonly string[] = ['send_invoice', 'publish_invoice'];

export const createInvoice: ToolSpec<'createInvoice'> = {
  description:
    'Bill a customer. draft, email_draft: nobody sees it yet; email: sent at once; link: you share it. E-mail cannot be unsent.',
  input: {
    args: () => ({
      reference: {
        schema: z
          .string()
          .refine(
            (value) => /^(?!\.+$)[\w.~-]{1,64}$/.test(value),
            'may hold up to 64 letters, digits and . _ ~ -, and not dots alone',
          )
          .describe('Your invoice number.'),
        fills: [],
        label: 'Invoice',
        mayMatch: { kind: 'invoice', handle: (given) => handleFor('invoice', given) },
        rule: 'IN-07',
      },
      how: {
        schema: z.enum(Object.keys(deliveryModes) as [DeliveryMode, ...DeliveryMode[]]).describe('Delivery.'), // the keys of the table
        fills: [
          {
            path: 'invoiceInformation.deliveryMode',
            value: (given) => deliveryModes[given as DeliveryMode]?.delivery,
          },
          {
            path: 'invoiceInformation.sendImmediately',
            value: (given) => deliveryModes[given as DeliveryMode]?.immediate,
          },
        ],
        approvalText: String,
        rule: 'IN-01',
      },
      ...content(),
      total: required(content().total),
      currency: required(content().currency),
      due: required(content().due),
    }),
    reference: ({ args }) => String(args.reference),
  },
  policy: {
    externalEffect: true,
    // Only the merchant sees a draft.
    releasedBy: ({ args }) => (deliveryModes[args.how as DeliveryMode]?.immediate === false ? releasingTools : []),
    lockKey: () => '',
    warnsOfNearDuplicate: true,
    amountIs: 'bill',
    spend: (facts) => bills(facts.args.total, facts.args.currency, facts),
    approval: {
      needed: () => false,
      title: () => 'Allow the agent to bill a customer',
      text: (facts) => [...customerLines(facts), `Merchant: ${quoted(facts.merchant.name)}`],
    },
  },
  observe: {
    moves: { kind: 'invoice', entity: newInvoice },
    looksAt: looksAtInvoice,
    contradicts: contradictsBill,
    observations: ({ now, args }, { body }, { approved }) => {
      const learned = invoiceObservation(body, now);
      const known = {
        sendImmediately: deliveryModes[args.how as DeliveryMode].immediate,
        ...(approved ? { approved: fingerprintOf(learned.body) } : {}),
      };
      return [{ ...learned, body: { ...learned.body, ...known } }];
    },
    stateFromResponse: ({ body }) => body.status,
  },
  present: {
    next: openNext,
    messages: {
      DRAFT: 'The invoice is a draft, which nobody but the merchant can see.',
      SENT: 'The invoice is e-mailed to its customer.',
      CREATED: 'The invoice is open, and nothing was e-mailed: share its link.',
    },
    outputSchema: invoiceOutput,
    shows: theInvoice,
  },
  reconcile: {
    readBack: readBack('getInvoice', {
      with: ({ reference: id }) => ({ names: { id } }),
      finds: (it, { body, sentAt }) => {
        if (it === undefined) return 'nothing';
        // The agent's number may belong to another invoice.
        return isSameInvoice(it, body) && !wasThereBefore(it, sentAt) ? { happened: it } : 'unclear';
      },
    }),
    doubled: ({ reason }) => (reason === 'DUPLICATE_RECORD' ? 'perhaps' : undefined),
  },
};
