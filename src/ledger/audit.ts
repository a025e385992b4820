import { saysWhatWasWritten, toAudit } from './chain.ts';
import type { LedgerTransaction } from './ledger.ts';
import { startOf, toPage } from './paging.ts';
import type { Scoped } from './tenant.ts';

/** Enough to tell how an operation has come to where it is. */
const RECENT = 100;

/** One tenant's part of the audit chain, newest first. Its `seq` has gaps: other tenants' rows stand between. */
export function auditOf(
  { tenant, audit }: Scoped,
  append: LedgerTransaction['audit']['append'],
): LedgerTransaction['audit'] {
  return {
    append,
    of: async (operationId) => {
      const rows = await audit
        .select()
        .selectAll()
        .where('operationId', '=', operationId)
        .orderBy('seq', 'desc')
        .limit(RECENT)
        .execute();
      return rows.filter(saysWhatWasWritten).map(toAudit);
    },
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
