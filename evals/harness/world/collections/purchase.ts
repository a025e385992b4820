import type { Values } from '../../scenario/schema.ts';
import { type Body, type Collection, documents, keyed, observed, text } from '../collection.ts';

/** Cards, purchases, released credentials and receipts, as scenarios name them. */
export const purchaseCollections = {
  cards: {
    frame: true,
    by: 'handle',
    fields: { status: 'on the platform, `none` before enrollment', shopper: 'handle of its owner' },
    read: (sources) => {
      const cards = documents(sources, 'card');
      return keyed(observed(sources, 'card'), ({ row, handle, body }) => [
        handle,
        { status: text(cards.get(String(body.instrumentIdentifierId))?.state ?? 'none'), shopper: row.owner ?? '' },
      ]);
    },
  },
  instructions: {
    frame: true,
    by: 'handle',
    fields: {
      ...{ status: 'on the platform', limit: 'the most that can be paid', currency: 'of the limit', until: 'its end' },
      ...{ merchant: 'the preferred one', releases: 'how many releases of credentials', confirmations: 'how many' },
    },
    read: (sources) => {
      const handles = new Map(
        observed(sources, 'instruction').map(({ handle, body }) => [String(body.instructionId), handle]),
      );
      // An instruction that Purser doesn't know is keyed by the platform's id.
      return keyed(documents(sources, 'instruction'), ([id, body]) => [handles.get(id) ?? id, instructionOf(body)]);
    },
  },
  credentials: {
    frame: true,
    by: 'handle',
    fields: { amount: 'that was released', currency: 'of the amount', instruction: 'handle of the purchase' },
    read: (sources) =>
      keyed(observed(sources, 'credentials'), ({ handle, body }) => [
        handle,
        { amount: text(body.amount), currency: text(body.currency), instruction: text(body.instruction) },
      ]),
  },
  receipts: {
    frame: true,
    by: 'handle',
    fields: {
      ...{ instruction: 'handle of the purchase', amount: 'that was paid', currency: 'of the amount' },
      ...{ type: 'of the transaction', status: 'of the transaction' },
    },
    read: (sources) =>
      keyed(observed(sources, 'receipt'), ({ handle, body }) => [
        handle,
        {
          ...{ instruction: text(body.instruction), amount: text(body.amount), currency: text(body.currency) },
          ...{ type: text(body.transactionType), status: text(body.transactionStatus) },
        },
      ]),
  },
} as const satisfies Readonly<Record<string, Collection>>;

/** The part of a mandate that says what may be paid. */
export interface PlatformMandate {
  readonly mandateId: string;
  readonly declineThreshold: { readonly amount: string; readonly currencyCode: string };
  readonly effectiveUntilTime: string;
  readonly preferredMerchantName?: string;
}

function instructionOf(body: Body): Values {
  const [mandate] = body.mandates as readonly PlatformMandate[]; // the sandbox's own documents
  return {
    status: text(body.state),
    ...(mandate && {
      limit: mandate.declineThreshold.amount,
      currency: mandate.declineThreshold.currencyCode,
      until: new Date(Number(mandate.effectiveUntilTime) * 1_000).toISOString(),
      merchant: mandate.preferredMerchantName ?? '',
    }),
    releases: (body.releases as readonly unknown[]).length,
    confirmations: (body.confirmations as readonly unknown[]).length,
  };
}
