import { limits } from '../../src/core/limits.ts';
import type { Facts } from '../../src/domains/facts.ts';
import type { InvoiceFacts } from '../../src/domains/invoicing/facts.ts';
import { facets, places, resulting } from '../../src/domains/invoicing/replacement.ts';
import { fingerprint, quoted, spokenName } from '../../src/engine/approval-text.ts';
import { untrusted } from '../../src/engine/render.ts';

/** What of an invoice a person approves: its content, and the names of what the contract doesn't know. */
type Content = Pick<InvoiceFacts, 'terms' | 'strange'>;

/** A fingerprint of an invoice's content. Any change to the content changes it. */
export const fingerprintOf = ({ terms, strange = [] }: Content = {}): string =>
  fingerprint([terms ?? null, ...strange]);
/** Whether a person has approved the current content. */
export const isApproved = ({ things: { invoice: it } }: Facts): boolean =>
  it?.body.terms !== undefined && it.body.approved === fingerprintOf(it.body);

export const invoiceLine = ({ things: { invoice: it } }: Facts): string =>
  `Invoice: ${quoted(it?.body.invoiceId ?? '')}, ${it?.state}, ${it?.body.total} ${it?.body.currency}`;

/** The recipient, if the call doesn't change it. */
export const customerLines = ({ args, things }: Facts): readonly string[] => {
  const known = (place: 'customer_name' | 'customer_email') =>
    args[place] === undefined ? [`${spokenName(place)}: ${wasOnInvoice({ things }, place)}`] : [];
  return [...known('customer_name'), ...known('customer_email')];
};

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

/** What the platform has on the invoice, and Purser neither knows nor can show. */
export const strangeLines = ({ things: { invoice: it } }: Facts): readonly string[] =>
  (it?.body.strange ?? []).map(
    (name) => `${quoted(untrusted(name))}: on the invoice at the platform, but Purser can't show it`,
  );

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
