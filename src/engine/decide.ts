import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import { isCounted } from './approval-channels.ts';
import { demandClock } from './clock-skew.ts';
import { coversSameRequest, type Evaluation, evaluate, needsPerson } from './evaluate.ts';
import { demandNotFrozen } from './freeze.ts';
import { gatherFacts } from './gather-facts.ts';
import { canMoveApproval } from './operation-state.ts';
import { ownTextHandles, stringsIn } from './own-texts.ts';
import type { EngineParts } from './parts.ts';
import {
  type Call,
  callOf,
  findPriorOperation,
  type Harm,
  loadPriorOperations,
  refuseWhileLocked,
  refuseWhileTermsChange,
} from './prior-operation.ts';
import { type Refusal, Refused } from './refusal.ts';
import { type Body, needsApproval } from './render.ts';
import { handlesOf } from './resolve.ts';
import type { EngineState } from './state.ts';
import { markOf } from './taint.ts';
import { operationOf, type PlatformTool } from './tool.ts';
import { seenBy, viewOf } from './view.ts';

/** The decision about a call that changes something. `begin` executes it, and `preview` prints it. */
export type Verdict =
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  | Answer
  | { readonly kind: 'ask'; readonly call: Call; readonly judged: Evaluation; readonly ends?: Ending | undefined }
  | Send
  /** A request of unknown outcome that is sent again unchanged, unless that could do harm. `overdue`: its row still says SENDING. */
  | {
      readonly kind: 'repeat';
      readonly call: Call;
      readonly row: OperationRow;
      readonly overdue: boolean;
      /** What it could undo. Then it is not sent, and its outcome stays unknown. */
      readonly harm: Harm | undefined;
    };

/** A known answer: of an earlier operation, or of a question that is still waiting. */
export interface Answer {
  readonly kind: 'answer';
  readonly call: Call;
  readonly body: Body;
  /** The earlier operation, and what to record: that its outcome is unknown, or that the agent heard of a denial. */
  readonly change?: { readonly row: OperationRow; readonly to: 'lost' | 'told' } | undefined;
  /** The request that a person was asked about, if one was. */
  readonly judged?: Evaluation;
}

/** A request to send. */
export interface Send {
  readonly kind: 'send';
  readonly call: Call;
  readonly judged: Evaluation;
  /** The proposed operation and its approval; absent if no approval was needed. */
  readonly approved?: { readonly row: OperationRow; readonly asked: ApprovalRow };
  readonly ends?: Ending | undefined;
}

/** An earlier question that this call ends, because it has expired or was about another request. */
export interface Ending {
  readonly row: OperationRow;
  readonly asked: ApprovalRow;
  readonly how: 'expire' | 'supersede';
}

/**
 * Decides a call from the facts, and changes nothing: an earlier call with the same reference or arguments answers it;
 * otherwise rules, limits and approvals decide. `stale`: the answer if a refresh failed.
 */
export async function decide(
  { parts, inFlight }: Pick<EngineState, 'parts' | 'inFlight'>,
  tx: LedgerTransaction,
  tool: PlatformTool,
  args: Facts['args'],
  caller: Caller,
  stale?: Body,
): Promise<Verdict> {
  try {
    await tx.observations.load(firstReads(tool, args, caller));
    const facts = await gatherFacts(tool, args, viewOf(tx, caller, parts.settings), parts.settings, parts.ports);
    return await decideCall(parts, tx, callOf(tool, facts, caller, inFlight), stale);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { kind: 'refuse', refusal: await seenBy(viewOf(tx, caller, parts.settings), error.refusal) };
  }
}

/** The handles that a decision begins with: what the call names, and whether the conversation, and the call's texts, are the merchant's own. */
export const firstReads = (tool: PlatformTool, args: Facts['args'], caller: Caller): readonly string[] => [
  ...handlesOf(tool, args).map(({ handle }) => handle),
  markOf(caller),
  ...ownTextHandles(stringsIn(args)),
];

async function decideCall(
  parts: EngineParts,
  tx: LedgerTransaction,
  call: Call,
  stale: Body | undefined,
): Promise<Verdict> {
  const { tool, facts, caller, now } = call;
  await loadPriorOperations(tx, call);
  const stands = await findPriorOperation(tx, call, stale !== undefined);
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
  if (stands.kind === 'repeats') return { ...stands, kind: 'repeat', call };

  const judged = await evaluate(parts, tx, tool, facts, caller);
  const { spend, policies: bounds } = judged;
  // Neither a person nor a limit decides on data that may be stale, and an earlier approval was of what stood there then.
  const isHeld = bounds.length > 0 && spend.amount !== undefined;
  const asksPeople = tool.policy.approval !== undefined || needsPerson(judged);
  if (stale !== undefined && (isHeld || asksPeople || operationOf(tool).effect === 'money'))
    return { kind: 'answer', call, body: stale };
  await refuseWhileLocked(tx, call, judged.subject);
  await refuseWhileLocked(tx, call, judged.restsOn, 'what this call depends on');
  await refuseWhileTermsChange(tx, call, judged);
  if (stands.kind !== 'asked') return { kind: needsPerson(judged) ? 'ask' : 'send', call, judged };

  const { row, asked, late } = stands;
  // A process with another configuration may have recorded the decision. It counts only by a channel that is allowed here.
  if (late || !isCounted(asked.channel, parts.settings.channels) || !coversSameRequest(asked, judged)) {
    const ends: Ending = { row, asked, how: late ? 'expire' : 'supersede' };
    return { kind: needsPerson(judged) ? 'ask' : 'send', call, judged, ends };
  }
  return canMoveApproval(asked, 'consume', now)
    ? { kind: 'send', call, judged, approved: { row, asked } }
    : { kind: 'answer', call, judged, body: needsApproval(row, asked, parts.settings) };
}
