import { z } from 'zod';
import { amount, bare, fieldOf, leaves } from '../../src/core/fields.ts';
import { limits } from '../../src/core/limits.ts';
import { inDecimals } from '../../src/core/money.ts';
import type { Facts, Things } from '../../src/domains/facts.ts';
import { dayText, expiryText, printedExpiry } from '../../src/domains/invoicing/dates.ts';
import type { InvoiceFacts, InvoiceTerms } from '../../src/domains/invoicing/facts.ts';
import {
  facets,
  memberName,
  nameOf,
  type Place,
  places,
  resulting,
  written,
} from '../../src/domains/invoicing/replacement.ts';
import type { InvoiceAnswer } from '../../src/domains/invoicing/responses.ts';
import { invoiceWithHistory } from '../../src/domains/invoicing/responses.ts';
import { changedInvoice, percent } from '../../src/domains/invoicing/shapes.ts';
import { quoted, spokenName } from '../../src/engine/approval-text.ts';
import { handleFor } from '../../src/engine/handles.ts';
import { untrusted } from '../../src/engine/render.ts';
import {
  addressShown,
  amountShown,
  countShown,
  currencyShown,
  dayShown,
  handleShown,
  stateShown,
} from '../../src/engine/shown.ts';
import type { Arg } from '../../src/engine/tool.ts';
import { isAsSent } from '../read-back.ts';

// What the tools for invoices have in common: arguments, and how invoices are remembered, shown and read by people.

// Shapes that are held, and not listed in full: an invoice has many fields, and a list of tools is read often.

/** Text that has the shape of a field of the platform. */
const like = (shape: z.ZodType, says: string) => z.string().refine((value) => shape.safeParse(value).success, says);
/** A list of one item or more, not more than `most`. */
const few = <S extends z.ZodType>(item: S, most: number) =>
  z.array(item).refine(({ length }) => length >= 1 && length <= most, `must have 1 to ${most} items`);
const whole = (most: number) =>
  z.number().refine((it) => Number.isInteger(it) && it >= 1 && it <= most, `must be a whole number from 1 to ${most}`);

const sum = like(amount, 'must be a decimal amount such as "40.00"');
const rate = like(percent, 'must be a percentage such as "8.25"');
const words = z.string().min(1).max(limits.textCharacters);
const day = z.iso.date();

/** How an argument is described: its words, or none where another tool of the toolset has the same argument with words. */
type Describe = <S extends z.ZodType>(schema: S, about: string) => S;
const inWords: Describe = (schema, about) => schema.describe(about);
const asElsewhere: Describe = (schema) => schema;

const writes = (place: Place, given: unknown): unknown => written[place]?.(given) ?? given;

/** Everything that an invoice can say, but for how it reaches its customer. */
function contentIn(told: Describe) {
  /** An argument that says one thing of an invoice; one without words says all by its name. */
  const says = <P extends Place>(
    place: P,
    schema: z.ZodType,
    { about = '', rule }: { readonly about?: string; readonly rule?: string } = {},
  ): Arg<(typeof places)[P]> => ({
    schema: (about === '' ? schema : told(schema, about)).optional(),
    fills: [{ path: places[place], value: (given) => (given === undefined ? undefined : writes(place, given)) }],
    rule,
  });
  const line = z.strictObject({
    sku: told(words, 'Article number.'),
    name: told(words, 'Of the article.'),
    quantity: told(whole(limits.itemQuantityElements), 'Pieces.'),
    price: told(sum, 'Of one piece.'),
    total: told(sum, 'quantity × price - discount + tax.'),
    discount: told(sum, 'Off this line.').optional(),
    discount_percent: told(rate, 'In its place.').optional(),
    tax: told(sum, 'On this line.').optional(),
    tax_percent: told(rate, 'In its place.').optional(),
  });
  const customField = z.strictObject({
    id: told(whole(Number.MAX_SAFE_INTEGER), 'From the portal.'),
    value: told(words, 'No personal data.'),
  });
  return {
    customer_name: says('customer_name', words, { about: 'Who pays.' }),
    customer_email: says('customer_email', z.email().max(limits.textCharacters), {
      about: 'With customer_name required for e-mail and lines.',
    }),
    customer_id: says('customer_id', words, { about: 'Your customer number.' }),
    company: says('company', words, { about: 'Of the customer.' }),
    description: says('description', words, { about: 'Required without lines.' }),
    transaction: says('transaction', words, { about: 'Your transaction number.' }),
    total: says('total', sum, { about: 'Such as "40.00".', rule: 'IN-02' }),
    currency: says('currency', z.string().length(3), { about: 'Such as USD.', rule: 'IN-02' }),
    due: says('due', day, { about: 'Last day to pay.', rule: 'IN-02' }),
    expires: says('expires', day, { about: '00:00 GMT; after it nobody can pay.', rule: 'IN-12' }),
    subtotal: says('subtotal', sum, { about: 'Sum of lines.' }),
    discount: says('discount', sum, { about: 'Off the total.' }),
    discount_percent: says('discount_percent', rate, { about: 'In its place.' }),
    tax: says('tax', sum, { about: 'On the total.' }),
    tax_percent: says('tax_percent', rate, { about: 'In its place.' }),
    tax_type: says('tax_type', words, { about: 'Such as VAT.' }),
    shipping: says('shipping', sum, { about: 'Its cost.' }),
    shipping_taxable: says('shipping_taxable', z.boolean(), { about: 'Shipping is taxed.' }),
    shipping_tax_percent: says('shipping_tax_percent', rate, { about: 'On shipping.' }),
    partial_payments: says('partial_payments', z.boolean(), { about: 'May be paid in parts.' }),
    minimum_part: says('minimum_part', sum, { about: 'Needs partial_payments.', rule: 'IN-13' }),
    ask_phone: says('ask_phone', z.boolean(), { about: 'Asks for it.' }),
    ask_address: says('ask_address', z.boolean(), { about: 'Asks for it.' }),
    lines: says('lines', few(line, limits.invoiceLineElements), {
      about: 'With discounts and taxes here, none on the total.',
      rule: 'IN-04',
    }),
    fields: says('fields', few(customField, limits.arrayElements), { rule: 'IN-15' }),
  } as const;
}

export const content = contentIn(inWords);
/** The same for a tool that has no room for words: `create_invoice` describes each argument by the same name. */
export const contentAsCreated = contentIn(asElsewhere);

/** The same argument, but it must be given. */
export const required = <P extends string>(arg: Arg<P>): Arg<P> => ({ ...arg, schema: bare(arg.schema) });

/** How an invoice is delivered, and whether it stays a draft first. */
export const deliveryModes = {
  draft: { delivery: 'none', immediate: false },
  email_draft: { delivery: 'email', immediate: false },
  email: { delivery: 'email', immediate: true },
  link: { delivery: 'none', immediate: true },
} as const;
export type DeliveryMode = keyof typeof deliveryModes;

// Observations from the platform's responses.

/** The observation of a whole invoice in a response. */
export function invoiceObservation(it: InvoiceAnswer, now: number) {
  const { amountDetails } = it.orderInformation;
  const { currency, totalAmount, balanceAmount } = amountDetails;
  const { expirationDate, paymentLink, deliveryMode, dueDate } = it.invoiceInformation;
  return {
    kind: 'invoice' as const,
    handle: handleFor('invoice', it.id),
    state: it.status,
    owner: '',
    body: {
      invoiceId: it.id,
      currency,
      total: amountText(totalAmount, currency),
      balance: amountText(balanceAmount ?? totalAmount, currency),
      delivery: deliveryMode.toLowerCase(),
      expires: expirationDate === undefined ? null : (expiryText(expirationDate) ?? null),
      due: dayText(dueDate) ?? dueDate,
      customer: it.customerInformation?.name ?? '',
      customerId: it.customerInformation?.merchantCustomerId,
      link: paymentLink === undefined || ownLink.includes(it.status) ? null : paymentLink,
      terms: termsOf(it),
      strange: strangeIn(it),
      readAt: now,
    } satisfies InvoiceFacts,
  };
}

/** States in which the payment link works for the merchant alone (IN-11): customers can't open it. */
const ownLink: readonly string[] = ['DRAFT'];

/**
 * Whether an invoice is the one a request created: same customer, and same values wherever the platform returns them.
 * Both are compared in the request's form, because responses write amounts, dates and delivery differently.
 */
export function isSameInvoice(it: InvoiceAnswer, sent: unknown): boolean {
  const [known, asked] = [termsOf(it), termsOf(sent as InvoiceAnswer)]; // of a body, what an answer has as well
  return isAsSent(known, asked) && payer.every((place) => known[places[place]] === asked[places[place]]);
}
const payer = ['customer_name', 'customer_email', 'customer_id', 'company'] as const;

/** Every field that a full replacement must repeat, in the request's form. */
function termsOf(it: InvoiceAnswer): InvoiceTerms {
  const { deliveryMode, dueDate, expirationDate } = it.invoiceInformation;
  const { currency } = it.orderInformation.amountDetails;
  const said = Object.fromEntries(restated(changedInvoice, it, '', currency));
  const defined = it.merchantDefinedFieldValuesWithDefinition ?? [];
  return {
    ...said,
    [places.delivery]: deliveryMode.toLowerCase(),
    [places.due]: dayText(dueDate) ?? dueDate,
    ...(expirationDate === undefined
      ? {}
      : { [places.expires]: printedExpiry(expiryText(expirationDate) ?? expirationDate) }),
    ...(defined.length === 0
      ? {}
      : { [places.fields]: defined.map(({ definitionId, value }) => ({ definitionId, value })) }),
  };
}

/** The response's values at the request paths that the model may author. Numbers become text if the request has text. */
function restated(
  schema: z.ZodType,
  value: unknown,
  path: string,
  currency: string,
): readonly (readonly [string, unknown])[] {
  const at = bare(schema);
  if (value === undefined || value === null) return [];
  if (at instanceof z.ZodObject)
    return Object.entries(at.shape).flatMap(([name, child]) =>
      // As in `leaves`: children are classic types, and what answers to an object is one.
      restated(
        child as z.ZodType,
        (value as Readonly<Record<string, unknown>>)[name],
        path === '' ? name : `${path}.${name}`,
        currency,
      ),
    );
  if (at instanceof z.ZodArray) {
    const items = (value as readonly unknown[]).map((item) =>
      Object.fromEntries(restated(at.element as z.ZodType, item, '', currency)),
    );
    return items.length === 0 ? [] : [[`${path}[]`, items]];
  }
  if (fieldOf(at).from !== 'model') return [];
  return [[path, /(amount|price)$/i.test(path) ? amountText(value, currency) : scalar(value, at)]];
}

const scalar = (value: unknown, schema: z.ZodType): unknown =>
  typeof value === 'number' && !(schema instanceof z.ZodNumber) ? String(value) : value;

/** An amount with its currency's decimals; any other text unchanged. */
export const amountText = (value: unknown, currency: string): string => inDecimals(String(value), currency);

/** Properties of a response that the contract doesn't know, so no replacement can repeat them. */
function strangeIn(it: InvoiceAnswer): readonly string[] {
  const known = new Set(leaves(invoiceWithHistory).map(({ path }) => path));
  const paths = groups.flatMap((group) => pathsIn(it[group], group));
  return [...new Set(paths)].filter((path) => !known.has(path)).toSorted();
}
const groups = ['customerInformation', 'processingInformation', 'invoiceInformation', 'orderInformation'] as const;

function pathsIn(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, `${path}[]`));
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [path];
  return Object.entries(value).flatMap(([name, member]) => pathsIn(member, `${path}.${name}`));
}

// Output.

const shownLine = z.looseObject({ sku: z.string(), name: z.string(), quantity: countShown, total: amountShown });

/** The fields of every answer about one invoice. The rest of its content uses argument names. */
export const invoiceOutput = z.looseObject({
  ...{ invoice: handleShown, reference: z.string(), state: stateShown },
  ...{ total: amountShown, balance: amountShown.optional(), currency: currencyShown },
  ...{ due: dayShown.optional(), expires: dayShown.optional(), link: addressShown.optional() },
  delivery: stateShown.optional(),
  lines: z.array(shownLine).optional(),
});

/** The fields of a listed invoice. */
export const listedInvoiceOutput = z.looseObject({
  ...{ invoice: handleShown, reference: z.string(), state: stateShown },
  ...{ total: amountShown, currency: currencyShown, due: dayShown },
});

export function showInvoice(handle: string, state: string, body: InvoiceFacts) {
  const { invoiceId, total, balance, currency, due, expires, link, customer, terms } = body;
  return {
    ...{ invoice: handle, reference: untrusted(invoiceId), state, total, currency },
    ...(balance === undefined ? {} : { balance }),
    ...(due === undefined ? {} : { due }),
    ...(terms === undefined ? { customer_name: untrusted(customer ?? '') } : showTerms(terms)),
    ...(expires === undefined || expires === null ? {} : { expires }),
    ...(typeof link === 'string' && isPlainAddress(link) ? { link } : {}),
    ...((body.strange ?? []).length === 0 ? {} : { unknown_fields: body.strange?.map((name) => untrusted(name)) }),
  };
}

const isPlainAddress = (link: string): boolean => /^https?:\/\/[\w.:/?=&%~-]{1,255}$/.test(link);

const showTerms = (terms: InvoiceTerms) =>
  Object.fromEntries(Object.entries(terms).map(([path, value]) => [nameOf(path), shownValue(value)]));

function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return untrusted(value);
  if (!Array.isArray(value)) return value;
  return value.map((item: object) =>
    Object.fromEntries(Object.entries(item).map(([member, it]) => [memberName(member), shownValue(it)])),
  );
}

/** The output of a call about one invoice. */
export const theInvoice = ({ invoice: it }: Things) =>
  it === undefined ? {} : showInvoice(it.handle, it.state, it.body);

// Approval text.

/** Changes that no single argument shows: removals, and parts of lines and custom fields. */
export function changeLines(facts: Facts): readonly string[] {
  const before = facets(facts.things.invoice?.body.terms ?? {});
  const after = facets(resulting(facts));
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => String(before.get(name)) !== String(after.get(name)) && facts.args[name] === undefined,
  );
  const strange = facts.things.invoice?.body.strange ?? [];
  return [
    ...changed.map((name) => `${named(name)}: ${known(before.get(name))} → ${read(after.get(name))}`),
    ...strange.map((name) => `${quoted(untrusted(name))}: what the platform has there → nothing`),
  ];
}

/** The resulting content that the approval text doesn't show elsewhere. */
export function unchangedLines(facts: Facts): readonly string[] {
  const before = facets(facts.things.invoice?.body.terms ?? {});
  return [...facets(resulting(facts))]
    .filter(([name, value]) => facts.args[name] === undefined && String(before.get(name)) === String(value))
    .filter(([name]) => Object.keys(facts.args).length === 1 || !toldApart.includes(name))
    .map(([name, value]) => `${named(name)}: ${known(value)}`);
}
/** An update shows its customer on lines of its own. */
const toldApart: readonly string[] = ['customer_name', 'customer_email'];

/** The current value of an argument, as the approval text shows it. */
export function wasOnInvoice({ things }: Pick<Facts, 'things'>, name: string): string | undefined {
  return Object.hasOwn(places, name) ? known(facets(things.invoice?.body.terms ?? {}).get(name)) : undefined;
}

/** The label of a value. Product codes and unknown fields are quoted, because Purser didn't word them. */
const named = (name: string): string => (Object.hasOwn(places, name) ? spokenName(name) : quoted(untrusted(name)));
const read = (value: unknown): string => (value === undefined ? 'nothing' : quoted(String(value)));
/** A value from the platform. */
const known = (value: unknown): string =>
  value === undefined ? 'nothing' : quoted(untrusted(String(value), limits.textCharacters));
