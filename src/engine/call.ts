import { canonicalJson } from '../core/canonical-json.ts';
import type { InProgress, Watch } from '../core/outcome.ts';
import { jsonOf } from '../core/secret-leaves.ts';
import type { Facts } from '../domains/facts.ts';
import { LedgerUnavailable } from '../ledger/errors.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { Answer } from './answer.ts';
import { parseArguments } from './arguments.ts';
import { cancelledAnswer } from './cancellation.ts';
import { changeLedger } from './change-ledger.ts';
import { decide, firstReads } from './decide.ts';
import { type Heard, lookIfDoubled } from './doubled.ts';
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
import { readUntil } from './read-until.ts';
import { refresh } from './refresh.ts';
import { Refused, unknownTool } from './refusal.ts';
import { refusedBody } from './refused-body.ts';
import { type Body, refused, unrecorded } from './render.ts';
import { demandConflict, isConflict, retryOnConflict } from './retry.ts';
import { carriesSecrets, holdSecrets, withoutSecretArguments } from './secret-arguments.ts';
import { answered, type Reply } from './send.ts';
import { sendIntent } from './send-intent.ts';
import { createSharedWatch } from './shared-watch.ts';
import type { EngineState } from './state.ts';
import { type AnswerWatch, createTextRecorder, type TextRecorder } from './text-recorder.ts';
import { effectOf, operationOf, type PlatformTool, type Tool } from './tool.ts';
import { withWaiting } from './waiting.ts';
import { type Begun, begin, notProposed, notSent } from './write-intent.ts';

// The steps of every call: rate limit, screen the arguments, parse them, refresh, decide, write the intent, send,
// record, screen the answer. Each step is a function in its own file; a step that refuses throws `Refused`.

/** Whether the call may send. A proposal requests the approval that the call would need, and never sends. */
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
  const texts = createTextRecorder(state, tool, withoutSecretArguments(tool, raw), caller);
  let body: Body;
  try {
    body = await perform(state, tool, raw, caller, mode, { ...watch, texts });
  } catch (error) {
    body = await refusedBody(state, tool, caller, error);
  }
  const whole = await withWaiting(state, tool, caller, body);
  return screenAnswer(state, tool, caller, whole, (answer) => texts.recordRest(answer, body));
}

async function perform(
  state: EngineState,
  tool: Tool | undefined,
  raw: unknown,
  caller: Caller,
  mode: Mode,
  watch: AnswerWatch,
): Promise<Body> {
  const effect = tool === undefined ? 'read' : effectOf(tool);
  state.rateLimiter.demand(caller, effect);
  if (tool === undefined) throw new Refused(unknownTool());
  screenArguments(tool, raw, state.parts.settings.ownNumbers);
  const args = holdSecrets(tool, parseArguments(tool, raw));
  if (effect !== 'read') await state.audit.demandWhole();
  if (mode === 'propose' && (effect === 'read' || tool.kind === 'local')) return notSent(tool);
  if (tool.kind === 'local')
    return effect === 'read' ? readLedger(state, tool, tool, args, caller) : changeLedger(state, tool, args, caller);
  if (tool.input.localSearch?.when(args)) return readLedger(state, tool, tool.input.localSearch, args, caller);

  // Calls that differ only in a secret look equal, so none joins another.
  const mark = carriesSecrets(args) ? state.parts.ports.ids.uuid() : '';
  // A role decides whether a person is asked: who asks for one call is no other's answer.
  const { tenant, principal, role = 'agent' } = caller;
  const key = [tenant, principal, role, tool.name, mode, canonicalJson(jsonOf(args)), mark].join('\n');
  const running = state.underWay.get(key);
  if (running !== undefined) {
    running.shared.join(watch);
    return asReplay(structuredClone(await running.body)); // whoever changes one answer changes no other
  }
  const shared = createSharedWatch(watch);
  const followed = { ...shared.watch, texts: watch.texts };
  const body =
    effect === 'read' ? read(state, tool, args, caller, followed) : change(state, tool, args, caller, mode, followed);
  state.underWay.set(key, { body, shared });
  try {
    return await body;
  } finally {
    state.underWay.delete(key);
  }
}

/** A call that only reads, and stores no operation. */
async function read(
  state: EngineState,
  tool: PlatformTool,
  args: Facts['args'],
  caller: Caller,
  watch: AnswerWatch,
): Promise<Body> {
  await refresh(state, tool, args, caller);
  const look = (watch: AnswerWatch) => readPlatform(state, tool, args, caller, watch);
  if (tool.polling?.asked(args) !== true) return look(watch);
  const { texts: _, ...unread } = watch; // only the last of several answers is read
  return readUntil(state.parts, tool.polling, () => look(unread), watch);
}

/** A call that changes something on the platform. */
async function change(
  state: EngineState,
  tool: PlatformTool,
  args: Facts['args'],
  caller: Caller,
  mode: Mode,
  watch: AnswerWatch,
): Promise<Body> {
  const { failpoint } = state.parts.ports;
  const stale = await refresh(state, tool, args, caller);
  failpoint('F0', tool.operation);
  // The slot is acquired before the intent; otherwise waiting would use up the quiet period.
  const slot = await state.slots.acquire(laneOf(operationOf(tool)));
  let begun: Begun;
  try {
    begun = await decideAndWrite(state, slot, { tool, args, caller, mode, stale, signal: watch.signal });
  } catch (error) {
    slot.release();
    throw error;
  }
  if (begun.kind === 'answer') {
    slot.release();
    return begun.body;
  }
  // Until its outcome is recorded, nothing but this call concludes what became of it.
  state.inFlight.add(begun.row.id);
  try {
    return await carryOut(state, tool, begun, slot, caller, watch);
  } catch (error) {
    state.inFlight.delete(begun.row.id);
    if (!isConflict(error)) throw error;
    // Before the intent a conflict means that nothing was sent. After it, the call was.
    state.parts.ports.onFault?.(error);
    return unrecorded(begun.row.id);
  }
}

/** Sends what is written, and records its outcome. */
async function carryOut(
  state: EngineState,
  tool: PlatformTool,
  begun: Extract<Begun, { kind: 'send' }>,
  slot: Slot,
  caller: Caller,
  { signal, onProgress, texts }: AnswerWatch,
): Promise<Body> {
  const { failpoint } = state.parts.ports;
  let reply: Exclude<Reply, InProgress>;
  try {
    failpoint('F2', tool.operation);
    const { id } = begun.row;
    // From here on the caller can stop the request only if its transport can cancel.
    const sent = await sendIntent(state.parts, tool, begun, {
      signal,
      onProgress: (progress) => {
        state.progress.set(id, progress);
        onProgress?.(progress);
      },
    });
    if (sent.kind === 'inProgress') return recordLater(state, tool, begun, sent, slot, caller);
    reply = sent;
    slot.record(answered({ reply }));
  } finally {
    slot.release();
  }
  failpoint('F5', tool.operation);
  const heard = await lookIfDoubled(state.parts, state.slots, tool, begun, reply);
  const body = await record(state, tool, begun, heard, caller, texts);
  failpoint('F6', tool.operation);
  return body;
}

/**
 * Answers a call that takes minutes, and records its outcome later. If that can't be recorded, the operator is
 * notified, and recovery finds the operation after its quiet period.
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
    await record(state, tool, begun, { reply }, caller);
  };
  state.progress.set(begun.row.id, progress);
  later().catch((fault: unknown) => {
    state.inFlight.delete(begun.row.id);
    state.parts.ports.onFault?.(fault);
  });
  return inProgress(begun.row, progress, state.parts.ports.clock.now());
}

interface Deciding {
  readonly tool: PlatformTool;
  readonly args: Facts['args'];
  readonly caller: Caller;
  readonly mode: Mode;
  readonly stale: Body | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Decides and executes the verdict in one transaction. Retries on conflict. */
async function decideAndWrite(
  state: EngineState,
  slot: Slot,
  { tool, args, caller, mode, stale, signal }: Deciding,
): Promise<Begun> {
  const { parts, audit, refusals } = state;
  for (let attempts = 1; ; attempts++) {
    let lost = (): void => undefined;
    try {
      await audit.demandWhole();
      let verified = (): void => undefined;
      const begun = await parts.ledger.transaction(caller.tenant, async (tx): Promise<Begun> => {
        lost(); // of an earlier run, where the ledger runs this again
        verified = await audit.demandUnchanged(tx, firstReads(tool, args, caller));
        const verdict = await decide(state, tx, tool, args, caller, stale);
        if (verdict.kind === 'refuse') {
          lost = await refusals.noteIn(tx, tool.name, caller, verdict.refusal);
          return { kind: 'answer', body: refused(verdict.refusal) };
        }
        if (mode === 'propose' && (verdict.kind === 'send' || verdict.kind === 'repeat'))
          return { kind: 'answer', body: notProposed(tool, verdict) };
        const stopped = signal?.aborted === true ? cancelledAnswer(tool, verdict) : undefined;
        if (stopped !== undefined) return { kind: 'answer', body: stopped };
        const begun = await begin(parts, tx, verdict);
        // If the circuit breaker refuses, the intent is rolled back.
        if (begun.kind === 'send') slot.check();
        parts.ports.failpoint('F1', tool.operation);
        return begun;
      });
      verified();
      return begun;
    } catch (error) {
      lost();
      demandConflict(error, attempts);
    }
  }
}

/** Records the outcome. If the ledger can't store it or contradicts it, the answer is unknown. */
async function record(
  { parts, progress, inFlight }: EngineState,
  tool: PlatformTool,
  begun: Extract<Begun, { kind: 'send' }>,
  { reply, event }: Heard,
  caller: Caller,
  texts?: TextRecorder,
): Promise<Body> {
  try {
    return await retryOnConflict(() => finish(parts, tool, begun, reply, caller, { event, texts }));
  } catch (error) {
    if (!(error instanceof IntegrityError || error instanceof LedgerUnavailable)) throw error;
    parts.ports.onFault?.(error);
    // The call was sent even if the freeze can't be recorded.
    if (error instanceof IntegrityError) await freezeTenant(parts, caller.tenant, error).catch(ignoreUnavailable);
    return unrecorded(begun.row.id);
  } finally {
    progress.delete(begun.row.id);
    inFlight.delete(begun.row.id);
  }
}

const ignoreUnavailable = (error: unknown): void => {
  if (!(error instanceof LedgerUnavailable)) throw error;
};

/** The answer for a call that joined an identical one. */
const asReplay = (body: Body): Body =>
  body.outcome === 'done' || body.outcome === 'declined' ? { ...body, replayed: true } : body;
