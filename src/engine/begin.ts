import { limits } from '../contract/limits.ts';
import type { Facts } from '../guards/facts.ts';
import type { Terms } from '../guards/money.ts';
import { canonicalJson, sha256 } from '../ledger/canonical.ts';
import type { ApprovalRow, Caller, Json, LedgerTransaction, OperationRow } from '../ledger/ledger.ts';
import { type Checked, gather, storedRequest } from './decide.ts';
import { rulesHash } from './digest.ts';
import type { EngineParts } from './engine.ts';
import { type Judged, judge } from './judge.ts';
import { canDecide, canMove, isOverdue, lapse, lose, moveApproval, nextState, sending } from './life.ts';
import { reserve } from './limits.ts';
import { Refused } from './refuse.ts';
import { type Body, inFlight, needsApproval, replay, unknown } from './render.ts';
import { operationOf, type PlatformTool } from './tool.ts';

/** A call after its decision: either answered at once, or written down as SENDING and to be sent. */
export type Begun =
  | { readonly kind: 'answer'; readonly body: Body }
  | { readonly kind: 'send'; readonly row: OperationRow; readonly facts: Facts; readonly warnings: readonly string[] };

/**
 * Decides a call within one transaction: an earlier call under the same reference or arguments answers for it; otherwise
 * rules, approval, and the intent on disk. Throws `Refused`, and then nothing was changed.
 */
export async function begin(
  parts: EngineParts,
  tool: PlatformTool,
  args: Facts['args'],
  caller: Caller,
  tx: LedgerTransaction,
): Promise<Begun> {
  const now = parts.ports.clock.now();
  const facts = await gather(tool, args, tx, parts.settings, parts.ports);
  const text = canonicalJson(args as Json); // a tool's arguments are JSON by its schema
  const call = { tool, facts, caller, now, args: text, argsDigest: sha256(text) };
  const earlier = await earlierCall(tx, call);
  const answered = earlier && (await answerFrom(tx, call, earlier));
  if (answered !== undefined) return answered;

  const judged = await judge(parts, tx, tool, facts, caller);
  const { outlay, bounds, mandate } = judged;
  await refuseWhileBusy(tx, judged.subject);
  const waiting = earlier && (await waitingApproval(tx, earlier, now));
  if (waiting !== undefined && earlier !== undefined) {
    const used = await useApproval(tx, call, judged, earlier, waiting);
    if (used.kind === 'send') await reserve(tx, bounds, outlay, used.row.id);
    return used;
  }
  if (judged.approval !== undefined && mandate === undefined) return propose(tx, parts, call, judged);
  const row = await intend(tx, parts, call, judged, mandate);
  await reserve(tx, mandate === undefined ? bounds : [...bounds, mandate], outlay, row.id);
  return { kind: 'send', facts, warnings: judged.warnings, row };
}

interface Call {
  readonly tool: PlatformTool;
  readonly facts: Facts;
  readonly caller: Caller;
  readonly now: number;
  readonly args: string;
  readonly argsDigest: string;
}

/** The operation that already stands for this call, if there is one. Another call under its reference is a conflict. */
async function earlierCall(tx: LedgerTransaction, call: Call): Promise<OperationRow | undefined> {
  const { tool, facts, caller, argsDigest } = call;
  if (facts.reference === '') return tx.operations.sameCall(tool.operation, argsDigest, caller.principal, openStates);
  const row = await tx.operations.byReference(tool.operation, facts.reference);
  if (row === undefined || (row.argsDigest === argsDigest && row.principal === caller.principal)) return row;
  throw new Refused({
    code: 'CONFLICT',
    rule: 'EN-03',
    field: 'reference',
    because:
      'This reference already stands for a call with other arguments. What is another purchase or payment needs another reference.',
    retry: 'never',
    instead: ['get_operation'],
    operation: row.id,
  });
}

const openStates = ['PROPOSED', 'APPROVED', 'SENDING', 'UNKNOWN'] as const;

/** The answer that an earlier call gives for this one; undefined where this one goes on in its place. */
async function answerFrom(tx: LedgerTransaction, call: Call, earlier: OperationRow): Promise<Begun | undefined> {
  const { now, facts } = call;
  const row = canMove(earlier.state, 'lose') && isOverdue(earlier, now) ? await lose(tx, earlier, now) : earlier;
  if (canMove(row.state, 'lose')) return { kind: 'answer', body: inFlight(row, now) };
  // What was decided under rules that this build does not know is not sent by it: a replica that knows them may.
  const repeatable = operationOf(call.tool).recovery === 'repeat' && row.rulesHash === rulesHash;
  if (canMove(row.state, 'send', { repeatable }) && row.request !== null && row.attempt > 0) {
    const again = { state: nextState(row.state, 'send', { repeatable }), ...sending(now, row.attempt + 1) };
    const sent = await tx.operations.update(row, again);
    await tx.audit.append({ operationId: row.id, event: 'sent', body: { attempt: sent.attempt }, at: now });
    // What it teaches is about the request that goes out, not about one that would be made today.
    const made = (row.request.new ?? facts.new) as Facts['new']; // as `storedRequest` keeps it
    return { kind: 'send', row: sent, facts: { ...facts, new: made }, warnings: [] };
  }
  if (canMove(row.state, 'resolve')) return { kind: 'answer', body: unknown(row.id, limits.quietSeconds) };
  return row.result === null ? undefined : { kind: 'answer', body: replay(row) };
}

/** Refuses while another call is under way, or its outcome unknown, on the same thing. */
async function refuseWhileBusy(tx: LedgerTransaction, subject: string): Promise<void> {
  const busy = subject === '' ? undefined : await tx.operations.openOn(subject);
  if (busy === undefined) return;
  const lost = !canMove(busy.state, 'lose');
  throw new Refused({
    code: lost ? 'OUTCOME_UNKNOWN' : 'IN_FLIGHT',
    rule: lost ? 'EN-06' : 'EN-07',
    because: lost
      ? 'An earlier call on this has an unknown outcome. Until that is settled nothing else is sent for it.'
      : 'Another call on this is under way.',
    retry: lost ? 'never' : 'after',
    ...(lost ? {} : { wait: limits.quietSeconds }),
    instead: ['get_operation'],
    operation: busy.id,
  });
}

/** The approval that an earlier proposal waits for or has; undefined once its time is over. */
async function waitingApproval(
  tx: LedgerTransaction,
  row: OperationRow,
  now: number,
): Promise<ApprovalRow | undefined> {
  const asked = await tx.approvals.ofOperation(row.id);
  if (asked === undefined || !canDecide(asked, 'lapse', now)) return asked;
  await lapse(tx, row, asked, now);
  return undefined;
}

/** Writes down what a person is to approve. */
async function propose(tx: LedgerTransaction, parts: EngineParts, call: Call, checked: Judged): Promise<Begun> {
  const { ports } = parts;
  const { now } = call;
  const row = await tx.operations.insert({
    ...rowOf(call, checked, ports.ids.handle('op')),
    state: nextState('none', 'propose', { needsApproval: true }),
  });
  const asked = await tx.approvals.insert({
    id: ports.ids.handle('apr'),
    principal: call.caller.principal,
    operationId: row.id,
    digest: checked.approval?.digest ?? '',
    text: checked.approval?.text ?? '',
    state: 'REQUESTED',
    approver: null,
    channel: null,
    expiresAt: now + limits.approvalMinutes * 60_000,
    decidedAt: null,
    createdAt: now,
  });
  await tx.audit.append({
    operationId: row.id,
    event: 'proposed',
    body: { tool: call.tool.name, approval: asked.id, digest: asked.digest, argsDigest: call.argsDigest },
    at: now,
  });
  return { kind: 'answer', body: { ...needsApproval(row, asked, checked.asksBy), ...warned(checked.warnings) } };
}

/** Sends what was approved, if it was and is still the very same; asks again otherwise. */
async function useApproval(
  tx: LedgerTransaction,
  call: Call,
  checked: Checked,
  row: OperationRow,
  asked: ApprovalRow,
): Promise<Begun> {
  const { now } = call;
  if (!canDecide(asked, 'consume', now)) return { kind: 'answer', body: needsApproval(row, asked) };
  if (asked.digest !== checked.approval?.digest)
    throw new Refused({
      code: 'CONFLICT',
      rule: 'EN-04',
      because: 'What would be sent now differs from what was approved. Withdraw the approval and ask anew.',
      retry: 'never',
      instead: ['list_approvals'],
      operation: row.id,
    });
  await moveApproval(tx, asked, 'consume', now);
  const change = { state: nextState(row.state, 'send'), request: storedRequest(checked), ...sending(now, 1) };
  const sent = await tx.operations.update(row, change);
  await tx.audit.append({ operationId: row.id, event: 'sent', body: { attempt: 1, approval: asked.id }, at: now });
  return { kind: 'send', row: sent, facts: call.facts, warnings: checked.warnings };
}

/** Writes down the intent of a call that nobody need approve, or that a standing mandate has approved. */
async function intend(
  tx: LedgerTransaction,
  parts: EngineParts,
  call: Call,
  checked: Checked,
  mandate: Terms | undefined,
): Promise<OperationRow> {
  const row = await tx.operations.insert({
    ...rowOf(call, checked, parts.ports.ids.handle('op')),
    state: nextState('none', 'send', { needsApproval: false }),
    request: storedRequest(checked),
    ...firstSending(call.now),
  });
  await tx.audit.append({
    operationId: row.id,
    event: 'sent',
    body: {
      tool: call.tool.name,
      attempt: 1,
      argsDigest: call.argsDigest,
      principal: call.caller.principal,
      mandate: mandate?.name,
    },
    at: call.now,
  });
  return row;
}

const firstSending = (now: number) => ({
  attempt: 1,
  startedAt: now,
  quietUntil: now + limits.quietSeconds * 1_000,
});

const rowOf = (call: Call, checked: Checked, id: string) => ({
  id,
  principal: call.caller.principal,
  name: call.tool.operation,
  subject: checked.subject,
  reference: checked.reference,
  args: call.args,
  argsDigest: call.argsDigest,
  rulesHash,
  attempt: 0,
  startedAt: null,
  quietUntil: null,
  request: null,
  result: null,
  createdAt: call.now,
  updatedAt: call.now,
});

/** Warnings as a member of an answer, where there are any. */
export const warned = (warnings: readonly string[]) => (warnings.length === 0 ? {} : { warnings });
