import { z } from 'zod';
import { inDecimals } from '../../src/core/money.ts';
import type { Thing } from '../../src/core/thing.ts';
import type { Things } from '../../src/domains/facts.ts';
import { instruction as machine } from '../../src/domains/purchase/machines.ts';
import { iso } from '../../src/engine/render.ts';
import { thing } from '../../src/engine/resolve.ts';
import { ownWords } from '../../src/engine/shown.ts';
import { type LocalTool, localTool } from '../../src/engine/tool.ts';
import type { KeyRange } from '../../src/ledger/ledger-transaction.ts';
import { keysInState } from '../clock-states.ts';
import { many, page, paged } from '../pages.ts';
import { purchaseEntity } from './instruction.ts';
import { purchaseShown } from './output.ts';

// Searches purchases in the ledger. The ledger is complete, because only calls through Purser create purchases.

/** Those of a state are sorted by the mandate's end. */
const rangesOf = (state: string | undefined, now: number): readonly KeyRange[] =>
  state === undefined ? [{ key: 'all', value: '' }] : keysInState(machine, state, now);

export const listsPurchases: readonly LocalTool[] = [
  localTool('list_purchases', {
    title: 'List purchases',
    description: 'Find purchases, newest first.',
    inputSchema: () =>
      z.strictObject({
        reference: z.string().max(64).optional().describe("Merchant's order number."),
        state: z.enum(machine.existing).optional().describe('Only these.'),
        ...page(),
      }),
    outputSchema: () =>
      z.looseObject({
        items: z.array(purchaseShown()),
        total: z.number(),
        more: ownWords.optional(),
      }),
    run: async ({ reference, state, limit, cursor }, { tx, now }) => {
      const ranges = reference === undefined ? rangesOf(state, now) : [{ key: 'reference', value: reference }];
      const found = await tx.observations.listBy({ kind: 'instruction', ranges }, { limit, cursor });
      const all = found.rows.map((row) => {
        const it = thing(row) as Thing<unknown> as NonNullable<Things['instruction']>; // of this kind, by the search
        return {
          instruction: it.handle,
          state: machine.settle(purchaseEntity({ instruction: it }, now)),
          reference: it.body.reference,
          limit: { amount: inDecimals(it.body.limit, it.body.currency), currency: it.body.currency },
          until: iso(Number(it.body.until) * 1_000),
          card: it.body.card,
        };
      });
      const items = all.filter((it) => state === undefined || it.state === state);
      // A reference has at most one purchase (EN-03), so one page is the whole list.
      const total = reference === undefined ? found.total : items.length;
      return {
        said:
          total === 0
            ? 'There is no such purchase.'
            : `${many({ ...found, total })} purchase${total === 1 ? '' : 's'}.`,
        data: paged({ ...found, total }, items),
        next: total === 0 ? ['list_operations'] : ['get_purchase'],
      };
    },
  }),
];
