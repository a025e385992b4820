import { type Facts, ownerKind } from '../domains/facts.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import { decideAsked } from './approval-service.ts';
import type { EngineParts } from './parts.ts';
import { customerChannel } from './proposals.ts';

/** Approves what the customer has proven to want, where it can still be approved and is still what they were shown. */
export async function approveProven(
  parts: EngineParts,
  tx: LedgerTransaction,
  { proposal, things }: Pick<Facts, 'proposal' | 'things'>,
  now: number,
): Promise<void> {
  if (proposal === undefined || !proposal.isForCustomer) return;
  const asked = await tx.approvals.find(proposal.approval);
  if (asked?.digest !== proposal.digest) return;
  const approver = things[ownerKind]?.handle ?? customerChannel;
  await decideAsked(parts, tx, proposal.approval, 'approve', { approver, channel: customerChannel }, now);
}
