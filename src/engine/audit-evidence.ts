import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import { IntegrityError } from './integrity-error.ts';

// Rows that say what may be sent can be edited. The audit is a chain, in which an edit shows: it must say the same.

/** Demands that the last that was written down of an operation is that a person approved exactly this. */
export async function demandApproved(
  tx: LedgerTransaction,
  row: OperationRow,
  { id, digest }: ApprovalRow,
): Promise<void> {
  const [last] = await tx.audit.of(row.id);
  if (last?.event !== 'approved' || last.body.approval !== id || last.body.digest !== digest) throw without(row);
}

/** Demands that what is to be sent once more was sent before. */
export async function demandSent(tx: LedgerTransaction, row: OperationRow): Promise<void> {
  const trail = await tx.audit.of(row.id);
  if (!trail.some(({ event }) => event === 'sent')) throw without(row);
}

const without = ({ id }: OperationRow) =>
  new IntegrityError('The ledger says of this call what its audit does not: that it may be sent.', id);
