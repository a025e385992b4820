import type { Json } from '../core/canonical-json.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import type { Effect } from '../core/operation.ts';
import type { Facts } from '../domains/facts.ts';
import { BadCursor, CorruptRow, LedgerUnavailable } from '../ledger/errors.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { OperationRow } from '../ledger/rows.ts';
import type { VerifiedPosition } from '../ledger/verification.ts';
import { demandAnchored, moveAnchor, NotAnchored } from './anchor.ts';
import type { Answer } from './answer.ts';
import { argumentFault, toldFor } from './argument-faults.ts';
import { readArguments } from './arguments.ts';
import { decide, type Verdict } from './decide.ts';
import { finish } from './finish.ts';
import { type AuditLock, auditLock, damaged, freezeTenant } from './freeze.ts';
import { createRateLimiter, createValve, type Valve } from './gates.ts';
import { screenInput } from './input-screening.ts';
import { IntegrityError } from './integrity-error.ts';
import type { LocalContext } from './local-tool.ts';
import { inOrder } from './next.ts';
import { isTooLate } from './operation-state.ts';
import { holdsCardDataIn, redactedAnswer } from './output-screening.ts';
import type { EngineParts } from './parts.ts';
import { preview } from './preview.ts';
import { lookUp } from './read.ts';
import { recover } from './recover.ts';
import { redeemCredentials } from './redeem.ts';
import { refresh } from './refresh.ts';
import { badCursor, type Refusal, Refused, unknownTool } from './refusal.ts';
import { createRefusalLog } from './refusal-log.ts';
import { type Body, refused, unrecorded } from './render.ts';
import type { Request } from './request.ts';
import { resolve } from './resolve.ts';
import { retryOnConflict } from './retry.ts';
import type { Reply } from './send.ts';
import { answered, send } from './send.ts';
import { checkSize } from './size-limits.ts';
import { taint } from './taint.ts';
import { type LocalTool, operationOf, type PlatformTool, type Tool } from './tool.ts';
import { UnknownTenant } from './unknown-tenant.ts';
import { textsIn } from './untrusted-output.ts';
import { seenBy, viewOf } from './view.ts';
import { type Begun, begin } from './write-intent.ts';

/** The one way of every call of every face. */
export interface Engine {
  /** The tenants that it has credentials for. */
  readonly tenants: readonly string[];
  /** The engine of one of them. Throws UnknownTenant for any other. */
  of(tenant: string): Engine;
  readonly tools: readonly Tool[];
  readonly environment: string;
  /** Makes a call. Never throws for what an agent can cause; throws UnknownTenant before anything is looked up, and throws for faults of Purser or of its database. */
  call(tool: string, args: unknown, caller: Caller): Promise<Answer>;
  /**
   * Asks a person about a call where it needs one, and answers as the call would, but never sends: what would be sent is `done`,
   * and says so. For hosts that show the question themselves before they make the call.
   */
  propose(tool: string, args: unknown, caller: Caller): Promise<Answer>;
  /** Verifies the audit chain once more; from then on what it found holds. Throws where the ledger can't be read. */
  inspect(): Promise<void>;
  /** Looks after what a crash or a fault has left behind, through the same valve as calls; answers how many were given up. */
  recover(): Promise<number>;
  /** Hands the secret behind released credentials out, once; undefined where there is none. Throws Refused while halted. */
  redeem(tenant: string, handle: string): Promise<unknown>;
  /** Writes down what is counted and not written yet. Ask before the ledger is closed. */
  settle(): Promise<void>;
  /** How far the audit chain is verified; undefined while it is broken, or before anybody has looked. */
  verified(): VerifiedPosition | undefined;
  readonly parts: EngineParts;
}

export function createEngine(parts: EngineParts): Engine {
  const { offered: tools = parts.tools, ledger, settings, ports } = parts;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const every = new Map(parts.tools.map((tool) => [tool.name, tool]));
  const underWay = new Map<string, Promise<Body>>();
  const turnstile = createRateLimiter(settings.rates, ports.clock);
  const valve = createValve(settings.platformLimits, ports.clock);
  const audit = auditLock(parts);
  const refusals = createRefusalLog(parts);
  const dress = (body: Body): Answer => ({
    ...body,
    next: inOrder(body.next).filter((name) => byName.has(name)),
    environment: settings.environment,
  });

  /** The one way out of every answer: what it shows of others' words is remembered before anybody reads it. */
  const letOut = async (name: string, raw: unknown, caller: Caller, body: Body): Promise<Answer> => {
    const answer = dress(body);
    if (!holdsCardDataIn(answer, settings.ownNumbers)) {
      const texts = textsIn(answer, { tool: byName.get(name), args: raw, tools: every });
      if (texts.length > 0)
        await retryOnConflict(() =>
          ledger.transaction(caller.tenant, (tx) =>
            taint(tx, caller, texts, [raw, settings.merchant], ports.clock.now()),
          ),
        );
      return answer;
    }
    const tool = byName.get(name)?.name ?? 'unknown';
    await ledger.transaction(caller.tenant, (tx) =>
      tx.audit.append({
        event: 'held back',
        body: { tool, outcome: answer.outcome, principal: caller.principal },
        at: ports.clock.now(),
      }),
    );
    return redactedAnswer(answer);
  };

  /** Where a damaged row keeps an answer from leaving: what was sent keeps its outcome, and nothing else was done. */
  const orUntold = async (body: Body, leaving: Promise<Answer>): Promise<Answer> => {
    try {
      return await leaving;
    } catch (error) {
      if (!(error instanceof CorruptRow)) throw error;
      audit.close();
      return body.operation === undefined ? dress(refused(damaged)) : redactedAnswer(dress(body), 'damaged');
    }
  };

  const refuse = async (tool: string, caller: Caller, refusal: Refusal): Promise<Body> => {
    await refusals.note(tool, caller, refusal);
    return ledger.transaction(caller.tenant, async (tx) => {
      return refused(await seenBy(viewOf(tx, caller, settings), refusal));
    });
  };

  const perform = async (name: string, raw: unknown, caller: Caller, sends: boolean): Promise<Body> => {
    const tool = byName.get(name);
    const held = turnstile(caller, tool === undefined ? 'read' : effectOf(tool));
    // An agent that loops fills neither the audit nor the disk: the first of its calls that is held is written down.
    if (held !== undefined)
      return held.first ? refuse(tool?.name ?? 'unknown', caller, held.refusal) : refused(held.refusal);
    if (tool === undefined) return refuse('unknown', caller, unknownTool);
    const alarm = checkSize(raw) ?? screenInput(raw, '', settings.ownNumbers);
    if (alarm !== undefined) return refuse(name, caller, toldFor(alarm, tool));
    const args = readArguments(tool, raw);
    if (!args.success) return refuse(name, caller, argumentFault(args.error, tool));
    try {
      if (effectOf(tool) !== 'read') {
        await audit.demandWhole();
        await demandAnchored(parts);
      }
      if (!sends && effectOf(tool) === 'read') return wouldBeSent(name);
      if (tool.kind === 'local') return await ask(tool, args.data, caller);
      return tool.input.localSearch?.when(args.data)
        ? await ask(tool.input.localSearch, args.data, caller)
        : await once(
            underWay,
            [caller.tenant, caller.principal, name, sends, canonicalJson(args.data as Json)].join('\n'),
            () => act(parts, { valve, audit }, tool, args.data, caller, sends),
          );
    } catch (error) {
      if (error instanceof Refused)
        // Nothing is appended to a chain that is broken.
        return error.refusal === damaged ? refused(error.refusal) : refuse(name, caller, error.refusal);
      if (error instanceof IntegrityError) return refuse(name, caller, await freezeTenant(parts, caller.tenant, error));
      if (error instanceof BadCursor) return refuse(name, caller, badCursor);
      throw error;
    }
  };

  /** What was sent has an answer of its own, so a damaged row that comes out of a call has kept it from being sent. */
  const orDamaged = async (name: string, caller: Caller, work: Promise<Body>): Promise<Body> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof CorruptRow)) throw error;
      audit.close();
      // The audit may be what is damaged.
      return refuse(name, caller, damaged).catch((unnoted: unknown) => {
        unlessUnavailable(unnoted);
        return refused(damaged);
      });
    }
  };

  /** What a tool of our own answers. A call that it previews is brought up to date first, outside of the transaction. */
  const ask = async (
    tool: Pick<LocalTool, 'run' | 'previews'>,
    args: Readonly<Record<string, unknown>>,
    caller: Caller,
  ): Promise<Body> => {
    const named = tool.previews?.(args);
    const previewed = named && (await prepare(named, caller));
    return ledger.transaction(caller.tenant, async (tx) => {
      const view = viewOf(tx, caller, settings);
      const context: LocalContext = {
        caller,
        tx: view,
        settings,
        now: ports.clock.now(),
        resolve: (kind, handle) => resolve(view, [{ field: kind, kind, handle }]),
        preview: async () => preview(parts, tx, previewed ?? { refusal: unknownTool }, caller),
      };
      const { said, data, next = [] } = await tool.run(args, context);
      return { outcome: 'done', said, data, next };
    });
  };

  const prepare = async (named: { readonly tool: string; readonly arguments: unknown }, caller: Caller) => {
    const tool = byName.get(named.tool);
    if (tool === undefined) return { refusal: unknownTool };
    const args = readArguments(tool, named.arguments);
    if (!args.success) return { refusal: argumentFault(args.error, tool) };
    if (tool.kind === 'local' || effectOf(tool) === 'read') return { tool, args: args.data };
    try {
      await demandSound(caller);
    } catch (error) {
      if (error instanceof Refused) return { refusal: error.refusal };
      throw error;
    }
    return { tool, args: args.data, stale: await refresh(parts, valve, tool, args.data, caller) };
  };

  /** Makes the checks of the ledger and its anchor that a call passes before its rules are asked. */
  const demandSound = ({ tenant }: Caller): Promise<void> =>
    retryOnConflict(async () => {
      await audit.demandWhole();
      await demandAnchored(parts);
      await ledger.transaction(tenant, audit.demandUnchanged);
    });

  const demandOwn = (tenant: string): void => {
    if (tenant !== parts.tenant) throw new UnknownTenant();
  };

  const answer = async (tool: string, args: unknown, caller: Caller, sends: boolean): Promise<Answer> => {
    demandOwn(caller.tenant);
    const body = await orDamaged(tool, caller, perform(tool, args, caller, sends));
    return orUntold(body, letOut(tool, args, caller, body));
  };

  const engine: Engine = {
    tools,
    environment: settings.environment,
    parts,
    tenants: [parts.tenant],
    of: (tenant) => {
      demandOwn(tenant);
      return engine;
    },
    call: (tool, args, caller) => answer(tool, args, caller, true),
    propose: (tool, args, caller) => answer(tool, args, caller, false),
    inspect: audit.inspect,
    verified: audit.verified,
    recover: async () => {
      await refusals.settle();
      return recover(parts, valve);
    },
    settle: () => refusals.settle(true),
    redeem: async (tenant, handle) => {
      demandOwn(tenant);
      return retryOnConflict(async () => {
        await audit.demandWhole();
        await demandAnchored(parts);
        return redeemCredentials(parts, tenant, handle, audit);
      });
    },
  };
  return engine;
}

/** What a tool does to the world. */
const effectOf = (tool: Tool): Effect => (tool.kind === 'local' ? 'read' : operationOf(tool).effect);

/** A platform call: decide and write down, send, write down, answer. */
async function act(
  parts: EngineParts,
  { valve, audit }: { readonly valve: Valve; readonly audit: AuditLock },
  tool: PlatformTool,
  args: Readonly<Record<string, unknown>>,
  caller: Caller,
  sends: boolean,
) {
  const { ports } = parts;
  const stale = await refresh(parts, valve, tool, args, caller);
  if (operationOf(tool).effect === 'read') return lookUp(parts, valve, tool, args, caller);
  ports.failpoint('F0', tool.operation);
  // The place comes before the intent: whoever waited after it would be sent when its quiet period is half over.
  const { begun, reply } = await valve.run(async (admit) => {
    const begun = await beginOnce(parts, audit, tool, args, caller, { stale, sends }, admit);
    if (begun.kind === 'answer') return { begun };
    ports.failpoint('F2', tool.operation);
    // From here on the request is out of the caller's hands: no signal of theirs reaches it.
    // A process that was stopped meanwhile may find its call given up, settled and made anew.
    const reply = await sendAnchored(parts, tool, begun.row);
    return { begun, reply };
  }, answered);
  if (reply === undefined) return begun.body;
  ports.failpoint('F5', tool.operation);
  const body = await finishOrLose(parts, tool, begun, reply, caller);
  ports.failpoint('F6', tool.operation);
  return body;
}

/** Sends a request once the anchor covers its intent. Where that takes too long or fails, nothing is sent. */
async function sendAnchored(parts: EngineParts, tool: PlatformTool, row: OperationRow): Promise<Reply> {
  try {
    await moveAnchor(parts);
  } catch (error) {
    if (error instanceof NotAnchored) return { kind: 'held', refusal: error.refusal };
    throw error;
  }
  return isTooLate(row, parts.ports.clock.now()) ? neverSent : sendStored(parts, tool, row);
}

/** Sends a request as it was written down, under the id that was made for it: a repeat has the same. */
function sendStored(parts: EngineParts, tool: PlatformTool, row: OperationRow): Promise<Reply> {
  const { new: made, ...request } = row.request as unknown as Request & Pick<Facts, 'new'>; // as `storedRequest` keeps it
  return send(parts, tool, request, made.correlationId);
}

/** A verdict that sends nothing: what would be sent is answered instead. */
const unsent = (verdict: Verdict): Verdict =>
  verdict.kind === 'send' || verdict.kind === 'repeat'
    ? { kind: 'answer', call: verdict.call, body: wouldBeSent(verdict.call.tool.name) }
    : verdict;

const wouldBeSent = (tool: string): Body => ({
  outcome: 'done',
  said: 'It needs no approval and was not made.',
  next: [tool],
});

const neverSent: Reply = { kind: 'noEffect', because: 'unreachable' };

/** Begins a call; where another process was faster by a moment, looks once more at what it has left. */
const beginOnce = (
  parts: EngineParts,
  audit: AuditLock,
  tool: PlatformTool,
  args: Readonly<Record<string, unknown>>,
  caller: Caller,
  { stale, sends }: { readonly stale: Body | undefined; readonly sends: boolean },
  admit: () => void,
): Promise<Begun> =>
  retryOnConflict(async () => {
    await audit.demandWhole();
    return parts.ledger.transaction(caller.tenant, async (tx) => {
      await audit.demandUnchanged(tx);
      const verdict = await decide(parts, tx, tool, args, caller, stale);
      const begun = await begin(parts, tx, sends ? verdict : unsent(verdict));
      // Where it refuses, the intent is not written down either.
      if (begun.kind === 'send') admit();
      parts.ports.failpoint('F1', tool.operation);
      return begun;
    });
  });

/** Records how a call ended. Where the ledger can't take it, or says otherwise, the call is told as unknown. */
async function finishOrLose(
  parts: EngineParts,
  tool: PlatformTool,
  begun: Extract<Begun, { kind: 'send' }>,
  reply: Reply,
  caller: Caller,
): Promise<Body> {
  try {
    return await retryOnConflict(() => finish(parts, tool, begun, reply, caller));
  } catch (error) {
    if (!(error instanceof IntegrityError || error instanceof LedgerUnavailable)) throw error;
    // Where the halt can't be written down either, the call was sent all the same.
    if (error instanceof IntegrityError) await freezeTenant(parts, caller.tenant, error).catch(unlessUnavailable);
    return unrecorded(begun.row.id);
  }
}

const unlessUnavailable = (error: unknown): void => {
  if (!(error instanceof LedgerUnavailable)) throw error;
};

/** Joins callers of the very same call: all but the first get its result, marked as such where it has one. */
async function once(underWay: Map<string, Promise<Body>>, key: string, work: () => Promise<Body>): Promise<Body> {
  const running = underWay.get(key);
  if (running !== undefined) return joined(await running);
  const started = work().finally(() => underWay.delete(key));
  underWay.set(key, started);
  return started;
}

const joined = (body: Body): Body =>
  body.outcome === 'done' || body.outcome === 'declined' ? { ...body, replayed: true } : body;
