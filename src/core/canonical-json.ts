import { hash } from 'node:crypto';

/** A JSON value; undefined properties count as absent. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };
export type JsonObject = { readonly [key: string]: Json | undefined };

/**
 * The canonical text of a JSON value (RFC 8785): no white space, keys sorted by UTF-16 units, numbers and strings as in
 * ECMAScript. Digests and the audit chain use it, so equal values have equal hashes. Throws a TypeError, which never
 * quotes the value, for NaN, infinities, lone surrogates and objects that are not plain (a secret, a date).
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return number(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (isList(value)) return `[${items(value)}]`;
  if (isPlain(value)) return `{${members(value)}}`;
  throw new TypeError('Only plain JSON has a canonical text.');
}

/** SHA-256 over the UTF-8 of a text, in lower-case hexadecimal. */
export function sha256(of: string): string {
  return hash('sha256', of);
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

// Both join by hand: this runs many times a call.
function items(list: readonly Json[]): string {
  let joined = '';
  for (let at = 0; at < list.length; at += 1) joined += `${at === 0 ? '' : ','}${canonicalJson(list[at] as Json)}`; // a hole throws
  return joined;
}

function members(value: { readonly [key: string]: Json | undefined }): string {
  let joined = '';
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) joined += `${joined === '' ? '' : ','}${text(key)}:${canonicalJson(member)}`;
  }
  return joined;
}

function text(value: string): string {
  if (!value.isWellFormed()) throw new TypeError('A text with a lone surrogate has no canonical JSON.');
  return JSON.stringify(value);
}

function number(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError('A number that is not finite has no canonical JSON.');
  return JSON.stringify(value);
}
