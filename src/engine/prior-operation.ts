import type { Json } from '../core/canonical-json.ts';
import { canonicalJson, sha256 } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import type { Effect } from '../core/operation.ts';
import type { Facts } from '../domains/facts.ts';
import { contract, kindTable } from '../domains/index.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import { rulesHash } from './digest.ts';
import { canMoveApproval, canMoveOperation, isOverdue, nextState } from './operation-state.ts';
import { Refused } from './refusal.ts';
import { type Body, denial, inFlight, replay, unknown } from './render.ts';
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
export type PriorOperation =
  /** There is none, or it came to nothing. */
  | { readonly kind: 'none' }
  /** It answers for this call. `overdue`: it is written down as under way, and its silence has lasted too long. */
  | { readonly kind: 'answers'; readonly row: OperationRow; readonly overdue: boolean; readonly body: Body }
  /** A person has denied it, and the agent was not told yet. */
  | { readonly kind: 'denied'; readonly row: OperationRow; readonly body: Body }
  /** Its outcome is unknown, and its class allows to send the very same request once more. */
  | { readonly kind: 'repeats'; readonly row: OperationRow; readonly overdue: boolean }
  /** A person was asked. `late`: and has let the time run out. */
  | { readonly kind: 'asked'; readonly row: OperationRow; readonly asked: ApprovalRow; readonly late: boolean };

/** Looks for what stands for a call already. Throws where its reference stands for another call; changes nothing. */
export async function findPriorOperation(tx: LedgerTransaction, call: Call): Promise<PriorOperation> {
  const { now } = call;
  const row = await earlierCall(tx, call);
  if (row === undefined) {
    const no = await tx.operations.deniedCall(call.tool.operation, call.argsDigest, call.caller.principal);
    return no === undefined ? { kind: 'none' } : { kind: 'denied', row: no, body: denial(no.id) };
  }
  const overdue = canMoveOperation(row.state, 'lose') && isOverdue(row, now);
  const state = overdue ? nextState(row.state, 'lose') : row.state;
  const answers = (body: Body): PriorOperation => ({ kind: 'answers', row, overdue, body });
  if (canMoveOperation(state, 'lose')) return answers(inFlight(row, now));
  // What was decided under rules that this build does not know is not sent by it: a replica that knows them may.
  const repeatable = operationOf(call.tool).recovery === 'repeat' && row.rulesHash === rulesHash;
  if (canMoveOperation(state, 'send', { repeatable }) && row.request !== null && row.attempt > 0)
    return { kind: 'repeats', row, overdue };
  if (canMoveOperation(state, 'resolve')) return answers(unknown(row.id, limits.quietSeconds));
  if (row.result !== null)
    return answers(replay(row, call.tool.observe.moves && kindTable[call.tool.observe.moves.kind].shownBy));
  const asked = await tx.approvals.ofOperation(row.id);
  return asked === undefined
    ? { kind: 'none' }
    : { kind: 'asked', row, asked, late: canMoveApproval(asked, 'lapse', now) };
}

/** The operation that already stands for this call, if there is one. Another call under its reference is a conflict. */
async function earlierCall(tx: LedgerTransaction, call: Call): Promise<OperationRow | undefined> {
  const { tool, facts, caller, argsDigest } = call;
  if (facts.reference === '') return tx.operations.openCall(tool.operation, argsDigest, caller.principal);
  const row = await tx.operations.byReference(tool.operation, facts.reference);
  const taken = (await otherCall(tx, call)) ?? row;
  const isSame = row?.argsDigest === argsDigest && row.principal === caller.principal;
  if (taken === undefined || (taken === row && isSame)) return row;
  throw new Refused({
    code: 'CONFLICT',
    rule: 'EN-03',
    field: 'reference',
    because: 'This reference already belongs to another call. Something else needs another reference.',
    instead: ['get_operation'],
    operation: taken.id,
  });
}

/** The call of another tool that makes the same kind of thing under the reference of this one. */
async function otherCall(tx: LedgerTransaction, { tool, facts, now }: Call): Promise<OperationRow | undefined> {
  const { moves } = operationOf(tool);
  const alike = Object.entries(contract).filter(
    ([name, it]) =>
      name !== tool.operation && it.moves?.machine === moves?.machine && it.moves?.trigger === moves?.trigger,
  );
  for (const [name] of moves === undefined ? [] : alike) {
    const row = await tx.operations.byReference(name, facts.reference);
    const asked = row && (await tx.approvals.ofOperation(row.id));
    if (row !== undefined && !(asked && canMoveApproval(asked, 'lapse', now))) return row;
  }
  return undefined;
}

/**
 * Refuses while the terms that a call rests on may still change, or a call may still arrive that rests on terms which this one
 * would change: a person would have said yes to other terms than those that hold then. Changes nothing.
 */
export async function refuseWhileTermsChange(
  tx: LedgerTransaction,
  { tool, now }: Call,
  { subject, restsOn }: { readonly subject: string; readonly restsOn: string },
): Promise<void> {
  const below = restsOn === '' ? undefined : await tx.operations.openOn(restsOn);
  const changing = below !== undefined && isMoney(below) ? [below] : [];
  const open = tool.policy.invalidates
    ? (await tx.operations.list({ states: ['SENDING', 'UNKNOWN'] }, { limit: 1_000 })).rows
    : [];
  const other = [...changing, ...open.filter(({ request }) => request?.restsOn === subject)].find(
    (row) => !isOverdue(row, now),
  );
  if (other === undefined) return;
  throw new Refused({
    code: 'IN_FLIGHT',
    rule: 'EN-07',
    because: 'Another call is under way, and one of the two rests on what the other changes.',
    retry: 'after',
    wait: limits.quietSeconds,
    instead: ['get_operation'],
    operation: other.id,
  });
}

/** Whether a call changes what is charged. A row may be of an operation that another build knows. */
const isMoney = ({ name }: OperationRow): boolean =>
  (contract as Readonly<Record<string, { readonly effect: Effect } | undefined>>)[name]?.effect === 'money';

/** Refuses while another call is under way, or its outcome unknown, on the same thing. Changes nothing. */
export async function refuseWhileLocked(tx: LedgerTransaction, subject: string): Promise<void> {
  const busy = subject === '' ? undefined : await tx.operations.openOn(subject);
  if (busy === undefined) return;
  const lost = !canMoveOperation(busy.state, 'lose');
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
