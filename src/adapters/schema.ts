import { z } from 'zod';

/** A JSON Schema, or a part of one. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The JSON Schema of a tool's arguments, whole. */
export const wholeSchema = (input: z.ZodType): JsonSchema =>
  z.toJSONSchema(input, { target: 'draft-2020-12', io: 'input' });

/**
 * The schema for a model whose provider forces its arguments into it: every property is required, nothing else is allowed,
 * what may be left out may be null, and free JSON, which such a schema can't describe, is text that holds JSON.
 */
export const strictSchema = (whole: JsonSchema): JsonSchema => shown(whole);

/**
 * The engine's arguments behind those of a strict schema: free JSON is read from its text. A null for what is left out stays:
 * the engine reads it so for every face. What does not fit stays, too: the engine says what is wrong.
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

/** What a text of JSON holds; the text where it holds none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // the parser's own message quotes the text
  }
}

/**
 * The keywords that strict function calling takes, by its public guide to structured outputs. One that is left out makes the
 * schema looser, never tighter. Without `anyOf`, because no argument is a union.
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
    throw new Error(`A tool has an argument that no strict schema can say: ${Object.keys(whole).join(', ')}`);
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

/** An object whose members nobody has named. */
const isFree = (whole: JsonSchema): boolean => whole.type === 'object' && !('properties' in whole);
const isRequired = ({ required }: JsonSchema, name: string): boolean =>
  Array.isArray(required) && required.includes(name);
const propertiesOf = ({ properties = {} }: JsonSchema) => properties as JsonSchema; // an object by JSON Schema
const child = (schema: unknown): JsonSchema => (schema ?? {}) as JsonSchema; // a schema by JSON Schema
