import type { KindsOf, Thing } from '../core/thing.ts';
import type { BillingThings } from './billing/facts.ts';
import type { ConversionThings } from './conversion/facts.ts';
import type { DeviceThings } from './device/facts.ts';
import type { DeviceSettings } from './device/settings.ts';
import type { InvoicingThings } from './invoicing/facts.ts';
import type { PasskeyThings } from './passkey/facts.ts';
import type { PasskeySettings } from './passkey/settings.ts';
import type { PurchaseThings } from './purchase/facts.ts';
import type { ReportingThings } from './reporting/facts.ts';

/**
 * What is known when a call is decided: the caller, the arguments, the things and the time. Guards, request bodies and
 * approval texts use it. Only `args` was authored by the model.
 */
export interface Facts {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The tool's arguments, validated. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The things of the call, by kind: those its handles name, and those that these point to. */
  readonly things: Things;
  readonly merchant: Merchant;
  readonly configured: DomainSettings;
  /** The merchant's order or invoice number of the call; empty if it has none. */
  readonly reference: string;
  /** Fresh identifiers for this call. */
  readonly new: { readonly correlationId: string; readonly mandateId: string };
  /** Purser's own call that makes what a look asks for by its reference, if one was sent. */
  readonly ownCall?: OwnCall | undefined;
  /** A call that waits for an approval, where this one is about it. */
  readonly proposal?: Proposal | undefined;
}

/** A call that was sent, whatever became of it. */
export interface OwnCall {
  /** The contract's name of its operation. */
  readonly name: string;
  /** The arguments of its tool. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The tool's notes about it. */
  readonly noted?: Readonly<Record<string, unknown>> | undefined;
}

/** A call that waits for an approval, and what its approver reads. */
export interface Proposal {
  /** Handle of the operation, and the contract's name of it. */
  readonly operation: string;
  readonly name: string;
  /** The arguments of its tool. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly approval: string;
  readonly digest: string;
  readonly text: string;
  /** Whether it can still be approved. */
  readonly isOpen: boolean;
  /** Whether a customer's approval counts here. */
  readonly isForCustomer: boolean;
}

/** Every kind of thing with its facts. A property of a body that is named like a kind contains a handle of it. */
export interface Things
  extends PurchaseThings,
    PasskeyThings,
    ConversionThings,
    BillingThings,
    InvoicingThings,
    ReportingThings,
    DeviceThings {
  readonly shopper?: Thing<ShopperFacts>;
}

/** The operator's settings of each domain, by name; absent if there are none. */
export interface DomainSettings {
  readonly passkey?: PasskeySettings | undefined;
  readonly device?: DeviceSettings | undefined;
}

export type Kind = keyof Things;

/** The kind shared by all domains: a thing belongs to a shopper or to the merchant. */
export const ownerKind = 'shopper' satisfies Kind;

export const sharedKinds = {
  shopper: { foundBy: ['find_shopper'], shownBy: 'find_shopper', limitScope: true },
} as const satisfies KindsOf<Pick<Things, typeof ownerKind>>;

/** A shopper session with the platform's field names, as registered by the merchant's app. */
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
