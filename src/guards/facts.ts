import type { FollowOnFacts, PlanFacts, SubscriptionFacts } from './billing-facts.ts';
import type { InvoiceFacts } from './invoice-facts.ts';

/**
 * What is known when a call is decided: who calls, with what, about which things, at what time. Guards read it, the
 * request body is filled from it, approvals are rendered from it. Nothing in it was authored by the model but `args`.
 */
export interface Facts {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The tool's arguments, checked for shape. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The things the call is about, by kind: those its handles name, and those that these point to. */
  readonly things: Things;
  readonly merchant: Merchant;
  /** What the platform's account manager gave the merchant for passkeys; absent until it is configured. */
  readonly passkey: { readonly tokenRequesterId: string; readonly relationshipId: string } | undefined;
  /** The merchant's order or invoice number this call stands under; empty where it takes none. */
  readonly reference: string;
  /** Fresh identifiers for this call. */
  readonly new: { readonly correlationId: string; readonly mandateId: string };
}

/** One thing the ledger knows. */
export interface Thing<Body = Readonly<Record<string, unknown>>> {
  readonly handle: string;
  readonly kind: string;
  /** The handle of the shopper it belongs to; a shopper belongs to nobody. */
  readonly owner: string;
  readonly state: string;
  readonly body: Body;
  readonly createdAt: number;
}

/** Every kind of thing, and what is known of it. A body's member that is named like a kind holds a handle of it. */
export interface Things {
  readonly shopper?: Thing<ShopperFacts>;
  readonly card?: Thing<CardFacts>;
  readonly instruction?: Thing<InstructionFacts>;
  readonly credentials?: Thing<CredentialsFacts>;
  readonly receipt?: Thing<ReceiptFacts>;
  readonly plan?: Thing<PlanFacts>;
  readonly subscription?: Thing<SubscriptionFacts>;
  readonly followOn?: Thing<FollowOnFacts>;
  readonly invoice?: Thing<InvoiceFacts>;
}

export const kinds = [
  ...(['shopper', 'card', 'instruction', 'credentials', 'receipt'] as const),
  ...(['plan', 'subscription', 'followOn'] as const),
  ...(['invoice'] as const),
] as const satisfies readonly Kind[];
export type Kind = keyof Things;

/** The member that holds the platform's id of a thing whose handle is made from it. */
export const platformIds = {
  plan: 'planId',
  subscription: 'subscriptionId',
  followOn: 'requestId',
  invoice: 'invoiceId',
} as const satisfies { readonly [K in Kind]?: keyof NonNullable<Things[K]>['body'] };

/** A shopper session in the platform's own field names, as the merchant's app registered it. */
export interface ShopperFacts {
  readonly displayName: string;
  readonly [field: string]: unknown;
}

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

export interface Merchant {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly url: string;
  readonly [field: string]: string | undefined;
}
