import { z } from 'zod';
import type { DeepResult } from './result.ts';

// Changes that nobody can see, each with its reason.

export const equivalentsSchema = z.array(
  z.strictObject({
    file: z.string(),
    operator: z.string(),
    /** The lines before and after, without indentation; by default any of the file. */
    was: z.string().optional(),
    is: z.string().optional(),
    because: z.string(),
  }),
);
export type Equivalent = z.output<typeof equivalentsSchema>[number];

/** Lines without indentation, and names without the numbers by which a build tells equal ones apart: `{ handle: handle4 }` is `{ handle }`. */
const trimmed = (text: string): string =>
  text
    .replace(/\b([A-Za-z_$]+)\d+\b/g, '$1')
    .replace(/\b([A-Za-z_$]+): \1\b/g, '$1')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();

export const isListed = (
  { file, operator, was, is }: Equivalent,
  found: Pick<DeepResult, 'file' | 'operator' | 'was' | 'is'>,
): boolean =>
  file === found.file &&
  operator === found.operator &&
  (was === undefined || trimmed(was) === trimmed(found.was)) &&
  (is === undefined || trimmed(is) === trimmed(found.is));

/** The listed changes of lines that a build does not have. */
export function absentFrom(build: string, listed: readonly Equivalent[]): readonly Equivalent[] {
  const lines = listed.length === 0 ? '' : trimmed(build);
  return listed.filter(({ was }) => was !== undefined && !lines.includes(trimmed(was)));
}
