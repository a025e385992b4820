import { contract } from '../../../src/domains/index.ts';

/** What one collection of a state holds: what its members go by, and the fields of each, or what it counts. */
interface Collection {
  /** Whether the business sees it: `changed` is about these. */
  readonly frame: boolean;
  readonly by: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** Where members have no fields: what the value says. */
  readonly value?: string;
  /** What members can be called, where that is known beforehand. */
  readonly names?: readonly string[];
}

const handle = 'handle';
const terms = {
  status: 'on the platform',
  name: 'its name',
  code: 'its code',
  amount: 'of each payment',
  currency: 'of all its amounts',
  setupFee: '0 where there is none',
  every: 'periods between payments',
  unit: 'of the period, as the platform writes it',
  payments: 'how many, 0 without an end',
} as const;

/**
 * The state of a world: what scenarios can name, what the page on evals says, and what a wrong path is answered with. A test
 * compares it with where every scenario ends.
 */
export const stateFields = {
  cards: {
    frame: true,
    by: handle,
    fields: { status: 'on the platform, `none` before enrollment', shopper: 'handle of its owner' },
  },
  instructions: {
    frame: true,
    by: handle,
    fields: {
      ...{ status: 'on the platform', limit: 'the most that can be paid', currency: 'of the limit', until: 'its end' },
      ...{ merchant: 'the preferred one', releases: 'how many releases of credentials', confirmations: 'how many' },
    },
  },
  credentials: {
    frame: true,
    by: handle,
    fields: { amount: 'that was released', currency: 'of the amount', instruction: 'handle of the purchase' },
  },
  receipts: {
    frame: true,
    by: handle,
    fields: {
      ...{ instruction: 'handle of the purchase', amount: 'that was paid', currency: 'of the amount' },
      ...{ type: 'of the transaction', status: 'of the transaction' },
    },
  },
  shoppers: { frame: true, by: handle, fields: { name: 'display name' } },
  plans: { frame: true, by: handle, fields: { ...terms, assigned: 'whether a subscription was ever on it' } },
  subscriptions: {
    frame: true,
    by: handle,
    fields: {
      ...terms,
      ...{
        plan: 'its handle, empty for a schedule of its own',
        start: 'its first day',
        attempts: 'how many charges were tried',
      },
      ...{ paid: 'how many cycles', skipped: 'list of coming cycles' },
    },
  },
  invoices: {
    frame: true,
    by: handle,
    fields: {
      ...{ status: 'on the platform', number: 'its number', total: 'its amount', currency: 'of the amount' },
      ...{ paid: 'list of payments, oldest first', customer: 'name', email: 'address', delivery: 'mode', due: 'date' },
      ...{ expires: 'date', description: 'its text', lines: 'list of SKUs', fields: 'how many custom fields' },
    },
  },
  invoiceSettings: {
    frame: true,
    by: "the platform's name of a setting",
    value: 'its value, where it differs from the default',
  },
  emails: { frame: false, by: 'template', value: 'how many customers were sent' },
  operations: {
    frame: false,
    by: 'operation id',
    fields: {
      tool: 'its name',
      state: 'in the ledger',
      reference: 'of the merchant',
      attempts: 'how many times it was sent',
    },
  },
  approvals: { frame: false, by: 'approval id', fields: { state: 'in the ledger' } },
  budgets: {
    frame: false,
    by: 'name of a limit or mandate, with `/` and its scope',
    fields: { minor: 'minor units that are used', times: 'how many calls' },
  },
  effects: {
    frame: false,
    by: 'operation of the platform',
    value: 'how many requests took effect',
    names: Object.keys(contract),
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

/** What members of a collection can be called; undefined where anything is possible. */
export const namesIn = (collection: string): readonly string[] | undefined => found(collection)?.names;

const found = (collection: string): Collection | undefined =>
  (stateFields as Readonly<Record<string, Collection>>)[collection];
