import type { Values } from '../../scenario/schema.ts';
import { type Body, type Collection, documents, keyed, observed, type Sources, text } from '../collection.ts';

/** Rate offers and payments, as scenarios name them. */
export const conversionCollections = {
  offers: {
    frame: false,
    by: 'handle',
    fields: {
      status: 'in the ledger',
      chosen: 'whether a person recorded the choice',
      reason: 'why the purchase is not eligible',
    },
    read: (sources) =>
      keyed(observed(sources, 'offer'), ({ row, handle, body }) => [
        handle,
        { status: text(row.state), chosen: body.chosenAt !== undefined, reason: text(body.reason) },
      ]),
  },
  charges: {
    frame: true,
    by: 'handle',
    fields: {
      ...{ status: 'on the platform', amount: 'that was authorized', currency: 'of the amount' },
      ...{ indicator: 'of conversion', rate: 'that it carries', captured: 'of the amount' },
    },
    read: (sources) =>
      known(sources, 'charge', 'paymentId', (it) => ({
        ...{ status: text(it.state), amount: text(it.amount), currency: text(it.currency) },
        ...{ indicator: text(it.indicator), rate: text(it.exchangeRate), captured: text(it.capturedAmount) },
      })),
  },
  captures: {
    frame: true,
    by: 'handle',
    fields: { status: 'on the platform', amount: 'that was captured', refunded: 'of the amount' },
    read: (sources) =>
      known(sources, 'capture', 'captureId', (it) => ({
        ...{ status: text(it.state), amount: text(it.amount), refunded: text(it.refundedAmount) },
      })),
  },
  refunds: {
    frame: true,
    by: 'handle',
    fields: { status: 'on the platform', amount: 'that was paid back' },
    read: (sources) =>
      known(sources, 'refund', 'refundId', (it) => ({ status: text(it.state), amount: text(it.amount) })),
  },
} as const satisfies Readonly<Record<string, Collection>>;

/** The platform's documents of a kind, by Purser's handles; one that Purser doesn't know is keyed by the platform's id. */
function known(sources: Sources, kind: string, idMember: string, view: (body: Body) => Values): Values {
  const handles = new Map(observed(sources, kind).map(({ handle, body }) => [String(body[idMember]), handle]));
  return keyed(documents(sources, kind), ([id, body]) => [handles.get(id) ?? id, view(body)]);
}
