import type { Machine } from '../core/machine.ts';
import type { Operation } from '../core/operation.ts';
import type { KindSpec } from '../core/thing.ts';
import type { Guard } from './guard.ts';
import type { ReceiptSpec, SessionList, SessionReader } from './registration.ts';

/** What a domain is to the other layers. */
export interface Domain {
  readonly contract: { readonly [operation: string]: Operation };
  /** The state machines of its things, by name. */
  readonly machines: { readonly [name: string]: Pick<Machine, 'name' | 'rows' | 'assumed'> };
  /** The kinds of things that the ledger remembers of it. */
  readonly kinds: { readonly [kind: string]: KindSpec };
  /** In the order in which they are evaluated. */
  readonly guards: readonly Guard[];
  /** Arguments in which two calls may differ and still count as near-duplicates. */
  readonly incidental: readonly string[];
  /** Reads the members of a shopper session that are its own, before the fields are checked. */
  readonly session?: SessionReader;
  /** The lists of a shopper session that are its own: things that belong to its shopper. */
  readonly sessionLists?: readonly SessionList[];
  /** What the merchant's payment system reports. */
  readonly receipt?: ReceiptSpec;
}
