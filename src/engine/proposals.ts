import { type Facts, ownerKind, type Proposal } from '../domains/facts.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import { decideAsked } from './approval-service.ts';
import { canMoveApproval } from './operation-state.ts';
import type { EngineSettings } from './settings.ts';
import type { PlatformTool } from './tool.ts';
import type { View } from './view.ts';

// A call of one tool can be about a call of another one that waits for an approval: the customer proves to the platform that they
// want exactly what that approval says. Its digest, its end and its single use hold as for any other decision.

/** The call that a call is about; undefined where it is about none, or the caller doesn't see it. */
export async function proposalOf(
  tool: PlatformTool,
  facts: Pick<Facts, 'now' | 'args' | 'things'>,
  view: Pick<View, 'operations' | 'approvals'>,
  { channels }: Pick<EngineSettings, 'channels'>,
): Promise<Proposal | undefined> {
  const handle = tool.input.proposal?.(facts);
  const row = handle === undefined ? undefined : await view.operations.find(handle);
  const asked = row && (await view.approvals.ofOperation(row.id));
  if (row === undefined || asked === undefined) return undefined;
  return {
    operation: row.id,
    name: row.name,
    args: JSON.parse(row.args) as Proposal['args'], // canonical JSON of an object
    approval: asked.id,
    digest: asked.digest,
    text: asked.text,
    isOpen: canMoveApproval(asked, 'approve', facts.now),
    isForCustomer: channels.includes(channel),
  };
}

/** Approves what the customer has proven to want, where it can still be approved and is still what they were shown. */
export async function approveProven(
  tx: LedgerTransaction,
  { proposal, things }: Pick<Facts, 'proposal' | 'things'>,
  now: number,
): Promise<void> {
  if (proposal === undefined || !proposal.isForCustomer) return;
  const asked = await tx.approvals.find(proposal.approval);
  if (asked?.digest !== proposal.digest) return;
  const approver = things[ownerKind]?.handle ?? channel;
  await decideAsked(tx, proposal.approval, 'approve', { approver, channel }, now);
}

const channel = 'customer';
