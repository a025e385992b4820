import { limits } from '../core/limits.ts';
import { approval as approvals, isEffective, operation as operations } from '../core/own-machines.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { ApprovalsIn, LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import { IntegrityError } from './integrity-error.ts';

type OperationTrigger = Parameters<typeof operations.move>[1];
type ApprovalTrigger = Parameters<typeof approvals.move>[1];

/** What the operation's machine inspects besides the state. */
interface Conditions {
  readonly needsApproval?: boolean;
  readonly repeatable?: boolean;
  readonly happened?: boolean;
}

/** Where a trigger leads an operation, or why it is refused. */
export const moveOperation = (state: string, trigger: OperationTrigger, look: Conditions = {}) =>
  operations.move({ state, needsApproval: false, repeatable: false, happened: false, ...look }, trigger);

/** The state after a trigger. Throws IntegrityError for a move that the table forbids: Purser never makes one. */
export function nextState(state: string, trigger: OperationTrigger, look: Conditions = {}): string {
  const move = moveOperation(state, trigger, look);
  if (!move.ok) throw new IntegrityError(`An operation can't "${trigger}": ${move.because}`);
  return move.to;
}

/** Whether a trigger is possible now. */
export const canMoveOperation = (state: string, trigger: OperationTrigger, look: Conditions = {}): boolean =>
  moveOperation(state, trigger, look).ok;

/** Whether an approval's trigger is possible now. */
export const canMoveApproval = (row: ApprovalRow, trigger: ApprovalTrigger, now: number): boolean =>
  approvals.move({ state: row.state, late: isLate(row, now) }, trigger).ok;

/** Whether a person has yet to decide. */
export const isUndecided = ({ state }: Pick<ApprovalRow, 'state'>): boolean =>
  approvals.startsOf('approve').includes(state);

/** An approval with the clock applied. */
export const settled = (row: ApprovalRow, now: number): ApprovalRow => ({
  ...row,
  state: approvals.settle({ state: row.state, late: isLate(row, now) }),
});

/** The approvals that are in this state once the clock is applied, by what is stored of them. */
export const storedAs = (state: string, now: number): readonly ApprovalsIn[] =>
  approvals.existing.flatMap((stored) => {
    const [isInTime, isLate] = [false, true].map((late) => approvals.settle({ state: stored, late }) === state);
    if (isInTime && isLate) return [{ state: stored }];
    if (isInTime) return [{ state: stored, expiryAbove: now }];
    return isLate ? [{ state: stored, expiryUpTo: now }] : [];
  });

/** The granted approvals that nothing has used, by what is stored of them. */
export const storedUnused = (now: number): readonly ApprovalsIn[] =>
  approvals.startsOf('consume').flatMap((state) => storedAs(state, now));

/** Moves an approval. Throws IntegrityError if the table forbids it. */
export function moveApproval(
  tx: LedgerTransaction,
  row: ApprovalRow,
  trigger: ApprovalTrigger,
  now: number,
  change: Partial<ApprovalRow> = {},
): Promise<ApprovalRow> {
  const move = approvals.move({ state: row.state, late: isLate(row, now) }, trigger);
  if (!move.ok) throw new IntegrityError(`An approval can't "${trigger}": ${move.because}`, row.operationId);
  return tx.approvals.update(row, { ...change, state: move.to });
}

/** Ends an expired approval, and the operation that waited for it. */
export async function expire(tx: LedgerTransaction, row: OperationRow, asked: ApprovalRow, now: number): Promise<void> {
  await moveApproval(tx, asked, 'expire', now);
  await tx.operations.update(row, { state: nextState(row.state, 'expire'), updatedAt: now });
  await tx.audit.append({ operationId: row.id, event: 'expired', body: { approval: asked.id }, at: now });
}

/** Ends an approval of a request that has changed, and the operation that waited for it. */
export async function supersede(
  tx: LedgerTransaction,
  row: OperationRow,
  asked: ApprovalRow,
  now: number,
): Promise<void> {
  await moveApproval(tx, asked, 'supersede', now);
  await tx.operations.update(row, { state: nextState(row.state, 'supersede'), updatedAt: now });
  await tx.audit.append({ operationId: row.id, event: 'superseded', body: { approval: asked.id }, at: now });
}

/** Ends the approval of a call that its agent withdraws, and the operation that waited for it. */
export async function withdraw(
  tx: LedgerTransaction,
  row: OperationRow,
  asked: ApprovalRow,
  by: Pick<Caller, 'principal'>,
  now: number,
): Promise<void> {
  await moveApproval(tx, asked, 'withdraw', now);
  await tx.operations.update(row, { state: nextState(row.state, 'withdraw'), updatedAt: now });
  const body = { approval: asked.id, principal: by.principal };
  await tx.audit.append({ operationId: row.id, event: 'withdrawn', body, at: now });
}

/** Marks an operation without a response in its quiet period as UNKNOWN, so it stays listed. */
export async function markUnknown(tx: LedgerTransaction, row: OperationRow, now: number): Promise<OperationRow> {
  const lost = await tx.operations.update(row, { state: nextState(row.state, 'markUnknown'), updatedAt: now });
  await tx.audit.append({
    operationId: row.id,
    event: 'unknown',
    body: { because: 'no answer was recorded' },
    at: now,
  });
  return lost;
}

/** Whether the quiet period is over. */
export const isOverdue = (row: Pick<OperationRow, 'quietUntil'>, now: number): boolean =>
  row.quietUntil !== null && row.quietUntil <= now;

/** Whether the request must no longer be sent, because too much of its quiet period has passed. */
export const isTooLate = (row: OperationRow, now: number): boolean =>
  row.startedAt === null || now - row.startedAt > limits.sendingSeconds * 1_000;

/** The changes of an operation's row when it is sent. */
export const sending = (
  now: number,
  attempt: number,
  quietSeconds: number,
): Pick<OperationRow, 'attempt' | 'startedAt' | 'quietUntil' | 'updatedAt'> => ({
  attempt,
  startedAt: now,
  quietUntil: now + quietSeconds * 1_000,
  updatedAt: now,
});

const isLate = (row: ApprovalRow, now: number): boolean => row.expiresAt <= now;

/** The states of an operation that was sent and whose outcome is not known yet. */
export const openStates = operations.startsOf('fail');

/** Whether the operation has ended, so that it takes no effect any more. */
export const isOver = ({ state }: Pick<OperationRow, 'state'>): boolean => operations.isOver(state);

/** Whether it is recorded that the operation took effect. */
export const hasTakenEffect = ({ state }: Pick<OperationRow, 'state'>): boolean => isEffective(state);

/** Whether the platform declined the operation or was never reached, a person denied it, or found that it didn't happen. */
export const hasFailed = ({ state }: Pick<OperationRow, 'state'>): boolean => operations.endsOf('fail').includes(state);

/** Whether a person has denied a call, or taken an approval back. */
export const isDenied = ({ state }: Pick<ApprovalRow, 'state'>): boolean => approvals.endsOf('deny').includes(state);

/** Throws if an operation has already ended with the opposite of what its response says. */
export function demandConsistentEnd(row: OperationRow, answer: OperationTrigger): void {
  if (!isOver(row) || answer === 'markUnknown' || answer === (hasTakenEffect(row) ? 'succeed' : 'fail')) return;
  throw new IntegrityError(`The platform's response is "${answer}", but the ledger has ${row.state}.`, row.id);
}
