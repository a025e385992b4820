import { sql } from 'kysely';
import { hashMatches, toAudit } from './chain.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import type { Lookup } from './lookups.ts';
import { countBeside, startOf, toPage } from './paging.ts';
import type { AuditRow } from './rows.ts';
import type { StoredAudit } from './tables.ts';
import { type Scoped, tenantStatement } from './tenant-scope.ts';

/** Enough for the history of an operation. */
const RECENT = 100;
/** Written as in the index, so that the index is used. */
export const isHaltOrEnd = sql<boolean>`event in ('halted', 'resumed')`;
const halts: readonly string[] = ['halted', 'resumed'];
export const isHalt = ({ event }: Pick<AuditRow, 'event'>): boolean => halts.includes(event);

const HALTS: Lookup = ['halts'];
const trail = (operationId: string): Lookup => ['trail', operationId];

/** The lookups whose newest row this audit row is. */
export const trailsOf = ({ event, operationId }: AuditRow): readonly Lookup[] => [
  ...(operationId === null ? [] : [trail(operationId)]),
  ...(isHalt({ event }) ? [HALTS] : []),
];

/** One tenant's part of the audit chain, newest first. `seq` has gaps where other tenants' rows are. */
export function auditOf(
  own: Scoped,
  {
    newestHalt,
    ...chain
  }: Pick<LedgerTransaction['audit'], 'append' | 'end' | 'verifyRecent'> & {
    /** The newest halt or its end, if this transaction has read it; null if there is none. */
    readonly newestHalt: () => StoredAudit | null | undefined;
  },
): LedgerTransaction['audit'] {
  const { audit, proof, tenant } = own;
  return {
    ...chain,
    of: async (operationId) => {
      const rows = await own.all(ofOperation, { operationId });
      proof.newest(trail(operationId), rows[0]?.hash);
      return rows.filter(hashMatches).map(toAudit);
    },
    halt: async () => {
      const known = newestHalt();
      const last = known === undefined ? await own.first(newestHaltOrEnd, {}) : (known ?? undefined);
      proof.newest(HALTS, last?.hash);
      // Ignore a resume entry whose hash doesn't match.
      if (last === undefined || (last.event === 'resumed' && hashMatches(last))) return undefined;
      return toAudit(last);
    },
    list: async (page) => {
      const listing = { of: 'audit', tenant, filter: {} };
      const start = startOf(listing, page);
      const { after, fetch } = start;
      const rows = await audit
        .select()
        .selectAll()
        .$if(after !== undefined, (query) => query.where('seq', '<', after?.at ?? 0))
        .orderBy('seq', 'desc')
        .limit(fetch)
        .execute();
      const counted = await countBeside(rows, start, audit.select().select('seq'));
      return toPage(listing, page, rows.map(toAudit), counted, ({ seq }) => ({ at: seq, id: '' }));
    },
  };
}

const newestHaltOrEnd = tenantStatement(({ audit }) =>
  audit.select().selectAll().where(isHaltOrEnd).orderBy('seq', 'desc').limit(1),
);
const ofOperation = tenantStatement(({ audit }, { operationId }: { readonly operationId: string }) =>
  audit.select().selectAll().where('operationId', '=', operationId).orderBy('seq', 'desc').limit(RECENT),
);
