import type { Document } from '../../../sandbox/documents.ts';
import type { DeviceTransaction } from '../machines.ts';
import type { TransactionStatus } from '../statuses.ts';

// The documents of the simulated reader. Amounts are decimal text, moments milliseconds of the virtual clock.

declare module '../../../sandbox/documents.ts' {
  interface Kinds {
    readonly reader: ReaderDocument;
    readonly deviceTransaction: DeviceTransactionDocument;
    readonly deviceMovement: DeviceMovementDocument;
    readonly deviceKey: DeviceKeyDocument;
  }
}

/** What becomes of a card that is tapped. */
export const tapResults = [
  'approve',
  'decline',
  'abort',
  'fail',
  'offline',
  'inconclusive',
  'unknown',
  'begin',
  'process',
] as const;
export type TapResult = (typeof tapResults)[number];

/** What an unsettled transaction can come to. */
export const tapEnds = ['approve', 'decline', 'abort', 'fail'] as const satisfies readonly TapResult[];

/** The steps of a call at which the connection can be lost. */
export const steps = ['CONNECTING', 'STARTED', 'WAITING_FOR_CARD', 'PROCESSING', 'FINISHED'] as const;
export type Step = (typeof steps)[number];

/** What a person does at the reader in the next call, and what becomes of its connection. */
export interface Tap {
  readonly does: TapResult;
  /** The tip that the customer chooses or types, as decimal text; none by default. */
  readonly tip?: string | undefined;
  readonly lostAt?: Step | undefined;
  /** What becomes of it after a while, where nobody knows that at first. */
  readonly becomes?: (typeof tapEnds)[number] | undefined;
}

/** What the screen of the reader asks a person for. */
export interface AskedTap {
  readonly id: string;
  /** A refund without an original, which is paid to the card. */
  readonly credits: boolean;
  readonly amount: string;
  readonly currency: string;
  readonly tip?: { readonly percentageChoice?: readonly number[]; readonly input?: string } | undefined;
}

/** The reader: its device, its app, and what happens at it. Changed by the control API. */
export interface ReaderDocument extends Document {
  /** The state of its device. */
  readonly state: string;
  readonly deviceId: string;
  readonly serialNumber: string;
  readonly environment: 'test' | 'live';
  readonly handsetGeneration: number;
  readonly osVersion: string;
  /** Days since the release of its operating system. */
  readonly osAgeDays: number;
  readonly sdkVersion: string;
  /** Whether its app reports that the education screens were shown. */
  readonly educationShown: boolean;
  /** Whether its app shows them after an enrollment. */
  readonly showsEducation: boolean;
  /** `auto`: a card is tapped at once. `person`: a call waits until somebody taps. */
  readonly taps: 'auto' | 'person';
  /** What happens next, the soonest first. */
  readonly next: readonly Tap[];
  /** What its screen shows while a call waits for a person. */
  readonly asked?: AskedTap | undefined;
  /** Days until a pre-authorization expires (D-28). */
  readonly expiryDays: number;
  /** What receipts say besides the figures. */
  readonly receiptText: string;
}

export interface DeviceTransactionDocument extends Document, DeviceTransaction {
  readonly merchantId: string;
  /** Its place among the merchant's transactions. */
  readonly number: number;
  readonly customIdentifier: string;
  readonly createdAt: number;
  readonly currency: string;
  /** The total, with the tip and every increment. */
  readonly amount: string;
  readonly tipAmount: string | null;
  readonly capturedAmount: string;
  readonly refundedAmount: string;
  readonly expiresAt: number | null;
  /** What an unsettled one turns into. */
  readonly settlesAs: TransactionStatus | null;
}

/** Money that moved at the reader: the books. Never changed. */
export interface DeviceMovementDocument extends Document {
  readonly merchantId: string;
  readonly transactionId: string;
  readonly kind: 'sale' | 'refund';
  readonly at: number;
  readonly amount: string;
  readonly currency: string;
  readonly reference: string;
}

/** A key that devices sign in with. The key itself is derived from the world's seed and shown once. */
export interface DeviceKeyDocument extends Document {
  readonly merchantId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}
