import type { Facts, Things } from '../../src/domains/facts.ts';
import { invoice } from '../../src/domains/invoicing/machines.ts';
import { handle } from '../../src/engine/tool-arguments.ts';

export const theInvoiceArg = handle('invoice', 'From list_invoices.');

/** The invoice of a call, as the invoice machine reads it. */
export function invoiceEntity({ invoice: it }: Things, now: number) {
  const { delivery = '', total = '', balance = total, expires } = it?.body ?? {};
  return {
    ...{ state: it?.state ?? 'none', delivery, immediate: false, reviewed: false },
    ...{ paid: balance !== total, settled: Number(balance) === 0 },
    expired: typeof expires === 'string' && Date.parse(`${expires}T00:00:00Z`) <= now,
  };
}

export const looksAtInvoice = {
  kind: 'invoice',
  machine: invoice.on('update').machine,
  entity: invoiceEntity,
} as const;

/** The amount billed, and the part of it that was counted before. */
export const bills = (total: unknown, currency: unknown, { merchant }: Facts, counted?: string) =>
  total === undefined || currency === undefined
    ? ('unknown' as const)
    : { amount: String(total), currency: String(currency), counted, payee: merchant.name, instrument: '' };

const payable = { first: ['get_invoice'], because: 'get_invoice shows whether the customer has paid.' } as const;
export const openNext = { CREATED: payable, SENT: payable, PARTIAL: payable } as const;
