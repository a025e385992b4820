import { CorruptRow } from '../ledger/errors.ts';
import type { LedgerTransaction, Page, Paged } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import { switchedOff } from './approval-channels.ts';
import { denial } from './denial.ts';
import { orFreeze } from './freeze.ts';
import { canMoveApproval, expire, moveApproval, nextState, settled, storedAs } from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import type { DecisionResult, NotDecided, Person } from './person.ts';
import { recordDenial } from './record-denial.ts';
import { answerOf } from './render.ts';
import { retryOnConflict } from './retry.ts';

/** The approval as it is once it was decided. */
export interface DecidedApproval {
  readonly approval: ApprovalRow;
}

/** Decides an approval, once, before it expires, through a channel that counts. */
export function recordDecision(
  parts: EngineParts,
  id: string,
  verdict: 'approve' | 'deny',
  by: Person,
): Promise<DecisionResult<DecidedApproval>> {
  const { channels } = parts.settings;
  if (!channels.includes(by.channel))
    return Promise.resolve({ ok: false, because: switchedOff(by.channel, channels), isOff: true });
  const now = parts.ports.clock.now();
  return decideOrHalt(parts, by, () =>
    parts.ledger.transaction(by.tenant, (tx) => decideAsked(parts, tx, id, verdict, by, now)),
  );
}

/** Decides an approval within a transaction, whatever the channel. */
export async function decideAsked(
  parts: EngineParts,
  tx: LedgerTransaction,
  id: string,
  verdict: 'approve' | 'deny',
  by: Omit<Person, 'tenant'>,
  now: number,
): Promise<DecisionResult<DecidedApproval>> {
  const asked = await tx.approvals.find(id);
  const row = asked && (await tx.operations.find(asked.operationId));
  if (asked === undefined || row === undefined)
    return { ok: false, because: 'There is no approval with this id.', missing: true };
  if (canMoveApproval(asked, 'expire', now)) {
    await expire(tx, row, asked, now);
    return { ok: false, because: 'The approval has expired. The same call asks for a new one.' };
  }
  // Only a waiting approval can be approved; a given one can still be denied.
  if (!canMoveApproval(asked, verdict, now)) return { ok: false, because: `It is already ${asked.state}.` };
  const mark = { approver: by.approver, channel: by.channel, decidedAt: now };
  const decided = await moveApproval(tx, asked, verdict, now, mark);
  const denied = verdict === 'deny' ? await recordDenial(parts, tx, row) : undefined;
  const told = verdict === 'deny' && by.isAwaited ? { result: answerOf(denied ?? denial(row.id)) } : {};
  await tx.operations.update(row, { state: nextState(row.state, verdict), ...told, updatedAt: now });
  await tx.audit.append({
    operationId: row.id,
    event: verdict === 'approve' ? 'approved' : 'denied',
    body: { approval: id, approver: by.approver, channel: by.channel, digest: asked.digest },
    at: now,
  });
  return {
    ok: true,
    operation: row.id,
    state: decided.state,
    text: asked.text,
    approval: decided,
    ...(denied && { denied }),
  };
}

export const decideOrHalt = async <More>(
  parts: EngineParts,
  by: Person,
  work: () => Promise<DecisionResult<More>>,
): Promise<DecisionResult<More>> => {
  try {
    return (await orFreeze(parts, by.tenant, () => retryOnConflict(work))) ?? contradictory;
  } catch (error) {
    if (error instanceof CorruptRow) return damaged;
    throw error;
  }
};

const damaged: NotDecided = {
  ok: false,
  because: 'A row of the ledger that this depends on is corrupt, so nothing was decided. Run: purser doctor.',
};

const contradictory: NotDecided = {
  ok: false,
  because:
    'The ledger contradicts itself here, so Purser sends nothing until this is investigated. Run: purser audit show.',
};

/** The approvals of a tenant, or those in one state, newest first, with the clock applied. */
export async function listApprovals(
  parts: EngineParts,
  tenant: string,
  page: Page,
  state?: string,
): Promise<Paged<ApprovalRow>> {
  const now = parts.ports.clock.now();
  const states = state === undefined ? undefined : storedAs(state, now);
  const listed = await parts.ledger.transaction(tenant, (tx) => tx.approvals.list({ states }, page));
  return { ...listed, rows: listed.rows.map((row) => settled(row, now)) };
}

/** An approval with the clock applied: it reads EXPIRED after its time, even if that is not stored yet. */
export const findApproval = (parts: EngineParts, tenant: string, id: string): Promise<ApprovalRow | undefined> =>
  parts.ledger.transaction(tenant, async (tx) => {
    const asked = await tx.approvals.find(id);
    return asked && settled(asked, parts.ports.clock.now());
  });

/** An operation, and what a person was asked about it, with the clock applied. */
export const findOperation = (
  parts: EngineParts,
  tenant: string,
  id: string,
): Promise<{ readonly row: OperationRow; readonly asked: ApprovalRow | undefined } | undefined> =>
  parts.ledger.transaction(tenant, async (tx) => {
    const row = await tx.operations.find(id);
    const asked = row && (await tx.approvals.ofOperation(id));
    return row && { row, asked: asked && settled(asked, parts.ports.clock.now()) };
  });

/** The operations of a tenant, newest first. */
export const listOperations = (parts: EngineParts, tenant: string, page: Page, states?: readonly string[]) =>
  parts.ledger.transaction(tenant, (tx) => tx.operations.list({ states }, page));
