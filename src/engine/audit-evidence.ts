import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import { IntegrityError } from './integrity-error.ts';

// Rows that permit sending could be edited. The audit chain reveals edits, so it must confirm them.

/** Requires that the operation's latest audit row records the approval of this exact request. */
export async function demandApproved(
  tx: LedgerTransaction,
  row: OperationRow,
  { id, digest }: ApprovalRow,
): Promise<void> {
  const [last] = await tx.audit.of(row.id);
  if (last?.event !== 'approved' || last.body.approval !== id || last.body.digest !== digest) throw without(row);
}

/** Requires an audit row of the first sending before a repeat. */
export async function demandSent(tx: LedgerTransaction, row: OperationRow): Promise<void> {
  const trail = await tx.audit.of(row.id);
  if (!trail.some(({ event }) => event === 'sent')) throw without(row);
}

const without = ({ id }: OperationRow) =>
  new IntegrityError('The audit does not confirm that this call may be sent.', id);
