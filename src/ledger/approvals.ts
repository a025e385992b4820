import { requireIntact, withChecksum } from './checksum.ts';
import { nextVersion, refuseImmutable, requireWritten } from './compare-and-set.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import { inStates, rowsAfter, startOf, toPage } from './paging.ts';
import type { ApprovalRow } from './rows.ts';
import type { StoredApproval } from './tables.ts';
import type { Scoped } from './tenant-scope.ts';

/** What the approver saw, and how long the answer holds, stays as it was. */
const FIXED = [
  'id',
  'tenant',
  'principal',
  'operationId',
  'digest',
  'text',
  'expiresAt',
  'createdAt',
  'version',
] as const satisfies readonly (keyof ApprovalRow)[];

/** The approvals of one tenant. */
export function approvalsOf({ tenant, approvals, proof }: Scoped): LedgerTransaction['approvals'] {
  return {
    insert: async (row) => {
      const written = await approvals
        .insert({ ...row, version: 1 })
        .returningAll()
        .executeTakeFirstOrThrow();
      proof.wrote('approvals', undefined, written);
      return toApproval(written);
    },
    find: async (id) => {
      const row = await approvals.select().selectAll().where('id', '=', id).executeTakeFirst();
      proof.read('approvals', [id], row);
      return row && toApproval(requireIntact('approvals', row));
    },
    ofOperation: async (operationId) => {
      const rows = await approvals.select().selectAll().where('operationId', '=', operationId).execute();
      proof.found('approvals', ['approval of', operationId], rows);
      const [row] = rows;
      return row && toApproval(requireIntact('approvals', row));
    },
    update: async (row, change) => {
      refuseImmutable<ApprovalRow>(row, change, FIXED);
      const before = await approvals.select().selectAll().where('id', '=', row.id).executeTakeFirst();
      const written = await approvals
        .update()
        .set(withChecksum('approvals', nextVersion(row, change)))
        .where('id', '=', row.id)
        .where('version', '=', row.version)
        .returningAll()
        .executeTakeFirst();
      proof.wrote('approvals', before, requireWritten(written, 'approval'));
      return toApproval(requireWritten(written, 'approval'));
    },
    list: async ({ states, principal }, page) => {
      const listing = { of: 'approvals', tenant, filter: { states, principal } };
      const { after, fetch } = startOf(listing, page);
      const { rows, counted } = await inStates(states, fetch, (state) => {
        const matching = approvals
          .select()
          .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
          .$if(principal !== undefined, (query) => query.where('principal', '=', principal ?? ''));
        return rowsAfter<StoredApproval>(matching, after);
      });
      return toPage(listing, page, rows.map(toApproval), counted, ({ createdAt, id }) => ({ at: createdAt, id }));
    },
  };
}

function toApproval({ checksum: _, ...row }: StoredApproval): ApprovalRow {
  return row;
}
