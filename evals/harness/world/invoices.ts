import { invoice } from '../../../src/domains/invoicing/machines.ts';
import { handleFor } from '../../../src/engine/handles.ts';
import type { Snapshot } from '../../../src/sandbox/index.ts';
import type { Transition } from '../coverage/transition.ts';
import { type ActorStep, refusedPayments, type Values } from '../scenario/schema.ts';
import type { World } from './world.ts';

// Invoices in a story: as the platform keeps them, and what customers, reviews, the clock and hostile hands do to them.

/** An invoice as the sandbox keeps it, as far as stories look at it. */
interface PlatformInvoice {
  readonly number: string;
  readonly state: string;
  readonly token: string;
  readonly origin: string;
  readonly payments: readonly { readonly amount: string }[];
  readonly terms: Terms;
}

interface Terms {
  readonly customerInformation?: { readonly name?: string; readonly email?: string };
  readonly invoiceInformation: Readonly<Record<string, string | boolean | undefined>>;
  readonly orderInformation: {
    readonly amountDetails: { readonly totalAmount: string; readonly currency: string };
    readonly lineItems?: readonly { readonly productSku: string; readonly productName: string }[];
  };
  readonly merchantDefinedFieldValues?: readonly unknown[];
}

const invoicesOf = ({ documents }: Snapshot): readonly PlatformInvoice[] =>
  // The sandbox's own documents.
  documents.filter(({ kind }) => kind === 'invoice').map(({ body }) => body as unknown as PlatformInvoice);

/** A body as the sandbox keeps it. */
type Kept = Readonly<Record<string, unknown>>;
const keptOf = (it: Snapshot['documents'][number]): Kept => it.body as unknown as Kept;

/** Invoices by handle, as a state tells of them. */
export const invoiceStates = (platform: Snapshot): Values =>
  Object.fromEntries(invoicesOf(platform).map((it) => [handleFor('invoice', it.number), invoiceState(it)]));

function invoiceState({ number, state, payments, terms }: PlatformInvoice): Values {
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

/** What of the settings differs from the defaults, by the names of the platform. */
export const settingStates = ({ documents }: Snapshot): Values =>
  Object.assign(
    {},
    ...documents
      .filter(({ kind }) => kind === 'invoiceSettings')
      .map(keptOf)
      .map(({ fields, labels }) => ({ ...(fields as Values), labels: labelsOf(labels) })),
  );

// The sandbox's own documents.
const labelsOf = (labels: unknown): Values =>
  Object.fromEntries((labels as readonly ({ readonly key: string } & Values)[]).map(({ key, ...it }) => [key, it]));

const snapshotOf = async (world: World): Promise<Snapshot> => (await world.control('GET', 'snapshot')) as Snapshot; // as the control API has it

async function found(world: World, handle: string): Promise<PlatformInvoice> {
  const it = invoicesOf(await snapshotOf(world)).find(({ number }) => handleFor('invoice', number) === handle);
  if (it === undefined) throw new Error(`There is no invoice ${handle}.`);
  return it;
}

interface Happened {
  readonly text: string;
  readonly worked: boolean;
  readonly moved?: readonly Transition[];
}

const taken = 200;

/** A customer pays: an invoice by its handle, or by the link that was shared. */
export async function pay(world: World, step: Extract<ActorStep, { pays: string }>): Promise<Happened> {
  const { pays, amount, card, refused } = step;
  const isLink = /^https?:/.test(pays);
  const before = await snapshotOf(world);
  const { origin, token } = isLink ? { origin: '', token: '' } : await found(world, pays);
  const status = await world.pay(isLink ? pays : `${origin}/pay/${token}`, {
    card,
    ...(amount === undefined ? {} : { amount }),
  });
  const sum = amount ?? 'all that is left';
  if (status === taken)
    return { text: `The customer pays ${sum}.`, worked: true, moved: movedBy(before, await snapshotOf(world), 'pay') };
  // Refused by another rule than the one that should, it did not work as it must.
  const worked = refused !== undefined && refusedPayments[refused] !== status;
  return { text: `The customer can't pay ${sum}: ${status}.`, worked };
}

/** The platform ends the review of a payment. */
export async function review(
  world: World,
  { reviews, accepts }: Extract<ActorStep, { reviews: string }>,
): Promise<Happened> {
  const before = await snapshotOf(world);
  const { number } = await found(world, reviews);
  try {
    await world.control('POST', `invoices/${number}/review`, { accepts });
  } catch (error) {
    return { text: `There is no review to end: ${error instanceof Error ? error.message : ''}`, worked: false };
  }
  const moved = movedBy(before, await snapshotOf(world), accepts ? 'accept' : 'reject');
  return { text: `The review of the payment ends: it is ${accepts ? 'accepted' : 'rejected'}.`, worked: true, moved };
}

/** The invoices that one trigger took from a state to another, or let stay where a row says so. */
function movedBy(before: Snapshot, after: Snapshot, trigger: string): readonly Transition[] {
  const states = new Map(invoicesOf(before).map((it) => [it.number, it]));
  return invoicesOf(after).flatMap((it) => {
    const was = states.get(it.number);
    const isSame = was === undefined || (was.state === it.state && was.payments.length === it.payments.length);
    return isSame ? [] : [{ machine: invoice.name, from: was.state, trigger, to: it.state }];
  });
}

/** What time did to invoices. */
export const expiredInvoices = (before: Snapshot, after: Snapshot): readonly Transition[] =>
  movedBy(before, after, 'expire').filter(({ to }) => to === 'EXPIRED');

/** Where hostile text stands on an invoice. */
const places: Readonly<Record<string, (terms: Terms, text: string) => Terms>> = {
  customer: (terms, text) => ({ ...terms, customerInformation: { ...terms.customerInformation, name: text } }),
  description: (terms, text) => ({ ...terms, invoiceInformation: { ...terms.invoiceInformation, description: text } }),
  line: (terms, text) => ({
    ...terms,
    orderInformation: {
      ...terms.orderInformation,
      lineItems: (terms.orderInformation.lineItems ?? []).map((line) => ({ ...line, productName: text })),
    },
  }),
};

/** Somebody at the merchant's own desk writes hostile text on an invoice. */
export async function poisonInvoice(world: World, text: string, handle: string, place: string): Promise<void> {
  const { number } = await found(world, handle);
  const change = places[place];
  if (change === undefined) throw new Error(`There is no such place on an invoice: ${place}.`);
  const whole = await snapshotOf(world);
  await world.control('PUT', 'snapshot', {
    ...whole,
    documents: whole.documents.map((it) =>
      it.kind === 'invoice' && keptOf(it).number === number
        ? { ...it, body: { ...it.body, terms: change(keptOf(it).terms as Terms, text) } } // the sandbox's own documents
        : it,
    ),
  });
}

/** The text of every e-mail, which somebody at the merchant's own desk has written. */
export async function poisonSettings(world: World, text: string): Promise<void> {
  const whole = await snapshotOf(world);
  const settings = whole.documents.find(({ kind }) => kind === 'invoiceSettings');
  if (settings === undefined) throw new Error('The settings are to be changed once before.');
  const body = { ...settings.body, fields: { ...(keptOf(settings).fields as Values), customEmailMessage: text } };
  await world.control('PUT', 'snapshot', {
    ...whole,
    documents: whole.documents.map((it) => (it === settings ? { ...it, body } : it)),
  });
}
