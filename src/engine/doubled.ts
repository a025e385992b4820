import { type Doubled, isOfThing } from '../core/outcome.ts';
import type { Facts } from '../domains/facts.ts';
import type { OperationRow } from '../ledger/rows.ts';
import { makes } from './next.ts';
import { isOverdue } from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import type { PlatformSlots } from './platform-slots.ts';
import { find, isReadBack, madeReply } from './recover.ts';
import type { Reply } from './send.ts';
import { operationOf, type PlatformTool, sentRequest } from './tool.ts';

/** What a call came to, and the event of the audit, if it is another than that of an answer. */
export interface Heard {
  readonly reply: Reply;
  readonly event?: string;
}

/**
 * Reads a refused call back at once if the request may have arrived twice (D-181): a proxy that repeats a request passes on the second
 * response, which refuses what the first one did. If the platform has what was sent, the call took effect. If it doesn't, the outcome
 * is unknown where nobody else can have taken the name, because a call that is told to have changed nothing is made again; and where
 * reading took longer than the quiet period, because another process or a person may have recorded the outcome meanwhile.
 */
export async function lookIfDoubled(
  parts: EngineParts,
  slots: PlatformSlots,
  tool: PlatformTool,
  { row, facts }: { readonly row: OperationRow; readonly facts: Facts },
  reply: Reply,
): Promise<Heard> {
  const doubled = reply.kind === 'declined' ? doubledOf(tool, row)?.(reply, facts.args) : undefined;
  if (doubled === undefined || !isReadBack(tool)) return { reply };
  const found = await find(parts, slots, tool, sentRequest(row));
  if (typeof found === 'object') return { reply: madeReply(tool, found.happened), event: 'read back' };
  const isLate = isOverdue(row, parts.ports.clock.now());
  return { reply: isLate || doubled === 'certainly' ? { kind: 'unknown', because: 'twice' } : reply };
}

/**
 * What a tool says of a refusal. By default, what was to move a thing over HTTP may have moved it already; where the machine knows of no
 * move, because a rule is turned off, nothing tells. Of a creation, only the tool knows.
 */
function doubledOf(tool: PlatformTool, { request }: OperationRow): Doubled | undefined {
  const { moves, transport } = operationOf(tool);
  const creates = moves !== undefined && makes(moves.machine).includes(moves.trigger);
  const isMove = request?.from !== request?.reaches && !creates;
  return tool.reconcile.doubled ?? (isMove && transport === 'http' ? movedAlready : undefined);
}

const movedAlready: Doubled = (refusal) => (isOfThing(refusal) ? 'perhaps' : undefined);
