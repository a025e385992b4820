import { limits } from '../contract/limits.ts';
import type { Facts } from '../guards/facts.ts';
import { canonicalJson, sha256 } from '../ledger/canonical.ts';
import type { ApprovalRow, Caller, Json, LedgerTransaction, OperationRow } from '../ledger/ledger.ts';
import { rulesHash } from './digest.ts';
import { canDecide, canMove, isOverdue, nextState } from './life.ts';
import { Refused } from './refuse.ts';
import { type Body, inFlight, replay, unknown } from './render.ts';
import { lookers } from './resolve.ts';
import { operationOf, type PlatformTool } from './tool.ts';

/** A call whose handles are resolved and that nothing has decided yet. */
export interface Call {
  readonly tool: PlatformTool;
  readonly facts: Facts;
  readonly caller: Caller;
  readonly now: number;
  /** Canonical JSON of the arguments, and its SHA-256. */
  readonly args: string;
  readonly argsDigest: string;
}

export function callOf(tool: PlatformTool, facts: Facts, caller: Caller): Call {
  const args = canonicalJson(facts.args as Json); // a tool's arguments are JSON by its schema
  return { tool, facts, caller, now: facts.now, args, argsDigest: sha256(args) };
}

/** What an earlier operation means for a call that is made, or made again. */
export type Standing =
  /** There is none, or it came to nothing. */
  | { readonly kind: 'none' }
  /** It answers for this call. `overdue`: it is written down as under way, and its silence has lasted too long. */
  | { readonly kind: 'answers'; readonly row: OperationRow; readonly overdue: boolean; readonly body: Body }
  /** Its outcome is unknown, and its class allows to send the very same request once more. */
  | { readonly kind: 'repeats'; readonly row: OperationRow; readonly overdue: boolean }
  /** A person was asked. `late`: and has let the time run out. */
  | { readonly kind: 'asked'; readonly row: OperationRow; readonly asked: ApprovalRow; readonly late: boolean };

/** Looks for what stands for a call already. Throws where its reference stands for another call; changes nothing. */
export async function standing(tx: LedgerTransaction, call: Call): Promise<Standing> {
  const { now } = call;
  const row = await earlierCall(tx, call);
  if (row === undefined) return { kind: 'none' };
  const overdue = canMove(row.state, 'lose') && isOverdue(row, now);
  const state = overdue ? nextState(row.state, 'lose') : row.state;
  const answers = (body: Body): Standing => ({ kind: 'answers', row, overdue, body });
  if (canMove(state, 'lose')) return answers(inFlight(row, now));
  // What was decided under rules that this build does not know is not sent by it: a replica that knows them may.
  const repeatable = operationOf(call.tool).recovery === 'repeat' && row.rulesHash === rulesHash;
  if (canMove(state, 'send', { repeatable }) && row.request !== null && row.attempt > 0)
    return { kind: 'repeats', row, overdue };
  if (canMove(state, 'resolve')) return answers(unknown(row.id, limits.quietSeconds));
  if (row.result !== null) return answers(replay(row, call.tool.moves && lookers[call.tool.moves.kind]));
  const asked = await tx.approvals.ofOperation(row.id);
  return asked === undefined ? { kind: 'none' } : { kind: 'asked', row, asked, late: canDecide(asked, 'lapse', now) };
}

/** The operation that already stands for this call, if there is one. Another call under its reference is a conflict. */
async function earlierCall(tx: LedgerTransaction, call: Call): Promise<OperationRow | undefined> {
  const { tool, facts, caller, argsDigest } = call;
  if (facts.reference === '') return tx.operations.openCall(tool.operation, argsDigest, caller.principal);
  const row = await tx.operations.byReference(tool.operation, facts.reference);
  if (row === undefined || (row.argsDigest === argsDigest && row.principal === caller.principal)) return row;
  throw new Refused({
    code: 'CONFLICT',
    rule: 'EN-03',
    field: 'reference',
    because: 'This reference already stands for a call with other arguments. Something else needs another reference.',
    retry: 'never',
    instead: ['get_operation'],
    operation: row.id,
  });
}

/** Refuses while another call is under way, or its outcome unknown, on the same thing. Changes nothing. */
export async function refuseWhileBusy(tx: LedgerTransaction, subject: string): Promise<void> {
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
