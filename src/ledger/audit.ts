import { toAudit } from './chain.ts';
import type { LedgerTransaction } from './ledger.ts';
import { startOf, toPage } from './paging.ts';
import type { Scoped } from './tenant.ts';

/** One tenant's part of the audit chain, newest first. Its `seq` has gaps: other tenants' rows stand between. */
export function auditOf(
  { tenant, audit }: Scoped,
  append: LedgerTransaction['audit']['append'],
): LedgerTransaction['audit'] {
  return {
    append,
    list: async (page) => {
      const listing = { of: 'audit', tenant, filter: {} };
      const { after, fetch } = startOf(listing, page);
      const rows = await audit
        .select()
        .selectAll()
        .$if(after !== undefined, (query) => query.where('seq', '<', after?.at ?? 0))
        .orderBy('seq', 'desc')
        .limit(fetch)
        .execute();
      const { total } = await audit
        .select()
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return toPage(listing, page, rows.map(toAudit), total, ({ seq }) => ({ at: seq, id: '' }));
    },
  };
}
