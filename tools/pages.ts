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

/** The output of one page of a list. */
export const paged = <Row, Shown>({ total, isCapped, more }: Paged<Row>, items: readonly Shown[]) => ({
  items,
  total,
  ...(isCapped === undefined ? {} : { atLeast: true }),
  ...(more === undefined ? {} : { more }),
});

/** The number of rows; a capped count is a lower bound. */
export const many = ({ total, isCapped }: Pick<Paged<unknown>, 'total' | 'isCapped'>): string =>
  isCapped === undefined ? String(total) : `At least ${total}`;
