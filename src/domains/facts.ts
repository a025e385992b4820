import type { KindsOf, Thing } from '../core/thing.ts';
import type { BillingThings } from './billing/facts.ts';
import type { InvoicingThings } from './invoicing/facts.ts';
import type { PurchaseThings } from './purchase/facts.ts';

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

/** Every kind of thing, and what is known of it. A body's member that is named like a kind holds a handle of it. */
export interface Things extends PurchaseThings, BillingThings, InvoicingThings {
  readonly shopper?: Thing<ShopperFacts>;
}

export type Kind = keyof Things;

/** The kind that every domain shares: a thing belongs to a shopper, or to the merchant. */
export const ownerKind = 'shopper' satisfies Kind;

export const sharedKinds = {
  shopper: { foundBy: ['find_shopper'], shownBy: 'find_shopper', limitScope: true },
} as const satisfies KindsOf<Pick<Things, typeof ownerKind>>;

/** A shopper session in the platform's own field names, as the merchant's app registered it. */
export interface ShopperFacts {
  readonly displayName: string;
  readonly [field: string]: unknown;
}

export interface Merchant {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly url: string;
  readonly [field: string]: string | undefined;
}
