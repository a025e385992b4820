import { PlatformFault } from '../client/errors.ts';
import { outcomeOf } from '../client/outcome.ts';
import type { Declined, NoEffect, Unknown, UnknownCause } from '../core/outcome.ts';
import type { Facts } from '../domains/facts.ts';
import { isReason } from '../domains/index.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { OperationRow } from '../ledger/rows.ts';
import { apply, type Look } from './apply.ts';
import { modelFields, needsApproval } from './approval-scope.ts';
import { approveProven } from './approve-proven.ts';
import { assemble } from './assemble.ts';
import { declined } from './declined.ts';
import { fieldSourceOf } from './field-source.ts';
import { keepFile } from './files.ts';
import { askedLater, tellingSecondsOf } from './lanes.ts';
import { lookerOf, nextAfter, nextNamed } from './next.ts';
import { canMoveOperation, demandConsistentEnd, hasTakenEffect, nextState } from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import { answerOf, type Body, cancelled, lostBy, refused, replay, unknown, unreachable } from './render.ts';
import { forgetSecrets } from './request-secrets.ts';
import { reservingMark, staysReserved } from './reserving.ts';
import { sealAnswer } from './seal-answer.ts';
import type { PlatformAnswer, Reply } from './send.ts';
import { sentRequest } from './sent-request.ts';
import { isShapeless } from './shapeless.ts';
import type { TextRecorder } from './text-recorder.ts';
import { type Observation, operationOf, type PlatformTool } from './tool.ts';
import { ownedBy } from './view.ts';
import { type Begun, warned } from './write-intent.ts';

type Sent = Omit<Extract<Begun, { kind: 'send' }>, 'secrets'>;

interface Recording {
  /** The audit event of a response that was read back. */
  readonly event?: string | undefined;
  /** Of a caller who reads the answer. */
  readonly texts?: TextRecorder | undefined;
}

/**
 * Records a call's outcome, its observations and its answer in one transaction, and returns that answer.
 */
export function finish(
  parts: EngineParts,
  tool: PlatformTool,
  sent: Sent,
  reply: Reply,
  caller: Caller,
  { event, texts }: Recording = {},
): Promise<Body> {
  const now = parts.ports.clock.now();
  return parts.ledger.transaction(caller.tenant, async (tx) => {
    // Read again: another process may have marked this call unknown, sent it again or ended it in the meantime.
    const row = (await tx.operations.find(sent.row.id)) ?? sent.row;
    // What happened is counted once: a second response to the same call teaches nothing.
    const ended =
      reply.kind === 'succeeded' && hasTakenEffect(row)
        ? knownEnd(row, tool)
        : await endOf(parts, tx, tool, sent, row.attempt, reply, caller);
    const body: Body = { ...ended.body, operation: sent.row.id, ...warned(sent.warnings) };
    // A failure of an earlier attempt says nothing about a later one in progress.
    const decides = ended.trigger === 'succeed' || row.attempt === sent.row.attempt;
    if (decides && ended.isRetryable !== true) demandConsistentEnd(row, ended.trigger);
    if (decides && canMoveOperation(row.state, ended.trigger))
      await tx.operations.update(row, {
        state: nextState(row.state, ended.trigger),
        result: answerOf(body),
        ...(ended.trigger === 'markUnknown' ? askedLater(operationOf(tool), row, now) : {}),
        ...(ended.isRetryable ? { reference: '' } : {}),
        updatedAt: now,
      });
    const settles = decides && ended.keepsReserved !== true;
    const budget = settles ? budgetAfter[ended.isRetryable || ended.isNoCharge ? 'fail' : ended.trigger] : undefined;
    if (budget !== undefined) await tx.budgets.settle(row.id, budget);
    if (decides && ended.trigger !== 'markUnknown') await forgetSecrets(parts, tx, tool, row, now);
    await tx.audit.append({
      operationId: row.id,
      event: event ?? ended.event,
      body: { tool: tool.name, outcome: body.outcome, code: body.error?.code ?? null },
      at: now,
    });
    await texts?.recordIn(tx, body);
    return body;
  });
}

/** What happens to the reserved budget. An unknown outcome keeps it reserved. */
const budgetAfter = { succeed: 'SPENT', fail: 'RELEASED', markUnknown: undefined } as const;

interface Ended {
  readonly trigger: 'succeed' | 'fail' | 'markUnknown';
  readonly event: string;
  readonly body: Body;
  /** Nothing is final yet, so the same call can be made again. */
  readonly isRetryable?: boolean;
  /** It took effect, but no money moves. */
  readonly isNoCharge?: boolean;
  /** What it reserved is settled already, or later: a look may tell that no money moves. */
  readonly keepsReserved?: boolean;
}

/** The end that another response, or a person, has recorded before. */
const knownEnd = (row: OperationRow, tool: PlatformTool): Ended => ({
  trigger: 'succeed',
  event: 'answered',
  body: replay(row, lookerOf(tool)),
  keepsReserved: true,
});

type Unanswered = Exclude<Reply, { kind: 'succeeded' }>;

async function endOf(
  parts: EngineParts,
  tx: LedgerTransaction,
  tool: PlatformTool,
  sent: Sent,
  attempts: number,
  reply: Reply,
  caller: Caller,
): Promise<Ended> {
  if (attempts === 1 && isImpossible(reply)) return impossible(parts, tx, tool, sent, reply);
  if (reply.kind !== 'succeeded') return attempts > 1 ? lostAgain(tool, sent, reply) : lost(tool, sent, reply);
  try {
    return await learn(parts, tx, tool, sent, reply as PlatformAnswer, caller); // of the tool's own operation
  } catch (error) {
    if (error instanceof PlatformFault) return lost(tool, sent, outcomeOf(error)); // anything stored before the fault is valid
    throw error;
  }
}

/** The platform did it: stores the observations, and returns the fields that the agent needs. `look`: of a call that only reads. */
export async function learn(
  parts: EngineParts,
  tx: LedgerTransaction,
  tool: PlatformTool,
  { facts, row }: Pick<Sent, 'facts'> & Partial<Pick<Sent, 'row'>>,
  answer: PlatformAnswer,
  caller: Caller,
  look?: Look,
): Promise<Ended> {
  const asked = row && sentRequest(row);
  const contradicted = asked && tool.observe.contradicts?.(facts, answer, asked);
  if (contradicted !== undefined) throw new PlatformFault('wrong-shape', { paths: [contradicted] });
  const { ids } = parts.ports;
  const { moves } = operationOf(tool);
  const seen = tool.observe.moves?.entity(facts.things, facts.now, answer, facts.args);
  const move = moves && seen ? moves.machine.move(seen, moves.trigger) : undefined;
  const state =
    tool.observe.stateFromResponse?.(answer, facts.args, facts.things, facts.now, facts.ownCall) ??
    (move?.ok ? move.to : (seen?.state ?? ''));
  const request = assemble(tool, facts);
  const minted = new Set<string>();
  const learned = await tool.observe.observations(facts, answer, {
    state,
    began: row?.startedAt ?? facts.now,
    authored: modelFields(tool, request),
    approved: needsApproval(tool, facts, request, caller),
    mint: (kind) => {
      const handle = ids.handle(kind);
      minted.add(handle);
      return handle;
    },
    sealed: await sealAnswer(parts.vault, tx, operationOf(tool), answer.body, {
      tenant: caller.tenant,
      now: facts.now,
      sent: asked,
      isKept: tool.observe.keepsSecrets?.(facts) ?? true,
    }),
  });
  demandAskedFor(tool, facts, learned);
  const things = await apply(parts, tx, learned, {
    things: facts.things,
    moved: tool.observe.moves && { kind: tool.observe.moves.kind, state },
    // A thing with a random handle exists only in Purser and belongs to its principal. Things of the platform belong to
    // the merchant.
    marked: (handle) => (handle === undefined || minted.has(handle) ? ownedBy(caller) : {}),
    reserving: reservingMark(tool, row, state),
    look,
  });
  if (tool.observe.approves) await approveProven(parts, tx, facts, parts.ports.clock.now());
  const file = await keepFile(parts, tx, tool, answer, caller);
  // The next action is another call with its own arguments.
  const { entity } = tool.observe.looksAt ?? tool.observe.moves ?? {};
  const next = nextAfter(tool, state, entity?.(things, facts.now, undefined, {}));
  const said = tool.present.messages[state] ?? tool.present.messages.done ?? 'Done.';
  return {
    trigger: 'succeed',
    event: 'answered',
    body: {
      ...{ outcome: 'done', said, data: tool.present.toOutput(things, facts, answer) },
      ...(file === undefined ? {} : { file }),
      next,
    },
    isRetryable: tool.reconcile.retryableStates?.includes(state) ?? false,
    isNoCharge: tool.reconcile.noChargeStates?.includes(state) ?? false,
    keepsReserved: staysReserved(tool, state),
  };
}

/** Throws where the answer to a look-up of one thing is about another of its kind than the call names (EN-08). */
function demandAskedFor(tool: PlatformTool, { args }: Pick<Facts, 'args'>, learned: readonly Observation[]): void {
  if (operationOf(tool).asksFor === undefined) return;
  for (const [name, { kind }] of Object.entries(tool.input.args)) {
    const isOther = (it: Observation) => it.kind === kind && it.handle !== undefined && it.handle !== args[name];
    if (args[name] !== undefined && learned.some(isOther)) throw new PlatformFault('wrong-shape', { paths: ['id'] });
  }
}

/** The platform refused because of the thing's state. Own reading of INVALID_STATE; any other reason proves nothing. */
const isImpossible = (reply: Reply): reply is Declined => reply.kind === 'declined' && reply.reason === 'INVALID_STATE';

/** The refusal may show what somebody else has done to the thing. */
async function impossible(
  parts: EngineParts,
  tx: LedgerTransaction,
  tool: PlatformTool,
  { facts }: Sent,
  reply: Declined,
): Promise<Ended> {
  const ended = declinedEnd(reply, tool);
  const { moves } = operationOf(tool);
  const proven = tool.observe.afterRefusal?.(facts);
  const seen = tool.observe.moves?.entity(facts.things, facts.now, undefined, facts.args);
  const move = proven && moves && seen ? moves.machine.move(seen, proven.trigger) : undefined;
  if (proven === undefined || move?.ok !== true || tool.observe.moves === undefined) return ended;
  const { kind } = tool.observe.moves;
  await apply(parts, tx, [{ kind, state: move.to, body: { waiting: '' } }], { things: facts.things });
  return { ...ended, body: { ...ended.body, said: proven.said, next: nextNamed(tool, move.to) } };
}

/** No usable response: the platform declined, was never reached, or the outcome is unknown. */
function lost(tool: PlatformTool, sent: Sent, reply: Unanswered): Ended {
  if (reply.kind === 'declined') return declinedEnd(reply, tool);
  if (reply.kind === 'noEffect') return noEffectEnds[reply.because](tool, reply);
  if (reply.kind === 'held') return { trigger: 'fail', event: 'unsent', body: refused(reply.refusal) };
  const { because, reason = '' }: Pick<Unknown, 'because' | 'reason'> =
    reply.kind === 'unknown' ? reply : { because: 'failed' };
  // The platform's code may be anything: Purser's own sentence repeats only those of the contract.
  const refusal = isReason(reason) ? ` The platform refused it with ${reason}.` : '';
  return {
    trigger: 'markUnknown',
    event: 'unknown',
    body: {
      ...unknown(
        sent.row.id,
        tellingSecondsOf(operationOf(tool)),
        isShapeless(reply) ? { rule: 'EN-08' } : lostBy(tool),
      ),
      said: `${lostBecause[because]}${refusal} Its outcome is unknown. Do not start another one: check get_operation later.`,
    },
  };
}

/** A refused repeat proves nothing about the first attempt: it may be refused because that one took effect. */
function lostAgain(tool: PlatformTool, sent: Sent, reply: Unanswered): Ended {
  const ended = lost(tool, sent, reply);
  return ended.trigger === 'fail'
    ? {
        trigger: 'markUnknown',
        event: 'unknown',
        body: unknown(sent.row.id, tellingSecondsOf(operationOf(tool)), lostBy(tool)),
      }
    : ended;
}

const lostBecause: Readonly<Record<UnknownCause, string>> = {
  'no-answer': 'It was sent, but no response arrived.',
  'not-json': 'It was sent, but the response is not JSON.',
  truncated: 'It was sent, but the response was incomplete.',
  oversized: 'It was sent, but the response was too large to read.',
  'wrong-shape': 'It was sent, but the response does not match the call or its documented schema (EN-08).',
  redirected: 'It was sent, but the response was a redirect, which Purser never follows.',
  'not-stored': 'It was sent, but the file in the response could not be stored.',
  twice: 'It was sent, and may have reached the platform twice: a repetition of it may be what was refused.',
  failed: 'It was sent, but the platform, or a proxy before it, failed.',
};

const declinedEnd = (reply: Declined, tool: PlatformTool): Ended => ({
  trigger: 'fail',
  event: 'declined',
  body: declined(reply, tool),
});

/** The client refused to send it: the rule about its schema is switched off, and it doesn't match. */
const incomplete = (tool: PlatformTool, { paths: [path = 'body'] = [] }: NoEffect): Ended => ({
  trigger: 'fail',
  event: 'unsent',
  body: {
    outcome: 'refused',
    said: "The request does not match the platform's schema, so nothing was sent.",
    next: [],
    error: {
      code: 'RULE',
      retry: 'never',
      rule: 'EN-09',
      field: fieldSourceOf(tool, path.replace(/^(body|query)\./, ''))?.argument ?? path,
    },
  },
});

const cancelledFirst = ({ name }: PlatformTool): Ended => ({
  trigger: 'fail',
  event: 'cancelled',
  body: cancelled(name),
});

const unreached = (tool: PlatformTool): Ended => ({
  trigger: 'fail',
  event: 'unreached',
  body: unreachable(tool),
});

const noEffectEnds: Readonly<Record<NoEffect['because'], (tool: PlatformTool, reply: NoEffect) => Ended>> = {
  unreachable: unreached,
  incomplete,
  cancelled: cancelledFirst,
};
