import { z } from 'zod';
import { bare, fieldOf, leaves } from '../core/fields.ts';
import type { FileType } from '../core/file-answer.ts';
import { memberOf } from '../core/members.ts';
import { Secret } from '../core/secret.ts';
import type { Facts } from '../domains/facts.ts';
import type { Names, Request } from './request.ts';
import type { PlatformTool } from './tool.ts';
import { operationOf } from './tool.ts';

/**
 * Fills an operation's request by provenance: each field comes from the tool's arguments, carried-over values, the shopper
 * session, or the facts of the call. A missing field stays missing, and the contract's shape refuses it.
 */
export function assemble(tool: PlatformTool, facts: Facts): Request {
  const operation = operationOf(tool);
  const given = new Map(valuesOf(tool, facts));
  const computed = tool.input.computes?.(facts) ?? {};
  const body = operation.body && fill(operation.body, '', { facts, given, computed, mark: '', item: session(facts) });
  // An empty query is omitted.
  const query =
    operation.query && (fill(operation.query, '', { facts, given, computed, mark: '?', item: undefined }) ?? {});
  const sources: Readonly<Record<string, string>> = ('path' in operation ? operation.path : undefined) ?? {};
  const names = Object.entries(sources).map(([name, at]) => [name, String(look(facts, at) ?? '')]);
  const accept = given.get('@accept') as FileType | undefined; // by the argument's schema
  return {
    ...(query === undefined ? {} : { query }),
    ...(accept === undefined ? {} : { accept }),
    ...{ body, names: Object.fromEntries(names) as Names },
  };
}

interface Source {
  readonly facts: Facts;
  /** The values of the arguments by contract path. Paths of the query start with `?`. */
  readonly given: ReadonlyMap<string, unknown>;
  readonly mark: '' | '?';
  /** What Purser computes, by contract path. */
  readonly computed: Readonly<Record<string, unknown>>;
  /** The part of the shopper session at this path. */
  readonly item: unknown;
}

function fill(schema: z.ZodType, path: string, source: Source): unknown {
  const at = bare(schema);
  if (at instanceof z.ZodObject) return fillObject(at, path, source);
  if (at instanceof z.ZodArray) return fillArray(at.element as z.ZodType, `${path}[]`, source);
  const value = valueAt(at, path, source);
  const { encode } = fieldOf(at);
  return encode === undefined || typeof value !== 'string' ? value : encode(value);
}

function valueAt(at: z.ZodType, path: string, source: Source): unknown {
  const { from, at: place } = fieldOf(at);
  if (from === 'model' || from === 'caller') return source.given.get(source.mark + path);
  if (place === 'fixed') return (at as z.ZodLiteral).value; // only a literal is fixed
  if (place === 'computed') return source.computed[path];
  if (from === 'server') return source.given.get(source.mark + path) ?? look(source.facts, place ?? path);
  return place === undefined ? source.item : place.split('.').reduce(memberOf, session(source.facts));
}

function fillObject(schema: z.ZodObject, path: string, source: Source): unknown {
  const entries = Object.entries(schema.shape)
    .map(([name, child]) => {
      const below = { ...source, item: memberOf(source.item, name) };
      return [name, fill(child as z.ZodType, path === '' ? name : `${path}.${name}`, below)] as const;
    })
    .filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** A list comes from the model or from the session, or it is one element filled from the facts. */
function fillArray(element: z.ZodType, path: string, source: Source): unknown {
  if (source.given.has(source.mark + path)) return source.given.get(source.mark + path);
  if (ofSession(element))
    return Array.isArray(source.item) ? source.item.map((item) => fill(element, path, { ...source, item })) : undefined;
  const one = fill(element, path, source);
  return one === undefined ? undefined : [one];
}

/** Whether a list comes from the session: every field is the shopper's. */
const ofSession = (element: z.ZodType): boolean => leaves(element).every(({ field }) => field.from === 'shopper');

function valuesOf(tool: PlatformTool, facts: Facts): readonly (readonly [path: string, value: unknown])[] {
  const values = Object.entries(tool.input.args).flatMap(([name, arg]) =>
    arg.fills.map(({ path, value }) => [path, filled(facts.args[name], value)] as const),
  );
  return [...Object.entries(tool.input.carryOver?.(facts) ?? {}), ...values].filter(([, value]) => value !== undefined);
}

/** The value of a secret argument was converted when it was wrapped. */
const filled = (given: unknown, value: (given: unknown) => unknown): unknown =>
  given instanceof Secret ? given : value(given);

const session = (facts: Facts): unknown => facts.things.shopper?.body;

/** The value at a dotted path in the facts: `card.customerId`, `merchant.name`, `new.mandateId`, `reference`. */
function look(facts: Facts, place: string): unknown {
  const [head = '', ...rest] = place.split('.');
  const things: Readonly<Record<string, { readonly body: unknown } | undefined>> = { ...facts.things };
  const own: Readonly<Record<string, unknown>> = {
    new: facts.new,
    args: facts.args,
    merchant: facts.merchant,
    // A call without a reference sends none.
    reference: facts.reference === '' ? undefined : facts.reference,
  };
  return rest.reduce(memberOf, Object.hasOwn(own, head) ? own[head] : things[head]?.body);
}
