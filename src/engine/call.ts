import type { Json } from '../core/canonical-json.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import type { Effect } from '../core/operation.ts';
import type { InProgress, Watch } from '../core/outcome.ts';
import type { Facts } from '../domains/facts.ts';
import { LedgerUnavailable } from '../ledger/errors.ts';
import type { Caller } from '../ledger/ledger.ts';
import { demandAnchored } from './anchor.ts';
import type { Answer } from './answer.ts';
import { parseArguments } from './arguments.ts';
import { decide } from './decide.ts';
import { finish } from './finish.ts';
import { freezeTenant } from './freeze.ts';
import { inProgress } from './in-progress.ts';
import { screenArguments } from './input-screening.ts';
import { IntegrityError } from './integrity-error.ts';
import { laneOf } from './lanes.ts';
import { screenAnswer } from './output-screening.ts';
import type { Slot } from './platform-slots.ts';
import { readLedger } from './read-ledger.ts';
import { readPlatform } from './read-platform.ts';
import { refresh } from './refresh.ts';
import { Refused, unknownTool } from './refusal.ts';
import { refusedBody } from './refused-body.ts';
import { type Body, unrecorded } from './render.ts';
import { demandConflict, retryOnConflict } from './retry.ts';
import { answered, type Reply } from './send.ts';
import { sendIntent } from './send-intent.ts';
import type { EngineState } from './state.ts';
import { operationOf, type PlatformTool, type Tool } from './tool.ts';
import { type Begun, begin, notSent } from './write-intent.ts';

// The way of every call, of every face: rate limit, screen the arguments, parse them, refresh what changes without us, decide, write
// the intent, send, record, screen the answer. Each step is a function of its own file; a step that refuses throws `Refused`.

/** Whether the call may send: a proposal asks a person where the call would, and never sends. */
export type Mode = 'call' | 'propose';

/** Makes a call. Throws only for faults of Purser or its database. */
export async function call(
  state: EngineState,
  name: string,
  raw: unknown,
  caller: Caller,
  mode: Mode,
  watch: Watch = {},
): Promise<Answer> {
  const tool = state.toolFor(name, caller.role);
  let body: Body;
  try {
    body = await perform(state, tool, raw, caller, mode, watch);
  } catch (error) {
    body = await refusedBody(state, tool, caller, error);
  }
  return screenAnswer(state, tool, raw, caller, body);
}

async function perform(
  state: EngineState,
  tool: Tool | undefined,
  raw: unknown,
  caller: Caller,
  mode: Mode,
  watch: Watch,
): Promise<Body> {
  const effect = tool === undefined ? 'read' : effectOf(tool);
  state.rateLimiter.demand(caller, effect);
  if (tool === undefined) throw new Refused(unknownTool);
  screenArguments(tool, raw, state.parts.settings.ownNumbers);
  const args = parseArguments(tool, raw);
  if (effect !== 'read') {
    await state.audit.demandWhole();
    await demandAnchored(state.parts);
  } else if (mode === 'propose') return notSent(tool);
  if (tool.kind === 'local') return readLedger(state, tool, args, caller);
  if (tool.input.localSearch?.when(args)) return readLedger(state, tool.input.localSearch, args, caller);

  const key = [caller.tenant, caller.principal, tool.name, mode, canonicalJson(args as Json)].join('\n');
  const running = state.underWay.get(key);
  if (running !== undefined) return asReplay(await running);
  const started = effect === 'read' ? read(state, tool, args, caller) : change(state, tool, args, caller, mode, watch);
  state.underWay.set(key, started);
  try {
    return await started;
  } finally {
    state.underWay.delete(key);
  }
}

/** A call that changes nothing on the platform leaves no operation behind. */
async function read(state: EngineState, tool: PlatformTool, args: Facts['args'], caller: Caller): Promise<Body> {
  await refresh(state, tool, args, caller);
  return readPlatform(state, tool, args, caller);
}

/** A call that changes something on the platform. */
async function change(
  state: EngineState,
  tool: PlatformTool,
  args: Facts['args'],
  caller: Caller,
  mode: Mode,
  watch: Watch,
): Promise<Body> {
  const { failpoint } = state.parts.ports;
  const stale = await refresh(state, tool, args, caller);
  failpoint('F0', tool.operation);
  // The slot comes before the intent: a call that waited after it would be sent with half its quiet period gone.
  const slot = await state.slots.acquire(laneOf(operationOf(tool)));
  let begun: Begun;
  let reply: Exclude<Reply, InProgress>;
  try {
    begun = await decideAndWrite(state, slot, { tool, args, caller, mode, stale });
    if (begun.kind === 'answer') return begun.body;
    failpoint('F2', tool.operation);
    // From here on the caller can stop the request only where its transport can cancel.
    const sent = await sendIntent(state.parts, tool, begun.row, watch);
    if (sent.kind === 'inProgress') return recordLater(state, tool, begun, sent, slot, caller);
    reply = sent;
    slot.record(answered({ reply }));
  } finally {
    slot.release();
  }
  failpoint('F5', tool.operation);
  const body = await record(state, tool, begun, reply, caller);
  failpoint('F6', tool.operation);
  return body;
}

/**
 * Answers a call that goes on for minutes, and records its end when it comes. Where that can't be recorded, recovery finds the
 * operation once its quiet period is over.
 */
function recordLater(
  state: EngineState,
  tool: PlatformTool,
  begun: Extract<Begun, { kind: 'send' }>,
  { progress, end }: InProgress,
  slot: Slot,
  caller: Caller,
): Body {
  const later = async (): Promise<void> => {
    const reply = await end;
    slot.record(answered({ reply }));
    await record(state, tool, begun, reply, caller);
  };
  later().catch(() => undefined);
  return inProgress(begun.row, progress, state.parts.ports.clock.now());
}

interface Deciding {
  readonly tool: PlatformTool;
  readonly args: Facts['args'];
  readonly caller: Caller;
  readonly mode: Mode;
  readonly stale: Body | undefined;
}

/** Decides and carries the verdict out in one transaction; again where another writer got there first. */
async function decideAndWrite(
  { parts, audit }: EngineState,
  slot: Slot,
  { tool, args, caller, mode, stale }: Deciding,
): Promise<Begun> {
  for (let attempts = 1; ; attempts++)
    try {
      await audit.demandWhole();
      return await parts.ledger.transaction(caller.tenant, async (tx) => {
        await audit.demandUnchanged(tx);
        const verdict = await decide(parts, tx, tool, args, caller, stale);
        const sends = verdict.kind === 'send' || verdict.kind === 'repeat';
        if (sends && mode === 'propose') return { kind: 'answer', body: notSent(tool) };
        const begun = await begin(parts, tx, verdict);
        // Where the circuit breaker refuses, the intent is rolled back.
        if (begun.kind === 'send') slot.check();
        parts.ports.failpoint('F1', tool.operation);
        return begun;
      });
    } catch (error) {
      demandConflict(error, attempts);
    }
}

/** Records the outcome. A call whose outcome the ledger can't take, or contradicts, is answered as unknown. */
async function record(
  { parts }: EngineState,
  tool: PlatformTool,
  begun: Extract<Begun, { kind: 'send' }>,
  reply: Reply,
  caller: Caller,
): Promise<Body> {
  try {
    return await retryOnConflict(() => finish(parts, tool, begun, reply, caller));
  } catch (error) {
    if (!(error instanceof IntegrityError || error instanceof LedgerUnavailable)) throw error;
    // Where the freeze can't be written down either, the call was sent all the same.
    if (error instanceof IntegrityError) await freezeTenant(parts, caller.tenant, error).catch(ignoreUnavailable);
    return unrecorded(begun.row.id);
  }
}

const ignoreUnavailable = (error: unknown): void => {
  if (!(error instanceof LedgerUnavailable)) throw error;
};

const effectOf = (tool: Tool): Effect => (tool.kind === 'local' ? 'read' : operationOf(tool).effect);

/** The answer for a call that joined an identical one. */
const asReplay = (body: Body): Body =>
  body.outcome === 'done' || body.outcome === 'declined' ? { ...body, replayed: true } : body;
