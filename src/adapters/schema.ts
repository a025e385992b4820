import { z } from 'zod';
import { hasDuplicateKeys } from '../core/duplicate-keys.ts';

/** A JSON Schema, or a part of one. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The full JSON Schema of a tool's arguments. */
export const wholeSchema = (input: z.ZodType): JsonSchema =>
  z.toJSONSchema(input, { target: 'draft-2020-12', io: 'input' });

/**
 * The schema for strict function calling: every property is required, no others are allowed, optional values may be
 * null, and free JSON, which such a schema can't describe, is text with JSON.
 */
export const strictSchema = (whole: JsonSchema): JsonSchema => shown(whole);

/**
 * Converts arguments of a strict schema to the engine's: free JSON is parsed from its text. Null for an absent value
 * stays, because the engine accepts that from every client. Invalid values stay too, because the engine reports them.
 */
export function fromStrict(whole: JsonSchema, given: unknown): unknown {
  if (isFree(whole)) return typeof given === 'string' ? jsonOf(given) : given;
  if (Array.isArray(given)) return 'items' in whole ? given.map((item) => fromStrict(child(whole.items), item)) : given;
  if (typeof given !== 'object' || given === null || !('properties' in whole)) return given;
  const properties = propertiesOf(whole);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      Object.hasOwn(properties, name) ? fromStrict(child(properties[name]), value) : value,
    ]),
  );
}

/** The value of JSON text; the text itself if it isn't JSON, or has a property twice: a host may have shown the other one. */
export function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return hasDuplicateKeys(text) ? text : value;
  } catch {
    return text; // the parser's message would quote the text
  }
}

/**
 * The keywords allowed in strict function calling, by its public guide to structured outputs. Leaving one out only
 * makes the schema looser. Without `anyOf`, because no argument is a union.
 */
const strictKeywords: readonly string[] = [
  ...['type', 'description', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items'],
  ...['pattern', 'format', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minItems', 'maxItems'],
];
const formats: readonly unknown[] = [
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
];

function shown(whole: JsonSchema): JsonSchema {
  if (isFree(whole)) return { type: 'string', description: `${String(whole.description ?? '')} As JSON text.`.trim() };
  if (!('type' in whole))
    throw new Error(`A tool has an argument that a strict schema can't describe: ${Object.keys(whole).join(', ')}`);
  const says = Object.entries(whole).filter(([keyword, value]) => isSaid(whole, keyword, value));
  return Object.fromEntries([
    ...says.map(([keyword, value]) => [keyword, part(whole, keyword, value)]),
    ...('properties' in whole ? [['required', Object.keys(propertiesOf(whole))]] : []),
  ]);
}

const isSaid = (whole: JsonSchema, keyword: string, value: unknown): boolean =>
  strictKeywords.includes(keyword) &&
  !(keyword === 'pattern' && formats.includes(whole.format)) &&
  !(keyword === 'format' && !formats.includes(value)) &&
  !(keyword === 'additionalProperties' && value !== false);

function part(whole: JsonSchema, keyword: string, value: unknown): unknown {
  if (keyword === 'items') return shown(child(value));
  if (keyword !== 'properties') return value;
  return Object.fromEntries(
    Object.entries(propertiesOf(whole)).map(([name, property]) => {
      const schema = shown(child(property));
      return [name, isRequired(whole, name) ? schema : nullable(schema)];
    }),
  );
}

function nullable({ const: only, ...schema }: JsonSchema): JsonSchema {
  const values = Array.isArray(schema.enum) ? schema.enum : only === undefined ? undefined : [only];
  return {
    ...schema,
    type: [schema.type, 'null'].flat(),
    ...(values === undefined ? {} : { enum: [...values, null] }),
  };
}

/** An object without declared properties. */
const isFree = (whole: JsonSchema): boolean => whole.type === 'object' && !('properties' in whole);
const isRequired = ({ required }: JsonSchema, name: string): boolean =>
  Array.isArray(required) && required.includes(name);
const propertiesOf = ({ properties = {} }: JsonSchema) => properties as JsonSchema; // an object by JSON Schema
const child = (schema: unknown): JsonSchema => (schema ?? {}) as JsonSchema; // a schema by JSON Schema
