import { z } from 'zod';

/** A listed JSON Schema. */
export type Listed = { readonly [keyword: string]: unknown };

/**
 * The JSON Schema (2020-12) of a tool's arguments, as listed to agents: names, types, formats, enums and required
 * properties. To save context it omits what no model reads: `$schema`, lengths, bounds, defaults, patterns, whose form
 * the description says, and that unknown properties are forbidden, which it states for a tool without arguments alone.
 * The engine validates every call against the full schema, and names an unknown argument with the nearest one.
 */
export const listedInput = (schema: z.ZodType): Listed => once(inputs, schema, () => list(schema, 'input'));

/**
 * The JSON Schema of an answer's data: names and types. Unknown properties are allowed, so a client with an older list
 * can read newer answers. A property without a type is text. To save context it omits required properties, enums and
 * the type of text.
 */
export const listedOutput = (schema: z.ZodType): Listed => once(outputs, schema, () => list(schema, 'output'));

/** What was worked out before: a host that makes its tools for each caller, or tenant, asks for the same ones again. */
const [inputs, outputs] = [new WeakMap<z.ZodType, Listed>(), new WeakMap<z.ZodType, Listed>()];

function once(known: WeakMap<z.ZodType, Listed>, schema: z.ZodType, work: () => Listed): Listed {
  const listed = known.get(schema) ?? work();
  known.set(schema, listed);
  return listed;
}

function list(schema: z.ZodType, io: 'input' | 'output'): Listed {
  const { $schema: _, $defs: __, ...root } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  const isEmpty = io === 'input' && Object.keys(root.properties ?? {}).length === 0;
  return Object.freeze({ ...(slim(root, io) as Listed), ...(isEmpty ? { additionalProperties: false } : {}) });
}

/** Omitted keywords of both. `propertyNames` and references occur only in free-form JSON. */
const always = [
  ...['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum'],
  ...['propertyNames', 'additionalProperties'],
];
const unlisted: Readonly<Record<'input' | 'output', readonly string[]>> = {
  input: [...always, 'minItems', 'maxItems', 'default'],
  output: [...always, 'format', 'required', 'enum', 'const'],
};

function slim(node: unknown, io: 'input' | 'output'): unknown {
  if (Array.isArray(node)) return Object.freeze(node.map((item) => slim(item, io)));
  if (typeof node !== 'object' || node === null) return node;
  const keep = Object.entries(node).filter(
    ([keyword, value]) => !unlisted[io].includes(keyword) && !(io === 'output' && isPlain(keyword, value)),
  );
  return Object.freeze(
    Object.fromEntries(
      keep.map(([keyword, value]) => [
        keyword,
        keyword === 'properties' ? eachProperty(value as object, io) : slim(value, io), // an object by JSON Schema
      ]),
    ),
  );
}

/** Types that are omitted: text, list items that are not objects, and an object without listed properties. */
const isPlain = (keyword: string, value: unknown): boolean =>
  (keyword === 'type' && value === 'string') ||
  (keyword === 'items' && (value as Listed).type !== 'object') || // a schema by JSON Schema
  (keyword === 'properties' && Object.keys(value as object).length === 0); // an object by JSON Schema

/** Property names are never keywords. */
const eachProperty = (properties: object, io: 'input' | 'output'): unknown =>
  Object.freeze(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, slim(schema, io)])));
