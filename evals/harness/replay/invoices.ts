import { invoice } from '../../../src/domains/invoicing/machines.ts';
import { handleFor } from '../../../src/engine/handles.ts';
import type { Snapshot } from '../../../src/sandbox/index.ts';
import type { Transition } from '../coverage/transition.ts';
import { refusedPayments } from '../scenario/actor-steps.ts';
import type { ActorStep, Values } from '../scenario/schema.ts';
import { type InvoiceTerms, invoicesOf, type PlatformInvoice } from '../world/collections/invoicing.ts';
import type { World } from '../world/world.ts';

// What customers, reviews, the clock and hostile text do to invoices in a story.

/** A body as the sandbox keeps it. */
type Kept = Readonly<Record<string, unknown>>;
const keptOf = (it: Snapshot['documents'][number]): Kept => it.body as unknown as Kept;

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

/** A customer pays an invoice, by its handle or its payment link. */
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
  // A refusal by another rule than expected counts as a failed step.
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

/** The transitions that one trigger caused between two snapshots. */
function movedBy(before: Snapshot, after: Snapshot, trigger: string): readonly Transition[] {
  const states = new Map(invoicesOf(before).map((it) => [it.number, it]));
  return invoicesOf(after).flatMap((it) => {
    const was = states.get(it.number);
    const isSame = was === undefined || (was.state === it.state && was.payments.length === it.payments.length);
    return isSame ? [] : [{ machine: invoice.name, from: was.state, trigger, to: it.state }];
  });
}

/** Invoices that expired between two snapshots. */
export const expiredInvoices = (before: Snapshot, after: Snapshot): readonly Transition[] =>
  movedBy(before, after, 'expire').filter(({ to }) => to === 'EXPIRED');

/** The invoice fields that can hold hostile text. */
const places: Readonly<Record<string, (terms: InvoiceTerms, text: string) => InvoiceTerms>> = {
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

/** Writes hostile text into an invoice, as an employee of the merchant could. */
export async function poisonInvoice(world: World, text: string, handle: string, place: string): Promise<void> {
  const { number } = await found(world, handle);
  const change = places[place];
  if (change === undefined) throw new Error(`There is no such place on an invoice: ${place}.`);
  const whole = await snapshotOf(world);
  await world.control('PUT', 'snapshot', {
    ...whole,
    documents: whole.documents.map((it) =>
      it.kind === 'invoice' && keptOf(it).number === number
        ? { ...it, body: { ...it.body, terms: change(keptOf(it).terms as InvoiceTerms, text) } } // the sandbox's own documents
        : it,
    ),
  });
}

/** Writes hostile text into the e-mail template, as an employee of the merchant could. */
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
