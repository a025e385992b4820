import type { Caller } from '../ledger/ledger.ts';
import type { LedgerReads, Paged } from '../ledger/ledger-transaction.ts';
import type { ObservationRow } from '../ledger/rows.ts';
import { principalMember } from '../ledger/search-keys.ts';
import type { Refusal } from './refusal.ts';
import type { EngineSettings } from './settings.ts';

// What a caller may see of the ledger. Data from the merchant's app and the platform belongs to the merchant, and every
// principal sees it. What a call created in Purser (a purchase, released credentials, operations, approvals) belongs to
// the calling principal. Others can't see it, so they can't use its approvals.

/** The rows as one caller sees them. */
export type View = LedgerReads;

/** The view of a caller, according to the `principals` setting. */
export function viewOf(tx: LedgerReads, { principal, role }: Caller, { principals }: EngineSettings): View {
  // The merchant's app acts for the merchant, whichever agent began the work.
  if (principals === 'together' || role === 'app') return tx;
  const isOwn = (row: { readonly principal: string }): boolean => row.principal === principal;
  return {
    operations: {
      find: async (id) => only(await tx.operations.find(id), isOwn),
      list: (filter, page) => tx.operations.list({ ...filter, principal }, page),
      // What a thing of the merchant's was asked for as is the merchant's, too.
      byReference: tx.operations.byReference,
      openOn: tx.operations.openOn,
      underWay: async (about) => (await tx.operations.underWay(about)).filter(isOwn),
    },
    approvals: {
      ofOperation: async (id) => only(await tx.approvals.ofOperation(id), isOwn),
      list: (filter, page) => tx.approvals.list({ ...filter, principal }, page),
    },
    observations: {
      load: tx.observations.load,
      find: async (handle) => only(await tx.observations.find(handle), (row) => isVisible(row, principal)),
      list: async (filter, page) => demandVisible(await tx.observations.list(filter, page), filter.kind, principal),
      listBy: async (filter, page) =>
        demandVisible(
          await tx.observations.listBy({ ...filter, principals: ['', principal] }, page),
          filter.kind,
          principal,
        ),
      search: async (filter, page) => demandVisible(await tx.observations.search(filter, page), filter.kind, principal),
      countOwned: (kind, owners) => tx.observations.countOwned(kind, owners),
    },
    budgets: tx.budgets,
    // What the platform tells is the merchant's, as what it lists.
    events: tx.events,
  };
}

function demandVisible(found: Paged<ObservationRow>, kind: string, principal: string): Paged<ObservationRow> {
  if (found.rows.every((row) => isVisible(row, principal))) return found;
  throw new Error(`Things of the kind ${kind} belong to principals, so this list would show those of others.`);
}

/**
 * The owner's mark on a thing that this caller's call created in Purser. Things created by the merchant's app belong to
 * the merchant.
 */
export const ownedBy = ({ principal, role }: Caller): { readonly [member: string]: string } =>
  role === 'app' ? {} : { [principalMember]: principal };

const isVisible = ({ body }: ObservationRow, principal: string): boolean =>
  body[principalMember] === undefined || body[principalMember] === principal;

/** A refusal without another principal's operation, whose handle means nothing to this caller. */
export async function seenBy({ operations }: Pick<View, 'operations'>, refusal: Refusal): Promise<Refusal> {
  const { operation, ...more } = refusal;
  if (operation === undefined || (await operations.find(operation)) !== undefined) return refusal;
  return { ...more, instead: more.instead.filter((tool) => tool !== 'get_operation') };
}

const only = <Row>(row: Row | undefined, isSeen: (row: Row) => boolean): Row | undefined =>
  row !== undefined && isSeen(row) ? row : undefined;
