import { fileTypes } from '../../../core/file-answer.ts';
import type { Definition, DefinitionName } from '../definitions.ts';
import { type GroupName, groupNames, reportFields } from '../field-groups.ts';
import { defaultZone } from '../zoned-time.ts';

/**
 * Groups of the reports of a definition; by default all. The documents show one list for every definition, so only those
 * are narrowed whose reports are about nothing else (D-80).
 */
const groupsOf: { readonly [D in DefinitionName]?: readonly GroupName[] } = {
  InvoiceSummaryClass: [
    'Request',
    'Application',
    'BillTo',
    'CustomerFields',
    'Invoice',
    'PaymentData',
    'PaymentMethod',
  ],
  SubscriptionDetailClass: [
    'Request',
    'Application',
    'BillTo',
    'PaymentData',
    'Subscriptions',
    'TMSToken',
    'PaymentMethod',
  ],
  RecurringBillingDetailClass: [
    'Request',
    'Application',
    'BillTo',
    'PaymentData',
    'Subscriptions',
    'TMSToken',
    'PaymentMethod',
  ],
  PayerAuthDetailClass: ['Request', 'Application', 'BillTo', 'PaymentData', 'VEReq', 'VERes', 'SCAExemption'],
};

/** The ids of the fields that the reports of a definition can have. */
export function fieldsOf(name: string): readonly string[] {
  const groups: readonly string[] = groupsOf[name as DefinitionName] ?? groupNames; // any other name has no row
  return reportFields.filter(({ group }) => groups.includes(group)).map(({ id }) => id);
}

/** What the platform takes for what a request leaves out. */
export const defaults = { reportMimeType: 'application/xml', reportFrequency: 'DAILY', startTime: '0000' } as const;

/** A definition in the list. */
export const definitionRow = ({ name, id, about }: Definition) => ({
  type: name.replace(/Class$/, ''),
  ...(id === null ? {} : { reportDefinitionId: id }),
  reportDefintionName: name,
  supportedFormats: [...fileTypes],
  description: about,
  defaultSettings: {
    ...{ reportMimeType: defaults.reportMimeType, reportFrequency: defaults.reportFrequency },
    ...{ timezone: defaultZone, startTime: defaults.startTime },
    reportPreferences: { signedAmounts: false, fieldNameConvention: 'SOAPI' },
  },
  subscriptionType: 'CUSTOM',
});

/** One definition with its fields. */
export const definitionView = (it: Definition) => ({
  ...definitionRow(it),
  attributes: fieldsOf(it.name).map((id) => ({
    ...{ id, name: id, filterType: 'NONE', supportedType: 'FILE' },
    required: false,
    default: id.startsWith('Request.'),
  })),
});
