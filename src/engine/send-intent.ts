import type { Watch } from '../core/outcome.ts';
import type { Facts } from '../domains/facts.ts';
import type { OperationRow } from '../ledger/rows.ts';
import { moveAnchor, NotAnchored } from './anchor.ts';
import { isTooLate } from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import type { Request } from './request.ts';
import { type Reply, send } from './send.ts';
import type { PlatformTool } from './tool.ts';

/**
 * Sends an intent's request exactly as it was written, under the request id made for it. Sends nothing where the anchor can't be
 * moved past the intent, or where that took so long that another process may have given the call up.
 */
export async function sendIntent(
  parts: EngineParts,
  tool: PlatformTool,
  row: OperationRow,
  watch: Watch,
): Promise<Reply> {
  try {
    await moveAnchor(parts);
  } catch (error) {
    if (error instanceof NotAnchored) return { kind: 'held', refusal: error.refusal };
    throw error;
  }
  if (isTooLate(row, parts.ports.clock.now())) return { kind: 'noEffect', because: 'unreachable' };
  const { new: made, ...request } = row.request as unknown as Request & Pick<Facts, 'new'>; // as `storedRequest` keeps it
  return send(parts, tool, request, made.correlationId, watch);
}
