import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerReads } from '../ledger/ledger-transaction.ts';
import type { OperationRow } from '../ledger/rows.ts';
import type { AnswerError } from './answer.ts';
import { tellingSecondsOf } from './lanes.ts';
import { kindMadeBy } from './next.ts';
import { canMoveOperation, isOverdue } from './operation-state.ts';
import { type Body, lostBy, quietSecondsLeft } from './render.ts';
import { sentRequest } from './sent-request.ts';
import type { EngineState } from './state.ts';
import { operationOf, type PlatformTool, type Tool, toolOfOperation } from './tool.ts';
import { viewOf } from './view.ts';

/** What a look asked for and was told. */
interface Look {
  readonly tool: Tool;
  readonly args: Facts['args'];
  readonly caller: Caller;
  readonly body: Body;
  /** The response of the platform, where it has what was asked for. */
  readonly response?: unknown;
}

/** An operation that may still take effect. */
interface Open {
  readonly row: OperationRow;
  readonly maker: PlatformTool;
}

/**
 * The answer to a look, and what the look can't prove (D-91): a call with the reference or handle that was asked for is in progress,
 * or its outcome is unknown, so it may still take effect.
 */
export async function withStillOpen(
  { parts, inFlight }: Pick<EngineState, 'parts' | 'inFlight'>,
  reads: LedgerReads,
  look: Look,
): Promise<Body> {
  const { body, caller } = look;
  const isMissing = body.error?.code === 'NOT_FOUND';
  const names = namesIn(look);
  if (names.length === 0 || (!isMissing && body.data?.total !== 0 && look.response === undefined)) return body;
  const open = (await reads.operations.underWay())
    .flatMap((row) => {
      const maker = toolOfOperation(parts.tools, row.name);
      return maker === undefined ? [] : [{ row, maker }];
    })
    .find((it) => isOneOf(it, names) && mayMake(it, look) && !isFound(it, look));
  if (open === undefined) return body;
  const now = parts.ports.clock.now();
  const isLost =
    !inFlight.has(open.row.id) && (!canMoveOperation(open.row.state, 'markUnknown') || isOverdue(open.row, now));
  // Another principal's operation is no handle for this caller.
  const isSeen = (await viewOf(reads, caller, parts.settings).operations.find(open.row.id)) !== undefined;
  const seen = isSeen
    ? { operation: open.row.id, next: [...new Set(['get_operation', ...body.next])] }
    : { next: body.next };
  return isMissing
    ? { ...{ outcome: 'unknown', said: notYet(isLost) }, ...seen, error: lookAgain(open, isLost, now) }
    : { ...body, said: `${body.said} But ${because(isLost)}`, ...seen };
}

const notYet = (isLost: boolean): string =>
  `The platform has no such thing yet. That proves nothing: ${because(isLost)}`;

const because = (isLost: boolean): string =>
  `a call for it ${isLost ? 'was sent, and its outcome is not known' : 'is in progress'}. It may still take effect, so do not start another one; look again later.`;

/** The look can be made again, whatever becomes of the call. */
const lookAgain = ({ row, maker }: Open, isLost: boolean, now: number): AnswerError =>
  isLost
    ? {
        ...{ code: 'OUTCOME_UNKNOWN', retry: 'after', wait: tellingSecondsOf(operationOf(maker)), rule: 'EN-06' },
        ...lostBy(maker),
      }
    : { code: 'IN_FLIGHT', retry: 'after', wait: quietSecondsLeft(row, now), rule: 'EN-07' };

/** What a look may have named a call by. What was found by its handle is no other thing than the one asked for. */
const namesIn = ({ tool, args, response }: Look): readonly unknown[] =>
  Object.entries(args)
    .filter(([name]) => response === undefined || tool.kind === 'local' || tool.input.args[name]?.kind === undefined)
    .flatMap(([, given]) => (typeof given === 'string' && given !== '' ? [given] : []));

/** Whether one of the names is the reference or the lock key of an operation. */
const isOneOf = ({ row: { reference, subject } }: Open, names: readonly unknown[]): boolean =>
  names.some((name) => name === reference || name === subject);

/** Whether an operation may make what a look is for, and not change or delete it. A tool of the ledger doesn't say what it lists. */
function mayMake({ maker }: Open, { tool }: Look): boolean {
  const sought = tool.kind === 'platform' ? tool.observe.looksAt?.kind : undefined;
  const made = kindMadeBy(maker);
  return made !== undefined && (sought === undefined || sought === made);
}

/** Whether a response is what an operation has made, so that it is known that it took effect; it may also be what was there before. */
function isFound({ row, maker }: Open, { tool, response, body }: Look): boolean {
  if (response === undefined || body.data?.total === 0) return false;
  const { readBack } = maker.reconcile;
  // Only the read-back of a creation tells its own thing from another one.
  if (kindMadeBy(maker) === undefined || tool.kind === 'local' || readBack?.asks !== tool.operation) return true;
  return typeof readBack.finds(response, sentRequest(row)) === 'object';
}
