import type { BodyOf } from '../../../sandbox/answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { World } from '../../../sandbox/world.ts';
import type { invoicing } from '../contract.ts';
import { labelKeys } from '../shapes.ts';
import type { InvoiceLabel, InvoiceSettingsDocument } from './documents.ts';

type Given = BodyOf<typeof invoicing.updateInvoiceSettings>['invoiceSettingsInformation'];

/** The settings of a merchant; the defaults until it changes them. */
export const settingsOf = (world: World, merchantId: string): InvoiceSettingsDocument =>
  world.get('invoiceSettings', merchantId) ?? { id: merchantId, fields: {}, labels: [] };

/** Applies changes: a field without a value returns to its default, a label without one stays unchanged. */
export function changed(it: InvoiceSettingsDocument, { customLabels = [], ...given }: Given): InvoiceSettingsDocument {
  return { ...it, fields: merged(it.fields, given), labels: customLabels.reduce(relabelled, it.labels) };
}

function merged(was: { readonly [name: string]: unknown }, given: object): { readonly [name: string]: unknown } {
  const now: Record<string, unknown> = { ...was };
  for (const [name, value] of Object.entries(given)) {
    const before = now[name];
    if (isGroup(value)) now[name] = merged(isGroup(before) ? before : {}, value);
    else if (isEmpty(value)) delete now[name];
    else now[name] = value;
  }
  return now;
}

const isGroup = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null;
const isEmpty = (value: unknown): boolean => value === null || value === '' || value === undefined;

type GivenLabel = NonNullable<Given['customLabels']>[number];

function relabelled(labels: readonly InvoiceLabel[], given: GivenLabel): readonly InvoiceLabel[] {
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => !isEmpty(value)));
  const known = labels.find(({ key }) => key === given.key);
  return [...labels.filter((label) => label !== known), { ...known, ...said, key: given.key }];
}

const defaults = {
  ...{ defaultCurrencyCode: 'USD', deliveryLanguage: 'en-US', enableReminders: false },
  ...{ showVatNumber: false, shipTo: false, phoneNumber: false, email: false, enableMerchantEmailNotifications: false },
} as const;

/** The settings in responses: payer authentication is a boolean there. */
export function settingsView(world: World, merchant: Merchant) {
  const { fields, labels } = settingsOf(world, merchant.id);
  const { payerAuthenticationInInvoicing, ...shown } = fields;
  return {
    submitTimeUtc: isoTime(world.now),
    invoiceSettingsInformation: {
      ...defaults,
      ...shown,
      payerAuthentication3DSVersion: authenticates.includes(payerAuthenticationInInvoicing),
      ...(labels.length === 0 ? {} : { customLabels: labels }),
    },
    merchantInformation: { name: merchant.name, ...merchantContact },
  };
}

/** What the settings show on the payment page: the labels that aren't hidden from its kind of invoice, the tax number and the style. */
export function settingsOnPage(world: World, merchantId: string, isItemized: boolean) {
  const { fields, labels } = settingsOf(world, merchantId);
  const { headerStyle, showVatNumber, vatRegistrationNumber } = fields;
  const shown = labelKeys.flatMap((key) => {
    const { value = key, hidden, hiddenForItem, hiddenForInvoice } = labels.find((it) => it.key === key) ?? {};
    return hidden === true || (isItemized ? hiddenForItem : hiddenForInvoice) === true ? [] : [[key, value] as const];
  });
  return {
    labels: Object.fromEntries(shown),
    ...(headerStyle === undefined ? {} : { headerStyle }),
    ...(showVatNumber === true && vatRegistrationNumber !== undefined ? { vatRegistrationNumber } : {}),
  };
}

const authenticates: readonly unknown[] = ['enable', 'update'];

/** The contact data of the merchant, as its invoices print it. Made up. */
const merchantContact = {
  phone: '+44 20 7946 0018',
  addressDetails: {
    ...{ address1: '1 Example Quay', address2: 'Floor 2', city: 'Exampleton', state: 'EX', country: 'GB' },
    postalCode: 'EX1 1EX',
  },
} as const;
