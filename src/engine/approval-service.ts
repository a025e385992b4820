import type { JsonObject } from '../core/canonical-json.ts';
import type { Kind } from '../domains/facts.ts';
import { CorruptRow } from '../ledger/errors.ts';
import type { LedgerTransaction, Page, Paged } from '../ledger/ledger-transaction.ts';
import type { ApprovalRow, OperationRow } from '../ledger/rows.ts';
import { holdsCardData } from '../screening/card-data.ts';
import { apply } from './apply.ts';
import { switchedOff } from './approval-channels.ts';
import { modelFields } from './approval-scope.ts';
import { denial } from './denial.ts';
import { orFreeze, secretNote } from './freeze.ts';
import {
  canMoveApproval,
  canMoveOperation,
  expire,
  isOverdue,
  moveApproval,
  nextState,
  settled,
  storedAs,
} from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import type { DecisionResult, Person } from './person.ts';
import { answerOf, iso } from './render.ts';
import type { Request } from './request.ts';
import { retryOnConflict } from './retry.ts';
import { settleOperation } from './settle.ts';
import { movedBy, type PlatformTool, toolOfOperation } from './tool.ts';

/** Decides an approval, once, before it expires, through a channel that counts. */
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
    parts.ledger.transaction(by.tenant, (tx) => decideAsked(tx, id, verdict, by, now)),
  );
}

/** Decides an approval within a transaction, whatever the channel. */
export async function decideAsked(
  tx: LedgerTransaction,
  id: string,
  verdict: 'approve' | 'deny',
  by: Person,
  now: number,
): Promise<DecisionResult> {
  const asked = await tx.approvals.find(id);
  const row = asked && (await tx.operations.find(asked.operationId));
  if (asked === undefined || row === undefined)
    return { ok: false, because: 'There is no approval with this id.', missing: true };
  if (canMoveApproval(asked, 'expire', now)) {
    await expire(tx, row, asked, now);
    return { ok: false, because: 'The approval has expired. The same call asks for a new one.' };
  }
  if (!canMoveApproval(asked, verdict, now)) return { ok: false, because: `It is already ${asked.state}.` };
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
  because: 'A row of the ledger that this depends on is corrupt, so nothing was decided. Run: purser doctor.',
};

const contradictory: DecisionResult = {
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

/** The operations of a tenant, newest first. */
export const listOperations = (parts: EngineParts, tenant: string, page: Page, states?: readonly string[]) =>
  parts.ledger.transaction(tenant, (tx) => tx.operations.list({ states }, page));

/** Resolves an UNKNOWN operation with a person's finding. If it took effect, the thing's state is updated. */
export function settleUnknown(
  parts: EngineParts,
  id: string,
  finding: { readonly happened: boolean; readonly note: string },
  by: Person,
): Promise<DecisionResult> {
  const now = parts.ports.clock.now();
  const look = { happened: finding.happened };
  // The audit chain keeps the note forever, and half a character can't be stored.
  const note = finding.note.toWellFormed();
  if (holdsCardData(note, parts.settings.ownNumbers)) return Promise.resolve(secretNote);
  return decideOrHalt(parts, by, () =>
    parts.ledger.transaction(by.tenant, async (tx) => {
      const row = await tx.operations.find(id);
      if (row === undefined) return { ok: false, because: 'There is no operation with this id.', missing: true };
      if (!canMoveOperation(row.state, 'resolve', look))
        return { ok: false, because: `It is ${row.state}; only an UNKNOWN operation can be resolved.` };
      if (!finding.happened && !isOverdue(row, now))
        return {
          ok: false,
          because: `It may still take effect until ${iso(row.quietUntil ?? now)}.`,
        };
      const state = nextState(row.state, 'resolve', look);
      const budget = finding.happened ? 'SPENT' : 'RELEASED';
      await settleOperation(parts, tx, row, { state, result: settledAnswer(row, finding.happened), budget }, now);
      if (finding.happened) await reach(parts, tx, row);
      await tx.audit.append({
        operationId: id,
        event: 'resolved',
        body: { happened: finding.happened, note, person: by.approver, channel: by.channel },
        at: now,
      });
      return { ok: true, operation: id, state, text: note };
    }),
  );
}

/** Moves the thing of a resolved operation to the state that the operation leads to. */
async function reach(parts: EngineParts, tx: LedgerTransaction, row: OperationRow): Promise<void> {
  const to = row.request?.reaches;
  const tool = toolOfOperation(parts.tools, row.name);
  const thing = tool && (await movedThing(tx, tool, row));
  if (tool === undefined || thing === undefined || typeof to !== 'string') return;
  const learned = row.request !== null ? learnedFrom(tool, thing.body, row.request) : {};
  // A call without a machine trigger changes no state.
  const { handle, kind } = thing;
  const state = to === '' ? thing.state : to;
  await apply(parts, tx, [{ handle, kind: kind as Kind, state, body: learned }], { things: {} }); // a thing's kind is one
}

/** The thing that an operation moves; undefined if it makes one. What it locks may be another thing, such as a refund's payment. */
async function movedThing(tx: LedgerTransaction, tool: PlatformTool, row: OperationRow) {
  const named = movedBy(tool);
  const args = JSON.parse(row.args) as JsonObject; // canonical JSON of an object
  const handles = [named === undefined ? undefined : args[named], row.subject];
  for (const handle of handles) {
    const thing = typeof handle === 'string' && handle !== '' ? await tx.observations.find(handle) : undefined;
    if (thing !== undefined && (tool.observe.moves === undefined || thing.kind === tool.observe.moves.kind))
      return thing;
  }
  return undefined;
}

function learnedFrom(tool: PlatformTool, known: JsonObject, sent: JsonObject): JsonObject {
  const authored = modelFields(tool, sent as unknown as Request); // stored by `storedRequest`
  return JSON.parse(JSON.stringify(tool.reconcile.confirmed?.(known, sent.body, authored) ?? {})) as JsonObject; // plain data
}

const settledAnswer = (row: OperationRow, happened: boolean) => ({
  outcome: happened ? 'done' : 'declined',
  said: happened ? 'A person recorded that it took effect.' : 'A person recorded that it did not take effect.',
  operation: row.id,
  next: ['get_operation'],
});
