import type { Outcome } from '../core/outcome.ts';
import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import { type Checked, check } from './check.ts';
import { declined } from './declined.ts';
import { learn } from './finish.ts';
import { gatherFacts } from './gather-facts.ts';
import { laneOf } from './lanes.ts';
import type { EngineParts } from './parts.ts';
import type { Body } from './render.ts';
import { retryOnConflict } from './retry.ts';
import { answered, type PlatformAnswer, send } from './send.ts';
import { isShapeless } from './shapeless.ts';
import type { EngineState } from './state.ts';
import { operationOf, type PlatformTool } from './tool.ts';
import { viewOf } from './view.ts';

/**
 * Reads from the platform and remembers what the answer says. It changes nothing, so it may be repeated at any time. Throws
 * `Refused` where a rule forbids it.
 */
export async function readPlatform(
  { parts, slots }: Pick<EngineState, 'parts' | 'slots'>,
  tool: PlatformTool,
  args: Facts['args'],
  caller: Caller,
): Promise<Body> {
  const { ledger } = parts;
  const { facts, request } = await ledger.transaction(caller.tenant, (tx) => checkRead(parts, tx, tool, args, caller));
  const slot = await slots.acquire(laneOf(operationOf(tool)));
  let reply: Outcome;
  try {
    slot.check();
    reply = await send(parts, tool, request, facts.new.correlationId);
    slot.record(answered({ reply }));
  } finally {
    slot.release();
  }
  if (reply.kind !== 'succeeded') return unanswered(tool, reply);
  const answer = reply as PlatformAnswer; // of the tool's own operation
  return retryOnConflict(() =>
    ledger.transaction(caller.tenant, async (tx) => (await learn(parts, tx, tool, { facts }, answer, caller)).body),
  );
}

/** Checks a read against the rules. Throws `Refused`; changes nothing. A preview makes the same check. */
export async function checkRead(
  { settings, ports }: EngineParts,
  tx: LedgerTransaction,
  tool: PlatformTool,
  args: Facts['args'],
  caller: Caller,
): Promise<Checked> {
  return check(
    tool,
    await gatherFacts(tool, args, viewOf(tx, caller, settings), settings, ports),
    settings,
    caller,
    false,
  );
}

function unanswered(tool: PlatformTool, reply: Exclude<Outcome, { kind: 'succeeded' }>): Body {
  if (reply.kind === 'declined') return declined(reply, tool);
  if (reply.kind === 'unknown' && reply.thrown !== undefined) throw reply.thrown;
  if (reply.kind === 'noEffect' && reply.because === 'incomplete')
    throw new Error(`The request of ${tool.name} has a wrong shape: ${reply.paths?.join(', ')}.`);
  return {
    outcome: 'refused',
    said: 'The platform gave no answer that can be used; nothing was changed. Ask again later.',
    next: [tool.name],
    error: { code: 'UNREACHABLE', retry: 'same_call', ...(isShapeless(reply) ? { rule: 'EN-08' } : {}) },
  };
}
