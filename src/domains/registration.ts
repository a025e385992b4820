import type { z } from 'zod';
import type { RuleId } from '../core/rules.ts';
import type { Kind } from './facts.ts';

// What the merchant's own systems may register in a domain. Request fields that come from the shopper or the device need no
// declaration: the contract has their shapes.

type Fields = Readonly<Record<string, unknown>>;

/** Reads a member of a shopper session that one domain alone knows. */
export interface SessionReader {
  readonly member: string;
  /** The rule that a member breaks which can't be read. */
  readonly rule: RuleId;
  /** The session with what it contains in the fields of requests, or the path of what is missing or wrong. */
  readonly read: (session: Fields) => { readonly session: Fields } | { readonly fault: string };
}

/** Things that a shopper session lists, such as cards. They belong to its shopper. */
export interface SessionList {
  /** The member of the session with the list. */
  readonly member: string;
  readonly kind: Kind;
  /** An element without its handle. */
  readonly shape: z.ZodObject;
  /** Elements of one shopper with the same value of this member are the same thing; with another value under its handle, it begins anew. */
  readonly sameBy: string;
  /** The member that says since when the handle has been this one's, if it was another one's before: milliseconds since the epoch. */
  readonly since: string;
  /** Members that people and models see. */
  readonly shown: readonly string[];
}

/**
 * What the merchant's payment system reports of a thing. Its members are the request fields whose place begins with its
 * kind, and the handle of the thing under the name of its kind.
 */
export interface ReceiptSpec {
  readonly kind: Kind;
  readonly about: Kind;
  readonly required: readonly string[];
  /** Members that may look like a card number by chance. */
  readonly unscreened: readonly string[];
}
