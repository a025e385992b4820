import { type Answer, type BodyOf, find, hrefOf, invalid, move, PlatformError } from '../../../sandbox/answer.ts';
import { isoTime } from '../../../sandbox/clock.ts';
import type { Merchant } from '../../../sandbox/documents.ts';
import type { HandlersOf } from '../../../sandbox/domain.ts';
import type { World } from '../../../sandbox/world.ts';
import type { invoicing as operations } from '../contract.ts';
import { isAmountOnly } from '../field-rules.ts';
import { invoice } from '../machines.ts';
import { totalFault } from '../totals.ts';
import { invoiceRow, invoiceView, invoiceWithHistory } from './answers.ts';
import { at, timed } from './clock.ts';
import type { InvoiceDocument } from './documents.ts';
import { freshLink, keyOf, renewedLink } from './links.ts';
import { mailCustomer, tell } from './mail.ts';
import { changed, settingsOf, settingsView } from './settings.ts';

/** The invoicing operations of document 2. A rule marked P in the rule book is enforced here or by the machine. */
export const handlers: HandlersOf<typeof operations> = {
  createInvoice({ body, merchant, origin }, world) {
    const number = body.invoiceInformation.invoiceNumber ?? nextNumber(world, merchant);
    if (world.get('invoice', keyOf(merchant, number)) !== undefined)
      throw new PlatformError(400, 'DUPLICATE_RECORD', 'An invoice with this number exists.', {
        source: 'invoiceInformation.invoiceNumber',
      });
    demandTotals(body);
    const { deliveryMode, sendImmediately } = body.invoiceInformation;
    const it: InvoiceDocument = {
      ...{ id: keyOf(merchant, number), number, merchantId: merchant.id, state: 'none', origin },
      ...{ delivery: deliveryMode, immediate: sendImmediately },
      ...{ paid: false, settled: false, reviewed: false, expired: false },
      ...{ seq: world.count('invoice'), createdAt: world.now, token: freshLink(world, keyOf(merchant, number)) },
      ...{ terms: body, payments: [], waiting: null, history: [] },
    };
    const created = move(world, invoice, 'invoice', it, 'create');
    return { ...about(world, passed(world, it, created)), status: 201 };
  },

  listInvoices({ query, merchant }, world) {
    const own = world
      .list('invoice')
      .filter(({ merchantId, state }) => merchantId === merchant.id && (query.status ?? state) === state)
      .toSorted((one, other) => other.seq - one.seq);
    const from = Number(query.offset);
    const self = hrefOf('/v2/invoices', query);
    return {
      status: 200,
      entity: '',
      body: {
        _links: { self: { href: self, method: 'GET' } },
        submitTimeUtc: isoTime(world.now),
        totalInvoices: own.length,
        invoices: own.slice(from, from + Number(query.limit)).map(invoiceRow),
      },
    };
  },

  getInvoice({ path, merchant }, world) {
    const it = own(world, merchant, path.id);
    return { status: 200, entity: it.number, body: invoiceWithHistory(world, it) };
  },

  updateInvoice({ path, body, merchant }, world) {
    const it = own(world, merchant, path.id);
    const { invoiceNumber = it.number, deliveryMode } = body.invoiceInformation;
    if (invoiceNumber !== it.number)
      throw invalid('invoiceInformation.invoiceNumber', 'The number of an invoice cannot be changed.');
    const asked = { ...it, delivery: deliveryMode };
    const updated = move(world, invoice, 'invoice', asked, 'update');
    if (isAmountOnly(body) && !isAmountOnly(it.terms))
      throw new PlatformError(400, 'INVALID_STATE', 'An existing invoice cannot become an amount only invoice.');
    demandTotals(body);
    const linked = renewedLink(world, updated, body.customerInformation?.email);
    return about(world, noted(world, { ...linked, terms: body }, ['UPDATE']));
  },

  sendInvoice({ path, merchant }, world) {
    const it = own(world, merchant, path.id);
    return about(world, passed(world, it, move(world, invoice, 'invoice', it, 'send')));
  },

  cancelInvoice({ path, merchant }, world) {
    const it = own(world, merchant, path.id);
    const canceled = noted(world, move(world, invoice, 'invoice', it, 'cancel'), ['CANCEL']);
    world.remove('paymentLink', canceled.token);
    tell(world, canceled, 'cancel');
    return about(world, canceled);
  },

  publishInvoice({ path, merchant }, world) {
    const it = own(world, merchant, path.id);
    return about(world, passed(world, it, move(world, invoice, 'invoice', it, 'publish')));
  },

  getInvoiceSettings: ({ merchant }, world) => ({
    status: 200,
    entity: merchant.id,
    body: settingsView(world, merchant),
  }),

  updateInvoiceSettings({ body, merchant }, world) {
    world.put('invoiceSettings', changed(settingsOf(world, merchant.id), body.invoiceSettingsInformation));
    return { status: 200, entity: merchant.id, body: settingsView(world, merchant) };
  },
};

/** What follows a move that takes an invoice to its customer, by the states it leads from and to. */
const passages: { readonly [fromTo: string]: readonly string[] | undefined } = {
  'none DRAFT': ['DRAFT'],
  'none CREATED': ['CREATE'],
  'none SENT': ['CREATE', 'SEND'],
  'DRAFT CREATED': ['CREATE'],
  'DRAFT SENT': ['SEND'],
  'CREATED SENT': ['SEND'],
  'SENT SENT': ['RESEND'],
  'PARTIAL PARTIAL': ['RESEND'],
};

/** Events of the history with which an e-mail goes out. */
const mailed: readonly string[] = ['SEND', 'RESEND'];

/** Records a transition and sends its e-mail. An expired invoice is not sent (D-22). */
function passed(world: World, from: InvoiceDocument, to: InvoiceDocument): InvoiceDocument {
  const isOver = timed(to, world.now).state !== to.state;
  const passage = passages[`${from.state} ${to.state}`] ?? [];
  const events = isOver ? passage.filter((event) => !mailed.includes(event)) : passage;
  const kept = noted(world, to, events);
  if (!events.some((event) => mailed.includes(event))) return kept;
  mailCustomer(world, kept, 'invoice');
  tell(world, kept, kept.paid ? 'partial-resend' : 'send');
  return kept;
}

/** Stores an invoice with new history entries and its next due moment. */
function noted(world: World, it: InvoiceDocument, events: readonly string[]): InvoiceDocument {
  const history = [...it.history, ...events.map((event) => ({ event, at: world.now }))];
  return world.put('invoice', timed({ ...it, history }, world.now));
}

/** An invoice of the merchant, as the clock finds it. Throws the platform's 404. */
const own = (world: World, merchant: Merchant, number: string): InvoiceDocument =>
  at(find(world, 'invoice', keyOf(merchant, number), merchant, 'id'), world.now);

/** The next free number. */
function nextNumber(world: World, merchant: Merchant): string {
  const number = String(world.count(`invoice number/${merchant.id}`));
  return world.get('invoice', keyOf(merchant, number)) === undefined ? number : nextNumber(world, merchant);
}

/** IN-16: totals add up. */
function demandTotals({ orderInformation }: Pick<BodyOf<typeof operations.createInvoice>, 'orderInformation'>): void {
  const fault = totalFault(orderInformation);
  if (fault !== null) throw invalid(fault.path, fault.says);
}

const about = (world: World, it: InvoiceDocument): Answer => ({
  status: 200,
  entity: it.number,
  body: invoiceView(world, it),
});
