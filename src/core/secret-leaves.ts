import type { z } from 'zod';
import { bare, childOf, isSecret } from './fields.ts';
import type { Outcome } from './outcome.ts';

/** The secret texts in a body, by its contract. */
export function secretsIn(schema: z.ZodType | undefined, value: unknown): readonly string[] {
  if (schema === undefined || value === undefined || value === null) return [];
  if (isSecret(schema)) return [String(value)];
  const shape = bare(schema);
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(childOf(shape, '[]'), item));
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => secretsIn(childOf(shape, name), member));
}

/** What stands in place of a secret that the other side repeats. */
const masked = '[secret]';

/** An outcome in which no text repeats a secret of the request: whoever answers may echo what was sent. */
export function withoutSecrets<O extends Outcome>(outcome: O, secrets: readonly string[]): O {
  const told = secrets.filter((text) => text !== '');
  if (told.length === 0) return outcome;
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return told.reduce((text, secret) => text.replaceAll(secret, masked), value);
    if (typeof value === 'number') return told.includes(String(value)) ? masked : value;
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null || value instanceof Promise || value instanceof Error) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [String(clean(name)), clean(member)]));
  };
  return clean(outcome) as O; // texts alone have changed
}
