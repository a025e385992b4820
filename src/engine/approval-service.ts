import type { JsonObject } from '../core/canonical-json.ts';
import { CorruptRow } from '../ledger/errors.ts';
import type { LedgerTransaction, Page, Paged } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import { holdsCardData } from '../screening/card-data.ts';
import { switchedOff } from './approval-channels.ts';
import { modelFields } from './approval-scope.ts';
import { orFreeze, secretNote } from './freeze.ts';
import {
  canMoveApproval,
  canMoveOperation,
  expire,
  isOverdue,
  moveApproval,
  nextState,
  settled,
} from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import type { DecisionResult, Person } from './person.ts';
import { answerOf, denial, iso } from './render.ts';
import type { Request } from './request.ts';
import { retryOnConflict } from './retry.ts';
import type { PlatformTool } from './tool.ts';

/** Decides an approval, once and in time, by a channel that counts. */
export function recordDecision(
  parts: EngineParts,
  id: string,
  verdict: 'approve' | 'deny',
  by: Person,
): Promise<DecisionResult> {
  const { channels } = parts.settings;
  if (!channels.includes(by.channel))
    return Promise.resolve({ ok: false, because: switchedOff(by.channel, channels), isOff: true });
  const now = parts.ports.clock.now();
  return decideOrHalt(parts, by, () =>
    parts.ledger.transaction(by.tenant, async (tx) => {
      const asked = await tx.approvals.find(id);
      const row = asked && (await tx.operations.find(asked.operationId));
      if (asked === undefined || row === undefined)
        return { ok: false, because: 'There is no approval with this id.', missing: true };
      if (canMoveApproval(asked, 'lapse', now)) {
        await expire(tx, row, asked, now);
        return { ok: false, because: 'Its time is over. Have the agent make the call again.' };
      }
      if (!canMoveApproval(asked, verdict, now)) return { ok: false, because: `It is ${asked.state} already.` };
      const mark = { approver: by.approver, channel: by.channel, decidedAt: now };
      const decided = await moveApproval(tx, asked, verdict, now, mark);
      const told = verdict === 'deny' && by.isAwaited ? { result: answerOf(denial(row.id)) } : {};
      await tx.operations.update(row, { state: nextState(row.state, verdict), ...told, updatedAt: now });
      await tx.audit.append({
        operationId: row.id,
        event: verdict === 'approve' ? 'approved' : 'denied',
        body: { approval: id, approver: by.approver, channel: by.channel, digest: asked.digest },
        at: now,
      });
      return { ok: true, operation: row.id, state: decided.state, text: asked.text };
    }),
  );
}

const decideOrHalt = async (
  parts: EngineParts,
  by: Person,
  work: () => Promise<DecisionResult>,
): Promise<DecisionResult> => {
  try {
    return (await orFreeze(parts, by.tenant, () => retryOnConflict(work))) ?? contradictory;
  } catch (error) {
    if (error instanceof CorruptRow) return damaged;
    throw error;
  }
};

const damaged: DecisionResult = {
  ok: false,
  because: 'A row of the ledger that this depends on is damaged, so nothing was decided. Look: purser doctor.',
};

const contradictory: DecisionResult = {
  ok: false,
  because: 'What the ledger says of it is not what Purser does, so nothing is sent any more. Look: purser audit show.',
};

/** The approvals of a tenant, or those in one state, newest first, as the clock has left them. */
export async function listApprovals(
  parts: EngineParts,
  tenant: string,
  page: Page,
  state?: string,
): Promise<Paged<ApprovalRow>> {
  const now = parts.ports.clock.now();
  const listed = await parts.ledger.transaction(tenant, (tx) =>
    tx.approvals.list({ states: state === undefined ? undefined : [state] }, page),
  );
  const rows = listed.rows.map((row) => settled(row, now)).filter((row) => row.state === (state ?? row.state));
  if (rows.length === listed.rows.length) return { ...listed, rows };
  // All approvals live equally long, so every row after the first one that has expired has expired, too.
  return { rows, total: page.cursor === undefined ? rows.length : listed.total };
}

/** One approval of a tenant, as it stands now: one whose time is over reads EXPIRED, written down or not. */
export const findApproval = (parts: EngineParts, tenant: string, id: string): Promise<ApprovalRow | undefined> =>
  parts.ledger.transaction(tenant, async (tx) => {
    const asked = await tx.approvals.find(id);
    return asked && settled(asked, parts.ports.clock.now());
  });

/** The operations of a tenant, newest first. */
export const listOperations = (parts: EngineParts, tenant: string, page: Page, states?: readonly string[]) =>
  parts.ledger.transaction(tenant, (tx) => tx.operations.list({ states }, page));

/** Ends an UNKNOWN operation with what a person found out. What happened is then known of the thing, too. */
export function settleUnknown(
  parts: EngineParts,
  id: string,
  finding: { readonly happened: boolean; readonly note: string },
  by: Person,
): Promise<DecisionResult> {
  const now = parts.ports.clock.now();
  const look = { happened: finding.happened };
  // What stands in the chain of the audit can never be taken out of it.
  if (holdsCardData(finding.note, parts.settings.ownNumbers)) return Promise.resolve(secretNote);
  return decideOrHalt(parts, by, () =>
    parts.ledger.transaction(by.tenant, async (tx) => {
      const row = await tx.operations.find(id);
      if (row === undefined) return { ok: false, because: 'There is no operation with this id.', missing: true };
      if (!canMoveOperation(row.state, 'resolve', look))
        return { ok: false, because: `It is ${row.state}; only an UNKNOWN operation is settled by a person.` };
      if (!finding.happened && !isOverdue(row, now))
        return {
          ok: false,
          because: `It may still take effect: nobody can know before ${iso(row.quietUntil ?? now)}.`,
        };
      const state = nextState(row.state, 'resolve', look);
      await tx.operations.update(row, { state, result: settledAnswer(row, finding.happened), updatedAt: now });
      await tx.budgets.settle(id, finding.happened ? 'SPENT' : 'RELEASED');
      if (finding.happened) await reach(parts, tx, row, now);
      await tx.audit.append({
        operationId: id,
        event: 'resolved',
        body: { happened: finding.happened, note: finding.note, person: by.approver, channel: by.channel },
        at: now,
      });
      return { ok: true, operation: id, state, text: finding.note };
    }),
  );
}

/** Brings the thing that a settled operation was about to the state it was meant to reach. */
async function reach({ tools }: EngineParts, tx: LedgerTransaction, row: OperationRow, now: number): Promise<void> {
  const to = row.request?.reaches;
  const thing = row.subject === '' ? undefined : await tx.observations.find(row.subject);
  if (thing === undefined || typeof to !== 'string') return;
  const tool = tools.find((it) => it.kind === 'platform' && it.operation === row.name);
  const learned = tool?.kind === 'platform' && row.request !== null ? learnedFrom(tool, thing.body, row.request) : {};
  // A call that moves nothing has no state to reach.
  await tx.observations.update(
    thing,
    { state: to === '' ? thing.state : to, body: { ...thing.body, ...learned } },
    now,
  );
}

function learnedFrom(tool: PlatformTool, known: JsonObject, sent: JsonObject): JsonObject {
  const authored = modelFields(tool, sent as unknown as Request); // stored by `storedRequest`
  return JSON.parse(JSON.stringify(tool.reconcile.confirmed?.(known, sent.body, authored) ?? {})) as JsonObject; // plain data of ours
}

const settledAnswer = (row: OperationRow, happened: boolean) => ({
  outcome: happened ? 'done' : 'declined',
  said: happened ? 'A person found out that it took effect.' : 'A person found out that it did not take effect.',
  operation: row.id,
  next: ['get_operation'],
});
