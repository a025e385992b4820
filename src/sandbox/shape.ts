import type { z } from 'zod';
import type { OperationName } from '../domains/index.ts';
import { contract } from '../domains/index.ts';
import { purchaseForms } from '../domains/purchase/sandbox/index.ts';
import { invalid, PlatformError } from './answer.ts';

/** Further bodies by operation and by the member that tells them apart. */
const otherForms: { readonly [N in OperationName]?: { readonly [member: string]: z.ZodType } } = { ...purchaseForms };

/** The checked body of an operation. Throws the platform's 400, which names the first field that is at fault. */
export function checkBody(name: OperationName, text: string): unknown {
  // What takes no body comes with an empty object, or with nothing.
  const raw = text === '' && contract[name].body === undefined ? {} : parse(text);
  const form = Object.entries(otherForms[name] ?? {}).find(([member]) => Object.hasOwn(raw, member));
  const schema = form?.[1] ?? contract[name].body;
  return schema === undefined ? raw : check(schema, raw);
}

/** The checked query of an operation. Refuses one with a name that has no value. */
export function checkQuery(name: OperationName, text: string): unknown {
  const query = new URLSearchParams(text);
  for (const [key, value] of query) if (value === '') throw invalid(key, 'The value is empty.');
  const raw = Object.fromEntries(query);
  const schema = contract[name].query;
  return schema === undefined ? raw : check(schema, raw);
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
    // The parser's own message quotes the body, which may hold what must not be repeated.
    throw invalid('body', 'The body is not JSON.');
  }
}

function refusePrototypes(name: string, value: unknown): unknown {
  if (name === '__proto__') throw new SyntaxError('a member may not be called __proto__');
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

const valueAt = (raw: unknown, path: readonly PropertyKey[]): unknown =>
  // Only objects and arrays are stepped into; both are records of their steps.
  path.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[step] : undefined),
    raw,
  );
