import type { KindsOf, Thing } from '../../core/thing.ts';

// What the ledger knows of rate offers and of the payments that Purser makes. Amounts are decimal text. `local`: the shop's
// pricing currency; `billing`: the card's. In a payment without conversion both are the same.

export interface ConversionThings {
  readonly offer?: Thing<OfferFacts>;
  readonly charge?: Thing<ChargeFacts>;
  readonly capture?: Thing<CaptureFacts>;
  readonly refund?: Thing<RefundFacts>;
}

export const kinds = {
  offer: {
    ...{ foundBy: ['list_operations'], shownBy: 'get_conversion_offer', approvalBinds: 'facts', namesCard: true },
    forApp: ({ state, body: { localAmount, localCurrency, billingAmount, billingCurrency, ...body } }) => ({
      state,
      local: { amount: localAmount, currency: localCurrency },
      billing: { amount: billingAmount, currency: billingCurrency },
      exchangeRate: body.exchangeRate,
      exchangeRateInverted: body.inverted,
      markupPercent: body.markup,
      rateSource: body.rateSource,
      expires: body.expires,
      disclaimer: body.disclaimer,
    }),
  },
  charge: {
    words: 'payment',
    foundBy: ['list_payments'],
    shownBy: 'get_payment',
    namesCard: true,
    search: {
      keys: ({ state, body, createdAt }) => [
        { key: 'all', value: '', at: createdAt },
        { key: 'reference', value: String(body.reference ?? ''), at: createdAt },
        { key: 'state', value: state, at: createdAt },
      ],
    },
  },
  capture: { foundBy: ['list_payments'], shownBy: 'get_capture', namesCard: true },
  refund: { foundBy: ['list_payments'], shownBy: 'get_refund' },
} as const satisfies KindsOf<ConversionThings>;

/** What a rate offer says. Everything but the local price is missing where the platform offers none. */
export interface Rate {
  readonly exchangeRate: string;
  /** Whether the rate is what one unit of the billing currency costs in the local one. */
  readonly inverted: boolean;
  /** The markup, as a percentage. */
  readonly markup?: string | undefined;
  /** ISO 8601. */
  readonly rateTime: string;
}

export interface OfferFacts extends Partial<Rate> {
  /** The platform's id. */
  readonly offerId: string;
  readonly reference: string;
  readonly card: string;
  readonly localAmount: string;
  readonly localCurrency: string;
  readonly billingAmount?: string | undefined;
  readonly billingCurrency?: string | undefined;
  /** ISO 8601. */
  readonly expires?: string | undefined;
  readonly reconciliationId?: string | undefined;
  /** Where the rate comes from, and what the customer must read: the platform's words. */
  readonly rateSource?: string | undefined;
  readonly disclaimer?: string | undefined;
  /** Why there is no conversion; empty where there is an offer. */
  readonly reason: string;
  /** When a person recorded that the customer chose conversion: ISO 8601. */
  readonly chosenAt?: string | undefined;
  /** Handle of the authorization that used it. */
  readonly charge?: string | undefined;
}

/** An amount in both currencies. */
export interface Both {
  readonly localAmount: string;
  readonly billingAmount: string;
}

export interface ChargeFacts extends Both, Partial<Rate> {
  readonly paymentId: string;
  readonly reference: string;
  readonly card: string;
  readonly localCurrency: string;
  readonly billingCurrency: string;
  readonly converted: boolean;
  /** How the merchant's acquirer processes converted payments; later calls carry the same fields. */
  readonly processing: string;
  /** Handle of the offer whose rate it carries; empty where it is not converted. */
  readonly offer: string;
  /** What stands captured. */
  readonly capturedLocal: string;
  readonly capturedBilling: string;
  /** What stands refunded of all its captures; absent where nothing was ever refunded. */
  readonly refundedLocal?: string;
  readonly refundedBilling?: string;
  /** The platform's word for its status. */
  readonly status: string;
  /** Handle of the purchase that it pays; empty where there is none. */
  readonly instruction?: string | undefined;
}

export interface CaptureFacts extends Both {
  readonly captureId: string;
  readonly charge: string;
  /** What stands refunded. */
  readonly refundedLocal: string;
  readonly refundedBilling: string;
}

export interface RefundFacts extends Both {
  readonly refundId: string;
  readonly capture: string;
}
