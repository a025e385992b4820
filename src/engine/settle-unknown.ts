import type { JsonObject } from '../core/canonical-json.ts';
import type { Facts, Kind } from '../domains/facts.ts';
import { sessionLists } from '../domains/index.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { ObservationRow, OperationRow } from '../ledger/rows.ts';
import { holdsCardData } from '../screening/card-data.ts';
import { apply } from './apply.ts';
import { modelFields } from './approval-scope.ts';
import { decideOrHalt } from './approval-service.ts';
import { movedBy } from './field-source.ts';
import { secretNote } from './freeze.ts';
import { gatherFacts } from './gather-facts.ts';
import { laneOf, mayBeNothingAt } from './lanes.ts';
import { canMoveOperation, isOverdue, nextState } from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import type { DecisionResult, Person } from './person.ts';
import { iso } from './render.ts';
import type { Request } from './request.ts';
import { sentRequest } from './sent-request.ts';
import { settleOperation } from './settle.ts';
import { operationOf, type PlatformTool, toolOfOperation } from './tool.ts';
import { viewOf } from './view.ts';

// What a person finds out about a call whose outcome is unknown.

/** Resolves an UNKNOWN operation with a person's finding. If it took effect, what is known of its things is updated. */
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
  return decideOrHalt<unknown>(parts, by, () =>
    parts.ledger.transaction(by.tenant, async (tx) => {
      const row = await tx.operations.find(id);
      if (row === undefined) return { ok: false, because: 'There is no operation with this id.', missing: true };
      if (!canMoveOperation(row.state, 'resolve', look))
        return { ok: false, because: `It is ${row.state}; only an UNKNOWN operation can be resolved.` };
      const tool = toolOfOperation(parts.tools, row.name);
      const quietUntil = tool === undefined ? row.quietUntil : mayBeNothingAt(operationOf(tool), row);
      if (!finding.happened && !isOverdue({ quietUntil }, now))
        return { ok: false, because: `It may still take effect until ${iso(quietUntil ?? now)}.` };
      // An app may name any call as running; only one of the reader is its own.
      const isReaders = tool !== undefined && laneOf(operationOf(tool)) === 'reader';
      if (!finding.happened && isReaders && parts.reader?.callState?.(id) === 'running')
        return { ok: false, because: "The reader's app is still running it. It may still take effect." };
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

/**
 * Moves the thing of a resolved operation to the state that the operation leads to. What it made stays unknown, because only the answer
 * says what that is; what it changed of other things is known.
 */
async function reach(parts: EngineParts, tx: LedgerTransaction, row: OperationRow): Promise<void> {
  const tool = toolOfOperation(parts.tools, row.name);
  if (tool === undefined) return;
  const moved = movedTo(await movedThing(tx, tool, row), row);
  const { things, learned } = await learnedFrom(parts, tx, tool, row);
  await apply(parts, tx, moved === undefined ? learned : [moved, ...learned], { things, moved });
}

/** A thing in the state that an operation leads to. A call without a machine trigger changes no state. */
function movedTo(thing: ObservationRow | undefined, { request }: OperationRow) {
  const to = request?.reaches;
  if (thing === undefined || typeof to !== 'string') return undefined;
  const { handle, kind, state } = thing;
  return { handle, kind: kind as Kind, state: to === '' ? state : to, body: {} }; // a thing's kind is one
}

/** The thing that an operation moves; undefined if it makes one. What it locks may be another thing, such as a refund's payment. */
async function movedThing(tx: LedgerTransaction, tool: PlatformTool, row: OperationRow) {
  const named = movedBy(tool);
  const args = JSON.parse(row.args) as JsonObject; // canonical JSON of an object
  const handles = [named === undefined ? undefined : args[named], row.subject];
  for (const handle of handles) {
    const thing = typeof handle === 'string' && handle !== '' ? await tx.observations.find(handle) : undefined;
    if (thing === undefined || isReplaced(thing, row)) continue;
    if (tool.observe.moves === undefined || thing.kind === tool.observe.moves.kind) return thing;
  }
  return undefined;
}

/** Whether the handle was given to another thing since the operation was sent (`register.ts`). */
const isReplaced = ({ kind, body }: ObservationRow, { startedAt, createdAt }: OperationRow): boolean =>
  sessionLists.some((list) => list.kind === kind && Number(body[list.since] ?? 0) >= (startedAt ?? createdAt));

/** What the tool stores of an operation that took effect, and the things that this is about. */
async function learnedFrom(parts: EngineParts, tx: LedgerTransaction, tool: PlatformTool, row: OperationRow) {
  const { confirmed } = tool.reconcile;
  if (confirmed === undefined || row.request === null) return { things: {}, learned: [] };
  const view = viewOf(tx, { tenant: row.tenant, principal: row.principal }, parts.settings);
  const args = JSON.parse(row.args) as Facts['args']; // canonical JSON of an object
  const facts = await gatherFacts(tool, args, view, parts.settings, parts.ports);
  const authored = modelFields(tool, row.request as unknown as Request); // stored by `storedRequest`
  return { things: facts.things, learned: confirmed(facts, sentRequest(row), authored) };
}

const settledAnswer = (row: OperationRow, happened: boolean) => ({
  outcome: happened ? 'done' : 'declined',
  said: happened ? 'A person recorded that it took effect.' : 'A person recorded that it did not take effect.',
  operation: row.id,
  next: ['get_operation'],
});
