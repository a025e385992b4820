import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tools } from '../../tools/index.ts';

// One form of names: what an answer shows can be given as an argument without being renamed.

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

/** The names of all fields in a schema. */
const namesIn = ({ properties = {}, items, anyOf = [] }: JsonSchema): readonly string[] => [
  ...Object.keys(properties),
  ...[...Object.values(properties), ...anyOf, ...(items === undefined ? [] : [items])].flatMap(namesIn),
];

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;

describe('the names of fields', () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))('are words in lower case: %s', (_, tool) => {
    const names = [...namesIn(schemaOf(tool.inputSchema, 'input')), ...namesIn(schemaOf(tool.outputSchema, 'output'))];
    expect(names.filter((name) => !/^[a-z][a-z\d]*(_[a-z\d]+)*$/.test(name))).toEqual([]);
  });
});
