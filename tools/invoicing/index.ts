import type { domains } from '../../src/domains/index.ts';
import { platformTools } from '../../src/engine/tool.ts';
import { cancelInvoice } from './cancel-invoice.ts';
import { createInvoice } from './create-invoice.ts';
import { publishInvoice, sendInvoice } from './deliver-invoice.ts';
import { getInvoice } from './get-invoice.ts';
import { listInvoices } from './list-invoices.ts';
import { getInvoiceSettings, updateInvoiceSettings } from './settings.ts';
import { updateInvoice } from './update-invoice.ts';

const all = platformTools<keyof typeof domains.invoicing.contract>({
  listInvoices,
  getInvoice,
  createInvoice,
  updateInvoice,
  sendInvoice,
  cancelInvoice,
  publishInvoice,
  getInvoiceSettings,
  updateInvoiceSettings,
});
const changesSettings = ({ operation }: { readonly operation: string }): boolean =>
  operation === 'updateInvoiceSettings';

/** Invoices, and their settings: reading them is for every agent, changing them is a toolset of its own. */
export const invoicing = {
  invoices: all.filter((tool) => !changesSettings(tool)),
  settings: all.filter(changesSettings),
};
