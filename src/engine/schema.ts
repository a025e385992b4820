import { z } from 'zod';
import { amount } from '../core/fields.ts';

/** A JSON Schema as it is listed. */
export type Listed = { readonly [keyword: string]: unknown };

/**
 * The JSON Schema (2020-12) of a tool's arguments as agents read it. It says what a model needs to write them: names, types,
 * formats, patterns that a description does not say better, what is required, and that nothing else is allowed. What costs
 * context and helps nobody to write is left out: `$schema`, lengths, bounds and defaults of numbers, the pattern of an amount, and one that
 * repeats a format. The engine checks every call against the whole shape.
 */
export const listedInput = (schema: z.ZodType): Listed => list(schema, 'input');

/**
 * The JSON Schema of an answer's data: names and types. It never forbids further members, so a client with an old list can read a
 * new answer. A member without a type is text. Which members are always there, closed values and the type of text cost half of
 * the context and help nobody to read an answer.
 */
export const listedOutput = (schema: z.ZodType): Listed => list(schema, 'output');

function list(schema: z.ZodType, io: 'input' | 'output'): Listed {
  const { $schema: _, $defs: __, ...root } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  return Object.freeze(slim(root, io)) as Listed;
}

const bounds = ['minimum', 'maximum', 'exclusiveMinimum'];
/** The pattern of an amount: a description with an example costs less and says more. */
const amountPattern = z.toJSONSchema(amount).pattern;

/** Keywords that are not listed. `propertyNames` and a reference stand only in free JSON, which needs no words. */
const unlisted: Readonly<Record<'input' | 'output', readonly string[]>> = {
  input: ['minLength', 'maxLength', 'propertyNames', ...bounds, 'maxItems', 'default'],
  output: [
    ...['minLength', 'maxLength', 'propertyNames', 'pattern', 'format', 'additionalProperties'],
    ...['required', 'enum', 'const', ...bounds],
  ],
};

function slim(node: unknown, io: 'input' | 'output'): unknown {
  if (Array.isArray(node)) return Object.freeze(node.map((item) => slim(item, io)));
  if (typeof node !== 'object' || node === null) return node;
  const keep = Object.entries(node).filter(
    ([keyword, value]) =>
      !unlisted[io].includes(keyword) &&
      !(keyword === 'pattern' && ('format' in node || value === amountPattern)) &&
      !(keyword === 'additionalProperties' && value !== false) &&
      !(io === 'output' && isPlain(keyword, value)),
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

/** The type of text, members of a list that are not objects, and properties of an object that lists none. */
const isPlain = (keyword: string, value: unknown): boolean =>
  (keyword === 'type' && value === 'string') ||
  (keyword === 'items' && (value as Listed).type !== 'object') || // a schema by JSON Schema
  (keyword === 'properties' && Object.keys(value as object).length === 0); // an object by JSON Schema

/** The names of properties are no keywords, whatever they are. */
const eachProperty = (properties: object, io: 'input' | 'output'): unknown =>
  Object.freeze(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, slim(schema, io)])));
