import { limits } from '../core/limits.ts';
import type { Facts } from '../domains/facts.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import { demandApproved, demandSent } from './audit-evidence.ts';
import { keepAuthored } from './authorship.ts';
import { type Checked, storedRequest } from './check.ts';
import type { Answer, Send, Verdict } from './decide.ts';
import { rulesHash } from './digest.ts';
import { questionOf } from './evaluate.ts';
import { quietSecondsOf } from './lanes.ts';
import { expire, markUnknown, moveApproval, nextState, sending, supersede } from './operation-state.ts';
import { isReadIn, rememberOwnTexts, stringsIn } from './own-texts.ts';
import type { EngineParts } from './parts.ts';
import type { Call } from './prior-operation.ts';
import { Refused } from './refusal.ts';
import { answerOf, type Body, needsApproval } from './render.ts';
import { reserve } from './spending-limits.ts';
import type { SpendingPolicy } from './spending-policy.ts';
import { operationOf, type Tool } from './tool.ts';

/** A call after its decision: either answered at once, or written down as SENDING and to be sent. */
export type Begun =
  | { readonly kind: 'answer'; readonly body: Body }
  | { readonly kind: 'send'; readonly row: OperationRow; readonly facts: Facts; readonly warnings: readonly string[] };

/**
 * Carries out within one transaction what was decided. Throws `Refused` where that is a refusal, and then nothing was changed.
 */
export async function begin(parts: EngineParts, tx: LedgerTransaction, verdict: Verdict): Promise<Begun> {
  switch (verdict.kind) {
    case 'refuse':
      throw new Refused(verdict.refusal);
    case 'answer':
      return answer(tx, verdict);
    case 'repeat': {
      const { call, row, overdue } = verdict;
      return sendAgain(tx, call, overdue ? await markUnknown(tx, row, call.now) : row);
    }
    case 'ask':
      await endQuestion(tx, verdict);
      return propose(tx, parts, verdict);
    case 'send':
      await endQuestion(tx, verdict);
      return sendOnce(tx, parts, verdict);
  }
}

/** The answer to a proposal that would be sent. */
export const notSent = ({ name }: Pick<Tool, 'name'>): Body => ({
  outcome: 'done',
  said: 'It needs no approval and was not made.',
  next: [name],
});

/** Gives the answer that was known already, and writes down what it says of the earlier operation. */
async function answer(tx: LedgerTransaction, { call, body, change }: Answer): Promise<Begun> {
  if (change?.to === 'lost') await markUnknown(tx, change.row, call.now);
  if (change?.to === 'told') await tell(tx, call, change.row, body);
  return { kind: 'answer', body };
}

/** Ends an earlier question that this call replaces. */
async function endQuestion(tx: LedgerTransaction, { call, ends }: Pick<Send, 'call' | 'ends'>): Promise<void> {
  if (ends?.how === 'lapse') await expire(tx, ends.row, ends.asked, call.now);
  if (ends?.how === 'supersede') await supersede(tx, ends.row, ends.asked, call.now);
}

/** Writes down that a request goes out, and what it counts against. */
async function sendOnce(tx: LedgerTransaction, parts: EngineParts, { call, judged, approved }: Send): Promise<Begun> {
  const { policies: bounds, mandate, spend: outlay, warnings } = judged;
  const row =
    approved === undefined
      ? await intend(tx, parts, call, judged, mandate)
      : await sendApproved(tx, call, judged, approved.row, approved.asked);
  // What a person has approved needs no mandate.
  const counted = approved !== undefined || mandate === undefined ? bounds : [...bounds, mandate];
  await reserve(tx, counted, outlay, row.id);
  return { kind: 'send', row, facts: call.facts, warnings };
}

/** Sends a request of unknown outcome once more, as it was written down. */
async function sendAgain(tx: LedgerTransaction, { tool, facts, now }: Call, row: OperationRow): Promise<Begun> {
  await demandSent(tx, row);
  const again = {
    state: nextState(row.state, 'send', { repeatable: true }),
    ...sending(now, row.attempt + 1, quietSecondsOf(operationOf(tool))),
  };
  const sent = await tx.operations.update(row, again);
  await tx.audit.append({ operationId: row.id, event: 'sent', body: { attempt: sent.attempt }, at: now });
  // What it teaches is about the request that goes out, not about one that would be made today.
  const made = (row.request?.new ?? facts.new) as Facts['new']; // as `storedRequest` keeps it
  return { kind: 'send', row: sent, facts: { ...facts, new: made }, warnings: [] };
}

/** Notes that the agent was told of a person's no. It is told once: the next such call asks a person again. */
async function tell(tx: LedgerTransaction, { tool, caller, now }: Call, row: OperationRow, no: Body): Promise<void> {
  await tx.operations.update(row, { result: answerOf(no), updatedAt: now });
  const { rule = null, code = null } = no.error ?? {};
  const body = { tool: tool.name, rule, code, field: null, principal: caller.principal };
  await tx.audit.append({ operationId: row.id, event: 'refused', body, at: now });
}

/** Writes down what a person is to approve. */
async function propose(
  tx: LedgerTransaction,
  { ports, settings }: EngineParts,
  { call, judged: checked, ends }: Extract<Verdict, { kind: 'ask' }>,
): Promise<Begun> {
  const before = ends?.how === 'lapse' ? 'The time to approve the earlier question is over. ' : '';
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
    text: questionOf(checked) ?? '',
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
  const change = {
    state: nextState(row.state, 'send'),
    request: storedRequest(tool, checked),
    ...sending(now, 1, quietSecondsOf(operationOf(tool))),
  };
  const sent = await tx.operations.update(row, change);
  await tx.audit.append({ operationId: row.id, event: 'sent', body: { attempt: 1, approval: asked.id }, at: now });
  return sent;
}

/** What a person has read and approved, word for word, is the merchant's own from then on: the text, and what it shows whole. */
async function keepApproved(tx: LedgerTransaction, { facts }: Checked, { text }: ApprovalRow): Promise<void> {
  const shown = stringsIn([facts.args, Object.values(facts.things)]).filter((it) => isReadIn(text, it));
  await rememberOwnTexts(tx, [text, ...shown], facts.now);
}

/** Writes down the intent of a call that nobody need approve, or that a standing mandate has approved. */
async function intend(
  tx: LedgerTransaction,
  parts: EngineParts,
  call: Call,
  checked: Checked,
  mandate: SpendingPolicy | undefined,
): Promise<OperationRow> {
  const row = await tx.operations.insert({
    ...rowOf(call, checked, parts.ports.ids.handle('op')),
    state: nextState('none', 'send', { needsApproval: false }),
    request: storedRequest(call.tool, checked),
    ...firstSending(call.now, quietSecondsOf(operationOf(call.tool))),
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

const firstSending = (now: number, quietSeconds: number) => ({
  attempt: 1,
  startedAt: now,
  quietUntil: now + quietSeconds * 1_000,
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
