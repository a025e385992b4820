import { z } from 'zod';
import { bare } from '../core/fields.ts';

/** The property names of a schema at a path; none if it has no properties there. */
export function propertyNames(shape: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const at = path.reduce<z.ZodType | undefined>(within, shape);
  const found = at === undefined ? undefined : given(at);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

/** The part of a path that a schema declares. The rest was written by the caller. */
export function knownPath(shape: z.ZodType, path: readonly PropertyKey[]): readonly PropertyKey[] {
  const strange = path.findIndex(
    (_, at) => path.slice(0, at + 1).reduce<z.ZodType | undefined>(within, shape) === undefined,
  );
  return strange < 0 ? path : path.slice(0, strange);
}

/** The schema of a value that is given, although it may be left out. */
function given(schema: z.ZodType): z.ZodType {
  const it = bare(schema);
  return it instanceof z.ZodDefault || it instanceof z.ZodPrefault ? given(it.unwrap() as z.ZodType) : it; // a cast, as below
}

function within(shape: z.ZodType | undefined, step: PropertyKey): z.ZodType | undefined {
  const outer = shape === undefined ? undefined : given(shape);
  // A cast: our children of arrays and objects are classic zod types, which zod types as core ones.
  if (outer instanceof z.ZodArray) return /^\d+$/.test(String(step)) ? (outer.element as z.ZodType) : undefined;
  return outer instanceof z.ZodObject && Object.hasOwn(outer.shape, step)
    ? (outer.shape[String(step)] as z.ZodType)
    : undefined;
}
