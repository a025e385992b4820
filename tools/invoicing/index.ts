import { invoices } from './invoices.ts';
import { invoiceSettingTools } from './settings.ts';

const changes = (tool: { readonly name: string }): boolean => tool.name === 'update_invoice_settings';

/** Invoices, and their settings: reading them is for every agent, changing them is a toolset of its own. */
export const invoicing = {
  invoices: [...invoices, ...invoiceSettingTools.filter((tool) => !changes(tool))],
  settings: invoiceSettingTools.filter(changes),
};
