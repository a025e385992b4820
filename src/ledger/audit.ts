import { sql } from 'kysely';
import { hashMatches, toAudit } from './chain.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import type { Lookup } from './lookups.ts';
import { countUpTo, startOf, toPage } from './paging.ts';
import type { AuditRow } from './rows.ts';
import type { Scoped } from './tenant-scope.ts';

/** Enough to tell how an operation has come to where it is. */
const RECENT = 100;
/** As the index has it. */
const HALTS_OR_ENDS_ONE = sql<boolean>`event in ('halted', 'resumed')`;

const HALTS: Lookup = ['halts'];
const trail = (operationId: string): Lookup => ['trail', operationId];

/** What an audit row is the newest of. */
export const trailsOf = ({ event, operationId }: AuditRow): readonly Lookup[] => [
  ...(operationId === null ? [] : [trail(operationId)]),
  ...(['halted', 'resumed'].includes(event) ? [HALTS] : []),
];

/** One tenant's part of the audit chain, newest first. Its `seq` has gaps: other tenants' rows stand between. */
export function auditOf(
  { tenant, audit, proof }: Scoped,
  { append, verifyRecent: since }: Pick<LedgerTransaction['audit'], 'append' | 'verifyRecent'>,
): LedgerTransaction['audit'] {
  return {
    append,
    verifyRecent: since,
    of: async (operationId) => {
      const rows = await audit
        .select()
        .selectAll()
        .where('operationId', '=', operationId)
        .orderBy('seq', 'desc')
        .limit(RECENT)
        .execute();
      proof.newest(trail(operationId), rows[0]?.hash);
      return rows.filter(hashMatches).map(toAudit);
    },
    halt: async () => {
      const last = await audit
        .select()
        .selectAll()
        .where(HALTS_OR_ENDS_ONE)
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst();
      proof.newest(HALTS, last?.hash);
      // An end that was written over something else is none.
      if (last === undefined || (last.event === 'resumed' && hashMatches(last))) return undefined;
      return toAudit(last);
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
      const counted = await countUpTo(audit.select().select('seq'));
      return toPage(listing, page, rows.map(toAudit), counted, ({ seq }) => ({ at: seq, id: '' }));
    },
  };
}
