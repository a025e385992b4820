import type { z } from 'zod';
import type { Operation } from '../../src/core/operation.ts';

// What sets a schema of ours apart from a printed list of fields, and how a test states the differences it accepts.

export type Difference = readonly [field: string, why: string];

export interface Differences {
  /** In the public list, not in ours. A real client may send it all the same: every object is loose. */
  readonly leftOut?: readonly Difference[];
  /** In ours, not in the public list. */
  readonly added?: readonly Difference[];
  /** Required by us alone. */
  readonly stricter?: readonly Difference[];
  /** Required by the public list alone. */
  readonly looser?: readonly Difference[];
}

/** A line of a list without the mark of what is required. */
export const bare = (line: string): string => line.replace(/ \*$/, '');

/** What sets ours apart from the public list; sorted, so that only content counts. */
export function apart(ours: readonly string[], theirs: readonly string[]) {
  const [mine, other] = [new Set(ours.map(bare)), new Set(theirs.map(bare))];
  const needs = (lines: readonly string[]) => lines.filter((line) => line.endsWith(' *')).map(bare);
  const [myNeeds, otherNeeds] = [new Set(needs(ours)), new Set(needs(theirs))];
  const both = [...mine].filter((field) => other.has(field));
  return {
    leftOut: [...other].filter((field) => !mine.has(field)).toSorted(),
    added: [...mine].filter((field) => !other.has(field)).toSorted(),
    stricter: both.filter((field) => myNeeds.has(field) && !otherNeeds.has(field)).toSorted(),
    looser: both.filter((field) => !myNeeds.has(field) && otherNeeds.has(field)).toSorted(),
  };
}

export const stated = ({ leftOut = [], added = [], stricter = [], looser = [] }: Differences) => ({
  leftOut: leftOut.map(([field]) => field).toSorted(),
  added: added.map(([field]) => field).toSorted(),
  stricter: stricter.map(([field]) => field).toSorted(),
  looser: looser.map(([field]) => field).toSorted(),
});

export const each = (fields: readonly string[], why: string): readonly Difference[] =>
  fields.map((field) => [field, why]);

/** The other statuses of an operation that has any 200-level one, with the body of its 200. */
export const sameAs200 = (name: string): Readonly<Record<string, string>> =>
  Object.fromEntries([201, 202, 203].map((status) => [`${name} ${status}`, `${name} 200`]));

/** Every body of a domain under the heading of its list: `createPlan request`, `createPlan 201`; `others` have another's list. */
export const bodiesOf = (
  operations: readonly (readonly [name: string, operation: Operation])[],
  others: Readonly<Record<string, string>>,
): readonly (readonly [heading: string, schema: z.ZodType])[] =>
  operations.flatMap(([name, { body, output }]) =>
    [['request', body] as const, ...Object.entries(output)].flatMap(([part, schema]) =>
      schema === undefined ? [] : [[others[`${name} ${part}`] ?? `${name} ${part}`, schema] as const],
    ),
  );
