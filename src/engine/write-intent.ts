import type { JsonObject } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import type { Secret } from '../core/secret.ts';
import type { Placed } from '../core/secret-leaves.ts';
import type { Facts } from '../domains/facts.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import { countAttempt } from './attempts.ts';
import { demandApproved, demandSent } from './audit-evidence.ts';
import { keepAuthored } from './authorship.ts';
import type { Checked } from './check.ts';
import type { Answer, Send, Verdict } from './decide.ts';
import { rulesHash } from './digest.ts';
import { questionOf } from './evaluate.ts';
import { quietSecondsOf, tellingSecondsOf } from './lanes.ts';
import { expire, markUnknown, moveApproval, nextState, sending, supersede } from './operation-state.ts';
import { isReadIn, rememberOwnTexts, stringsIn } from './own-texts.ts';
import type { EngineParts } from './parts.ts';
import type { Call } from './prior-operation.ts';
import { answerOf, type Body, lostBy, needsApproval, secretGone, unknown } from './render.ts';
import { keepRequest, keptSecrets } from './request-secrets.ts';
import { reserve } from './spending-limits.ts';
import type { SpendingPolicy } from './spending-policy.ts';
import { operationOf, type PlatformTool, type Tool } from './tool.ts';

/** A call after its decision: answered, or stored as SENDING and to be sent. */
export type Begun =
  | { readonly kind: 'answer'; readonly body: Body }
  | {
      readonly kind: 'send';
      readonly row: OperationRow;
      readonly facts: Facts;
      readonly warnings: readonly string[];
      /** The request's secrets, which are not in its row. */
      readonly secrets: readonly Placed<Secret<unknown>>[];
    };

/** Executes a verdict within the transaction. */
export async function begin(
  parts: EngineParts,
  tx: LedgerTransaction,
  verdict: Exclude<Verdict, { kind: 'refuse' }>,
): Promise<Begun> {
  switch (verdict.kind) {
    case 'answer':
      return answer(tx, verdict);
    case 'repeat': {
      const { call, row, overdue, harm } = verdict;
      const lost = overdue ? await markUnknown(tx, row, call.now) : row;
      await demandSent(tx, lost);
      return harm === undefined ? sendAgain(tx, parts, call, lost) : { kind: 'answer', body: notSentAgain(verdict) };
    }
    case 'ask':
      await endQuestion(tx, verdict);
      return propose(tx, parts, verdict);
    case 'send':
      await endQuestion(tx, verdict);
      return sendOnce(tx, parts, verdict);
  }
}

/** The answer to a proposal of a call that needs no approval. */
export const notSent = ({ name }: Pick<Tool, 'name'>): Body => ({
  outcome: 'done',
  said: 'It needs no approval and was not made.',
  next: [name],
});

/** The answer to a proposal of a call that would be sent without asking anybody: nothing is sent. */
export function notProposed(tool: PlatformTool, verdict: Extract<Verdict, { kind: 'send' | 'repeat' }>): Body {
  if (verdict.kind === 'repeat') return notSentAgain(verdict);
  return verdict.approved === undefined
    ? notSent(tool)
    : { ...notSent(tool), said: 'It is approved, and was not made.' };
}

/** Returns the known answer, and records what it says about the earlier operation. */
async function answer(tx: LedgerTransaction, { call, body, change }: Answer): Promise<Begun> {
  if (change?.to === 'lost') await markUnknown(tx, change.row, call.now);
  if (change?.to === 'told') await tell(tx, call, change.row, body);
  return { kind: 'answer', body };
}

/** Ends an earlier question that this call replaces. */
async function endQuestion(tx: LedgerTransaction, { call, ends }: Pick<Send, 'call' | 'ends'>): Promise<void> {
  if (ends?.how === 'expire') await expire(tx, ends.row, ends.asked, call.now);
  if (ends?.how === 'supersede') await supersede(tx, ends.row, ends.asked, call.now);
}

/** Stores the request as SENDING, and reserves its budgets. */
async function sendOnce(tx: LedgerTransaction, parts: EngineParts, { call, judged, approved }: Send): Promise<Begun> {
  const { policies: bounds, mandate, spend, warnings } = judged;
  const { request, secrets } = await keepRequest(parts, tx, call, judged);
  const row =
    approved === undefined
      ? await intend(tx, parts, call, judged, mandate, request)
      : await sendApproved(tx, call, judged, approved, request);
  await countAttempt(tx, call.tool, call.facts, row.id);
  // An approved call doesn't use a mandate.
  const counted = approved !== undefined || mandate === undefined ? bounds : [...bounds, mandate];
  await reserve(tx, counted, spend, row.id);
  return { kind: 'send', row, facts: call.facts, warnings, secrets };
}

/** The answer for a request of unknown outcome that is not sent again. */
export function notSentAgain({ call: { tool }, row, harm }: Extract<Verdict, { kind: 'repeat' }>): Body {
  const { said, ...retry } = harm ?? {};
  const body = unknown(row.id, tellingSecondsOf(operationOf(tool)), { ...lostBy(tool), ...retry });
  return said === undefined ? body : { ...body, said };
}

/** Sends a stored request of unknown outcome again. It is not sent if its secrets are gone. */
async function sendAgain(
  tx: LedgerTransaction,
  parts: EngineParts,
  { tool, facts, now }: Call,
  row: OperationRow,
): Promise<Begun> {
  const secrets = await keptSecrets(parts, tx, tool, row, now);
  if (secrets === undefined) return { kind: 'answer', body: secretGone(row.id) };
  const again = {
    state: nextState(row.state, 'send', { repeatable: true }),
    ...sending(now, row.attempt + 1, quietSecondsOf(operationOf(tool))),
  };
  const sent = await tx.operations.update(row, again);
  await tx.audit.append({ operationId: row.id, event: 'sent', body: { attempt: sent.attempt }, at: now });
  // Its observations refer to the stored request, not to one assembled today.
  const made = (row.request?.new ?? facts.new) as Facts['new']; // stored by `storedRequest`
  return { kind: 'send', row: sent, facts: { ...facts, new: made }, warnings: [], secrets };
}

/** Records that the agent heard of a denial. It hears of it once: the next such call asks again. */
async function tell(tx: LedgerTransaction, { tool, caller, now }: Call, row: OperationRow, no: Body): Promise<void> {
  await tx.operations.update(row, { result: answerOf(no), updatedAt: now });
  const { rule = null, code = null } = no.error ?? {};
  const body = { tool: tool.name, rule, code, field: null, principal: caller.principal };
  await tx.audit.append({ operationId: row.id, event: 'refused', body, at: now });
}

/** Stores a proposal and requests its approval. */
async function propose(
  tx: LedgerTransaction,
  { ports, settings }: EngineParts,
  { call, judged: checked, ends }: Extract<Verdict, { kind: 'ask' }>,
): Promise<Begun> {
  const before = ends?.how === 'expire' ? 'The earlier approval has expired. ' : '';
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

/** Sends an approved request and consumes the approval. */
async function sendApproved(
  tx: LedgerTransaction,
  { tool, now }: Call,
  checked: Checked,
  { row, asked }: NonNullable<Send['approved']>,
  request: JsonObject,
): Promise<OperationRow> {
  await demandApproved(tx, row, asked);
  await moveApproval(tx, asked, 'consume', now);
  await keepApproved(tx, checked, asked);
  const change = {
    state: nextState(row.state, 'send'),
    request,
    ...sending(now, 1, quietSecondsOf(operationOf(tool))),
  };
  const sent = await tx.operations.update(row, change);
  await tx.audit.append({ operationId: row.id, event: 'sent', body: { attempt: 1, approval: asked.id }, at: now });
  return sent;
}

/** What a person has read and approved becomes the merchant's own: the text, and the texts it quotes in full. */
async function keepApproved(tx: LedgerTransaction, { facts }: Checked, { text }: ApprovalRow): Promise<void> {
  const shown = stringsIn([facts.args, Object.values(facts.things)]).filter((it) => isReadIn(text, it));
  await rememberOwnTexts(tx, [text, ...shown], facts.now);
}

/** Stores the intent of a call that needs no approval, or that a mandate covers. */
async function intend(
  tx: LedgerTransaction,
  parts: EngineParts,
  call: Call,
  checked: Checked,
  mandate: SpendingPolicy | undefined,
  request: JsonObject,
): Promise<OperationRow> {
  const row = await tx.operations.insert({
    ...rowOf(call, checked, parts.ports.ids.handle('op')),
    state: nextState('none', 'send', { needsApproval: false }),
    request,
    ...sending(call.now, 1, quietSecondsOf(operationOf(call.tool))),
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
      role: call.caller.role,
      mandate: mandate?.name,
    },
    at: call.now,
  });
  return row;
}

const rowOf = (call: Call, checked: Checked, id: string) => ({
  id,
  principal: call.caller.principal,
  name: call.tool.operation,
  subject: checked.subject,
  reference: checked.reference,
  args: call.args,
  argsDigest: call.argsDigest,
  essenceDigest: call.essenceDigest,
  rulesHash,
  attempt: 0,
  startedAt: null,
  quietUntil: null,
  request: null,
  result: null,
  createdAt: call.now,
  updatedAt: call.now,
});

/** Warnings as a property of an answer, if there are any. */
export const warned = (warnings: readonly string[]) => (warnings.length === 0 ? {} : { warnings });
