import { PlatformFault, PlatformRefusal } from '../client/errors.ts';
import type { Facts } from '../domains/facts.ts';
import type { Caller, LedgerTransaction } from '../ledger/ledger.ts';
import { type Checked, check } from './check.ts';
import { declined } from './declined.ts';
import { learn } from './finish.ts';
import type { Valve } from './gates.ts';
import { gatherFacts } from './gather-facts.ts';
import type { EngineParts } from './parts.ts';
import type { Body } from './render.ts';
import { retryOnConflict } from './retry.ts';
import type { Reply } from './send.ts';
import { answered, send } from './send.ts';
import type { PlatformTool } from './tool.ts';
import { viewOf } from './view.ts';

/**
 * Asks the platform for something. What changes nothing leaves no operation behind and may be asked again at any time; what
 * the answer says of things is remembered. Throws `Refused` where a rule does not let it be asked.
 */
export async function lookUp(
  parts: EngineParts,
  valve: Valve,
  tool: PlatformTool,
  args: Facts['args'],
  caller: Caller,
): Promise<Body> {
  const { ledger, client } = parts;
  const { facts, request } = await ledger.transaction(caller.tenant, (tx) => checkRead(parts, tx, tool, args, caller));
  const { reply } = await valve.run(async (admit) => {
    admit();
    return { reply: await send(client, tool, request, facts.new.correlationId) };
  }, answered);
  if (!reply.ok) return unanswered(tool, reply.error);
  return retryOnConflict(() =>
    ledger.transaction(
      caller.tenant,
      async (tx) => (await learn(parts, tx, tool, { facts }, reply.answer, caller)).body,
    ),
  );
}

/** Holds a call that reads against the rules; a preview does the same. Throws `Refused`; changes nothing. */
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

function unanswered(tool: PlatformTool, error: Extract<Reply, { ok: false }>['error']): Body {
  if (error instanceof PlatformRefusal && error.effect === 'none') return declined(error, tool);
  if (error instanceof PlatformFault || error instanceof PlatformRefusal)
    return {
      outcome: 'refused',
      said: 'The platform gave no answer that can be used; nothing was changed. Ask again later.',
      next: [tool.name],
      error: { code: 'UNREACHABLE', retry: 'same_call', ...(isShapeless(error) ? { rule: 'EN-08' } : {}) },
    };
  throw error;
}

const isShapeless = (error: PlatformFault | PlatformRefusal): boolean =>
  error instanceof PlatformFault && !['unreachable', 'no-answer'].includes(error.kind);
