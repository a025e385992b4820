import { canonicalJson, sha256 } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import type { Effect } from '../core/operation.ts';
import { jsonOf } from '../core/secret-leaves.ts';
import type { Facts } from '../domains/facts.ts';
import { contract } from '../domains/index.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import type { AnswerError } from './answer.ts';
import { modelFields } from './approval-scope.ts';
import { assemble } from './assemble.ts';
import { rulesHash } from './digest.ts';
import { referenceArgument } from './field-source.ts';
import { tellingSecondsOf } from './lanes.ts';
import { madeBefore, withoutReference } from './made-before.ts';
import { deniedSince, essenceDigest, mayHaveNearDuplicate, similarSince } from './near-duplicate.ts';
import { lookerOf } from './next.ts';
import { canMoveApproval, canMoveOperation, isOverdue, nextState } from './operation-state.ts';
import { laterDenial } from './record-denial.ts';
import { type Refusal, Refused } from './refusal.ts';
import { type Body, inFlight, lostBy, quietSecondsLeft, unknown } from './render.ts';
import type { Request } from './request.ts';
import { isSameCall } from './same-call.ts';
import { sentRequest } from './sent-request.ts';
import { operationOf, type PlatformTool } from './tool.ts';

/** A call with resolved handles, before its decision. */
export interface Call {
  readonly tool: PlatformTool;
  readonly facts: Facts;
  readonly caller: Caller;
  readonly now: number;
  /** Canonical JSON of the arguments without secrets, and its SHA-256. A secret identifies no call. */
  readonly args: string;
  readonly argsDigest: string;
  /** What it has in common with near-duplicates. */
  readonly essenceDigest: string;
  /** The operations that this process itself still waits for. Nothing is concluded about them, however far the clock has jumped. */
  readonly awaited: ReadonlySet<string>;
}

export function callOf(tool: PlatformTool, facts: Facts, caller: Caller, awaited: ReadonlySet<string>): Call {
  const args = canonicalJson(jsonOf(facts.args));
  const essence = essenceDigest(tool, facts);
  return { tool, facts, caller, now: facts.now, args, argsDigest: sha256(args), essenceDigest: essence, awaited };
}

/** What an earlier operation means for a call or its repeat. */
export type PriorOperation =
  /** There is none, or it had no effect. */
  | { readonly kind: 'none' }
  /** It answers this call. `overdue`: its row says SENDING, but its quiet period is over. */
  | { readonly kind: 'answers'; readonly row: OperationRow; readonly overdue: boolean; readonly body: Body }
  /** A person has denied it, and the agent doesn't know yet. */
  | { readonly kind: 'denied'; readonly row: OperationRow; readonly body: Body }
  /**
   * Its outcome is unknown, and its recovery class allows sending the same request again. `harm`: but this one could undo
   * what somebody else has changed since.
   */
  | {
      readonly kind: 'repeats';
      readonly row: OperationRow;
      readonly overdue: boolean;
      readonly harm: Harm | undefined;
    }
  /** A person was asked. `late`: and the approval has expired. */
  | { readonly kind: 'asked'; readonly row: OperationRow; readonly asked: ApprovalRow; readonly late: boolean };

/** What no other call may be changing. */
const subjectsOf = ({ policy }: PlatformTool, facts: Facts): readonly string[] =>
  [policy.lockKey, policy.dependsOn, policy.restsOn].flatMap((of) => of?.(facts) || []);

/** Prefetches, in one statement, every earlier operation that may matter for a call. */
export function loadPriorOperations(
  tx: LedgerTransaction,
  { tool, facts, caller, argsDigest, essenceDigest: essence }: Call,
): Promise<void> {
  const names = facts.reference === '' ? [] : [tool.operation, ...alikeOf(tool)];
  const { approval } = tool.policy;
  return tx.operations.load({
    name: tool.operation,
    argsDigest,
    principal: caller.principal,
    references: names.map((name) => ({ name, reference: facts.reference })),
    subjects: subjectsOf(tool, facts),
    ...(mayHaveNearDuplicate(tool, facts.reference)
      ? { alike: { essenceDigest: essence, since: similarSince(facts.now) } }
      : {}),
    // Where a mandate may stand in for a person.
    ...(approval === undefined || approval.noMandate === true
      ? {}
      : { deniedAlike: { essenceDigest: essence, since: deniedSince(facts.now) } }),
    isAllUnderWay: tool.policy.invalidates === true,
  });
}

/**
 * Finds the earlier operation of a call. Throws if its reference belongs to another call; changes nothing. `isBlind`: what
 * the call is about couldn't be read.
 */
export async function findPriorOperation(tx: LedgerTransaction, call: Call, isBlind: boolean): Promise<PriorOperation> {
  const { now, awaited } = call;
  const row = await earlierCall(tx, call);
  if (row === undefined) {
    const no = await tx.operations.deniedCall(call.tool.operation, call.argsDigest, call.caller.principal);
    return no === undefined
      ? { kind: 'none' }
      : { kind: 'denied', row: no, body: laterDenial(no.id, call.tool, call.facts) };
  }
  // Another process may have taken it for lost.
  const isAwaited = awaited.has(row.id) && canMoveOperation(row.state, 'succeed');
  const overdue = canMoveOperation(row.state, 'markUnknown') && isOverdue(row, now) && !isAwaited;
  const state = overdue ? nextState(row.state, 'markUnknown') : row.state;
  const answers = (body: Body): PriorOperation => ({ kind: 'answers', row, overdue, body });
  if (isAwaited || canMoveOperation(state, 'markUnknown')) return answers(inFlight(row, now));
  // A request decided under other rules is not sent again by this build; a replica with those rules may do it.
  const isKind = operationOf(call.tool).recovery === 'repeat' && row.rulesHash === rulesHash;
  const isStale = isKind && isTooOld(call.tool, row, now);
  const repeatable = isKind && !isStale;
  if (canMoveOperation(state, 'send', { repeatable }) && row.request !== null)
    return { kind: 'repeats', row, overdue, harm: harmOf(call, row, isBlind) };
  if (canMoveOperation(state, 'resolve')) {
    const body = unknown(row.id, tellingSecondsOf(operationOf(call.tool)), lostBy(call.tool));
    return answers(isStale ? { ...body, said: tooOldToRepeat } : body);
  }
  if (row.result !== null) return answers(await madeBefore(tx, call, row));
  const asked = await tx.approvals.ofOperation(row.id);
  return asked === undefined
    ? { kind: 'none' }
    : { kind: 'asked', row, asked, late: canMoveApproval(asked, 'expire', now) };
}

/** Why a request is not sent again: what the agent is told, and whether the same call may help later. */
export type Harm = { readonly said: string } & Pick<AnswerError, 'retry'>;

/** What a repeat could undo; undefined where it does no harm, because the request copies nothing that stands there. */
function harmOf(call: Call, row: OperationRow, isBlind: boolean): Harm | undefined {
  const { tool, facts } = call;
  const copied = Object.entries(tool.input.carryOver?.(facts) ?? {}).filter(([, value]) => value !== undefined);
  if (copied.length === 0) return undefined;
  if (isBlind) return perhapsChanged;
  return isSameRequest(call, row) ? undefined : changedSince;
}

/**
 * Whether the call would say the same now. Of one that copies what stands there, a repeat undoes what somebody else has changed
 * since. What the shopper's session adds counts for nothing: it is another with each visit.
 */
function isSameRequest({ tool, facts }: Call, row: OperationRow): boolean {
  const sent = sentRequest(row);
  const now = assemble(tool, { ...facts, new: row.request?.new as Facts['new'] }); // stored by `storedRequest`
  const said = (request: Request) => canonicalJson(jsonOf(modelFields(tool, request)));
  return said(now) === said(sent);
}

/**
 * Whether a request was decided so long ago that it may overwrite what somebody else has changed since. What a person approved, and
 * money that was allowed, were so for what was known then.
 */
const isTooOld = (tool: PlatformTool, { createdAt }: OperationRow, now: number): boolean =>
  (tool.policy.approval !== undefined || operationOf(tool).effect === 'money') &&
  now - createdAt > limits.repeatMinutes * 60_000;

const tooOldToRepeat =
  'It was sent, and its outcome is unknown. It is too late to send it again, because somebody else may have changed the same thing since. Check its current state; an operator must record the outcome.';

const perhapsChanged: Harm = {
  said: 'It was sent, and its outcome is unknown. It was not sent again, because the platform could not be asked whether somebody has changed the same thing since. Make the same call again later.',
  retry: 'after',
};

const changedSince: Harm = {
  said: 'It was sent, and its outcome is unknown. The same thing has been changed since, and sending it again would undo that. Check its current state; an operator must record the outcome.',
  retry: 'never',
};

/**
 * The operation with this call's reference or arguments, if there is one. Another call with its reference is a
 * conflict.
 */
async function earlierCall(tx: LedgerTransaction, call: Call): Promise<OperationRow | undefined> {
  const { tool, facts, caller, argsDigest } = call;
  if (facts.reference === '') return tx.operations.openCall(tool.operation, argsDigest, caller.principal);
  const row = await tx.operations.byReference(tool.operation, facts.reference);
  const taken = (await otherCall(tx, call)) ?? row;
  const isSame = row?.principal === caller.principal && (row.argsDigest === argsDigest || wasSentAs(row, call));
  if (taken === undefined || (taken === row && isSame)) return row;
  const waits = taken.principal === caller.principal && canMoveOperation(taken.state, 'expire');
  throw new Refused({ ...taking(call, waits), code: 'CONFLICT', rule: 'EN-03', operation: taken.id });
}

/** Whether a call was sent that is this one in other words. One that waits for a person is approved word by word. */
const wasSentAs = ({ attempt, args, reference }: OperationRow, { tool, facts }: Call): boolean =>
  attempt > 0 && isSameCall(tool, reference, JSON.parse(args) as Facts['args'], facts.args);

/** What a conflict says: which argument needs another value, until when it is taken, or that such a call is made once. */
function taking(call: Call, waits: boolean): Pick<Refusal, 'field' | 'because' | 'retry' | 'instead'> {
  const { tool } = call;
  const argument = referenceArgument(tool);
  const looker = lookerOf(tool);
  if (argument === undefined && looker !== undefined)
    return {
      because:
        'This was already requested with other arguments, and it can be done only once. See what became of that call.',
      retry: 'never',
      instead: ['get_operation', looker],
    };
  const field = argument ?? 'reference';
  const without = withoutReference(call);
  if (waits)
    return {
      field,
      because: `${without}A call with this ${field} and other arguments waits for a person. The ${field} is free again once that call is withdrawn, denied or expires.`,
      instead: ['list_approvals', 'withdraw_operation'],
    };
  return {
    field,
    because:
      without === ''
        ? (tool.input.conflict ??
          `This ${field} already belongs to another call. Use a new ${field} for a different call.`)
        : `${without}That call was made with other arguments.`,
    instead: ['get_operation'],
  };
}

/** The call of another tool that creates the same kind of thing under this call's reference. */
async function otherCall(tx: LedgerTransaction, { tool, facts, now }: Call): Promise<OperationRow | undefined> {
  for (const name of alikeOf(tool)) {
    const row = await tx.operations.byReference(name, facts.reference);
    const asked = row && (await tx.approvals.ofOperation(row.id));
    if (row !== undefined && !(asked && canMoveApproval(asked, 'expire', now))) return row;
  }
  return undefined;
}

/** What is known of tools already: looking through the whole contract took more than reading the ledger. */
const alike = new WeakMap<PlatformTool, readonly string[]>();

/** The other operations that create the same kind of thing. */
function alikeOf(tool: PlatformTool): readonly string[] {
  const known = alike.get(tool) ?? findAlike(tool);
  alike.set(tool, known);
  return known;
}

function findAlike(tool: PlatformTool): readonly string[] {
  const { moves } = operationOf(tool);
  return Object.entries(contract).flatMap(([name, it]) =>
    name !== tool.operation &&
    moves !== undefined &&
    it.moves?.machine === moves.machine &&
    it.moves.trigger === moves.trigger
      ? [name]
      : [],
  );
}

/**
 * Refuses a call while the terms it depends on may change, or while another call depends on terms it would change: a
 * person's approval would be for outdated terms. Changes nothing.
 */
export async function refuseWhileTermsChange(
  tx: LedgerTransaction,
  { tool, now, awaited }: Call,
  { subject, dependsOn }: { readonly subject: string; readonly dependsOn: string },
): Promise<void> {
  const below = dependsOn === '' ? undefined : await tx.operations.openOn(dependsOn);
  const changing = below !== undefined && isMoney(below) ? [below] : [];
  const open = tool.policy.invalidates ? await tx.operations.underWay() : [];
  const other = [...changing, ...open.filter(({ request }) => request?.dependsOn === subject)].find(
    (row) => awaited.has(row.id) || !isOverdue(row, now),
  );
  if (other === undefined) return;
  throw new Refused({
    code: 'IN_FLIGHT',
    rule: 'EN-07',
    because: 'Another call is in progress, and one of the two depends on what the other changes.',
    retry: 'after',
    wait: quietSecondsLeft(other, now),
    instead: ['get_operation'],
    operation: other.id,
  });
}

/** Whether a call moves money. A row may belong to an operation that this build doesn't know. */
const isMoney = ({ name }: OperationRow): boolean =>
  (contract as Readonly<Record<string, { readonly effect: Effect } | undefined>>)[name]?.effect === 'money';

/**
 * Refuses a call while another one for its subject is in progress or has an unknown outcome. Changes nothing.
 */
export async function refuseWhileLocked(
  { operations }: { readonly operations: Pick<LedgerTransaction['operations'], 'openOn'> },
  { tool, now, awaited }: { readonly tool?: PlatformTool } & Pick<Call, 'now' | 'awaited'>,
  subject: string,
  what = 'the same thing',
): Promise<void> {
  const busy = subject === '' ? undefined : await operations.openOn(subject);
  if (busy === undefined) return;
  const isLost = !canMoveOperation(busy.state, 'markUnknown') || isOverdue(busy, now);
  const lost = isLost && !awaited.has(busy.id);
  throw new Refused({
    code: lost ? 'OUTCOME_UNKNOWN' : 'IN_FLIGHT',
    rule: lost ? (tool?.reconcile.lostRule ?? 'EN-06') : 'EN-07',
    because: lost
      ? `An earlier call for ${what} has an unknown outcome. Nothing else is sent for it until that is resolved.`
      : `Another call for ${what} is in progress.`,
    retry: lost ? 'never' : 'after',
    ...(lost ? {} : { wait: quietSecondsLeft(busy, now) }),
    instead: ['get_operation'],
    operation: busy.id,
  });
}
