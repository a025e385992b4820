import { requireIntact, withChecksum } from './checksum.ts';
import { nextVersion, refuseImmutable, requireInserted, requireWritten } from './compare-and-set.ts';
import type { ApprovalsIn, LedgerTransaction } from './ledger-transaction.ts';
import { inStates, rowsAfter, startOf, toPage } from './paging.ts';
import type { ApprovalRow } from './rows.ts';
import type { StoredApproval } from './tables.ts';
import { type Scoped, tenantStatement } from './tenant-scope.ts';

/** What the approver saw, and its expiry, never change. */
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
export function approvalsOf(own: Scoped): LedgerTransaction['approvals'] {
  const { tenant, approvals, proof, rows: known } = own;
  const read = (id: string) => own.first(byId, { id });
  return {
    insert: async (row) => {
      const stored = withChecksum('approvals', { ...row, tenant, version: 1 });
      const written = requireInserted(await own.first(inserted, stored));
      proof.wrote('approvals', undefined, written);
      known.approvals.set(written.id, written);
      return toApproval(written);
    },
    find: async (id) => {
      const found = await known.approvals.get(
        id,
        () => read(id),
        (row) => {
          proof.read('approvals', [id], row);
          if (row !== undefined) requireIntact('approvals', row);
        },
      );
      return found && toApproval(found);
    },
    ofOperation: async (operationId) => {
      const rows = await own.all(ofOperation, { operationId });
      proof.found('approvals', ['approval of', operationId], rows);
      const [row] = rows;
      if (row === undefined) return undefined;
      known.approvals.set(row.id, requireIntact('approvals', row));
      return toApproval(row);
    },
    update: async (row, change) => {
      refuseImmutable<ApprovalRow>(row, change, FIXED);
      const before = await known.approvals.get(row.id, () => read(row.id));
      known.approvals.forget(row.id);
      const next = withChecksum('approvals', nextVersion(row, change));
      const written = await own.first(updated, { ...next, was: row.version });
      const kept = requireWritten(written, 'approval');
      proof.wrote('approvals', before, kept);
      known.approvals.set(kept.id, kept);
      return toApproval(kept);
    },
    list: async ({ states, principal }, page) => {
      // A cursor serves at any time, so the times that bound an expiry are no part of the list that it belongs to.
      const listing = { of: 'approvals', tenant, filter: { states: states?.map(kindOf), principal } };
      const start = startOf(listing, page);
      const { rows, counted } = await inStates(states, start, (wanted) => {
        const { state, expiryAbove, expiryUpTo } = wanted ?? {};
        const matching = approvals
          .select()
          .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
          .$if(expiryAbove !== undefined, (query) => query.where('expiresAt', '>', expiryAbove ?? 0))
          .$if(expiryUpTo !== undefined, (query) => query.where('expiresAt', '<=', expiryUpTo ?? 0))
          .$if(principal !== undefined, (query) => query.where('principal', '=', principal ?? ''));
        return rowsAfter<StoredApproval>(matching, start.after);
      });
      return toPage(listing, page, rows.map(toApproval), counted, ({ createdAt, id }) => ({ at: createdAt, id }));
    },
  };
}

const kindOf = ({ state, expiryAbove, expiryUpTo }: ApprovalsIn): readonly [string, boolean, boolean] => [
  state,
  expiryAbove !== undefined,
  expiryUpTo !== undefined,
];

function toApproval({ checksum: _, ...row }: StoredApproval): ApprovalRow {
  return row;
}

const byId = tenantStatement(({ approvals }, { id }: { readonly id: string }) =>
  approvals.select().selectAll().where('id', '=', id),
);
const ofOperation = tenantStatement(({ approvals }, { operationId }: { readonly operationId: string }) =>
  approvals.select().selectAll().where('operationId', '=', operationId),
);
const inserted = tenantStatement(({ approvals }, row: StoredApproval) => approvals.insert(row).returningAll());
const updated = tenantStatement(({ approvals }, { was, ...row }: StoredApproval & { readonly was: number }) =>
  approvals.update().set(row).where('id', '=', row.id).where('version', '=', was).returningAll(),
);
