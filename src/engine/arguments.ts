import { z } from 'zod';
import { normalised } from './confusables.ts';
import type { Tool } from './tool.ts';

/**
 * Reads a call's arguments by the shape of its tool, the same for every face. Models write null for what they leave out, some
 * because their provider makes them: null for an optional argument, at any depth, means that it is absent.
 */
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

/** Whether an argument may be left out, and null has no meaning of its own for it. */
const isOptional = (shape: z.ZodType): boolean => shape.safeParse(undefined).success && !shape.safeParse(null).success;
