import { z } from 'zod';
import { limits } from '../src/core/limits.ts';
import type { Facts } from '../src/domains/facts.ts';
import { countShown, digitsShown } from '../src/engine/shown.ts';
import type { Arg } from '../src/engine/tool.ts';

/** The state of a list: empty text for a list with rows, `none` if nothing exists, `unmatched` if no row fits the filters. */
export const none = 'none';
export const unmatched = 'unmatched';
export const listState = (total: number, { limit, cursor, ...narrowed }: Facts['args'] = {}): string => {
  if (total > 0) return '';
  return [cursor, ...Object.values(narrowed)].every((value) => value === undefined) ? none : unmatched;
};

/** Paging arguments. The cursor is the offset of the page. */
export const paging = <L extends string, O extends string>(
  limit: L,
  offset: O,
  rule: string,
  most: number = limits.billingRowsMost,
) => ({
  limit: {
    schema: z.int().min(1).max(most).default(limits.billingRows).describe('Page size.'),
    fills: [{ path: limit, value: textOf }],
    rule,
  } satisfies Arg<L>,
  cursor: {
    schema: z
      .string()
      .max(9)
      .refine((at) => /^[1-9]\d*$/.test(at), 'must be the `more` of a list')
      .optional()
      .describe('From `more`.'),
    fills: [{ path: offset, value: (given: unknown) => given }],
    rule,
  } satisfies Arg<O>,
});

export const textOf = (given: unknown): unknown => (given === undefined ? undefined : String(given));

/** The output of one page of a list. */
export function paged<Shown>({ args }: Facts, total: number, items: readonly Shown[]) {
  const end = Number(args.cursor ?? 0) + items.length;
  return { items, total, ...(end < total && items.length > 0 ? { more: String(end) } : {}) };
}

export const listOutput = (item: z.ZodObject) =>
  z.looseObject({ items: z.array(item), total: countShown, more: digitsShown.optional() });
