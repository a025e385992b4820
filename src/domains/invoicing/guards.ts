import { limits } from '../../core/limits.ts';
import { hour } from '../../core/schedule.ts';
import type { Facts } from '../facts.ts';
import { type Guard, guardOn } from '../guard.ts';
import type { invoicing } from './contract.ts';
import { expiryText, startOfDay } from './dates.ts';
import { isAmountOnly, reducedTwice } from './field-rules.ts';
import { personalIn } from './personal-data.ts';
import { billed, dropped, fieldMembers, misnamed, places, resulting } from './replacement.ts';
import { totalFault } from './totals.ts';

const guard = guardOn<keyof typeof invoicing>();

/** The arguments whose amounts can be at fault by themselves; of any other amount the total is. */
const stated = ['subtotal', 'discount', 'tax', 'shipping', 'minimum_part', 'total'] as const;

/** The guards of invoicing, without what a machine or a schema already states. */
export const guards: readonly Guard[] = [
  guard('IN-07', {
    on: ['createInvoice'],
    holds: ({ things }) => things.invoice === undefined,
    sees: () => 'An invoice with this number exists already.',
    field: 'reference',
    instead: ['get_invoice', 'update_invoice'],
  }),
  guard('IN-06', {
    on: ['updateInvoice'],
    holds: ({ things, now }) =>
      things.invoice?.body.terms !== undefined &&
      now - (things.invoice.body.readAt ?? 0) <= limits.invoiceReadSeconds * 1_000,
    sees: () => 'The current invoice could not be read, so it is unknown what a replacement would drop.',
    field: 'invoice',
    instead: ['get_invoice'],
  }),
  guard('EN-09', {
    on: ['updateInvoice', 'updateInvoiceSettings'],
    holds: ({ args }) => Object.keys(args).some((name) => name !== 'invoice'),
    sees: () => 'No change was given. Give the new values.',
    field: 'arguments',
    instead: [],
  }),
  guard('IN-06', {
    on: ['updateInvoice'],
    holds: (facts) => misnamed(facts).length === 0,
    sees: (facts) =>
      `Can't be removed, because it is not on the invoice or is given in the same call: ${count(misnamed(facts))}.`,
    field: 'remove',
    instead: ['get_invoice'],
  }),
  guard('IN-06', {
    on: ['updateInvoice'],
    holds: (facts) => dropped(facts).length === 0,
    sees: (facts) =>
      `An update replaces the whole invoice, and this one would drop ${droppedRead(facts)}. Give it again, or name it in remove.`,
    quotes: (facts) => dropped(facts).filter((name) => !isOwnName(name)),
    field: 'remove',
    instead: ['get_invoice', 'update_invoice'],
  }),
  guard('IN-05', {
    on: ['updateInvoice'],
    holds: (facts) => !isAmountOnlyAfter(facts) || isAmountOnlyBefore(facts),
    sees: () => 'Only the total would remain, and an existing invoice cannot become an amount-only one.',
    instead: ['cancel_invoice', 'create_invoice'],
  }),
  guard('IN-12', {
    on: ['createInvoice', 'updateInvoice'],
    holds: ({ args, now }) => args.expires === undefined || startOfDay(expiryText(String(args.expires)) ?? '') > now,
    sees: ({ now }) =>
      `The invoice would expire at 00:00 GMT of that day, which has passed: it is ${new Date(now).toISOString()}.`,
    field: 'expires',
    instead: [],
  }),
  guard('IN-02', {
    on: ['createInvoice', 'updateInvoice'],
    holds: (facts) =>
      facts.args.due === undefined || isDueAlready(facts) || String(facts.args.due) >= lastToday(facts.now),
    sees: ({ now }) =>
      `The due date has passed: ${lastToday(now)} is still today in the last time zone. Give that date or a later one.`,
    field: 'due',
    instead: [],
  }),
  ...stated.map((name) =>
    guard('IN-16', {
      on: ['createInvoice', 'updateInvoice'],
      holds: (facts) => faultAt(facts) !== name,
      sees: (facts) => `${faultIn(facts)?.says ?? ''} The totals of an invoice must add up.`,
      field: name,
      instead: [],
    }),
  ),
  guard('IN-15', {
    on: ['createInvoice', 'updateInvoice'],
    holds: (facts) => personal(facts) === null,
    sees: (facts) => `A custom field contains ${personal(facts)}; custom fields must not identify a person.`,
    field: 'fields',
    instead: [],
  }),
  guard('IN-14', {
    on: ['updateInvoiceSettings'],
    holds: ({ args }) => resets(args).every((name) => args[name] === undefined),
    sees: ({ args }) =>
      `These fields are both set and reset: ${resets(args)
        .filter((name) => args[name] !== undefined)
        .join(', ')}.`,
    field: 'reset',
    instead: [],
  }),
];

/** Whether an update gives the date that the invoice has: it may have passed since (D-170). */
const isDueAlready = ({ args, things }: Facts): boolean => things.invoice?.body.terms?.[places.due] === args.due;
/** The date in the time zone where days end last, twelve hours behind UTC: before it, a date has passed wherever the merchant is. */
const lastToday = (now: number): string => new Date(now - 12 * hour).toISOString().slice(0, 10);

/** Names of lines and of fields outside the contract may be anybody's text; argument names are Purser's. */
const isOwnName = (name: string): boolean => Object.hasOwn(places, name);
function droppedRead(facts: Facts): string {
  const names = dropped(facts);
  const own = names.filter(isOwnName);
  return [...own, ...(own.length < names.length ? ['what error.untrusted lists'] : [])].join(', ');
}

const count = (names: readonly string[]): string => `${names.length} of the names in remove`;

const isAmountOnlyBefore = ({ things }: Facts): boolean => isAmountOnly(billed(things.invoice?.body.terms ?? {}));
const isAmountOnlyAfter = (facts: Facts): boolean => isAmountOnly(billed(resulting(facts)));

/** The fault of the totals. The schema reports missing amounts and amounts in two places. */
function faultIn(facts: Facts) {
  const terms = resulting(facts);
  const { orderInformation } = billed(terms);
  const isWhole = required.every((path) => terms[path] !== undefined);
  return isWhole && reducedTwice(orderInformation).length === 0 ? totalFault(orderInformation) : null;
}
const required = [places.total, places.currency];

/** The argument that is at fault; null if none is. */
function faultAt(facts: Facts): (typeof stated)[number] | null {
  const fault = faultIn(facts);
  return fault === null ? null : (stated.find((name) => places[name] === fault.path) ?? 'total');
}

/** The personal data in custom fields; null if there is none. */
function personal(facts: Facts): string | null {
  const terms = resulting(facts);
  const fields = (terms[places.fields] ?? []) as readonly { readonly [member: string]: unknown }[]; // by its schema
  const known = [terms[places.customer_name], terms[places.customer_email]]
    .filter((it) => it !== undefined)
    .map(String);
  for (const field of fields) {
    const found = personalIn(String(field[fieldMembers.value]), known);
    if (found !== null) return found;
  }
  return null;
}

const resets = (args: Facts['args']): readonly string[] => (args.reset ?? []) as readonly string[]; // by the tool's schema
