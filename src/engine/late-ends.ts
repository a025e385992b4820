import { finishLost } from './finish-lost.ts';
import { laneOf } from './lanes.ts';
import { canMoveOperation, hasTakenEffect } from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import { operationOf, toolOfOperation } from './tool.ts';

/**
 * Records how calls of the reader ended that nobody waited for any more: their connection was lost, or they took too long. A call that was
 * settled meanwhile is left as it is, unless its end says the opposite: that freezes the tenant.
 */
export async function recordLateEnds(parts: EngineParts): Promise<void> {
  for (const { callId, outcomeOf } of parts.reader?.lateEnds?.() ?? []) {
    const row = await parts.ledger.read(parts.tenant, (tx) => tx.operations.find(callId));
    const tool = row && toolOfOperation(parts.tools, row.name);
    // The app names the call: it may end its own, and no other.
    const isReaders = tool !== undefined && laneOf(operationOf(tool)) === 'reader';
    if (row !== undefined && isReaders && row.request !== null) {
      const reply = outcomeOf(operationOf(tool), row.request.body);
      const isOpen = canMoveOperation(row.state, 'succeed');
      const isOpposite = reply.kind === 'succeeded' && !hasTakenEffect(row);
      if (isOpen || isOpposite) await finishLost(parts, tool, row, reply, 'ended late');
    }
    parts.reader?.forget?.(callId);
  }
}
