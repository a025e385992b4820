import { z } from 'zod';
import { tools } from '../../tools/index.ts';

/**
 * Arguments as a model must write them under a strict schema: null for each that it leaves out, at any depth, JSON text for
 * free JSON. Said here once more, apart from the adapters, so that both must be right.
 */
export function strictly(name: unknown, args: object): object {
  const written = under(tools.find((tool) => tool.name === name)?.inputSchema ?? z.strictObject({}), args) as object; // of an object
  return { ...written, ...(name === 'preview_call' ? { arguments: previewed(args) } : {}) };
}

function under(schema: z.core.$ZodType, given: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return under(schema.unwrap(), given);
  if (schema instanceof z.ZodArray && Array.isArray(given)) return given.map((item) => under(schema.element, item));
  if (!(schema instanceof z.ZodObject) || typeof given !== 'object' || given === null) return given;
  const shape = Object.entries(schema.shape);
  const optional = shape.filter(([, part]) => part.safeParse(undefined).success);
  const known = new Map<string, z.ZodType>(shape);
  return Object.fromEntries([
    ...optional.map(([key]) => [key, null]),
    ...Object.entries(given).map(([key, value]) => [key, under(known.get(key) ?? z.unknown(), value)]),
  ]);
}

const previewed = (args: { readonly tool?: unknown; readonly arguments?: object }): string =>
  JSON.stringify(strictly(args.tool, args.arguments ?? {}));
