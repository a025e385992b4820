import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction, Paged } from '../ledger/ledger-transaction.ts';
import type { ObservationRow } from '../ledger/rows.ts';
import { principalMember } from '../ledger/search-keys.ts';
import type { Refusal } from './refusal.ts';
import type { EngineSettings } from './settings.ts';

// What one call may see of the ledger. What the merchant's app registered and what the platform lists is the merchant's, and
// every principal sees it. What a call made in Purser (a purchase, released credentials, operations, approvals) belongs to the
// principal who called: for others it is not there, so nobody can use what another principal was allowed.

/** The reads of a transaction, as one caller sees the rows. */
export interface View {
  readonly operations: Pick<LedgerTransaction['operations'], 'find' | 'list'>;
  readonly approvals: Pick<LedgerTransaction['approvals'], 'ofOperation' | 'list'>;
  readonly observations: Pick<LedgerTransaction['observations'], 'find' | 'list' | 'listBy' | 'search' | 'countOwned'>;
  readonly budgets: Pick<LedgerTransaction['budgets'], 'used'>;
}

/** Whose principals see what, by what the operator configured. */
export function viewOf(tx: LedgerTransaction, { principal }: Caller, { principals }: EngineSettings): View {
  if (principals === 'together') return tx;
  const isOwn = (row: { readonly principal: string }): boolean => row.principal === principal;
  return {
    operations: {
      find: async (id) => only(await tx.operations.find(id), isOwn),
      list: (filter, page) => tx.operations.list({ ...filter, principal }, page),
    },
    approvals: {
      ofOperation: async (id) => only(await tx.approvals.ofOperation(id), isOwn),
      list: (filter, page) => tx.approvals.list({ ...filter, principal }, page),
    },
    observations: {
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
  };
}

function demandVisible(found: Paged<ObservationRow>, kind: string, principal: string): Paged<ObservationRow> {
  if (found.rows.every((row) => isVisible(row, principal))) return found;
  throw new Error(`Things of the kind ${kind} belong to principals, and such a list would count all.`);
}

/** What is written into a thing that a call of this caller made in Purser. */
export const ownedBy = ({ principal }: Caller) => ({ [principalMember]: principal });

const isVisible = ({ body }: ObservationRow, principal: string): boolean =>
  body[principalMember] === undefined || body[principalMember] === principal;

/** A refusal without the operation of another principal, whose handle means nothing to this caller. */
export async function seenBy({ operations }: Pick<View, 'operations'>, refusal: Refusal): Promise<Refusal> {
  const { operation, ...more } = refusal;
  if (operation === undefined || (await operations.find(operation)) !== undefined) return refusal;
  return { ...more, instead: more.instead.filter((tool) => tool !== 'get_operation') };
}

const only = <Row>(row: Row | undefined, isSeen: (row: Row) => boolean): Row | undefined =>
  row !== undefined && isSeen(row) ? row : undefined;
