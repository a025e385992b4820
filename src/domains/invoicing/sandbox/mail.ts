import { isoTime } from '../../../sandbox/clock.ts';
import { publish } from '../../../sandbox/events.ts';
import type { World } from '../../../sandbox/world.ts';
import { linkOf, text } from './answers.ts';
import { balanceOf } from './balance.ts';
import type { InvoiceDocument } from './documents.ts';
import { settingsOf } from './settings.ts';

// E-mails about invoices, and webhook events.

export type InvoiceTemplate = 'invoice' | 'invoiceReminder' | 'invoiceOverdueReminder' | 'invoicePayment';

/** Adds an e-mail to the customer to the outbox. An invoice without an address sends none. */
export function mailCustomer(world: World, it: InvoiceDocument, template: InvoiceTemplate): void {
  const to = it.terms.customerInformation?.email;
  if (to !== undefined) post(world, it, template, to, {});
}

/** Notifies the merchant of a payment, if its settings say so. */
export function mailMerchant(world: World, it: InvoiceDocument, amount: string): void {
  const { enableMerchantEmailNotifications, merchantEmail } = settingsOf(world, it.merchantId).fields;
  if (enableMerchantEmailNotifications === true && typeof merchantEmail === 'string')
    post(world, it, 'invoicePayment', merchantEmail, { paid: amount });
}

function post(
  world: World,
  it: InvoiceDocument,
  template: InvoiceTemplate,
  to: string,
  more: { readonly [name: string]: string },
): void {
  const { fields } = settingsOf(world, it.merchantId);
  const { customerInformation, invoiceInformation, orderInformation } = it.terms;
  world.put('email', {
    // Padding makes e-mails sort by time.
    id: `${String(world.now).padStart(15, '0')}/${it.id}/${template}/${world.count('invoice mail')}`,
    at: world.now,
    to,
    template,
    fields: {
      invoiceNumber: it.number,
      merchantName: text(fields.merchantDisplayName) ?? world.must('merchant', it.merchantId).name,
      customerName: customerInformation?.name ?? '',
      description: invoiceInformation.description ?? '',
      dueDate: invoiceInformation.dueDate,
      totalAmount: orderInformation.amountDetails.totalAmount,
      balanceAmount: balanceOf(it),
      currency: orderInformation.amountDetails.currency,
      paymentLink: linkOf(it),
      message: text(fields.customEmailMessage) ?? '',
      ...more,
    },
  });
}

const product = 'customerInvoicing';

export type InvoiceEventName =
  | 'send'
  | 'paid'
  | 'partial-payment'
  | 'partial-resend'
  | 'reminder'
  | 'overdue-reminder'
  | 'cancel';

/** Records an event of an invoice. */
export function tell(world: World, it: InvoiceDocument, name: InvoiceEventName): void {
  const { currency, totalAmount } = it.terms.orderInformation.amountDetails;
  publish(world, {
    // Padding makes events sort by time.
    id: `${String(world.now).padStart(15, '0')}/invoice/${String(world.count('invoice event')).padStart(12, '0')}`,
    at: world.now,
    eventType: `invoicing.customer.invoice.${name}`,
    productId: product,
    organizationId: it.merchantId,
    payload: {
      ...{ id: it.number, status: it.state, totalAmount, balanceAmount: balanceOf(it), currency },
      at: isoTime(world.now),
    },
  });
}
