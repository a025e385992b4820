import type { Operation } from '../core/operation.ts';
import type { KindSpec } from '../core/thing.ts';
import { billing } from './billing/index.ts';
import { conversion } from './conversion/index.ts';
import { device } from './device/index.ts';
import { sharedReasons } from './errors.ts';
import { type Kind, sharedKinds } from './facts.ts';
import type { Guard } from './guard.ts';
import { invoicing } from './invoicing/index.ts';
import { passkey } from './passkey/index.ts';
import { purchase } from './purchase/index.ts';
import type { ReceiptSpec, SessionList, SessionReader } from './registration.ts';
import { reporting } from './reporting/index.ts';
import { webhooks } from './webhooks/index.ts';

/** Every domain of the platform. The other layers know domains only through this. */
export const domains = { purchase, passkey, conversion, billing, invoicing, webhooks, reporting, device } as const;

type Together<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer All) => void ? All : never;

export type DomainName = keyof typeof domains;
export type Contract = Together<(typeof domains)[DomainName]['contract']>;
export type OperationName = keyof Contract;

const each = Object.values(domains);

/** Every operation of the platform, by name. Client methods, routes and tools use the same name. */
export const contract = Object.assign({}, ...each.map((it) => it.contract)) as Contract; // the members of all domains

/** Readers of domain-specific members of a shopper session, which run before its fields are checked. */
export const sessionReaders: readonly SessionReader[] = each.flatMap((it) => ('session' in it ? [it.session] : []));

/** The lists of a shopper session: things that belong to its shopper. */
export const sessionLists: readonly SessionList[] = each.flatMap((it) => ('sessionLists' in it ? it.sessionLists : []));
export type SessionMember = (typeof purchase.sessionLists)[number]['member'];
/** The rule that an invalid field of a session breaks, unless the field has one. */
export const sessionFieldRule = purchase.contract.enrollCard.shape;
/** What the merchant's payment system reports. */
export const receipts: ReceiptSpec = purchase.receipt;

/** Every guard, in the order in which they are evaluated. */
export const guards: readonly Guard[] = each.flatMap((it) => it.guards);

type SharedKinds = typeof sharedKinds;
type DomainKinds = Together<(typeof domains)[DomainName]['kinds']>;
type DeclaredKinds = SharedKinds & DomainKinds;

/** The declaration of each kind of thing. */
export const kindTable: { readonly [K in Kind]: KindSpec } = Object.assign(
  { ...sharedKinds },
  ...each.map((it) => it.kinds),
);

export const kinds = Object.keys(kindTable) as readonly Kind[]; // the keys of the table

/** Whether a text names a kind of thing. */
export const isKind = (text: string): text is Kind => Object.hasOwn(kindTable, text);

/** Kinds that limits can be counted by. */
export type LimitScopeKind = {
  [K in Kind]: DeclaredKinds[K] extends { readonly limitScope: true } ? K : never;
}[Kind];
export const limitScopeKinds = kinds.filter((kind) => kindTable[kind].limitScope) as readonly LimitScopeKind[]; // as its type says

const operations: readonly Operation[] = Object.values(contract);
const reasons: ReadonlySet<string> = new Set([...sharedReasons, ...operations.flatMap(({ error }) => error.reasons)]);

/** Whether a decline reason is one of the platform's codes. Any other text may be by somebody else. */
export const isReason = (text: string): boolean =>
  // Document 2 prints one with a number behind it: that of the billing cycle.
  reasons.has(text.replace(/: \d{1,3}$/, '')) || /^HTTP \d{3}$/.test(text);

const incidental: ReadonlyMap<string, readonly string[]> = new Map(
  each.flatMap((it) => Object.keys(it.contract).map((operation) => [operation, it.incidental] as const)),
);

/** Arguments of an operation in which two calls may differ and still count as near-duplicates. */
export const incidentalArguments = (operation: string): readonly string[] => incidental.get(operation) ?? [];
