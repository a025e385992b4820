import type { Facts } from '../../src/domains/facts.ts';
import { quoted } from '../../src/engine/approval-text.ts';
import type { ToolSpec } from '../../src/engine/tool.ts';
import { fingerprintOf, invoiceLine, isApproved, strangeLines, unchangedLines } from './approval-text.ts';
import { bills, openNext } from './invoice.ts';
import { type Moved, stateChange, stateReadBack } from './state-change.ts';

/** The amount of an existing invoice, for a call that delivers it to the customer. */
const billedAsKnown = (facts: Facts) =>
  bills(facts.things.invoice?.body.total, facts.things.invoice?.body.currency, facts);

/** An open invoice has a payment link that can be shared. */
const opened = ({ things }: Facts, { body }: Moved) => {
  const link = body.invoiceInformation?.paymentLink;
  const known = { approved: fingerprintOf(things.invoice?.body), ...(link === undefined ? {} : { link }) };
  return [{ kind: 'invoice' as const, body: known }];
};

const isUnread = (facts: Facts): boolean => !isApproved(facts);

/** The whole content that the customer would read. */
const wholeInvoice = (facts: Facts): readonly string[] => [
  invoiceLine(facts),
  ...unchangedLines(facts),
  ...strangeLines(facts),
  `Merchant: ${quoted(facts.merchant.name)}`,
];

export const sendInvoice: ToolSpec<'sendInvoice'> = {
  ...stateChange,
  description:
    'E-mail an invoice to its customer, again if it was sent. A draft without e-mail delivery is opened instead.',
  policy: {
    ...stateChange.policy,
    externalEffect: true,
    amountIs: 'bill',
    spend: billedAsKnown,
    approval: {
      needed: isUnread,
      title: () => 'Allow the agent to send an invoice to its customer',
      text: wholeInvoice,
    },
  },
  observe: { ...stateChange.observe, observations: opened },
  present: {
    ...stateChange.present,
    next: openNext,
    messages: {
      SENT: 'The invoice is e-mailed to its customer.',
      PARTIAL: 'The invoice is e-mailed once more; a part of it is paid.',
      CREATED: 'The invoice is open, and nothing was e-mailed: share its link.',
    },
  },
};

export const publishInvoice: ToolSpec<'publishInvoice'> = {
  ...stateChange,
  description: 'Open the payment link of a draft so that you can share it; nothing is e-mailed.',
  policy: {
    ...stateChange.policy,
    amountIs: 'bill',
    spend: billedAsKnown,
    approval: {
      needed: isUnread,
      title: () => 'Allow the agent to open an invoice to its customer',
      text: wholeInvoice,
    },
  },
  observe: { ...stateChange.observe, observations: opened },
  present: {
    ...stateChange.present,
    next: openNext,
    messages: { CREATED: 'The invoice is open, and nothing was e-mailed: share its link.' },
  },
  reconcile: {
    readBack: stateReadBack,
  },
};
