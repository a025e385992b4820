import { z } from 'zod';
import { bare } from '../core/fields.ts';

/** Names of the members that a shape states at a path; none where it states none. */
export function propertyNames(shape: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const at = path.reduce<z.ZodType | undefined>(within, shape);
  const found = at === undefined ? undefined : bare(at);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

/** The part of a path that a shape states: whatever follows was written by the caller. */
export function knownPath(shape: z.ZodType, path: readonly PropertyKey[]): readonly PropertyKey[] {
  const strange = path.findIndex(
    (_, at) => path.slice(0, at + 1).reduce<z.ZodType | undefined>(within, shape) === undefined,
  );
  return strange < 0 ? path : path.slice(0, strange);
}

function within(shape: z.ZodType | undefined, step: PropertyKey): z.ZodType | undefined {
  const outer = shape === undefined ? undefined : bare(shape);
  // The children of an array and an object are classic zod types; zod types them as core ones.
  if (outer instanceof z.ZodArray) return /^\d+$/.test(String(step)) ? (outer.element as z.ZodType) : undefined;
  return outer instanceof z.ZodObject && Object.hasOwn(outer.shape, step)
    ? (outer.shape[String(step)] as z.ZodType)
    : undefined;
}

/** The name that was meant, where one of those known is so near that the other is a slip of it; undefined where none is. */
export function closestName(given: string, known: readonly string[]): string | undefined {
  const [best] = known
    .filter((name) => Math.abs(name.length - given.length) <= mostSlips) // distances of long texts cost much
    .map((name) => ({ name, slips: slipsBetween(given.toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.slips - other.slips);
  return best !== undefined && best.slips <= Math.min(mostSlips, Math.floor(best.name.length / 3))
    ? best.name
    : undefined;
}

/** Letters that may be missing, added or wrong in a name; at most one in three. Own choice. */
const mostSlips = 2;

/** How many letters must be added, taken away or changed to make one text of the other (Levenshtein). */
function slipsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [at, its] of [...other].entries())
      next.push(Math.min((row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1, (row[at] ?? 0) + (letter === its ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
