import type {
  CodeDocument,
  EmailDocument,
  EventDocument,
  LastCodeDocument,
  PaymentDocument,
  PlanDocument,
  SubscriptionDocument,
  TransactionDocument,
} from '../domains/billing/sandbox/documents.ts';
import type {
  InvoiceDocument,
  InvoiceSettingsDocument,
  PaymentLinkDocument,
} from '../domains/invoicing/sandbox/documents.ts';
import type { Card, Instruction } from '../domains/purchase/machines.ts';

/** Anything the world remembers: plain JSON under a kind and an id. */
export interface Document {
  readonly id: string;
  /** When the clock must look at it, in milliseconds of the virtual clock; absent where it need not. */
  readonly due?: number | undefined;
}

/** A merchant that may call, with the key its calls are signed with. */
export interface Merchant extends Document {
  readonly name: string;
  readonly keyId: string;
  /** Base64, as the platform hands it out. */
  readonly secret: string;
}

/** How a saved card behaves. A card that no fixture describes enrolls as PENDING and releases credentials. */
export interface CardFixture extends Document {
  readonly customerId: string;
  readonly paymentInstrumentId: string;
  readonly lastFour: string;
  /** `MM/YYYY`. */
  readonly expires: string;
  readonly enrolls: 'active' | 'pending';
  readonly credentials: 'released' | 'declined' | 'asked';
  /** The network it is of, where that matters. */
  readonly network?: string | undefined;
  /** What becomes of a subscription's attempts to charge it, one after the other; the last goes for all that follow. */
  readonly charges?: readonly ChargeOutcome[] | undefined;
  /** Whether a zero-amount authorization of it succeeds; it does where nothing is said. */
  readonly verifies?: boolean | undefined;
}

/** What the issuer, or the way to it, makes of a charge. `error`: the request never reached the bank network. */
export const chargeOutcomes = ['paid', 'declined', 'doNotRetry', 'error'] as const;
export type ChargeOutcome = (typeof chargeOutcomes)[number];

/** A shopper session in the platform's shape; the sandbox only hands it out. */
export interface ShopperFixture extends Document {
  readonly session: { readonly [member: string]: unknown };
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

/** What a release of credentials was for; the credentials themselves are not kept. */
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
  /** Every mandate id this instruction ever had: none is used again. */
  readonly mandateIds: readonly string[];
  /** Whether the customer authenticated the intent with a passkey, which decides the `eci` of its credentials. */
  readonly authenticated: boolean;
  /** Whether the customer verified a step that the platform asked for: the card's own question is asked once. */
  readonly answered: boolean;
  readonly releases: readonly Release[];
  readonly confirmations: readonly Confirmation[];
}

/** The virtual clock: it runs beside the wall clock, or stands still until somebody moves it. */
export type ClockDocument = Document &
  ({ readonly runs: true; readonly offset: number } | { readonly runs: false; readonly at: number });

export const faultKinds = [
  'decline',
  'pending',
  'timeout-after-commit',
  'late-apply',
  '401',
  '429',
  '5xx',
  '5xx-after-commit',
  'truncated',
  'not-json',
  'wrong-shape',
  'oversized',
  'wrong-date',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** A fault that waits for its request. */
export interface FaultDocument extends Document {
  /** The contract's name of an operation, or `*` for any. */
  readonly on: string;
  readonly kind: FaultKind;
  /** How many more requests it hits. */
  readonly times: number;
  /** The status of a `5xx`. */
  readonly status?: number | undefined;
  /** Seconds until a `late-apply` is applied, or that a `429` asks to wait. */
  readonly afterSeconds?: number | undefined;
}

/** A request whose sender got no answer, to be applied when it falls due. */
export interface LateDocument extends Document {
  readonly operation: string;
  readonly merchantId: string;
  readonly path: { readonly [name: string]: string };
  readonly query: string;
  readonly origin: string;
  readonly body: string;
  readonly requestId: string;
}

/** The requests of one merchant in the present window of the rate limit. */
export interface RateDocument extends Document {
  readonly since: number;
  readonly requests: number;
}

/** What the world was made from; a reset makes it again. */
export interface OriginDocument extends Document {
  readonly seed: number;
  readonly frozenAt: number | null;
  /** Days before a payment at which its customer is told of it, where that was said (D-20). */
  readonly noticeDays?: number | undefined;
}

/** Every kind of document. A new domain adds its rows here. */
export interface Kinds {
  readonly origin: OriginDocument;
  readonly clock: ClockDocument;
  readonly merchant: Merchant;
  readonly cardFixture: CardFixture;
  readonly shopper: ShopperFixture;
  readonly fault: FaultDocument;
  readonly late: LateDocument;
  readonly rate: RateDocument;
  readonly card: CardDocument;
  readonly instruction: InstructionDocument;
  readonly plan: PlanDocument;
  readonly subscription: SubscriptionDocument;
  readonly payment: PaymentDocument;
  readonly billingCode: CodeDocument;
  readonly lastCode: LastCodeDocument;
  readonly transaction: TransactionDocument;
  readonly email: EmailDocument;
  readonly invoice: InvoiceDocument;
  readonly paymentLink: PaymentLinkDocument;
  readonly invoiceSettings: InvoiceSettingsDocument;
  readonly event: EventDocument;
}

export type Kind = keyof Kinds;

/** One request that took effect: the oracle of what the platform did. */
export interface Effect {
  readonly seq: number;
  /** The contract's name of the operation. */
  readonly operation: string;
  readonly entity: string;
  readonly correlationId: string;
  /** SHA-256 of the request body, Base64. */
  readonly digest: string;
  readonly status: number;
  /** Milliseconds of the virtual clock. */
  readonly at: number;
}

/** The whole world as data. */
export interface Snapshot {
  readonly version: 1;
  readonly documents: readonly { readonly kind: string; readonly body: Document }[];
  readonly counters: { readonly [name: string]: number };
  readonly effects: readonly Effect[];
}
