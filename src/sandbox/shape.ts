import type { z } from 'zod';
import { type FileType, fileSpecOf } from '../core/file-answer.ts';
import { valueAt } from '../core/members.ts';
import type { Operation } from '../core/operation.ts';
import { invalid, PlatformError } from './answer.ts';

/** Further bodies of an operation, by the property that identifies them. */
export type Forms = { readonly [member: string]: z.ZodType };

/** The parsed body of an operation. Throws the platform's 400, which names the first invalid field. */
export function checkBody({ body }: Operation, forms: Forms, text: string): unknown {
  // An operation without a body also takes an empty object.
  const raw = text === '' && body === undefined ? {} : parse(text);
  const form = Object.entries(forms).find(([member]) => Object.hasOwn(raw, member));
  const schema = form?.[1] ?? body;
  if (Object.hasOwn(raw, 'encryptedRequest'))
    throw invalid('encryptedRequest', 'The sandbox has no certificate: send the body in clear (D-142).');
  return schema === undefined ? raw : check(schema, raw);
}

/** The parsed query of an operation. Throws the platform's 400 for a parameter without a value. */
export function checkQuery({ query: schema }: Operation, text: string): unknown {
  const query = new URLSearchParams(text);
  for (const [key, value] of query) if (value === '') throw invalid(key, 'The value is empty.');
  const raw = Object.fromEntries(query);
  return schema === undefined ? raw : check(schema, raw);
}

/** The type of file that a request asks for. Throws the platform's 400 where it asks for more than one (RP-11). */
export function checkAccept({ streams, output }: Operation, header: string): FileType | undefined {
  if (streams !== 'asked') return undefined;
  const named = header.split(',').map((range) => range.split(';')[0]?.trim().toLowerCase());
  const types = Object.values(output).flatMap((schema) => fileSpecOf(schema)?.types ?? []);
  const [asked, ...more] = types.filter((type) => named.includes(type));
  if (more.length > 0) throw invalid('Accept', 'A report comes in one format.');
  return asked;
}

function parse(text: string): object {
  const raw = json(text);
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw invalid('body', 'The body is not a JSON object.');
  return raw;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text, refusePrototypes);
  } catch {
    // The parser's own message quotes the body, which may contain secrets.
    throw invalid('body', 'The body is not JSON.');
  }
}

function refusePrototypes(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new SyntaxError('__proto__ is not allowed as a property name');
  return value;
}

function check(schema: z.ZodType, raw: object): unknown {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path ?? [];
  const source = dotted(path);
  if (valueAt(raw, path) === undefined)
    throw new PlatformError(400, 'MISSING_FIELD', `${source} is missing.`, { source });
  throw new PlatformError(400, 'INVALID_DATA', `${source}: ${issue?.message ?? 'is wrong'}`, { source });
}

const dotted = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
