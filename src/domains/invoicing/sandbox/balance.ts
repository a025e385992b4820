import { decimal, type Money, money } from '../../../core/money.ts';
import type { InvoiceDocument, InvoicePayment, InvoiceTerms } from './documents.ts';

type Billed = Pick<InvoiceDocument, 'payments'> & { readonly terms: InvoiceTerms };

/** The total of an invoice. */
function totalOf({ terms }: Pick<Billed, 'terms'>): Money {
  const { totalAmount, currency } = terms.orderInformation.amountDetails;
  return money(totalAmount, currency);
}

/** The balance of an invoice, as decimal text. */
export const balanceOf = (it: Billed): string => decimal(left(it));

/** The balance of an invoice. A payment under review doesn't count yet. */
export function left(it: Billed): Money {
  const total = totalOf(it);
  const taken = it.payments.reduce((sum, { amount }) => sum + money(amount, total.currency).minor, 0n);
  return { ...total, minor: total.minor - taken };
}

/** An invoice with one more payment taken. */
export function taken(it: InvoiceDocument, payment: InvoicePayment): InvoiceDocument {
  const payments = [...it.payments, payment];
  return { ...it, payments, settled: left({ ...it, payments }).minor === 0n };
}
