import { invoiceSettingTools } from './invoice-settings.ts';
import { invoices } from './invoices.ts';

/** Invoicing: invoices, and how they look. */
export const invoicing = [...invoices, ...invoiceSettingTools];
