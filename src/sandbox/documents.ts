/** A document of the world: plain JSON under a kind and an id. */
export interface Document {
  readonly id: string;
  /** When the clock must settle it, in milliseconds of virtual time; absent if nothing is due. */
  readonly due?: number | undefined;
}

/** Every kind of document. A domain adds its own with `declare module`, so the same kind twice does not compile. */
export interface Kinds {
  readonly origin: OriginDocument;
  readonly clock: ClockDocument;
  readonly merchant: Merchant;
  readonly cardFixture: CardFixture;
  readonly shopper: ShopperFixture;
  readonly fault: FaultDocument;
  readonly late: LateDocument;
  readonly rate: RateDocument;
  readonly email: EmailDocument;
  readonly event: EventDocument;
}

export type Kind = keyof Kinds;

/** What a domain can be set to when a world is created. Domains add their settings with `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: domains extend it
export interface WorldSettings {}

/** How a saved card behaves in each domain. Domains add their part with `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: domains extend it
export interface CardBehavior {}

/** A merchant that may call, with the key it signs with. */
export interface Merchant extends Document {
  readonly name: string;
  readonly keyId: string;
  /** Base64, as the platform hands it out. */
  readonly secret: string;
}

/** A saved card as the token service has it, by its instrument identifier. */
export interface SavedCard {
  readonly customerId: string;
  readonly paymentInstrumentId: string;
  readonly lastFour: string;
  /** `MM/YYYY`. */
  readonly expires: string;
}

/** A saved card and how it behaves. */
export type CardFixture = Document & SavedCard & CardBehavior;

/** A shopper session in the platform's format; the sandbox only hands it out. */
export interface ShopperFixture extends Document {
  readonly session: { readonly [member: string]: unknown };
}

/** The virtual clock: it runs beside the wall clock, or is frozen until a caller moves it. */
export type ClockDocument = Document &
  ({ readonly runs: true; readonly offset: number } | { readonly runs: false; readonly at: number });

export const faultKinds = [
  'decline',
  'pending',
  'timeout-after-commit',
  'late-apply',
  'twice',
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

/** A fault to inject into a coming request. */
export interface FaultDocument extends Document {
  /** The contract's name of an operation, or `*` for any. */
  readonly on: string;
  readonly kind: FaultKind;
  /** How many more requests it affects. */
  readonly times: number;
  /** The status of a `5xx`. */
  readonly status?: number | undefined;
  /** Seconds until a `late-apply` is applied, or the `Retry-After` of a `429`. */
  readonly afterSeconds?: number | undefined;
}

/** A request that is applied later, and whose sender got no response. */
export interface LateDocument extends Document {
  readonly operation: string;
  readonly merchantId: string;
  readonly path: { readonly [name: string]: string };
  readonly query: string;
  readonly origin: string;
  readonly body: string;
  readonly accept: string;
  readonly requestId: string;
}

/** The requests of one merchant in the current window of the rate limit. */
export interface RateDocument extends Document {
  readonly since: number;
  readonly requests: number;
}

/** What the world was created from; a reset creates it again. */
export interface OriginDocument extends Document, WorldSettings {
  readonly seed: number;
  readonly frozenAt: number | null;
}

/** An e-mail in the outbox. */
export interface EmailDocument extends Document {
  readonly at: number;
  readonly to: string;
  readonly template: string;
  /** The placeholders of the template. */
  readonly fields: { readonly [name: string]: string };
}

/** An event: something that merchants can be notified of. */
export interface EventDocument extends Document {
  readonly at: number;
  readonly eventType: string;
  readonly productId: string;
  readonly organizationId: string;
  readonly payload: { readonly [name: string]: string };
}

/** One request that took effect. Tests compare these to know what the platform did. */
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
