import type { z } from 'zod';
import type { Operation } from '../core/operation.ts';
import type { Outcome } from '../core/outcome.ts';
import { reveal, Secret } from '../core/secret.ts';
import { secretsIn, withoutSecrets } from '../core/secret-leaves.ts';

// The only place where a request's secrets are opened, while it is sent.

/**
 * Sends a body with its secrets opened. The outcome masks them, in clear and encoded, because a response may echo the
 * request.
 */
export async function sendOpened<O extends Outcome>(
  { body: schema }: Pick<Operation, 'body'>,
  body: unknown,
  send: (opened: unknown) => Promise<O>,
): Promise<O> {
  const opened = open(body);
  return withoutSecrets(await send(opened), secretsIn(schema, opened));
}

/** Validates a body as it will be sent. Issues name fields and never quote values. */
export const parseOpened = (schema: z.ZodType, body: unknown): z.ZodSafeParseResult<unknown> =>
  schema.safeParse(open(body));

function open(value: unknown): unknown {
  if (value instanceof Secret) return reveal(value);
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, open(member)]));
}
