import { operation } from '../../core/operation.ts';
import { invoicingError } from './errors.ts';
import { invoice } from './machines.ts';
import { invoiceAnswer, invoiceMoved, invoicesAnswer, invoiceWithHistory, settingsAnswer } from './responses.ts';
import {
  changedInvoice,
  invoicePage,
  invoiceSettings,
  newInvoice,
  settingsProduct,
  settingsProductToRead,
} from './shapes.ts';

// Invoicing: document 2, "Endpoints". Reading and publishing, which the document leaves open, follow public models of
// the platform's clients.

const invoicePath = { id: 'invoice.invoiceId' } as const;

export const invoicing = {
  createInvoice: operation({
    call: 'POST /invoicing/v2/invoices',
    title: 'Create an invoice',
    about: 'Bills a customer: as a draft, by e-mail at once, or with a link that the merchant shares.',
    effect: 'write',
    recovery: 'readBack',
    messagesCustomer: true,
    shape: 'IN-02',
    body: newInvoice,
    output: () => ({ 201: invoiceAnswer() }),
    error: invoicingError,
    moves: invoice.on('create'),
  }),

  listInvoices: operation({
    call: 'GET /invoicing/v2/invoices',
    title: 'List invoices',
    about: 'Lists invoices, filtered by status.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'EN-09',
    query: invoicePage,
    output: () => ({ 200: invoicesAnswer() }),
    error: invoicingError,
  }),

  getInvoice: operation({
    call: 'GET /invoicing/v2/invoices/{id}',
    asksFor: { by: 'id', namedAs: ['id'] },
    title: 'Retrieve an invoice',
    about: 'Returns the current state of an invoice, with its history.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'EN-09',
    path: { id: 'reference' },
    worded: ['id'],
    output: () => ({ 200: invoiceWithHistory() }),
    error: invoicingError,
  }),

  updateInvoice: operation({
    call: 'PUT /invoicing/v2/invoices/{id}',
    asksFor: { by: 'id', namedAs: ['id'] },
    title: 'Update an invoice',
    about: 'Replaces an unpaid invoice; what is left out is removed.',
    effect: 'write',
    recovery: 'repeat',
    shape: 'IN-02',
    path: invoicePath,
    worded: ['id'],
    body: changedInvoice,
    output: () => ({ 200: invoiceAnswer() }),
    error: invoicingError,
    moves: invoice.on('update'),
  }),

  sendInvoice: operation({
    call: 'POST /invoicing/v2/invoices/{id}/delivery',
    asksFor: { by: 'id', namedAs: ['id'] },
    title: 'Send an invoice',
    about: 'E-mails an invoice to its customer, or opens its link if it is not delivered by e-mail.',
    effect: 'write',
    recovery: 'never',
    messagesCustomer: true,
    shape: 'EN-09',
    path: invoicePath,
    worded: ['id'],
    output: () => ({ 200: invoiceMoved() }),
    error: invoicingError,
    moves: invoice.on('send'),
  }),

  cancelInvoice: operation({
    call: 'POST /invoicing/v2/invoices/{id}/cancelation',
    asksFor: { by: 'id', namedAs: ['id'] },
    title: 'Cancel an invoice',
    about: 'Ends an unpaid invoice for good.',
    effect: 'write',
    recovery: 'readBack',
    shape: 'EN-09',
    path: invoicePath,
    worded: ['id'],
    output: () => ({ 200: invoiceMoved() }),
    error: invoicingError,
    moves: invoice.on('cancel'),
  }),

  publishInvoice: operation({
    call: 'POST /invoicing/v2/invoices/{id}/publication',
    asksFor: { by: 'id', namedAs: ['id'] },
    title: 'Publish an invoice',
    about: 'Opens the payment link of a draft; nothing is e-mailed.',
    effect: 'write',
    recovery: 'readBack',
    shape: 'EN-09',
    path: invoicePath,
    worded: ['id'],
    output: () => ({ 200: invoiceMoved() }),
    error: invoicingError,
    moves: invoice.on('publish'),
  }),

  getInvoiceSettings: operation({
    call: 'GET /invoicing/v2/invoiceSettings',
    title: 'Retrieve invoice settings',
    about: 'Returns how invoices and their payment page look.',
    effect: 'read',
    recovery: 'repeat',
    shape: 'EN-09',
    query: settingsProductToRead,
    output: () => ({ 200: settingsAnswer() }),
    error: invoicingError,
  }),

  updateInvoiceSettings: operation({
    call: 'PUT /invoicing/v2/invoiceSettings',
    title: 'Update invoice settings',
    about: 'Changes how every invoice and its payment page look; a field without a value is reset to its default.',
    effect: 'write',
    recovery: 'repeat',
    shape: 'IN-14',
    query: settingsProduct,
    body: invoiceSettings,
    output: () => ({ 200: settingsAnswer() }),
    error: invoicingError,
  }),
} as const;
