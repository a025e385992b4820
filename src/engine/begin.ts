import { limits } from '../contract/limits.ts';
import type { Facts } from '../guards/facts.ts';
import type { Terms } from '../guards/money.ts';
import type { ApprovalRow, Caller, LedgerTransaction, OperationRow } from '../ledger/ledger.ts';
import { approvalLine } from './approval-text.ts';
import { keepAuthored } from './authorship.ts';
import { demandClock } from './clock.ts';
import { type Checked, gather, storedRequest } from './decide.ts';
import { rulesHash } from './digest.ts';
import type { EngineParts } from './engine.ts';
import { demandApproved, demandSent } from './evidence.ts';
import { demandRunning } from './halt.ts';
import { asksPerson, type Judged, judge, stillAsks } from './judge.ts';
import { canDecide, lapse, lose, moveApproval, nextState, sending, supersede } from './life.ts';
import { reserve } from './limits.ts';
import { isReadIn, keepOwn, stringsIn } from './own-texts.ts';
import { answerOf, type Body, needsApproval } from './render.ts';
import { type Call, callOf, refuseWhileBusy, refuseWhileResting, standing } from './standing.ts';
import { operationOf, type PlatformTool } from './tool.ts';
import { viewOf } from './view.ts';

/** A call after its decision: either answered at once, or written down as SENDING and to be sent. */
export type Begun =
  | { readonly kind: 'answer'; readonly body: Body }
  | { readonly kind: 'send'; readonly row: OperationRow; readonly facts: Facts; readonly warnings: readonly string[] };

/**
 * Decides a call within one transaction: an earlier call under the same reference or arguments answers for it; otherwise
 * rules, approval, and the intent on disk. Throws `Refused`, and then nothing was changed. `unasked`: the answer of what should
 * have been looked up before, where that gave none.
 */
export async function begin(
  parts: EngineParts,
  tool: PlatformTool,
  args: Facts['args'],
  caller: Caller,
  tx: LedgerTransaction,
  unasked?: Body,
): Promise<Begun> {
  const call = callOf(
    tool,
    await gather(tool, args, viewOf(tx, caller, parts.settings), parts.settings, parts.ports),
    caller,
  );
  const { facts, now } = call;
  const stands = await standing(tx, call);
  if (stands.kind === 'answers') {
    if (stands.overdue) await lose(tx, stands.row, now);
    return { kind: 'answer', body: stands.body };
  }
  if (stands.kind === 'denied') return { kind: 'answer', body: await tell(tx, call, stands.row, stands.body) };
  await demandRunning(tx);
  demandClock(tool, parts.ports.skew());
  if (stands.kind === 'repeats')
    return sendAgain(tx, call, stands.overdue ? await lose(tx, stands.row, now) : stands.row);

  const judged = await judge(parts, tx, tool, facts, caller);
  const { outlay, bounds, mandate } = judged;
  // Nobody approves, and no limit counts, on data that may be stale.
  const isHeld = bounds.length > 0 && (outlay.amount !== undefined || outlay.isUnknown === true);
  if (unasked !== undefined && (isHeld || operationOf(tool).effect === 'money'))
    return { kind: 'answer', body: unasked };
  await refuseWhileBusy(tx, judged.subject);
  await refuseWhileResting(tx, call, judged);
  if (stands.kind === 'asked') {
    const { row, asked } = stands;
    if (stands.late) await lapse(tx, row, asked, now);
    else if (!stillAsks(asked, judged)) await supersede(tx, row, asked, now);
    else if (!canDecide(asked, 'consume', now))
      return { kind: 'answer', body: needsApproval(row, asked, parts.settings) };
    else {
      const sent = await sendApproved(tx, call, judged, row, asked);
      await reserve(tx, bounds, outlay, row.id);
      return { kind: 'send', row: sent, facts, warnings: judged.warnings };
    }
  }
  const before = stands.kind === 'asked' && stands.late ? 'The time to approve the earlier question is over. ' : '';
  if (asksPerson(judged)) return propose(tx, parts, call, judged, before);
  const row = await intend(tx, parts, call, judged, mandate);
  await reserve(tx, mandate === undefined ? bounds : [...bounds, mandate], outlay, row.id);
  return { kind: 'send', facts, warnings: judged.warnings, row };
}

/** Sends a request of unknown outcome once more, as it was written down. */
async function sendAgain(tx: LedgerTransaction, { facts, now }: Call, row: OperationRow): Promise<Begun> {
  await demandSent(tx, row);
  const again = { state: nextState(row.state, 'send', { repeatable: true }), ...sending(now, row.attempt + 1) };
  const sent = await tx.operations.update(row, again);
  await tx.audit.append({ operationId: row.id, event: 'sent', body: { attempt: sent.attempt }, at: now });
  // What it teaches is about the request that goes out, not about one that would be made today.
  const made = (row.request?.new ?? facts.new) as Facts['new']; // as `storedRequest` keeps it
  return { kind: 'send', row: sent, facts: { ...facts, new: made }, warnings: [] };
}

/** Tells of a person's no. It is told once: the next such call asks anew. */
async function tell(tx: LedgerTransaction, { tool, caller, now }: Call, row: OperationRow, no: Body): Promise<Body> {
  await tx.operations.update(row, { result: answerOf(no), updatedAt: now });
  const { rule = null, code = null } = no.error ?? {};
  const body = { tool: tool.name, rule, code, field: null, principal: caller.principal };
  await tx.audit.append({ operationId: row.id, event: 'refused', body, at: now });
  return no;
}

/** Writes down what a person is to approve. */
async function propose(
  tx: LedgerTransaction,
  parts: EngineParts,
  call: Call,
  checked: Judged,
  before: string,
): Promise<Begun> {
  const { ports, settings } = parts;
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
    text: [checked.approval?.text ?? '', ...checked.warnings.map(careful)].join('\n'),
    state: 'REQUESTED',
    approver: null,
    channel: null,
    expiresAt: now + limits.approvalMinutes * 60_000,
    decidedAt: null,
    createdAt: now,
  });
  await keepAuthored(tx, call, stringsIn(call.facts.args), asked.text);
  await tx.audit.append({
    operationId: row.id,
    event: 'proposed',
    body: { tool: call.tool.name, approval: asked.id, digest: asked.digest, argsDigest: call.argsDigest },
    at: now,
  });
  return {
    kind: 'answer',
    body: {
      ...needsApproval(row, asked, settings, { rule: checked.asksBy, before }),
      ...warned(checked.warnings),
    },
  };
}

/** A warning as the person reads it. It is not part of the digest: what looks alike minutes ago does not an hour later. */
const careful = (warning: string): string => approvalLine(`Look closely: ${warning}`);

/** Sends what was approved, and uses the approval up. */
async function sendApproved(
  tx: LedgerTransaction,
  { tool, now }: Call,
  checked: Checked,
  row: OperationRow,
  asked: ApprovalRow,
): Promise<OperationRow> {
  await demandApproved(tx, row, asked);
  await moveApproval(tx, asked, 'consume', now);
  await keepApproved(tx, checked, asked);
  const change = { state: nextState(row.state, 'send'), request: storedRequest(tool, checked), ...sending(now, 1) };
  const sent = await tx.operations.update(row, change);
  await tx.audit.append({ operationId: row.id, event: 'sent', body: { attempt: 1, approval: asked.id }, at: now });
  return sent;
}

/** What a person has read and approved, word for word, is the merchant's own from then on: the text, and what it shows whole. */
async function keepApproved(tx: LedgerTransaction, { facts }: Checked, { text }: ApprovalRow): Promise<void> {
  const shown = stringsIn([facts.args, Object.values(facts.things)]).filter((it) => isReadIn(text, it));
  await keepOwn(tx, [text, ...shown], facts.now);
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
    request: storedRequest(call.tool, checked),
    ...firstSending(call.now),
  });
  await keepAuthored(tx, call, stringsIn(call.facts.args));
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
