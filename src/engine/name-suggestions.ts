import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { bare } from '../core/fields.ts';

/** The property names of a schema at a path; none if it has no properties there. */
export function propertyNames(shape: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const at = path.reduce<z.ZodType | undefined>(within, shape);
  const found = at === undefined ? undefined : bare(at);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

/** The part of a path that a schema declares. The rest was written by the caller. */
export function knownPath(shape: z.ZodType, path: readonly PropertyKey[]): readonly PropertyKey[] {
  const strange = path.findIndex(
    (_, at) => path.slice(0, at + 1).reduce<z.ZodType | undefined>(within, shape) === undefined,
  );
  return strange < 0 ? path : path.slice(0, strange);
}

function within(shape: z.ZodType | undefined, step: PropertyKey): z.ZodType | undefined {
  const outer = shape === undefined ? undefined : bare(shape);
  // A cast: our children of arrays and objects are classic zod types, which zod types as core ones.
  if (outer instanceof z.ZodArray) return /^\d+$/.test(String(step)) ? (outer.element as z.ZodType) : undefined;
  return outer instanceof z.ZodObject && Object.hasOwn(outer.shape, step)
    ? (outer.shape[String(step)] as z.ZodType)
    : undefined;
}

/** The known name that a misspelled one most likely means; undefined if none is close enough. */
export function closestName(given: string, known: readonly string[]): string | undefined {
  const [best] = known
    .filter((name) => Math.abs(name.length - given.length) <= mostSlips) // computing the distance of long texts is slow
    .map((name) => ({ name, slips: distance(given.toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.slips - other.slips);
  return best !== undefined && best.slips <= Math.min(mostSlips, Math.floor(best.name.length / 3))
    ? best.name
    : undefined;
}

/** Letters that may be missing, added or wrong in a name, at most one in three. Own choice. */
const mostSlips = 2;
