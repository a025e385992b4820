import { invoices } from './invoices.ts';
import { invoiceSettingTools } from './settings.ts';

const changes = (tool: { readonly name: string }): boolean => tool.name === 'update_invoice_settings';

/** Invoicing: invoices and how they look; and, for the few agents that may change it, how that is changed. */
export const invoicing = {
  invoices: [...invoices, ...invoiceSettingTools.filter((tool) => !changes(tool))],
  settings: invoiceSettingTools.filter(changes),
};
