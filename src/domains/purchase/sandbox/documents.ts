import type { Document } from '../../../sandbox/documents.ts';
import type { Card, Instruction } from '../machines.ts';

// The documents of the agent operations. Moments are milliseconds of the virtual clock.

declare module '../../../sandbox/documents.ts' {
  interface Kinds {
    readonly card: CardDocument;
    readonly instruction: InstructionDocument;
  }

  /** A card that no fixture describes enrolls as PENDING and releases credentials. */
  interface CardBehavior {
    readonly enrolls: 'active' | 'pending';
    readonly credentials: 'released' | 'declined' | 'asked';
  }
}

/** An enrolled card, by its instrument identifier. */
export interface CardDocument extends Document, Card {
  readonly merchantId: string;
  readonly customerId: string;
  readonly paymentInstrumentId: string;
}

export interface Mandate {
  readonly mandateId: string;
  readonly declineThreshold: { readonly amount: string; readonly currencyCode: string };
  /** Text holding seconds since the epoch. */
  readonly effectiveUntilTime: string;
  readonly preferredMerchantName?: string | undefined;
  readonly [member: string]: unknown;
}

/** What credentials were released for. The credentials themselves are not stored. */
export interface Release {
  readonly reference: string;
  readonly mandateId: string;
  readonly totalAmount: string;
  readonly currency: string;
  readonly merchantName: string;
  readonly at: number;
}

/** One reported event of a payment. */
export interface Confirmation {
  readonly reference: string;
  readonly transactionType: string;
  readonly transactionStatus: string;
  readonly at: number;
}

/** A purchase intent, by its instruction id. */
export interface InstructionDocument extends Document, Instruction {
  readonly merchantId: string;
  readonly customerId: string;
  /** The card named last, by its instrument identifier. */
  readonly cardId: string;
  readonly mandates: readonly Mandate[];
  /** Mandates of an update that waits for the customer. */
  readonly waitingMandates: readonly Mandate[] | null;
  /** Every mandate id this instruction ever had; none can be used again. */
  readonly mandateIds: readonly string[];
  /** Whether the customer authenticated the intent with a passkey, which decides the `eci` of its credentials. */
  readonly authenticated: boolean;
  /** Whether the customer verified a step; the card's own step is required once. */
  readonly answered: boolean;
  readonly releases: readonly Release[];
  readonly confirmations: readonly Confirmation[];
}
