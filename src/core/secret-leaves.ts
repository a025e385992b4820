import type { z } from 'zod';
import type { Json } from './canonical-json.ts';
import { bare, childOf, isSecret } from './fields.ts';
import { Secret } from './secret.ts';

/** The secret texts in a body, according to its schema. */
export function secretsIn(schema: z.ZodType | undefined, value: unknown): readonly string[] {
  if (schema === undefined || value === undefined || value === null) return [];
  if (isSecret(schema)) return [String(value)];
  const shape = bare(schema);
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(childOf(shape, '[]'), item));
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => secretsIn(childOf(shape, name), member));
}

/** Replaces a secret. */
const masked = '[secret]';

/** A value as JSON, with secrets masked. */
export const jsonOf = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json; // `parse` returns JSON

/** A value in a body, with its path of names and indexes. */
export interface Placed<T> {
  readonly path: readonly string[];
  readonly value: T;
}

/** Every secret in a body, with its path. */
export function placedSecrets(body: unknown, path: readonly string[] = []): readonly Placed<Secret<unknown>>[] {
  if (body instanceof Secret) return [{ path, value: body }];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, member]) => placedSecrets(member, [...path, name]));
}

/** A copy of a body with the given values at their paths. */
export const withPlaced = (body: unknown, placed: readonly Placed<unknown>[]): unknown =>
  placed.reduce((whole, { path, value }) => replaced(whole, path, value), body);

function replaced(at: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(at)) return at.map((item, index) => (String(index) === name ? replaced(item, rest, value) : item));
  const members = at as Readonly<Record<string, unknown>>; // the path contains only objects and lists
  return { ...members, [name]: replaced(members[name], rest, value) };
}

/** The forms in which a response may repeat a secret. */
const spellings = (text: string): readonly string[] => [
  text,
  encodeURIComponent(text),
  JSON.stringify(text).slice(1, -1),
  ...(text.length < shortestEncoded ? [] : encodings.map((encoding) => Buffer.from(text).toString(encoding))),
];
const encodings = ['base64', 'base64url', 'hex'] as const;
/** A shorter encoded text also occurs in ordinary words. Own choice. */
const shortestEncoded = 4;

/** Masks the request's secrets in all texts of a response or an outcome, because a response may echo the request. */
export function withoutSecrets<T>(response: T, secrets: readonly string[]): T {
  const told = [...new Set(secrets.filter((text) => text !== '').flatMap(spellings))].toSorted(
    (one, other) => other.length - one.length,
  );
  if (told.length === 0) return response;
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return told.reduce((text, secret) => text.replaceAll(secret, masked), value);
    if (typeof value === 'number') return told.includes(String(value)) ? masked : value;
    if (Array.isArray(value)) return value.map(clean);
    if (value instanceof Promise) return value.then(clean);
    if (typeof value !== 'object' || value === null || value instanceof Error) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [String(clean(name)), clean(member)]));
  };
  return clean(response) as T; // only texts have changed
}
