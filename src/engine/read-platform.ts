import { PlatformFault } from '../client/errors.ts';
import { outcomeOf } from '../client/outcome.ts';
import { limits } from '../core/limits.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import { Overtaken } from './apply.ts';
import { type Checked, check } from './check.ts';
import { declined } from './declined.ts';
import { fieldSourceOf } from './field-source.ts';
import { learn } from './finish.ts';
import { gatherFacts } from './gather-facts.ts';
import { laneOf } from './lanes.ts';
import type { EngineParts } from './parts.ts';
import { type Body, cancelled, unreachable } from './render.ts';
import { retryOnConflict } from './retry.ts';
import { answered, type PlatformAnswer, send } from './send.ts';
import { isShapeless } from './shapeless.ts';
import type { EngineState } from './state.ts';
import { withStillOpen } from './still-open.ts';
import type { AnswerWatch } from './text-recorder.ts';
import { operationOf, type PlatformTool } from './tool.ts';
import { viewOf } from './view.ts';

/**
 * Reads from the platform and stores the observations. Reads again if a call or a later read has changed one of the things
 * in the meantime, because the response may be older than that. Throws `Refused` if a rule forbids it.
 */
export async function readPlatform(
  state: Pick<EngineState, 'parts' | 'slots' | 'inFlight'>,
  tool: PlatformTool,
  args: Facts['args'],
  caller: Caller,
  watch: AnswerWatch = {},
): Promise<Body> {
  for (let attempts = 1; ; attempts++) {
    const isLast = attempts === limits.lookAttempts;
    try {
      return await readOnce(state, tool, args, { caller, watch, isLast });
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      if (isLast) return outdatedRead(tool);
    }
  }
}

interface Reading {
  readonly caller: Caller;
  readonly watch: AnswerWatch;
  readonly isLast: boolean;
}

async function readOnce(
  state: Pick<EngineState, 'parts' | 'slots' | 'inFlight'>,
  tool: PlatformTool,
  args: Facts['args'],
  { caller, watch, isLast }: Reading,
): Promise<Body> {
  const { parts, slots } = state;
  const { ledger } = parts;
  const { facts, request, began } = await ledger.transaction(caller.tenant, async (tx) => ({
    ...(await checkRead(parts, tx, tool, args, caller)),
    began: await tx.audit.end(),
  }));
  const slot = await slots.acquire(laneOf(operationOf(tool), request.accept));
  let reply: Outcome;
  try {
    slot.check();
    reply = await send(parts, tool, request, facts.new.correlationId, watch);
    slot.record(answered({ reply }));
  } finally {
    slot.release();
  }
  const heard = isEmptyList(reply, tool) ? emptyList(tool) : reply;
  const asked = { tool, args, caller };
  if (heard.kind !== 'succeeded') {
    const body = unanswered(tool, heard);
    return ledger.read(caller.tenant, (reads) => withStillOpen(state, reads, { ...asked, body }));
  }
  const answer = heard as PlatformAnswer; // of the tool's own operation
  const look = { began, at: facts.now, isLast };
  try {
    return await retryOnConflict(() =>
      ledger.transaction(caller.tenant, async (tx) => {
        const learned = await learn(parts, tx, tool, { facts }, answer, caller, look);
        const body = await withStillOpen(state, tx, { ...asked, body: learned.body, response: answer.body });
        await watch.texts?.recordIn(tx, body);
        return body;
      }),
    );
  } catch (error) {
    if (error instanceof PlatformFault) return unanswered(tool, outcomeOf(error)); // nothing of it is stored
    throw error;
  }
}

/** Whether the platform says that a list has no rows: by a 404 as the contract has it that blames none of the tool's arguments. */
const isEmptyList = (reply: Outcome, tool: PlatformTool): boolean =>
  reply.kind === 'declined' &&
  reply.code === 'NOT_FOUND' &&
  reply.isDocumented === true &&
  tool.present.empty !== undefined &&
  (reply.field === undefined || fieldSourceOf(tool, reply.field)?.argument === undefined);

const emptyList = ({ present }: PlatformTool): Outcome => ({ kind: 'succeeded', status: 200, body: present.empty });

/** Checks a read against the rules, also for a preview. Throws `Refused`; changes nothing. */
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

type Unanswered = Exclude<Outcome, { kind: 'succeeded' }>;

/** The answer to a read that the platform didn't answer, with how things go on without it. */
function unanswered(tool: PlatformTool, reply: Unanswered): Body {
  const body = refusedRead(tool, reply);
  const { without } = tool.present;
  return without === undefined || body.error?.code === 'CALL_CANCELLED'
    ? body
    : { ...body, said: `${body.said} ${without.because}`, next: [...new Set([...body.next, ...without.tools])] };
}

function refusedRead(tool: PlatformTool, reply: Unanswered): Body {
  if (reply.kind === 'declined') return declined(reply, tool);
  if (reply.kind === 'unknown' && reply.thrown !== undefined) throw reply.thrown;
  if (reply.kind === 'noEffect' && reply.because === 'cancelled') return cancelled(tool.name);
  if (reply.kind === 'noEffect' && reply.because === 'incomplete')
    throw new Error(`The request of ${tool.name} does not match its schema: ${reply.paths?.join(', ')}.`);
  if (reply.kind === 'unknown' && reply.because === 'not-stored') return notStored;
  if (reply.kind === 'noEffect' && reply.because === 'unreachable') return unreachable(tool);
  return {
    outcome: 'refused',
    said: 'The platform gave no usable response; nothing was changed. Try again later.',
    next: [tool.name],
    error: { code: 'UNREACHABLE', retry: 'same_call', ...(isShapeless(reply) ? { rule: 'EN-08' } : {}) },
  };
}

const outdatedRead = ({ name }: PlatformTool): Body => ({
  outcome: 'refused',
  said: 'Another call changed it each time it was read. Read it again once that call is done.',
  next: [name],
  error: { code: 'IN_FLIGHT', retry: 'same_call' },
});

const notStored: Body = {
  outcome: 'refused',
  said: "The file can't be stored: an operator must free disk space, or give Purser write permission for its data folder.",
  next: [],
  error: { code: 'UNREACHABLE', retry: 'never' },
};
