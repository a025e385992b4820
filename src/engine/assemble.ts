import { z } from 'zod';
import { bare, fieldOf, leaves } from '../core/fields.ts';
import type { Facts } from '../domains/facts.ts';
import type { Names, Request } from './request.ts';
import type { PlatformTool } from './tool.ts';
import { operationOf } from './tool.ts';

/**
 * Fills an operation's request from where each field may come from: the tool's arguments, what the tool keeps of a thing that
 * it replaces, the shopper session, or the facts of the call. Nothing else gets in; what is missing stays missing and is refused by the contract's shape.
 */
export function assemble(tool: PlatformTool, facts: Facts): Request {
  const operation = operationOf(tool);
  const given = new Map(valuesOf(tool, facts));
  const body = operation.body && fill(operation.body, '', { facts, given, mark: '', item: session(facts) });
  // What a query may leave out, it may leave out altogether.
  const query = operation.query && (fill(operation.query, '', { facts, given, mark: '?', item: undefined }) ?? {});
  const sources: Readonly<Record<string, string>> = ('path' in operation ? operation.path : undefined) ?? {};
  const names = Object.entries(sources).map(([name, at]) => [name, String(look(facts, at))]);
  return { ...(query === undefined ? {} : { query }), body, names: Object.fromEntries(names) as Names };
}

interface Source {
  readonly facts: Facts;
  /** The model's values by contract path, behind a question mark those of the query. */
  readonly given: ReadonlyMap<string, unknown>;
  readonly mark: '' | '?';
  /** The part of the shopper session that stands at this path. */
  readonly item: unknown;
}

function fill(schema: z.ZodType, path: string, source: Source): unknown {
  const at = bare(schema);
  if (at instanceof z.ZodObject) return fillObject(at, path, source);
  if (at instanceof z.ZodArray) return fillArray(at.element as z.ZodType, `${path}[]`, source);
  const { from, at: place } = fieldOf(at);
  if (from === 'model') return source.given.get(source.mark + path);
  if (place === 'fixed') return (at as z.ZodLiteral).value; // only a literal is fixed
  if (from === 'server') return look(source.facts, place ?? path);
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

/** A list is the model's own, or the session's, or one element made of what the call knows. */
function fillArray(element: z.ZodType, path: string, source: Source): unknown {
  if (source.given.has(source.mark + path)) return source.given.get(source.mark + path);
  if (ofSession(element))
    return Array.isArray(source.item) ? source.item.map((item) => fill(element, path, { ...source, item })) : undefined;
  const one = fill(element, path, source);
  return one === undefined ? undefined : [one];
}

/** Whether a list's elements are the session's own: every field is the shopper's. */
const ofSession = (element: z.ZodType): boolean => leaves(element).every(({ field }) => field.from === 'shopper');

function valuesOf(tool: PlatformTool, facts: Facts): readonly (readonly [path: string, value: unknown])[] {
  const filled = Object.entries(tool.input.args).flatMap(([name, arg]) =>
    arg.fills.map(({ path, value }) => [path, value(facts.args[name])] as const),
  );
  return [...Object.entries(tool.input.carryOver?.(facts) ?? {}), ...filled].filter(([, value]) => value !== undefined);
}

const session = (facts: Facts): unknown => facts.things.shopper?.body;

/** The value at a dotted place among the facts: `card.customerId`, `merchant.name`, `new.mandateId`, `reference`. */
function look(facts: Facts, place: string): unknown {
  const [head = '', ...rest] = place.split('.');
  const things: Readonly<Record<string, { readonly body: unknown } | undefined>> = { ...facts.things };
  const own: Readonly<Record<string, unknown>> = {
    new: facts.new,
    args: facts.args,
    merchant: facts.merchant,
    // A call that stands under no reference tells the platform none.
    reference: facts.reference === '' ? undefined : facts.reference,
  };
  return rest.reduce(memberOf, Object.hasOwn(own, head) ? own[head] : things[head]?.body);
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
