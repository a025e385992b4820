import { z } from 'zod';
import type { Facts } from '../domains/facts.ts';
import { argumentFault } from './argument-faults.ts';
import { normalised } from './confusables.ts';
import { Refused } from './refusal.ts';
import type { Tool } from './tool.ts';

/** Parses a call's arguments by its tool's schema. Throws Refused. */
export function parseArguments(tool: Tool, raw: unknown): Facts['args'] {
  const args = readArguments(tool, raw);
  if (!args.success) throw new Refused(argumentFault(args.error, tool, raw));
  return args.data;
}

/** Treats null for an optional argument as absent, at any depth, because models write it that way. */
export const readArguments = (
  { inputSchema }: Pick<Tool, 'inputSchema'>,
  raw: unknown,
): ReturnType<Tool['inputSchema']['safeParse']> =>
  inputSchema.safeParse(withoutNulls(inputSchema, normalised(raw ?? {})));

function withoutNulls(shape: z.core.$ZodType, given: unknown): unknown {
  const it = unwrapped(shape);
  if (it instanceof z.ZodArray && Array.isArray(given)) return given.map((item) => withoutNulls(it.element, item));
  if (!(it instanceof z.ZodObject) || typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const known = new Map<string, z.ZodType>(Object.entries(it.shape));
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const member = known.get(name);
      if (member === undefined) return [[name, value]];
      return value === null && isOptional(member) ? [] : [[name, withoutNulls(member, value)]];
    }),
  );
}

const unwrapped = (shape: z.core.$ZodType): z.core.$ZodType =>
  shape instanceof z.ZodOptional || shape instanceof z.ZodDefault || shape instanceof z.ZodNullable
    ? unwrapped(shape.unwrap())
    : shape;

/** Whether an argument is optional and null isn't one of its values. */
const isOptional = (shape: z.ZodType): boolean => shape.safeParse(undefined).success && !shape.safeParse(null).success;
