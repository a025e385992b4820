import { z } from 'zod';
import { limits } from '../src/core/limits.ts';
import { once } from '../src/core/once.ts';
import type { Paged } from '../src/ledger/ledger-transaction.ts';

// Lists that the ledger answers, a page at a time.

/** The arguments of a page. */
export const page = once(() => ({
  limit: z.int().min(1).max(limits.pageRowsMost).default(limits.pageRows).describe('Page size.'),
  cursor: z.string().max(200).optional().describe('From `more`.'),
}));

/** A page of a list, less what is not asked for: its count is a lower bound, unless the page is the whole list. */
export function narrowed<Row>(
  found: Paged<Row>,
  cursor: string | undefined,
  isAskedFor: (row: Row) => boolean,
): Paged<Row> {
  const rows = found.rows.filter(isAskedFor);
  const isWhole = cursor === undefined && found.more === undefined;
  return { ...found, rows, total: rows.length, ...(isWhole ? {} : { isCapped: true }) };
}

/** The output of one page of a list. */
export const paged = <Row, Shown>({ total, isCapped, more }: Paged<Row>, items: readonly Shown[]) => ({
  items,
  total,
  ...(isCapped === undefined ? {} : { at_least: true }),
  ...(more === undefined ? {} : { more }),
});

/** Whether a list has nothing of what is asked for, on any page. */
export const isEmpty = ({ total, isCapped }: Pick<Paged<unknown>, 'total' | 'isCapped'>): boolean =>
  total === 0 && isCapped === undefined;

/** The number of rows; a capped count is a lower bound. */
export const many = ({ total, isCapped }: Pick<Paged<unknown>, 'total' | 'isCapped'>): string =>
  isCapped === undefined ? String(total) : `At least ${total}`;
