import { PlatformFault, PlatformRefusal } from '../client/errors.ts';
import type { Facts } from '../guards/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import { anew } from './anew.ts';
import { check, gather } from './decide.ts';
import { declined } from './declined.ts';
import type { EngineParts } from './engine.ts';
import { learn, type Reply } from './finish.ts';
import type { Valve } from './gates.ts';
import { Refused } from './refuse.ts';
import { type Body, refused } from './render.ts';
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
  const { ledger, settings, ports, client } = parts;
  const { facts, request } = await ledger.transaction(caller.tenant, async (tx) =>
    check(tool, await gather(tool, args, viewOf(tx, caller, settings), settings, ports), settings, caller, false),
  );
  const { reply } = await valve.run(async (admit) => {
    admit();
    return { reply: await send(client, tool, request, facts.new.correlationId) };
  }, answered);
  if (!reply.ok) return unanswered(tool, reply.error);
  return anew(() =>
    ledger.transaction(
      caller.tenant,
      async (tx) => (await learn(parts, tx, tool, { facts }, reply.answer, caller)).body,
    ),
  );
}

/**
 * Brings up to date what a call is decided by. What the platform does not answer stays as it was known: then the first such
 * answer is given back, for a call that moves money is not decided by what may be so no longer.
 */
export async function askFirst(
  parts: EngineParts,
  valve: Valve,
  tool: PlatformTool,
  given: Facts['args'],
  caller: Caller,
): Promise<Body | undefined> {
  let unasked: Body | undefined;
  for (const { tool: asked, args } of tool.asksFirst ?? []) {
    const wanted = args(given);
    if (wanted === undefined) continue;
    const body = await lookUp(parts, valve, asked, asked.input.parse(wanted), caller).catch((error: unknown) => {
      // A handle that names nothing is refused by the call itself, in its own words.
      if (error instanceof Refused) return refused(error.refusal);
      throw error;
    });
    if (body.outcome !== 'done') unasked ??= body;
  }
  return unasked;
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
