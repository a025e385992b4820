import { limits } from '../core/limits.ts';
import { approval as approvals, operation as operations } from '../core/own-machines.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import { IntegrityError } from './integrity-error.ts';

type OperationTrigger = Parameters<typeof operations.move>[1];
type ApprovalTrigger = Parameters<typeof approvals.move>[1];

/** What else the operation's machine looks at. */
interface Conditions {
  readonly needsApproval?: boolean;
  readonly repeatable?: boolean;
  readonly happened?: boolean;
}

/** The state after a trigger. A move that the table forbids throws IntegrityError: Purser never makes one. */
export function nextState(state: string, trigger: OperationTrigger, look: Conditions = {}): string {
  const entity = { state, needsApproval: false, repeatable: false, happened: false, ...look };
  const move = operations.move(entity, trigger);
  if (!move.ok) throw new IntegrityError(`An operation can't "${trigger}": ${move.because}`);
  return move.to;
}

/** Whether a trigger is possible now. */
export const canMoveOperation = (state: string, trigger: OperationTrigger, look: Conditions = {}): boolean =>
  operations.move({ state, needsApproval: false, repeatable: false, happened: false, ...look }, trigger).ok;

/** Whether an approval's trigger is possible now. */
export const canMoveApproval = (row: ApprovalRow, trigger: ApprovalTrigger, now: number): boolean =>
  approvals.move({ state: row.state, late: isLate(row, now) }, trigger).ok;

/** An approval as the clock has left it. */
export const settled = (row: ApprovalRow, now: number): ApprovalRow => ({
  ...row,
  state: approvals.settle({ state: row.state, late: isLate(row, now) }),
});

/** Moves an approval; throws IntegrityError where the table forbids it. */
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

/** Ends an approval whose time is over, and the operation that waited for it. */
export async function expire(tx: LedgerTransaction, row: OperationRow, asked: ApprovalRow, now: number): Promise<void> {
  await moveApproval(tx, asked, 'lapse', now);
  await tx.operations.update(row, { state: nextState(row.state, 'lapse'), updatedAt: now });
  await tx.audit.append({ operationId: row.id, event: 'lapsed', body: { approval: asked.id }, at: now });
}

/** Ends an approval that was asked for something else than what would be sent now, and the operation that waited for it. */
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

/** Sending that no answer has ended within the quiet period is an unknown outcome: it is listed, never forgotten. */
export async function markUnknown(tx: LedgerTransaction, row: OperationRow, now: number): Promise<OperationRow> {
  const lost = await tx.operations.update(row, { state: nextState(row.state, 'lose'), updatedAt: now });
  await tx.audit.append({
    operationId: row.id,
    event: 'unknown',
    body: { because: 'no answer was recorded' },
    at: now,
  });
  return lost;
}

/** Whether silence has lasted long enough to conclude anything from it. */
export const isOverdue = (row: OperationRow, now: number): boolean => row.quietUntil !== null && row.quietUntil <= now;

/** Whether so much of the quiet period has gone by since the intent that its request must not leave any more. */
export const isTooLate = (row: OperationRow, now: number): boolean =>
  row.startedAt === null || now - row.startedAt > limits.sendingSeconds * 1_000;

/** What sending changes in an operation's row. */
export const sending = (
  now: number,
  attempt: number,
  quietSeconds: number = limits.quietSeconds,
): Partial<OperationRow> => ({
  attempt,
  startedAt: now,
  quietUntil: now + quietSeconds * 1_000,
  updatedAt: now,
});

const isLate = (row: ApprovalRow, now: number): boolean => row.expiresAt <= now;

/** What the ends of an operation say: whether it took effect. */
const ends: { readonly [state: string]: 'succeed' | 'fail' | undefined } = {
  SUCCEEDED: 'succeed',
  RESOLVED: 'succeed',
  FAILED: 'fail',
  EXPIRED: 'fail',
};

/** Demands that an operation that has ended meanwhile has not ended in the opposite of what its answer says. */
export function demandConsistentEnd({ id, state }: OperationRow, answer: OperationTrigger): void {
  const end = ends[state];
  if (end === undefined || answer === 'lose' || answer === end) return;
  throw new IntegrityError(
    `The platform's answer is that it did "${answer}", while the ledger has it as ${state}.`,
    id,
  );
}
