import { z } from 'zod';
import { once } from '../../src/core/once.ts';
import type { Thing } from '../../src/core/thing.ts';
import type { Things } from '../../src/domains/facts.ts';
import type { LocalCall } from '../../src/engine/local-tool.ts';
import { thing } from '../../src/engine/resolve.ts';
import { optional } from '../../src/engine/tool-arguments.ts';
import { many, paged } from '../pages.ts';
import { showInvoice } from './output.ts';

// The platform filters invoices by state only. Searches by number, customer and due date run on the invoices that Purser has
// read. The answer says so, because others may exist.

/** The arguments that search the ledger. */
export const remembered = once(
  () =>
    ({
      find: optional<never>({
        schema: z.string().max(80).describe('Start of number, customer or its id.'),
        fills: [],
      }),
      due_by: optional<never>({
        schema: z
          .string()
          .refine((text) => z.iso.date().safeParse(text).success, 'must be a day such as 2031-04-05')
          .describe('Due by then.'),
        fills: [],
      }),
    }) as const,
);

const search: LocalCall = async ({ find, due_by: day, state: of, limit, cursor }, { tx }) => {
  const page = { limit: Number(limit), cursor: cursor === undefined ? undefined : String(cursor) };
  const state = of === undefined ? undefined : String(of);
  const due = { key: 'due', value: state ?? '', upTo: Date.parse(String(day)) };
  const found =
    find === undefined
      ? await tx.observations.listBy({ kind: 'invoice', ranges: [due] }, page)
      : await tx.observations.search({ kind: 'invoice', name: String(find), state }, page);
  const items = found.rows.map((row) => {
    const { body } = thing(row) as Thing<unknown> as NonNullable<Things['invoice']>; // of this kind, by the search
    const { invoiceId, total, currency, due: until, customer } = body;
    return showInvoice(row.handle, row.state, { invoiceId, total, currency, due: until, customer });
  });
  return {
    said: `${many(found)} found, as last read. Purser searches only invoices that it has read; get_invoice reads any by its number, and lists without find and due_by read more.`,
    data: { ...paged(found, items), remembered: true },
    next: ['get_invoice'],
  };
};

export const recallsInvoices = {
  when: ({ find, due_by: day }: Readonly<Record<string, unknown>>): boolean => find !== undefined || day !== undefined,
  run: search,
};
