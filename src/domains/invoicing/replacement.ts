import type { Facts } from '../facts.ts';
import { expiryText, printedExpiry } from './dates.ts';
import type { InvoiceTerms } from './facts.ts';
import type { Billed } from './field-rules.ts';
import type { InvoiceOrder } from './totals.ts';

// The content of an invoice before and after a call. An update replaces the whole invoice, so unchanged parts are sent
// again.

/** The arguments for the content of an invoice, with their paths in the request. */
export const places = {
  customer_name: 'customerInformation.name',
  customer_email: 'customerInformation.email',
  customer_id: 'customerInformation.merchantCustomerId',
  company: 'customerInformation.company.name',
  delivery: 'invoiceInformation.deliveryMode',
  description: 'invoiceInformation.description',
  transaction: 'invoiceInformation.transactionReferenceNumber',
  due: 'invoiceInformation.dueDate',
  expires: 'invoiceInformation.expirationDate',
  partial_payments: 'invoiceInformation.allowPartialPayments',
  minimum_part: 'orderInformation.amountDetails.minimumPartialAmount',
  currency: 'orderInformation.amountDetails.currency',
  total: 'orderInformation.amountDetails.totalAmount',
  subtotal: 'orderInformation.amountDetails.subAmount',
  discount: 'orderInformation.amountDetails.discountAmount',
  discount_percent: 'orderInformation.amountDetails.discountPercent',
  tax: 'orderInformation.amountDetails.taxDetails.amount',
  tax_percent: 'orderInformation.amountDetails.taxDetails.rate',
  tax_type: 'orderInformation.amountDetails.taxDetails.type',
  shipping: 'orderInformation.amountDetails.freight.amount',
  shipping_taxable: 'orderInformation.amountDetails.freight.taxable',
  shipping_tax_percent: 'orderInformation.amountDetails.freight.taxRate',
  ask_phone: 'processingInformation.requestPhone',
  ask_address: 'processingInformation.requestShipping',
  lines: 'orderInformation.lineItems[]',
  fields: 'merchantDefinedFieldValues[]',
} as const;
export type Place = keyof typeof places;

/** The properties of a line and of a custom field, by the names of tools and of the platform. */
const lineMembers = {
  sku: 'productSku',
  name: 'productName',
  quantity: 'quantity',
  price: 'unitPrice',
  total: 'totalAmount',
  discount: 'discountAmount',
  discount_percent: 'discountRate',
  tax: 'taxAmount',
  tax_percent: 'taxRate',
} as const;
export const fieldMembers = { id: 'definitionId', value: 'value' } as const;

type Item = { readonly [member: string]: unknown };

/** Converts an argument's value for the request. */
export const written: { readonly [P in Place]?: (given: unknown) => unknown } = {
  expires: (given) => printedExpiry(String(given)),
  lines: (given) => itemsOf(given).map((line) => renamed(line, lineMembers)),
  fields: (given) => itemsOf(given).map((field) => renamed(field, fieldMembers)),
};

/** A day as the tools say it; in the request, the day comes before the month. */
export const expiryRead = (sent: unknown): string => expiryText(String(sent)) ?? String(sent);

/** The content in a call's arguments. */
export const asked = ({ args }: Facts): InvoiceTerms =>
  Object.fromEntries(
    names
      .filter((name) => args[name] !== undefined)
      .map((name) => [places[name], (written[name] ?? same)(args[name])] as const),
  );

/** The content that an update keeps: everything on the invoice that isn't named for removal. */
export function kept(facts: Facts): InvoiceTerms {
  const removed = removedBy(facts);
  const terms = facts.things.invoice?.body.terms ?? {};
  return Object.fromEntries(
    Object.entries(terms).flatMap(([path, value]) => {
      const name = nameOf(path);
      if (removed.has(name)) return [];
      if (!Array.isArray(value)) return [[path, value]];
      const left = labelled(name, value as readonly Item[]).flatMap(([label, item]) =>
        removed.has(label) ? [] : [without(item, label, removed)],
      );
      return left.length === 0 ? [] : [[path, left]];
    }),
  );
}

/** The content of an invoice after a call. */
export const resulting = (facts: Facts): InvoiceTerms => ({ ...kept(facts), ...asked(facts) });

/** The pieces of an invoice, named and written as in the tools: `total`, `lines.C-2.price`. */
export type Facets = ReadonlyMap<string, unknown>;

/** All pieces of an invoice. */
export function facets(terms: InvoiceTerms): Facets {
  const found = Object.entries(terms).flatMap(([path, value]) =>
    Array.isArray(value)
      ? labelled(nameOf(path), value as readonly Item[]).flatMap(([label, item]) =>
          Object.entries(item).map(([member, it]) => [`${label}.${memberName(member)}`, it] as const),
        )
      : [[nameOf(path), path === places.expires ? expiryRead(value) : value] as const],
  );
  return new Map(found);
}

/** The pieces that a call would drop without naming them (IN-06). Whole lines and fields stand for their properties. */
export function dropped(facts: Facts): readonly string[] {
  const removed = removedBy(facts);
  const after = facets(resulting(facts));
  const { terms = {}, strange = [] } = facts.things.invoice?.body ?? {};
  const lost = [...facets(terms).keys(), ...strange].filter(
    (name) => !after.has(name) && !withParents(name).some((one) => removed.has(one)),
  );
  const wholes = new Set([...after.keys()].flatMap(withParents));
  return [...new Set(lost.map((name) => withParents(name).find((one) => !wholes.has(one)) ?? name))];
}

/** The names to remove that are not on the invoice, or are also given. */
export function misnamed(facts: Facts): readonly string[] {
  const { terms = {}, strange = [] } = facts.things.invoice?.body ?? {};
  const standing = new Set([...[...facets(terms).keys()].flatMap(withParents), ...strange]);
  const given = new Set([...facets(asked(facts)).keys()].flatMap(withParents));
  return [...removedBy(facts)].filter((name) => !standing.has(name) || given.has(name));
}

/** The content in the form that totals and invoice types are computed from. */
export const billed = (terms: InvoiceTerms): Billed & { readonly orderInformation: InvoiceOrder } =>
  // A cast: the content has the format of a request, from the tool or from a validated response.
  nested(terms) as Billed & { readonly orderInformation: InvoiceOrder };

const names = Object.keys(places) as Place[]; // the keys of the table
const same = (given: unknown): unknown => given;

const byPath = new Map<string, string>(names.map((name) => [places[name], name]));
/** The argument of a path; the path itself if no argument fills it. */
export const nameOf = (path: string): string => byPath.get(path) ?? path;

const memberNames = new Map<string, string>(
  Object.entries({ ...lineMembers, ...fieldMembers }).map(([name, member]) => [member, name]),
);
/** Public models of the platform have a second name for it. */
export const memberName = (member: string): string =>
  memberNames.get(member) ?? (member === 'discountPercent' ? 'discount_percent' : member);

const removedBy = ({ args }: Facts): ReadonlySet<string> => new Set((args.remove ?? []) as readonly string[]); // by the tool's schema

/** The items of a list, each with a unique name: `lines.C-2`, and `lines.C-2#2` or a higher number for further ones. */
function labelled(list: string, items: readonly Item[]): readonly (readonly [string, Item])[] {
  const labels = items.map((item) => `${list}.${String(item.productSku ?? item.definitionId)}`);
  const taken = new Set<string>();
  const own = new Set(labels);
  return items.map((item, index) => {
    const label = labels[index] ?? '';
    let name = label;
    for (let count = 2; taken.has(name) || (name !== label && own.has(name)); count++) name = `${label}#${count}`;
    taken.add(name);
    return [name, item];
  });
}

/** A name and its parents, the largest first. */
function withParents(name: string): readonly string[] {
  const list = [...listed].find((one) => name.startsWith(`${one}.`));
  if (list === undefined) return [name];
  const item = name.slice(0, name.lastIndexOf('.'));
  return item === list ? [list, name] : [list, item, name];
}
const listed: readonly string[] = ['lines', 'fields'];

const without = (item: Item, label: string, removed: ReadonlySet<string>): Item =>
  Object.fromEntries(Object.entries(item).filter(([member]) => !removed.has(`${label}.${memberName(member)}`)));

const itemsOf = (given: unknown): readonly Item[] => given as readonly Item[]; // by the tool's schema

const renamed = (item: Item, members: Readonly<Record<string, string>>): Item =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [members[name] ?? name, value]));

function nested(terms: InvoiceTerms): object {
  const whole: Record<string, unknown> = { invoiceInformation: {}, orderInformation: { amountDetails: {} } };
  for (const [path, value] of Object.entries(terms)) {
    const steps = path.replace('[]', '').split('.');
    const last = steps.pop() ?? '';
    let at = whole;
    for (const step of steps) {
      at[step] ??= {};
      at = at[step] as Record<string, unknown>; // a path contains only objects
    }
    at[last] = value;
  }
  return whole;
}
