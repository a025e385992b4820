import { handleFor } from '../../../../src/engine/handles.ts';
import type { Snapshot } from '../../../../src/sandbox/index.ts';
import type { Values } from '../../scenario/schema.ts';
import { type Collection, documents, keyed } from '../collection.ts';

/** Invoices and the settings of invoicing, as scenarios name them. */
export const invoicingCollections = {
  invoices: {
    frame: true,
    by: 'handle',
    fields: {
      ...{ status: 'on the platform', number: 'its number', total: 'its amount', currency: 'of the amount' },
      ...{ paid: 'list of payments, oldest first', customer: 'name', email: 'address', delivery: 'mode', due: 'date' },
      ...{ expires: 'date', description: 'its text', lines: 'list of SKUs', fields: 'how many custom fields' },
    },
    read: ({ platform }) => keyed(invoicesOf(platform), (it) => [handleFor('invoice', it.number), invoiceOf(it)]),
  },
  invoiceSettings: {
    frame: true,
    by: "the platform's name of a setting",
    value: 'its value, where it differs from the default',
    read: (sources) =>
      Object.assign(
        {},
        ...[...documents(sources, 'invoiceSettings').values()].map(({ fields, labels }) => ({
          ...(fields as Values), // the sandbox's own documents
          labels: keyed(labels as readonly ({ readonly key: string } & Values)[], ({ key, ...it }) => [key, it]),
        })),
      ),
  },
} as const satisfies Readonly<Record<string, Collection>>;

/** The part of the sandbox's invoice that stories look at. */
export interface PlatformInvoice {
  readonly number: string;
  readonly state: string;
  readonly token: string;
  readonly origin: string;
  readonly payments: readonly { readonly amount: string }[];
  readonly terms: InvoiceTerms;
}

export interface InvoiceTerms {
  readonly customerInformation?: { readonly name?: string; readonly email?: string };
  readonly invoiceInformation: Readonly<Record<string, string | boolean | undefined>>;
  readonly orderInformation: {
    readonly amountDetails: { readonly totalAmount: string; readonly currency: string };
    readonly lineItems?: readonly { readonly productSku: string; readonly productName: string }[];
  };
  readonly merchantDefinedFieldValues?: readonly unknown[];
}

export const invoicesOf = (platform: Snapshot): readonly PlatformInvoice[] =>
  [...documents({ platform }, 'invoice').values()] as unknown as readonly PlatformInvoice[]; // the sandbox's own documents

function invoiceOf({ number, state, payments, terms }: PlatformInvoice): Values {
  const { customerInformation = {}, invoiceInformation, orderInformation, merchantDefinedFieldValues = [] } = terms;
  const { deliveryMode, dueDate, expirationDate, description } = invoiceInformation;
  const { totalAmount, currency } = orderInformation.amountDetails;
  return {
    ...{ status: state, number, total: totalAmount, currency, paid: payments.map(({ amount }) => amount) },
    ...{ customer: customerInformation.name ?? '', email: customerInformation.email ?? '' },
    ...{ delivery: deliveryMode ?? '', due: dueDate ?? '', expires: expirationDate ?? '' },
    description: description ?? '',
    lines: (orderInformation.lineItems ?? []).map(({ productSku }) => productSku),
    fields: merchantDefinedFieldValues.length,
  };
}
