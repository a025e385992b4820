import type { KindsOf, Thing } from '../../core/thing.ts';

// What the ledger knows of cards, instructions, released credentials and receipts.

export interface PurchaseThings {
  readonly card?: Thing<CardFacts>;
  readonly instruction?: Thing<InstructionFacts>;
  readonly credentials?: Thing<CredentialsFacts>;
  readonly receipt?: Thing<ReceiptFacts>;
}

export const kinds = {
  card: { foundBy: ['list_cards'], shownBy: 'list_cards', approvalBinds: 'facts', namesCard: true },
  instruction: {
    foundBy: ['list_purchases'],
    shownBy: 'get_purchase',
    limitScope: true,
    namesCard: true,
    search: {
      keys: ({ state, body, createdAt }) => [
        { key: 'all', value: '', at: createdAt },
        { key: 'reference', value: String(body.reference ?? ''), at: createdAt },
        { key: 'state', value: state, at: Number(body.until ?? 0) * 1_000 },
      ],
    },
  },
  credentials: {
    foundBy: ['get_purchase'],
    shownBy: 'get_purchase',
    approvalBinds: 'nothing',
    secret: { member: 'secret', redeemedBy: 'app' },
  },
  receipt: { foundBy: ['get_purchase'], shownBy: 'get_purchase', approvalBinds: 'nothing' },
} as const satisfies KindsOf<PurchaseThings>;

export interface CardFacts {
  readonly customerId: string;
  readonly instrumentIdentifierId: string;
  readonly paymentInstrumentId: string;
  readonly lastFour: string;
  /** `MM/YYYY`. */
  readonly expires: string;
  readonly type?: string | undefined;
  /** The network, where the merchant's app has said it. */
  readonly network?: string | undefined;
  readonly [field: string]: unknown;
}

export interface InstructionFacts {
  /** The platform's id. */
  readonly instructionId: string;
  readonly mandateId: string;
  readonly reference: string;
  readonly description: string;
  /** The most a payment may cost: decimal text and currency. */
  readonly limit: string;
  readonly currency: string;
  /** Seconds since the epoch, as text. */
  readonly until: string;
  /** The only merchant it is for; empty where none was named. */
  readonly merchant: string;
  /** What the model authored in the call that it stands by, by contract path: a person approved that, or more. */
  readonly agreed?: Readonly<Record<string, unknown>> | null | undefined;
  /** How it repeats; empty where it does not. */
  readonly every?: string | undefined;
  /** How often credentials were released, and how often people have approved that. */
  readonly releases: number;
  readonly releasesApproved: number;
  /** The step that waits for the customer while PENDING; empty otherwise. */
  readonly waiting: string;
  readonly card: string;
  readonly credentials?: string | undefined;
  readonly receipt?: string | undefined;
}

export interface CredentialsFacts {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly lastFour: string;
  readonly expires: string;
  readonly type: string;
  /** When the vault forgets them, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** What the merchant's payment system reported about one payment. */
export interface ReceiptFacts {
  readonly instruction: string;
  readonly transactionType: string;
  readonly transactionStatus: string;
  readonly amount: string;
  readonly currency: string;
  readonly [field: string]: unknown;
}
