import { z } from 'zod';
import type { JsonObject } from '../core/canonical-json.ts';
import { type Leaf, leaves } from '../core/fields.ts';
import { limits } from '../core/limits.ts';
import { contract, sessionReaders } from '../domains/index.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import { holdsCardData, holdsCardNumber } from '../screening/card-data.ts';
import type { OwnNumbers } from '../screening/look-alikes.ts';
import { invisible } from './input-screening.ts';
import type { EngineParts } from './parts.ts';
import { retryOnConflict } from './retry.ts';
import { issueText } from './schema-issues.ts';

/**
 * What the merchant's own systems tell Purser: who is shopping, and which payments were processed. Both come from an
 * authenticated caller that is no agent; the shapes are those of the contract's `shopper`, `device` and `receipt` fields.
 */
export type Registered<Given> =
  | { readonly ok: true; readonly value: Given }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** What is wrong with a registration: where, by which rule, what. It never holds the value. */
export interface Fault {
  readonly field: string;
  readonly rule: string;
  readonly because: string;
}

/** Text of so many characters that a person reads in approvals: a line break in it would be a line of its own there. */
const shownText = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => text.isWellFormed() && !invisible.test(text), 'may hold no character that nobody can see');

const cardShape = z.strictObject({
  handle: z
    .string()
    .regex(/^card_[a-z0-9_]{1,58}$/, 'must begin with "card_" and hold small letters, digits and _')
    .optional(),
  customerId: z.string().min(1).max(limits.textCharacters),
  instrumentIdentifierId: z.string().min(1).max(limits.textCharacters),
  paymentInstrumentId: z.string().min(1).max(limits.textCharacters),
  lastFour: z.string().regex(/^\d{4}$/, 'must be four digits'),
  expires: z.string().regex(/^(0[1-9]|1[0-2])\/\d{4}$/, 'must be MM/YYYY'),
  bin: z
    .string()
    .regex(/^\d{6,8}$/, 'must be the first six to eight digits')
    .optional(),
  label: shownText(40).optional(),
  network: shownText(40).optional(),
  tokenReferenceId: z.string().max(limits.textCharacters).optional(),
  enrollmentReferenceType: z.string().max(limits.textCharacters).optional(),
  enrollmentReferenceProvider: z.string().max(limits.textCharacters).optional(),
});

/** Fields of a session and the contract leaves that state their shapes. */
const sessionLeaves = uniqueLeaves((leaf) => leaf.field.from === 'shopper' || leaf.field.from === 'device');
const sessionParts = [...new Set(sessionLeaves.map(({ at }) => at.split(/[.[]/)[0] ?? ''))];

const sessionShape = z.strictObject({
  handle: z
    .string()
    .regex(/^shopper_[a-z0-9_]{1,55}$/, 'must begin with "shopper_" and hold small letters, digits and _')
    .optional(),
  displayName: shownText(80).min(1),
  cards: z.array(cardShape).max(limits.arrayElements).default([]),
  ...Object.fromEntries(sessionParts.map((part) => [part, z.unknown().optional()])),
});

/** Fields of a receipt: `receipt.*` of the contract, and the purchase it is for. */
const receiptLeaves = uniqueLeaves((leaf) => leaf.field.at?.startsWith('receipt.') === true).map(({ at, leaf }) => ({
  name: at.slice('receipt.'.length),
  leaf,
}));
const requiredOfReceipt = ['transactionType', 'transactionStatus', 'amount', 'currency'];
const receiptShape = z.strictObject({
  instruction: z.string().max(64),
  ...Object.fromEntries(
    receiptLeaves.map(({ name, leaf }) => [
      name,
      requiredOfReceipt.includes(name) ? leaf.schema : leaf.schema.optional(),
    ]),
  ),
});

/** Registers a shopper session, or brings a known one up to date. Cards that are known keep their state. */
export async function registerShopper(
  parts: EngineParts,
  tenant: string,
  given: unknown,
): Promise<Registered<{ readonly shopper: string; readonly cards: readonly string[] }>> {
  const translated = translate(given);
  if ('fault' in translated) return { ok: false, faults: [translated.fault] };
  const read = sessionShape.safeParse(translated.session);
  if (!read.success) return { ok: false, faults: shapeFaults(read.error) };
  const { handle, cards, ...session } = read.data;
  const faults = [...sessionFaults(session), ...cardData(read.data, parts.settings.ownNumbers)];
  if (faults.length > 0) return { ok: false, faults };
  const { clock, ids } = parts.ports;
  return attempt(() =>
    parts.ledger.transaction(tenant, async (tx) => {
      const shopper = await put(tx, 'shopper', handle ?? ids.handle('shopper'), '', session as JsonObject, clock.now());
      const kept: string[] = [];
      for (const { handle: named, ...card } of cards)
        kept.push(
          await put(
            tx,
            'card',
            named ?? (await knownCard(tx, shopper, card)) ?? ids.handle('card'),
            shopper,
            card,
            clock.now(),
          ),
        );
      await tx.audit.append({ event: 'registered', body: { shopper, cards: kept }, at: clock.now() });
      return { ok: true, value: { shopper, cards: kept } };
    }),
  );
}

/** Lets each domain read its member of a session. */
function translate(given: unknown): { readonly session: unknown } | { readonly fault: Fault } {
  let session = given;
  for (const { member, rule, read } of sessionReaders) {
    if (typeof session !== 'object' || session === null || !Object.hasOwn(session, member)) continue;
    const found = read(session as Readonly<Record<string, unknown>>);
    if ('fault' in found)
      return { fault: { field: found.fault, rule, because: `It is missing in ${member}, or differs from it.` } };
    session = found.session;
  }
  return { session };
}

/** Registers what the merchant's payment system reports of a payment. It is the only evidence that a payment happened. */
export async function registerReceipt(
  parts: EngineParts,
  tenant: string,
  given: unknown,
): Promise<Registered<{ readonly receipt: string }>> {
  const read = receiptShape.safeParse(given);
  if (!read.success) return { ok: false, faults: shapeFaults(read.error) };
  const receipt = read.data as { readonly instruction: string; readonly trackingId?: unknown }; // the other members are the contract's own
  // Numbers of parcels have the length and, by chance, the check digit of a card number.
  const { trackingId: _, ...looked } = receipt;
  const faults = cardData(looked, parts.settings.ownNumbers);
  if (faults.length > 0) return { ok: false, faults };
  const { clock, ids } = parts.ports;
  const now = clock.now();
  return attempt(() =>
    parts.ledger.transaction(tenant, async (tx) => {
      const purchase = await tx.observations.find(receipt.instruction);
      if (purchase?.kind !== 'instruction')
        return {
          ok: false,
          faults: [{ field: 'instruction', rule: 'EN-02', because: 'There is no purchase with this handle.' }],
        };
      const handle = await put(tx, 'receipt', ids.handle('receipt'), purchase.owner, read.data as JsonObject, now);
      await tx.observations.update(purchase, { body: { ...purchase.body, receipt: handle } }, now);
      await tx.audit.append({ event: 'receipt', body: { receipt: handle, instruction: purchase.handle }, at: now });
      return { ok: true, value: { receipt: handle } };
    }),
  );
}

/** A handle that names something else already. */
class Taken extends Error {
  override readonly name = 'Taken';
}

/** Registers, after others where they are faster. A handle of another thing is a fault of the registration. */
async function attempt<Given>(work: () => Promise<Registered<Given>>): Promise<Registered<Given>> {
  try {
    return await retryOnConflict(work);
  } catch (error) {
    if (error instanceof Taken)
      return { ok: false, faults: [{ field: 'handle', rule: 'EN-02', because: 'It names something else already.' }] };
    throw error;
  }
}

async function put(
  tx: LedgerTransaction,
  kind: string,
  handle: string,
  owner: string,
  body: JsonObject,
  now: number,
): Promise<string> {
  const known = await tx.observations.find(handle);
  if (known === undefined) await tx.observations.insert({ handle, kind, owner, state: 'none', body }, now);
  else if (known.kind !== kind || known.owner !== owner) throw new Taken();
  else await tx.observations.update(known, { body }, now);
  if (kind === 'shopper' && known?.body.displayName !== body.displayName)
    await tx.observations.rename({ kind, handle }, String(body.displayName ?? ''));
  return handle;
}

/** The card of this shopper that has the same instrument, so that registering a session twice makes no second card. */
async function knownCard(
  tx: LedgerTransaction,
  owner: string,
  card: { readonly instrumentIdentifierId: string },
): Promise<string | undefined> {
  const { rows } = await tx.observations.list({ kind: 'card', owner }, { limit: limits.pageRowsMost });
  return rows.find(({ body }) => body.instrumentIdentifierId === card.instrumentIdentifierId)?.handle;
}

/** Holds every value of a session against the contract's shape of its field. What is missing may come later. */
function sessionFaults(session: object): readonly Fault[] {
  const all = sessionLeaves.flatMap(({ at, leaf }) => faultsAt(session, at, leaf));
  // A part that is no list, or no object, is one fault, however many fields it should have.
  return [...new Map(all.map((fault) => [`${fault.field} ${fault.because}`, fault])).values()];
}

/** What people and models get to see of a registration. */
const shownNames = ['displayName', 'label', 'network'];

/** Card data has no place in what is registered: cards are named by their tokens, which may look like a cryptogram. */
function cardData(value: unknown, own?: OwnNumbers, field = '', isShown = false): readonly Fault[] {
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    if (holdsCardNumber(text, own)) return [{ field, rule: 'EN-05', because: 'It looks like a card number.' }];
    return isShown && holdsCardData(text, own)
      ? [{ field, rule: 'EN-05', because: 'It looks like a code of a card.' }]
      : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    // A name that looks like one is not repeated: the fault is where it stands.
    const named = cardData(name, own, field || 'registration');
    return named.length > 0
      ? named
      : cardData(member, own, field === '' ? name : `${field}.${name}`, shownNames.includes(name));
  });
}

const shapeFaults = (error: z.ZodError): readonly Fault[] =>
  error.issues.map((issue) => ({
    field: issue.code === 'unrecognized_keys' ? 'registration' : issue.path.join('.') || 'registration',
    rule: 'EN-01',
    because:
      issue.code === 'unrecognized_keys'
        ? 'It has a member that nobody knows; it may be misspelt.'
        : sayFault(error, issue),
  }));

const sayFault = (error: z.ZodError, issue = error.issues[0]): string => `It ${issueText(issue)}.`;

/** Every leaf of every request that fits, once per place in the session or receipt. */
function uniqueLeaves(fits: (leaf: Leaf) => boolean): readonly { readonly at: string; readonly leaf: Leaf }[] {
  const all = Object.values(contract).flatMap((operation) => (operation.body ? leaves(operation.body) : []));
  return [...new Map(all.filter(fits).map((leaf) => [leaf.field.at ?? leaf.path, leaf])).entries()].map(
    ([at, leaf]) => ({
      at,
      leaf,
    }),
  );
}

/** What is wrong with the values that stand at a leaf's path below a value, or with what should lead there. */
function faultsAt(value: unknown, path: string, leaf: Leaf, field = ''): readonly Fault[] {
  const wrong = (because: string): readonly Fault[] => [{ field, rule: leaf.field.rule ?? 'AP-01', because }];
  if (value === undefined) return [];
  if (path === '') {
    const read = leaf.schema.safeParse(value);
    return read.success ? [] : wrong(sayFault(read.error));
  }
  if (value === null) return []; // an app that has nothing to say of a part
  if (path.startsWith('[]')) {
    const rest = path.slice(2).replace(/^\./, '');
    if (!Array.isArray(value)) return wrong('It must be a list.');
    return value.flatMap((item, index) => faultsAt(item, rest, leaf, `${field}[${index}]`));
  }
  const [, name = '', rest = ''] = /^([^.[]+)\.?(.*)$/.exec(path) ?? [];
  if (typeof value !== 'object' || Array.isArray(value)) return wrong('It must be an object.');
  const member = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  return faultsAt(member, rest, leaf, field === '' ? name : `${field}.${name}`);
}
