import type { Watch } from '../core/outcome.ts';
import { withPlaced } from '../core/secret-leaves.ts';
import type { Facts } from '../domains/facts.ts';
import { moveAnchor, NotAnchored } from './anchor.ts';
import { isTooLate } from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import type { Request } from './request.ts';
import { isSameReader } from './same-reader.ts';
import { type Reply, send } from './send.ts';
import { operationOf, type PlatformTool } from './tool.ts';
import type { Begun } from './write-intent.ts';

/**
 * Sends an intent's request exactly as stored, with its secrets and its request id. Sends nothing if the anchor can't
 * be moved past the intent, if that took so long that another process may have marked the call unknown, or if the
 * caller cancelled.
 */
export async function sendIntent(
  parts: EngineParts,
  tool: PlatformTool,
  { row, secrets }: Extract<Begun, { kind: 'send' }>,
  watch: Watch,
): Promise<Reply> {
  try {
    await moveAnchor(parts);
  } catch (error) {
    if (error instanceof NotAnchored) return { kind: 'held', refusal: error.refusal };
    throw error;
  }
  if (isTooLate(row, parts.ports.clock.now())) return { kind: 'noEffect', because: 'unreachable' };
  // Another reader has connected meanwhile: what its app says of its calls would count for this one.
  if (!isSameReader(row, parts.reader)) return { kind: 'noEffect', because: 'unreachable' };
  if (watch.signal?.aborted === true) return { kind: 'noEffect', because: 'cancelled' };
  const { new: made, ...request } = row.request as unknown as Request & Pick<Facts, 'new'>; // stored by `storedRequest`
  const body = withPlaced(request.body, secrets);
  // What may be repeated has another name each time.
  const named = operationOf(tool).recovery === 'repeat' ? watch : { ...watch, callId: row.id };
  return send(parts, tool, { ...request, body }, made.correlationId, named);
}
