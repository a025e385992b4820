import { type Declined, type Doubled, isOfThing } from '../core/outcome.ts';
import type { Facts } from '../domains/facts.ts';
import type { OperationRow } from '../ledger/rows.ts';
import { makes } from './next.ts';
import { isOverdue } from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import type { PlatformSlots } from './platform-slots.ts';
import { type Found, find, isReadBack, madeReply } from './recover.ts';
import type { Reply } from './send.ts';
import { sentRequest } from './sent-request.ts';
import { operationOf, type PlatformTool } from './tool.ts';

/** The outcome of a call, and its event in the audit if that is not the usual one. */
export interface Heard {
  readonly reply: Reply;
  readonly event?: string;
}

/**
 * Reads a refused call back at once if the request may have arrived twice (D-181): a proxy that repeats a request passes on the second
 * response, which refuses what the first one did. If the platform has what was sent, the call took effect. It was declined if what is
 * found leaves no other explanation. Otherwise, and if the platform can't be asked, the outcome is unknown: an agent repeats a call that
 * changed nothing. If reading took longer than the quiet period, it is unknown, too: another process or a person may have recorded an
 * outcome meanwhile.
 */
export async function lookIfDoubled(
  parts: EngineParts,
  slots: PlatformSlots,
  tool: PlatformTool,
  { row, facts }: { readonly row: OperationRow; readonly facts: Facts },
  reply: Reply,
): Promise<Heard> {
  if (reply.kind !== 'declined') return { reply };
  const doubled = doubledOf(tool, row)?.(reply, facts.args);
  if (doubled === undefined) return { reply };
  if (!isReadBack(tool)) return { reply: doubled === 'certainly' ? inDoubt(reply) : reply };
  const found = await find(parts, slots, tool, { ...sentRequest(row), isRefused: true });
  if (typeof found === 'object') return { reply: madeReply(tool, found.happened), event: 'read back' };
  const isLate = isOverdue(row, parts.ports.clock.now());
  return { reply: !isLate && declines[doubled].includes(found) ? reply : inDoubt(reply) };
}

const inDoubt = ({ reason }: Declined): Reply => ({ kind: 'unknown', because: 'twice', reason });

/** What is found where the call was declined. */
const declines: Readonly<Record<NonNullable<ReturnType<Doubled>>, readonly Exclude<Found, object>[]>> = {
  certainly: [],
  moved: ['nothing'],
  perhaps: ['nothing', 'unclear'],
};

/**
 * Whether a refusal may mean that the request arrived twice, as the tool declares it. By default, any change of a state over HTTP may
 * have. Not one that the machine doesn't allow, because a rule is turned off: the state after it is not known. Nor a creation, which has
 * no state before.
 */
function doubledOf(tool: PlatformTool, { request }: OperationRow): Doubled | undefined {
  const { moves, transport } = operationOf(tool);
  const creates = moves !== undefined && makes(moves.machine).includes(moves.trigger);
  const isMove = request?.from !== request?.reaches && !creates;
  if (moves !== undefined && !isMove && !creates && isReadBack(tool)) return undefined;
  return tool.reconcile.doubled ?? (isMove && transport === 'http' ? movedAlready : undefined);
}

const movedAlready: Doubled = (refusal) => (isOfThing(refusal) ? 'perhaps' : undefined);
