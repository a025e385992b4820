import type { Document } from '../../../sandbox/documents.ts';
import type { ConversionReason } from '../errors.ts';
import type { Capture, Charge, Offer, Refund } from '../machines.ts';
import type { Processing } from '../processing.ts';

// The documents of conversion and its payments. Amounts are decimal text, moments milliseconds of the virtual clock.

declare module '../../../sandbox/documents.ts' {
  interface Kinds {
    readonly offer: OfferDocument;
    readonly charge: ChargeDocument;
    readonly capture: CaptureDocument;
    readonly refund: RefundDocument;
    readonly bin: BinDocument;
    readonly conversionSettings: ConversionSettingsDocument;
  }

  /** A card that no fixture describes is authorized. */
  interface CardBehavior {
    readonly authorizes?: 'approved' | 'declined' | undefined;
  }
}

/** The cards of an issuer, by their first digits: the billing currency, or why they are not converted. */
export interface BinDocument extends Document {
  readonly currency?: string | undefined;
  readonly reason?: ConversionReason | undefined;
}

/** How conversions go: changed by the control API. */
export interface ConversionSettingsDocument extends Document {
  readonly processing: Processing;
  /** Why no conversion is offered to anybody; null where there are offers. */
  readonly reason: ConversionReason | null;
  /** The markup of an offer, as a percentage; null where offers leave it out. */
  readonly markup: string | null;
  /** Whether rates are told per unit of the billing currency. */
  readonly inverted: boolean;
  /** Whether offers say the time of their rate. */
  readonly dated: boolean;
  /** Seconds for which a rate is valid. */
  readonly validSeconds: number;
  readonly disclaimer: string;
  /** What becomes of refunds and of voids: a platform can answer 201 and do nothing. */
  readonly refunds: 'approved' | 'declined';
  readonly voids: 'done' | 'failed';
}

export interface OfferDocument extends Document, Offer {
  readonly merchantId: string;
  readonly reference: string | undefined;
  readonly createdAt: number;
  readonly reason: ConversionReason | null;
  readonly reconciliationId: string;
  readonly originalAmount: string;
  readonly originalCurrency: string;
  readonly amount: string;
  readonly currency: string;
  readonly exchangeRate: string;
  readonly inverted: boolean;
  readonly markup: string | null;
  readonly dated: boolean;
  readonly expires: number;
  readonly disclaimer: string;
}

export interface ChargeDocument extends Document, Charge {
  readonly merchantId: string;
  readonly reference: string | undefined;
  readonly createdAt: number;
  readonly cardId: string;
  readonly amount: string;
  readonly currency: string;
  /** The rate it carries; null where it is not converted. */
  readonly exchangeRate: string | null;
  /** The indicator it carried; empty where it carried none. */
  readonly indicator: string;
  /** The offer whose rate it carries; null where it is not converted. */
  readonly offerId: string | null;
  /** What stands captured. */
  readonly capturedAmount: string;
}

export interface CaptureDocument extends Document, Capture {
  readonly merchantId: string;
  readonly chargeId: string;
  readonly reference: string | undefined;
  readonly createdAt: number;
  readonly amount: string;
  readonly currency: string;
  /** What stands refunded. */
  readonly refundedAmount: string;
}

export interface RefundDocument extends Document, Refund {
  readonly merchantId: string;
  readonly captureId: string;
  readonly reference: string | undefined;
  readonly createdAt: number;
  readonly amount: string;
  readonly currency: string;
}
