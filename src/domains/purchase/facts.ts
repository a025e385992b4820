import { sumOf, within } from '../../core/money.ts';
import { type KindsOf, platformIdKey, type Thing } from '../../core/thing.ts';
import { instruction } from './machines.ts';

// The facts of cards, instructions, released credentials and receipts.

export interface PurchaseThings {
  readonly card?: Thing<CardFacts>;
  readonly instruction?: Thing<InstructionFacts>;
  readonly credentials?: Thing<CredentialsFacts>;
  readonly receipt?: Thing<ReceiptFacts>;
}

export const kinds = {
  card: {
    // The merchant's app may give the handle to another card: what was asked about the card before is not about that one.
    neverChanges: ['instrumentIdentifierId'],
    foundBy: ['list_cards'],
    shownBy: 'list_cards',
    approvalBinds: 'facts',
    namesCard: true,
    namesOwner: ['customerId'],
    // Events name a card by one of its tokens.
    search: {
      keys: ({ body, createdAt }) =>
        [body.instrumentIdentifierId, body.paymentInstrumentId].map((id) => ({
          ...{ key: platformIdKey, value: String(id ?? ''), at: createdAt },
        })),
    },
  },
  instruction: {
    words: 'purchase',
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
    secret: {
      ...{ member: 'secret', redeemedBy: 'app' },
      releasedFor: { kind: 'instruction', member: 'instruction', newest: 'credentials', allows: allowsReleased },
    },
  },
  receipt: { foundBy: ['get_purchase'], shownBy: 'get_purchase', approvalBinds: 'nothing' },
} as const satisfies KindsOf<PurchaseThings>;

/** Whether a purchase still allows the credentials that it has released: it would release some now, and for this amount. */
function allowsReleased(
  { state, body }: Pick<Thing, 'state' | 'body'>,
  { body: released }: Pick<Thing, 'body'>,
  now: number,
): boolean {
  const [sum, most] = [
    sumOf([String(released.amount)], String(released.currency)),
    sumOf([String(body.limit)], String(body.currency)),
  ];
  return sum !== undefined && most !== undefined && within(sum, most) && allowsPayment({ state, body }, now);
}

/** Whether a purchase would still release credentials. */
export function allowsPayment(
  { state, body }: { readonly state: string; readonly body: { readonly until?: unknown; readonly waiting?: unknown } },
  now: number,
): boolean {
  const ended = Number(body.until) * 1_000 <= now;
  const it = { state, ended, asks: false, waiting: String(body.waiting ?? ''), processed: false };
  return instruction.move({ ...it, state: instruction.settle(it) }, 'retrieve').ok;
}

export interface CardFacts {
  readonly customerId: string;
  readonly instrumentIdentifierId: string;
  readonly paymentInstrumentId: string;
  readonly lastFour: string;
  /** `MM/YYYY`. */
  readonly expires: string;
  readonly type?: string | undefined;
  /** The first six to eight digits, if the merchant's app has registered them. */
  readonly bin?: string | undefined;
  /** The network, if the merchant's app has registered it. */
  readonly network?: string | undefined;
  /** Since when the handle has been this card's, if it was another one's before. */
  readonly replacedAt?: number | undefined;
  readonly [field: string]: unknown;
}

export interface InstructionFacts {
  /** The platform's id. */
  readonly instructionId: string;
  /** When it was sent, with the card of that moment. Milliseconds since the epoch. */
  readonly sentAt?: number | undefined;
  readonly mandateId: string;
  readonly reference: string;
  readonly description: string;
  /** The largest amount of a payment: decimal text and currency. */
  readonly limit: string;
  readonly currency: string;
  /** Seconds since the epoch, as text. */
  readonly until: string;
  /** The only merchant it is for; empty if none was named. */
  readonly merchant: string;
  /** The model's fields in the approved call, by contract path: a person approved these, or more. */
  readonly agreed?: Readonly<Record<string, unknown>> | undefined;
  /** Its repetition; empty if it has none. */
  readonly every?: string | undefined;
  /** Whether it was initiated as a recurring purchase, which an update can't say. */
  readonly recurring?: boolean | undefined;
  /** How often credentials were released, and how often people approved a release. */
  readonly releases: number;
  readonly releasesApproved: number;
  /** The step that waits for the customer while PENDING; otherwise empty. */
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
  /** The strength of a passkey authentication, and its indicator. */
  readonly eci?: string | undefined;
  readonly commerceIndicator?: string | undefined;
  /** When the vault deletes them, and since when they are redeemed, in milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly redeemedAt?: number;
}

/** A payment reported by the merchant's payment system. */
export interface ReceiptFacts {
  readonly instruction: string;
  readonly transactionType: string;
  readonly transactionStatus: string;
  readonly amount: string;
  readonly currency: string;
  /** The payment of Purser that posted it. Absent from one of the merchant's own. */
  readonly payment?: string;
  readonly [field: string]: unknown;
}
