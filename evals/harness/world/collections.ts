import { contract, type DomainName } from '../../../src/domains/index.ts';
import { type Collection, counts, documents, keyed, observed, text } from './collection.ts';
import { billingCollections } from './collections/billing.ts';
import { conversionCollections } from './collections/conversion.ts';
import { deviceCollections } from './collections/device.ts';
import { invoicingCollections } from './collections/invoicing.ts';
import { passkeyCollections } from './collections/passkey.ts';
import { purchaseCollections } from './collections/purchase.ts';
import { reportingCollections } from './collections/reporting.ts';
import { webhooksCollections } from './collections/webhooks.ts';

/** What each domain adds to the state. A domain that is missing here does not compile. */
const ofDomain = {
  purchase: purchaseCollections,
  passkey: passkeyCollections,
  conversion: conversionCollections,
  billing: billingCollections,
  invoicing: invoicingCollections,
  webhooks: webhooksCollections,
  reporting: reportingCollections,
  device: deviceCollections,
} as const satisfies Readonly<Record<DomainName, Readonly<Record<string, Collection>>>>;

/** The state of a world: what scenarios can name, and what the documentation lists. A test compares it with every scenario's end. */
export const stateFields = {
  ...ofDomain.purchase,
  shoppers: {
    frame: true,
    by: 'handle',
    fields: { name: 'display name' },
    read: (sources) =>
      keyed(observed(sources, 'shopper'), ({ handle, body }) => [handle, { name: text(body.displayName) }]),
  },
  ...ofDomain.passkey,
  ...ofDomain.conversion,
  ...ofDomain.billing,
  ...ofDomain.invoicing,
  ...ofDomain.webhooks,
  ...ofDomain.reporting,
  ...ofDomain.device,
  emails: {
    frame: false,
    by: 'template',
    value: 'how many customers were sent',
    read: (sources) => counts([...documents(sources, 'email').values()].map(({ template }) => text(template))),
  },
  operations: {
    frame: false,
    by: 'operation id',
    fields: {
      tool: 'its name',
      state: 'in the ledger',
      reference: 'of the merchant',
      attempts: 'how many times it was sent',
    },
    read: ({ operations }) =>
      keyed(operations, ({ id, name, state, reference, attempt }) => [
        String(id),
        { tool: snake(text(name)), state: text(state), reference: text(reference), attempts: Number(attempt) },
      ]),
  },
  approvals: {
    frame: false,
    by: 'approval id',
    fields: { state: 'in the ledger' },
    read: ({ approvals }) => keyed(approvals, ({ id, state }) => [String(id), { state: text(state) }]),
  },
  budgets: {
    frame: false,
    by: 'name of a limit or mandate, with `/` and its scope',
    fields: { minor: 'minor units that are used', times: 'how many calls' },
    read: ({ budgets }) =>
      keyed(budgets, ({ budget, scope, minor, times }) => [
        `${text(budget)}${scope === '' ? '' : `/${text(scope)}`}`,
        { minor: Number(minor), times: Number(times) },
      ]),
  },
  effects: {
    frame: false,
    by: 'operation of the platform',
    value: 'how many requests took effect',
    names: Object.keys(contract),
    read: ({ platform }) => counts(platform.effects.map(({ operation }) => operation)),
  },
} as const satisfies Readonly<Record<string, Collection>>;

export type CollectionName = keyof typeof stateFields;

export const collections = Object.keys(stateFields) as readonly CollectionName[]; // its own names
export const frame = collections.filter((name) => stateFields[name].frame);

/** The fields of a collection's members; undefined where they have none, or for a collection of another server. */
export const fieldsOf = (collection: string): readonly string[] | undefined => {
  const fields = found(collection)?.fields;
  return fields && Object.keys(fields);
};

/** Every possible key of a collection; undefined where any key is possible. */
export const namesIn = (collection: string): readonly string[] | undefined => found(collection)?.names;

const found = (collection: string): Collection | undefined =>
  (stateFields as Readonly<Record<string, Collection>>)[collection];

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
