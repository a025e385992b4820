import { PlatformFault } from '../client/errors.ts';
import { outcomeOf } from '../client/outcome.ts';
import type { JsonObject } from '../core/canonical-json.ts';
import type { Declined, NoEffect, UnknownCause } from '../core/outcome.ts';
import type { Thing } from '../core/thing.ts';
import { type Kind, ownerKind, type Things } from '../domains/facts.ts';
import { kindTable } from '../domains/index.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ObservationRow } from '../ledger/rows.ts';
import { modelFields, needsApproval } from './approval-scope.ts';
import { assemble } from './assemble.ts';
import { declined } from './declined.ts';
import { sourceOf } from './field-source.ts';
import { quietSecondsOf } from './lanes.ts';
import { nextAfter, nextNamed } from './next.ts';
import { canMoveOperation, demandConsistentEnd, nextState } from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import { answerOf, type Body, refused, unknown } from './render.ts';
import { thing } from './resolve.ts';
import { sealAnswer } from './seal-answer.ts';
import type { PlatformAnswer, Reply } from './send.ts';
import { isShapeless } from './shapeless.ts';
import { type Observation, operationOf, type PlatformTool } from './tool.ts';
import { ownedBy } from './view.ts';
import { type Begun, warned } from './write-intent.ts';

type Sent = Extract<Begun, { kind: 'send' }>;

/**
 * Records how a call ended, what it taught, and the answer, in one transaction; then that answer is given. `event`: what the
 * audit calls an answer that did not come by itself.
 */
export function finish(
  parts: EngineParts,
  tool: PlatformTool,
  sent: Sent,
  reply: Reply,
  caller: Caller,
  event?: string,
): Promise<Body> {
  const now = parts.ports.clock.now();
  return parts.ledger.transaction(caller.tenant, async (tx) => {
    // Read once more: another process may have given this call up as overdue, or sent it again, while its answer was on the way.
    const row = (await tx.operations.find(sent.row.id)) ?? sent.row;
    const ended = await endOf(parts, tx, tool, sent, row.attempt, reply, caller);
    const body: Body = { ...ended.body, operation: sent.row.id, ...warned(sent.warnings) };
    // That an earlier sending failed says nothing of a later one that is under way.
    const decides = ended.trigger === 'succeed' || row.attempt === sent.row.attempt;
    if (decides && ended.again !== true) demandConsistentEnd(row, ended.trigger);
    if (decides && canMoveOperation(row.state, ended.trigger))
      await tx.operations.update(row, {
        state: nextState(row.state, ended.trigger),
        result: answerOf(body),
        ...(ended.again ? { reference: '' } : {}),
        updatedAt: now,
      });
    const budget = decides ? budgetAfter[ended.again || ended.idle ? 'fail' : ended.trigger] : undefined;
    if (budget !== undefined) await tx.budgets.settle(row.id, budget);
    await tx.audit.append({
      operationId: row.id,
      event: event ?? ended.event,
      body: { tool: tool.name, outcome: body.outcome, code: body.error?.code ?? null },
      at: now,
    });
    return body;
  });
}

/** What becomes of the budget that a call holds; while its outcome is unknown, it goes on holding it. */
const budgetAfter = { succeed: 'SPENT', fail: 'RELEASED', lose: undefined } as const;

interface Ended {
  readonly trigger: 'succeed' | 'fail' | 'lose';
  readonly event: string;
  readonly body: Body;
  /** Nothing came of it yet, and the same call is to be made again. */
  readonly again?: boolean;
  /** It took effect, and moves nothing. */
  readonly idle?: boolean;
}

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
    if (error instanceof PlatformFault) return lost(tool, sent, outcomeOf(error)); // what was stored before it is true
    throw error;
  }
}

/** The platform did it: remembers what the answer says and shows the few fields that an agent needs. */
export async function learn(
  parts: EngineParts,
  tx: LedgerTransaction,
  tool: PlatformTool,
  { facts }: Pick<Sent, 'facts'>,
  answer: PlatformAnswer,
  caller: Caller,
): Promise<Ended> {
  const { ids } = parts.ports;
  const { moves } = operationOf(tool);
  const seen = tool.observe.moves?.entity(facts.things, facts.now, answer, facts.args);
  const move = moves && seen ? moves.machine.move(seen, moves.trigger) : undefined;
  const state = tool.observe.stateFromResponse?.(answer, facts.args) ?? (move?.ok ? move.to : (seen?.state ?? ''));
  const request = assemble(tool, facts);
  const minted = new Set<string>();
  const learned = await tool.observe.observations(facts, answer, {
    state,
    authored: modelFields(tool, request),
    approved: needsApproval(tool, facts, request),
    mint: (kind) => {
      const handle = ids.handle(kind);
      minted.add(handle);
      return handle;
    },
    sealed: await sealAnswer(parts.vault, tx, operationOf(tool), answer.body, {
      tenant: caller.tenant,
      now: facts.now,
    }),
  });
  let things: Things = facts.things;
  // A thing with a random handle is known to Purser alone and belongs to its principal. What the platform lists is the merchant's.
  const owned = (handle: string | undefined) => (handle === undefined || minted.has(handle) ? ownedBy(caller) : {});
  for (const one of learned) things = await remember(parts, tx, tool, things, one, state, owned);
  // What comes next is another call, with arguments of its own.
  const { entity } = tool.observe.looksAt ?? tool.observe.moves ?? {};
  const next = nextAfter(tool, state, entity?.(things, facts.now, undefined, {}));
  const said = tool.present.messages[state] ?? tool.present.messages.done ?? 'Done.';
  return {
    trigger: 'succeed',
    event: 'answered',
    body: { outcome: 'done', said, data: tool.present.toOutput(things, facts, answer), next },
    again: tool.reconcile.retryableStates?.includes(state) ?? false,
    idle: tool.reconcile.noChargeStates?.includes(state) ?? false,
  };
}

/** Keeps one piece of knowledge and answers the things as they are known with it. A member that is undefined is forgotten. */
async function remember(
  parts: EngineParts,
  tx: LedgerTransaction,
  tool: PlatformTool,
  things: Things,
  one: Observation,
  state: string,
  owned: (handle: string | undefined) => JsonObject = () => ({}),
): Promise<Things> {
  const now = parts.ports.clock.now();
  const handle = one.handle ?? (things[one.kind] as Thing | undefined)?.handle; // as any kind of thing
  const row = handle === undefined ? undefined : await tx.observations.find(handle);
  if (row === undefined && one.ifKnown) return things;
  if (row !== undefined && isAnother(row, one)) throw new PlatformFault('wrong-shape', { paths: ['id'] });
  const reached = one.state ?? (one.kind === tool.observe.moves?.kind ? state : (row?.state ?? ''));
  const kept = row
    ? await tx.observations.update(row, { state: reached, body: json({ ...row.body, ...one.body }) }, now)
    : await tx.observations.insert(
        {
          handle: handle ?? parts.ports.ids.handle(one.kind),
          kind: one.kind,
          owner: one.owner ?? things[ownerKind]?.handle ?? '',
          state: reached,
          body: json({ ...one.body, ...owned(handle) }),
        },
        now,
      );
  return { ...things, [one.kind satisfies Kind]: thing(kept) };
}

/** Whether a row is of another thing of the platform, whose handle happens to be the same (`src/engine/handles.ts`). */
function isAnother({ body: known }: ObservationRow, { kind, body }: Observation): boolean {
  const { platformId: member } = kindTable[kind];
  if (member === undefined || known[member] === undefined || body[member] === undefined) return false;
  return known[member] !== body[member];
}

const json = (body: Observation['body']): JsonObject => JSON.parse(JSON.stringify(body)) as JsonObject; // plain data of ours

/** The platform would not do it, for the state that its thing is in. Own reading of its reason: any other proves nothing. */
const isImpossible = (reply: Reply): reply is Declined => reply.kind === 'declined' && reply.reason === 'INVALID_STATE';

/** The platform says that it can't be done, which tells what somebody else has done to the thing meanwhile, if anything. */
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
  await remember(parts, tx, tool, facts.things, { kind: tool.observe.moves.kind, body: { waiting: '' } }, move.to);
  return { ...ended, body: { ...ended.body, said: proven.said, next: nextNamed(tool, move.to) } };
}

/** No usable answer: the platform said no, was never reached, or nobody knows. */
function lost(tool: PlatformTool, sent: Sent, reply: Unanswered): Ended {
  if (reply.kind === 'declined') return declinedEnd(reply, tool);
  if (reply.kind === 'noEffect') return reply.because === 'unreachable' ? unreached(tool) : incomplete(reply, tool);
  if (reply.kind === 'held') return { trigger: 'fail', event: 'unsent', body: refused(reply.refusal) };
  const because = reply.kind === 'unknown' ? reply.because : 'failed';
  return {
    trigger: 'lose',
    event: 'unknown',
    body: {
      ...unknown(sent.row.id, quietSecondsOf(operationOf(tool)), isShapeless(reply) ? { rule: 'EN-08' } : {}),
      said: `${lostBecause[because]} Its outcome is not known. Do not start another one: ask get_operation later.`,
    },
  };
}

/** A repeat that is refused proves nothing of the first sending: it may be refused because that one took effect. */
function lostAgain(tool: PlatformTool, sent: Sent, reply: Unanswered): Ended {
  const ended = lost(tool, sent, reply);
  return ended.trigger === 'fail'
    ? { trigger: 'lose', event: 'unknown', body: unknown(sent.row.id, quietSecondsOf(operationOf(tool))) }
    : ended;
}

const lostBecause: Readonly<Record<UnknownCause, string>> = {
  'no-answer': 'It was sent, and no answer came.',
  'not-json': 'It was sent, and what came back is not an answer of the platform.',
  truncated: 'It was sent, and the answer broke off.',
  oversized: 'It was sent, and the answer was too large to be read.',
  'wrong-shape': 'It was sent, and the answer has not the shape that the platform documents (EN-08).',
  redirected: 'It was sent, and something answered with a redirect, which is never followed.',
  failed: 'It was sent, and the platform failed.',
};

const declinedEnd = (reply: Declined, tool: PlatformTool): Ended => ({
  trigger: 'fail',
  event: 'declined',
  body: declined(reply, tool),
});

/** The client would not send it: a rule that states its shape was switched off, and the shape is wrong. */
const incomplete = ({ paths: [path = 'body'] = [] }: NoEffect, tool: PlatformTool): Ended => ({
  trigger: 'fail',
  event: 'unsent',
  body: {
    outcome: 'refused',
    said: 'The request is not complete in the terms of the platform, so nothing was sent.',
    next: [],
    error: {
      code: 'RULE',
      retry: 'never',
      rule: 'EN-09',
      field: sourceOf(tool, path.replace(/^(body|query)\./, ''))?.argument ?? path,
    },
  },
});

const unreached = ({ name }: PlatformTool): Ended => ({
  trigger: 'fail',
  event: 'unreached',
  body: {
    outcome: 'refused',
    said: 'The platform could not be reached; nothing was sent. Try again later.',
    next: [name],
    error: { code: 'UNREACHABLE', retry: 'same_call' },
  },
});
