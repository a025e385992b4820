import type { Facts } from '../domains/facts.ts';
import type { OperationRow } from '../ledger/rows.ts';
import { isOverdue } from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import type { PlatformSlots } from './platform-slots.ts';
import { find, isReadBack, madeReply } from './recover.ts';
import type { Reply } from './send.ts';
import { type PlatformTool, sentRequest } from './tool.ts';

/**
 * What has arrived twice is refused the second time where it has a name of its own, and that refusal may be the only answer that gets
 * here: something on the way has sent the request again. So the platform is asked before the refusal is told. What it doesn't have is
 * unknown if nobody else can have taken the name: told as having changed nothing, it would be made once more (D-181).
 * So it is if the look took longer than the quiet period: another process or a person may have recorded meanwhile what happened.
 */
export async function lookIfDoubled(
  parts: EngineParts,
  slots: PlatformSlots,
  tool: PlatformTool,
  { row, facts }: { readonly row: OperationRow; readonly facts: Facts },
  reply: Reply,
): Promise<Reply> {
  const doubled = reply.kind === 'declined' ? tool.reconcile.doubled?.(reply, facts.args) : undefined;
  if (doubled === undefined || !isReadBack(tool)) return reply;
  const found = await find(parts, slots, tool, sentRequest(row));
  if (typeof found === 'object') return madeReply(tool, found.happened);
  const isLate = isOverdue(row, parts.ports.clock.now());
  return isLate || doubled === 'certainly' ? { kind: 'unknown', because: 'twice' } : reply;
}
