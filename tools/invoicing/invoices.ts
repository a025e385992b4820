import { z } from 'zod';
import { limits } from '../../src/core/limits.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { dayText } from '../../src/domains/invoicing/dates.ts';
import type { InvoiceTerms } from '../../src/domains/invoicing/facts.ts';
import { invoice } from '../../src/domains/invoicing/machines.ts';
import { kept, places, resulting } from '../../src/domains/invoicing/replacement.ts';
import { fingerprint, quoted, spokenName } from '../../src/engine/approval-text.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { badCursor, Refused } from '../../src/engine/refusal.ts';
import { momentText, untrusted } from '../../src/engine/render.ts';
import { amountShown, momentShown, stateShown } from '../../src/engine/shown.ts';
import { platformTools, readBack } from '../../src/engine/tool.ts';
import { handle, optional, queryField } from '../../src/engine/tool-arguments.ts';
import { listOutput, listState, none, paged, paging, unmatched } from '../billing/presentation.ts';
import { moved } from '../read-back.ts';
import {
  amountText,
  changeLines,
  content,
  contentAsCreated,
  type DeliveryMode,
  deliveryModes,
  invoiceObservation,
  invoiceOutput,
  isSameInvoice,
  listedInvoiceOutput,
  required,
  showInvoice,
  theInvoice,
  unchangedLines,
  wasOnInvoice,
} from './presentation.ts';
import { recallsInvoices, remembered } from './search-invoices.ts';

// The tools for invoices.

const list = queryField('listInvoices');
const theInvoiceArg = handle('invoice', 'From list_invoices.');
const { limit, cursor } = paging('?limit', '?offset', 'EN-01');

/** The invoice of a call, as the invoice machine reads it. */
function invoiceEntity({ invoice: it }: Things, now: number) {
  const { delivery = '', total = '', balance = total, expires } = it?.body ?? {};
  return {
    ...{ state: it?.state ?? 'none', delivery, immediate: false, reviewed: false },
    ...{ paid: balance !== total, settled: Number(balance) === 0 },
    expired: typeof expires === 'string' && Date.parse(`${expires}T00:00:00Z`) <= now,
  };
}

const looksAtInvoice = { kind: 'invoice', machine: invoice.on('update').machine, entity: invoiceEntity } as const;

/** A new invoice, as the machine reads it. */
const newInvoice = (_: Things, now: number, __: unknown, args: Facts['args']) => ({
  ...invoiceEntity({}, now),
  ...deliveryModes[args.how as DeliveryMode], // by the tool's shape
});

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
const listLearned = (it: Listed) => ({
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

const reads = platformTools({
  listInvoices: {
    description: 'List invoices with state, customer, total and due date.',
    input: {
      args: {
        status: optional(list('status', 'Only these.')),
        ...remembered,
        limit,
        // The platform requires both.
        cursor: {
          ...cursor,
          schema: z.string().max(200).describe('From `more`.').optional(),
          fills: [{ path: '?offset', value: offsetOf }],
        },
      },
      oneOf: { names: Object.keys(remembered) },
      localSearch: recallsInvoices,
    },
    observe: {
      observations: (_, { body }) => body.invoices.map(listLearned),
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
      outputSchema: listOutput(listedInvoiceOutput),
      toOutput: (_, facts, { body }) =>
        paged(
          facts,
          body.totalInvoices,
          body.invoices.map(listLearned).map(({ handle: found, state, body: it }) => showInvoice(found, state, it)),
        ),
    },
  },

  getInvoice: {
    description: 'Look at one invoice: content, balance, link and history.',
    input: {
      args: {
        invoice: optional(theInvoiceArg),
        reference: optional<never>({
          schema: z.string().min(1).max(limits.textCharacters).describe('Or its number.'),
          fills: [],
          mayMatch: { kind: 'invoice', handle: (given) => handleFor('invoice', given) },
        }),
      },
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
      outputSchema: z.looseObject({
        ...invoiceOutput.shape,
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
  },
});
const [, getInvoice] = reads;
if (getInvoice === undefined) throw new Error('There is no tool that asks for an invoice.');

/** Reads an invoice before changing it, because customers pay and people change invoices too. */
const asksForInvoice = [
  { tool: getInvoice, args: ({ invoice }: Facts['args']) => (invoice === undefined ? undefined : { invoice }) },
] as const;

/** The amount billed, and the part of it that was counted before. */
const bills = (total: unknown, currency: unknown, { merchant }: Facts, counted?: string) =>
  total === undefined || currency === undefined
    ? ('unknown' as const)
    : { amount: String(total), currency: String(currency), counted, payee: merchant.name, instrument: '' };

/** The amount of an existing invoice, for a call that delivers it to the customer. */
const billedAsKnown = (facts: Facts) =>
  bills(facts.things.invoice?.body.total, facts.things.invoice?.body.currency, facts);

const told = ({ body }: Moved): string => body.status;

/** The parts shared by tools that change an invoice's state but not its content. */
const moving = {
  input: { args: { invoice: theInvoiceArg } },
  refresh: asksForInvoice,
  policy: { lockKey: ({ things }: Facts) => things.invoice?.handle ?? '' },
  observe: { moves: { kind: 'invoice', entity: invoiceEntity }, stateFromResponse: told },
  present: { outputSchema: invoiceOutput, toOutput: theInvoice },
} as const;

const stateReadBack = readBack('getInvoice', {
  with: ({ names }) => ({ names }),
  finds: (it, sent) => (it === undefined ? 'unclear' : moved(sent, it.status, () => it)),
});

interface Moved {
  readonly body: {
    readonly status: string;
    readonly invoiceInformation?: { readonly paymentLink?: string | undefined } | undefined;
  };
}

/** An open invoice has a payment link that can be shared. */
const opened = ({ things }: Facts, { body }: Moved) => {
  const link = body.invoiceInformation?.paymentLink;
  const known = { approved: printOf(things.invoice?.body.terms), ...(link === undefined ? {} : { link }) };
  return [{ kind: 'invoice' as const, body: known }];
};

const payable = { first: ['get_invoice'], because: 'get_invoice shows whether the customer has paid.' } as const;
const openNext = { CREATED: payable, SENT: payable, PARTIAL: payable } as const;

/** The tools that deliver an invoice to its customer. */
const letsOut: readonly string[] = ['send_invoice', 'publish_invoice'];

/** A fingerprint of an invoice's content. Any change to the content changes it. */
const printOf = (terms: InvoiceTerms | undefined): string => fingerprint(terms);
/** Whether a person has approved the current content. */
const isApproved = ({ things: { invoice: it } }: Facts): boolean =>
  it?.body.terms !== undefined && it.body.approved === printOf(it.body.terms);
const isUnread = (facts: Facts): boolean => !isApproved(facts);

const invoiceNamed = ({ things: { invoice: it } }: Facts): string =>
  `Invoice: ${quoted(it?.body.invoiceId ?? '')}, ${it?.state}, ${it?.body.total} ${it?.body.currency}`;
/** The whole content that the customer would read. */
const invoiceRead = (facts: Facts): readonly string[] => [
  invoiceNamed(facts),
  ...unchangedLines(facts),
  `Merchant: ${quoted(facts.merchant.name)}`,
];

/** The recipient, if the call doesn't change it. */
const customerRead = ({ args, things }: Facts): readonly string[] => {
  const known = (place: 'customer_name' | 'customer_email') =>
    args[place] === undefined ? [`${spokenName(place)}: ${wasOnInvoice({ things }, place)}`] : [];
  return [...known('customer_name'), ...known('customer_email')];
};

const changes = platformTools({
  createInvoice: {
    description:
      'Bill a customer. draft, email_draft: nobody sees it yet; email: sent at once; link: you share it. E-mail cannot be unsent.',
    input: {
      args: {
        reference: {
          schema: z
            .string()
            .refine((value) => /^[\w.~-]{1,64}$/.test(value), 'may hold up to 64 letters, digits and . _ ~ -')
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
        ...content,
        total: required(content.total),
        currency: required(content.currency),
        due: required(content.due),
      },
      reference: ({ args }) => String(args.reference),
    },
    policy: {
      externalEffect: true,
      // Only the merchant sees a draft.
      releasedBy: ({ args }) => (deliveryModes[args.how as DeliveryMode]?.immediate === false ? letsOut : []),
      lockKey: () => '',
      amountIs: 'bill',
      spend: (facts) => bills(facts.args.total, facts.args.currency, facts),
      approval: {
        needed: () => false,
        title: () => 'Allow the agent to bill a customer',
        text: (facts) => [...customerRead(facts), `Merchant: ${quoted(facts.merchant.name)}`],
      },
    },
    observe: {
      moves: { kind: 'invoice', entity: newInvoice },
      looksAt: looksAtInvoice,
      observations: ({ now, args }, { body }, { approved }) => {
        const learned = invoiceObservation(body, now);
        const { terms } = learned.body;
        const known = {
          sendImmediately: deliveryModes[args.how as DeliveryMode].immediate,
          ...(approved ? { approved: printOf(terms) } : {}),
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
      toOutput: theInvoice,
    },
    reconcile: {
      readBack: readBack('getInvoice', {
        with: ({ reference: id }) => ({ names: { id } }),
        finds: (it, { body }) => {
          if (it === undefined) return 'nothing';
          // The agent's number may belong to another invoice.
          return isSameInvoice(it, body) ? { happened: it } : 'unclear';
        },
      }),
    },
  },

  updateInvoice: {
    description:
      'Change an invoice of which nothing is paid. Arguments as in create_invoice; what is not given stays. A person approves the difference.',
    input: {
      args: {
        invoice: theInvoiceArg,
        delivery: {
          schema: z.enum(['email', 'none']).describe('How it goes out.').optional(),
          fills: [{ path: 'invoiceInformation.deliveryMode', value: (given) => given }],
          rule: 'IN-02',
        },
        ...contentAsCreated,
        remove: optional({
          schema: z
            .array(z.string().min(1).max(limits.textCharacters))
            .refine(({ length }) => length <= limits.arrayElements, `must have at most ${limits.arrayElements} items`)
            .describe('What to take off: discount, lines.SKU.'),
          fills: [],
          rule: 'IN-06',
        }),
      },
      carryOver: kept,
    },
    refresh: asksForInvoice,
    policy: {
      lockKey: ({ things }) => things.invoice?.handle ?? '',
      amountIs: 'bill',
      spend: (facts) => {
        const was = facts.things.invoice?.body;
        const { [places.total]: total, [places.currency]: currency } = resulting(facts);
        return bills(total, currency, facts, was?.currency === currency ? was?.total : undefined);
      },
      approval: {
        needed: () => true,
        title: () => 'Allow the agent to change an invoice',
        before: wasOnInvoice,
        text: (facts) => [
          invoiceNamed(facts),
          ...customerRead(facts),
          ...changeLines(facts),
          ...(isApproved(facts) ? ['All else on it stays as it is'] : unchangedLines(facts)),
          ...(isReaddressed(facts) ? ['Its payment link changes, and the one that it has stops working'] : []),
        ],
      },
    },
    observe: {
      moves: { kind: 'invoice', entity: invoiceEntity },
      observations: ({ now }, { body }) => {
        const learned = invoiceObservation(body, now);
        return [{ ...learned, body: { ...learned.body, approved: printOf(learned.body.terms) } }];
      },
      stateFromResponse: ({ body }) => body.status,
    },
    present: {
      messages: { done: 'The invoice is changed; nothing was e-mailed.' },
      outputSchema: invoiceOutput,
      toOutput: theInvoice,
    },
    reconcile: {
      confirmed: () => ({ readAt: 0 }),
    },
  },

  sendInvoice: {
    ...moving,
    description:
      'E-mail an invoice to its customer, again if it was sent. A draft without e-mail delivery is opened instead.',
    policy: {
      ...moving.policy,
      amountIs: 'bill',
      spend: billedAsKnown,
      approval: {
        needed: isUnread,
        title: () => 'Allow the agent to send an invoice to its customer',
        text: invoiceRead,
      },
    },
    observe: { ...moving.observe, observations: opened },
    present: {
      ...moving.present,
      next: openNext,
      messages: {
        SENT: 'The invoice is e-mailed to its customer.',
        PARTIAL: 'The invoice is e-mailed once more; a part of it is paid.',
        CREATED: 'The invoice is open, and nothing was e-mailed: share its link.',
      },
    },
  },

  cancelInvoice: {
    ...moving,
    description: 'End an invoice of which nothing is paid, for good: its link stops working.',
    observe: { ...moving.observe, observations: () => [{ kind: 'invoice', body: { link: null } }] },
    present: {
      ...moving.present,
      messages: { CANCELED: 'The invoice is cancelled, and its link has stopped working. That is final.' },
      next: { CANCELED: { tools: ['create_invoice'], because: 'A corrected invoice usually replaces it.' } },
    },
    reconcile: {
      readBack: stateReadBack,
    },
  },

  publishInvoice: {
    ...moving,
    description: 'Open the payment link of a draft so that you can share it; nothing is e-mailed.',
    policy: {
      ...moving.policy,
      amountIs: 'bill',
      spend: billedAsKnown,
      approval: {
        needed: isUnread,
        title: () => 'Allow the agent to open an invoice to its customer',
        text: invoiceRead,
      },
    },
    observe: { ...moving.observe, observations: opened },
    present: {
      ...moving.present,
      next: openNext,
      messages: { CREATED: 'The invoice is open, and nothing was e-mailed: share its link.' },
    },
    reconcile: {
      readBack: stateReadBack,
    },
  },
});

/** IN-08: whether an update gives the customer another e-mail address. */
function isReaddressed(facts: Facts): boolean {
  const { terms = {} } = facts.things.invoice?.body ?? {};
  const after = facts.args.customer_email ?? kept(facts)[places.customer_email];
  return after !== terms[places.customer_email];
}

export const invoices = [...reads, ...changes];
