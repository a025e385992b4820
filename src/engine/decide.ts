import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import { demandClock } from './clock-skew.ts';
import { coversSameRequest, type Evaluation, evaluate, needsPerson } from './evaluate.ts';
import { demandNotFrozen } from './freeze.ts';
import { gatherFacts } from './gather-facts.ts';
import { canMoveApproval } from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import { type Call, callOf, findPriorOperation, refuseWhileLocked, refuseWhileTermsChange } from './prior-operation.ts';
import { type Refusal, Refused } from './refusal.ts';
import { type Body, needsApproval } from './render.ts';
import { operationOf, type PlatformTool } from './tool.ts';
import { viewOf } from './view.ts';

/** What becomes of a call that changes something. `begin` carries it out, and `preview` prints it. */
export type Verdict =
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  | Answer
  | { readonly kind: 'ask'; readonly call: Call; readonly judged: Evaluation; readonly ends?: Ending | undefined }
  | Send
  /** An operation of unknown outcome whose very request is sent once more. `overdue`: it is written down as under way. */
  | { readonly kind: 'repeat'; readonly call: Call; readonly row: OperationRow; readonly overdue: boolean };

/** Something answers for the call that was known before it: an earlier operation, or a question that still waits. */
export interface Answer {
  readonly kind: 'answer';
  readonly call: Call;
  readonly body: Body;
  /** The earlier operation, with what must be written down of it: that it is lost, or that the agent was told of a no. */
  readonly change?: { readonly row: OperationRow; readonly to: 'lost' | 'told' } | undefined;
  /** Where a person was asked already: what they were asked about. */
  readonly judged?: Evaluation;
}

/** A request that goes out. */
export interface Send {
  readonly kind: 'send';
  readonly call: Call;
  readonly judged: Evaluation;
  /** The operation that was proposed, and its approval. Nobody had to approve where there is none. */
  readonly approved?: { readonly row: OperationRow; readonly asked: ApprovalRow };
  readonly ends?: Ending | undefined;
}

/** An earlier question that ends with this call, because its time is over or it was about another request. */
export interface Ending {
  readonly row: OperationRow;
  readonly asked: ApprovalRow;
  readonly how: 'lapse' | 'supersede';
}

/**
 * Decides a call by what is known of it, and changes nothing: an earlier call under the same reference or arguments answers for
 * it; otherwise rules, limits and approvals decide. `stale`: the answer of what should have been looked up before, where the
 * platform gave none.
 */
export async function decide(
  parts: EngineParts,
  tx: LedgerTransaction,
  tool: PlatformTool,
  args: Facts['args'],
  caller: Caller,
  stale?: Body,
): Promise<Verdict> {
  try {
    const facts = await gatherFacts(tool, args, viewOf(tx, caller, parts.settings), parts.settings, parts.ports);
    return await decideCall(parts, tx, callOf(tool, facts, caller), stale);
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refuse', refusal: error.refusal };
    throw error;
  }
}

async function decideCall(
  parts: EngineParts,
  tx: LedgerTransaction,
  call: Call,
  stale: Body | undefined,
): Promise<Verdict> {
  const { tool, facts, caller, now } = call;
  const stands = await findPriorOperation(tx, call);
  if (stands.kind === 'answers')
    return {
      kind: 'answer',
      call,
      body: stands.body,
      change: stands.overdue ? { row: stands.row, to: 'lost' } : undefined,
    };
  if (stands.kind === 'denied')
    return { kind: 'answer', call, body: stands.body, change: { row: stands.row, to: 'told' } };
  await demandNotFrozen(tx);
  demandClock(tool, parts.ports.skew());
  if (stands.kind === 'repeats') return { kind: 'repeat', call, row: stands.row, overdue: stands.overdue };

  const judged = await evaluate(parts, tx, tool, facts, caller);
  const { spend: outlay, policies: bounds } = judged;
  // Nobody approves, and no limit counts, on data that may be stale.
  const isHeld = bounds.length > 0 && (outlay.amount !== undefined || outlay.isUnknown === true);
  if (stale !== undefined && (isHeld || operationOf(tool).effect === 'money'))
    return { kind: 'answer', call, body: stale };
  await refuseWhileLocked(tx, judged.subject);
  await refuseWhileTermsChange(tx, call, judged);
  if (stands.kind !== 'asked') return { kind: needsPerson(judged) ? 'ask' : 'send', call, judged };

  const { row, asked, late } = stands;
  if (late || !coversSameRequest(asked, judged)) {
    const ends: Ending = { row, asked, how: late ? 'lapse' : 'supersede' };
    return { kind: needsPerson(judged) ? 'ask' : 'send', call, judged, ends };
  }
  return canMoveApproval(asked, 'consume', now)
    ? { kind: 'send', call, judged, approved: { row, asked } }
    : { kind: 'answer', call, judged, body: needsApproval(row, asked, parts.settings) };
}
