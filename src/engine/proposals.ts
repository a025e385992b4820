import type { Facts, Proposal } from '../domains/facts.ts';
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
    isForCustomer: channels.includes(customerChannel),
  };
}

/** How a customer decides who proves to the platform what they want. */
export const customerChannel = 'customer';
