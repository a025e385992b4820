import { isAstray } from '../client/skew.ts';
import type { JsonObject } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import { CorruptRow } from '../ledger/errors.ts';
import type { OperationRow } from '../ledger/rows.ts';
import { deleteExpiredFiles } from './files.ts';
import { finishLost } from './finish-lost.ts';
import { againSecondsOf, isQuiet, type Lane, laneOf, lanes, quietSecondsOf } from './lanes.ts';
import { recordLateEnds } from './late-ends.ts';
import { canMoveOperation, isOverdue, markUnknown, nextState, openStates } from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import { createPlatformSlots, type PlatformSlots } from './platform-slots.ts';
import { Refused } from './refusal.ts';
import { iso } from './render.ts';
import { retryOnConflict } from './retry.ts';
import { isSameReader } from './same-reader.ts';
import type { Reply } from './send.ts';
import { answered, ask } from './send.ts';
import { type Finding, type SentRequest, sentRequest } from './sent-request.ts';
import { settleOperation } from './settle.ts';
import { operationOf, type PlatformTool, toolOfOperation } from './tool.ts';

/**
 * Periodic recovery of calls that a crash or a fault left behind. After the quiet period they become UNKNOWN, and are
 * read back from the platform if possible, through the circuit breaker. Returns how many became UNKNOWN.
 */
export async function recover(
  parts: EngineParts,
  slots: PlatformSlots = createPlatformSlots(parts.settings.platformLimits, parts.ports.clock),
  inFlight: InFlight = new Set(),
): Promise<number> {
  const count = await markOverdueUnknown(parts, inFlight);
  await deleteExpiredFiles(parts);
  await recordLateEnds(parts);
  await readAllBack(parts, { slots, inFlight }, parts.ports.clock.now());
  return count;
}

/** The operations that this process itself still waits for, however much time its clock says has passed: nothing is concluded about them. */
type InFlight = ReadonlySet<string>;

/** What reading back takes besides the parts. */
interface Asking {
  readonly slots: PlatformSlots;
  readonly inFlight: InFlight;
}

/**
 * Reads back what was lost with an earlier connection of the reader, now that it is connected again. Nothing is concluded early: that a call had no
 * effect is certain only after its quiet period.
 */
export async function recoverReader(
  parts: EngineParts,
  slots: PlatformSlots,
  inFlight: InFlight = new Set(),
): Promise<void> {
  await recordLateEnds(parts);
  await readAllBack(parts, { slots, inFlight }, parts.ports.clock.now() + limits.readerAskSeconds * 1_000, ['reader']);
}

/** Marks overdue operations as UNKNOWN without calling the platform, so a start doesn't wait for it. */
export async function markOverdueUnknown(parts: EngineParts, inFlight: InFlight = new Set()): Promise<number> {
  const now = parts.ports.clock.now();
  await endQuietOfAhead(parts, inFlight, now).catch(unlessCorrupt);
  let count = 0;
  // Each claim is completed before the next one. Operations claimed by other processes are theirs.
  for (let more = true; more; ) {
    const claimed = await parts.ledger.claimOverdue(now, holderAt(now), limits.leaseSeconds);
    const left = claimed.filter(({ id }) => !inFlight.has(id));
    for (const { id, tenant } of left) await markOneUnknown(parts, tenant, id, now);
    count += left.length;
    more = claimed.length > 0;
  }
  return count;
}

/**
 * Ends the quiet period of calls that were sent while the clock was far ahead. They would otherwise stay open until the clock is that
 * late again. A start in the future doesn't say when a call was sent, and the clock of another process may be right. So the
 * period ends only after this process has waited as long since it first saw the call.
 */
async function endQuietOfAhead({ ledger, tenant, tools }: EngineParts, inFlight: InFlight, now: number): Promise<void> {
  const page = { limit: mostAhead };
  const { rows } = await ledger.read(tenant, ({ operations }) => operations.list({ states: openStates }, page));
  const before = seenAhead.get(ledger)?.get(tenant);
  const seen = new Map(
    rows
      .filter((it) => isAhead(it, now) && !inFlight.has(it.id))
      .map((it) => [it.id, { attempt: it.attempt, since: sinceOf(before?.get(it.id), it, now), last: now }]),
  );
  seenAhead.set(ledger, new Map(seenAhead.get(ledger)).set(tenant, seen));
  for (const [id, { attempt, since }] of seen)
    await retryOnConflict(() =>
      ledger.transaction(tenant, async (tx) => {
        const row = await tx.operations.find(id);
        if (row?.attempt !== attempt || !isAhead(row, now) || !canMoveOperation(row.state, 'fail')) return;
        const tool = toolOfOperation(tools, row.name);
        const seconds = tool === undefined ? limits.readerQuietSeconds : quietSecondsOf(operationOf(tool));
        const quietUntil = since + seconds * 1_000;
        if (quietUntil <= now) await tx.operations.update(row, { startedAt: since, quietUntil });
      }),
    );
}

/** An attempt that starts in the future of this process's clock: when this process saw it first, without a gap since, and last. */
interface Ahead {
  readonly attempt: number;
  readonly since: number;
  readonly last: number;
}

/** What this process has seen of each tenant of a ledger. */
const seenAhead = new WeakMap<EngineParts['ledger'], ReadonlyMap<string, ReadonlyMap<string, Ahead>>>();

/** More time between two looks is a change of the clock, and no time that was waited. Own choice: recovery looks every 15 seconds. */
const mostGapMilliseconds = 60_000;

/** When the wait for an attempt began. A clock that was set back or forward begins it anew. */
function sinceOf(before: Ahead | undefined, { attempt }: OperationRow, now: number): number {
  if (before?.attempt !== attempt) return now;
  const gap = now - before.last;
  return gap >= 0 && gap <= mostGapMilliseconds ? before.since : now;
}

/** A corrupt row keeps no others from being recovered; the verification of the ledger reports it. */
const unlessCorrupt = (error: unknown): void => {
  if (!(error instanceof CorruptRow)) throw error;
};

/** Calls that are looked at at once. Own choice: more are never open. */
const mostAhead = 100;
/** Processes may be this far apart, and a clock may be set back by this much. Own choice. */
const aheadMilliseconds = 60_000;

const isAhead = ({ startedAt }: Pick<OperationRow, 'startedAt'>, now: number): boolean =>
  startedAt !== null && startedAt > now + aheadMilliseconds;

const holderAt = (now: number): string => `recovery of ${iso(now)}`;

const markOneUnknown = (parts: EngineParts, tenant: string, id: string, now: number): Promise<void> =>
  retryOnConflict(() =>
    parts.ledger.transaction(tenant, async (tx) => {
      const row = await tx.operations.find(id);
      if (row !== undefined && canMoveOperation(row.state, 'markUnknown') && isOverdue(row, now))
        await markUnknown(tx, row, now);
    }),
  );

/** Reads back every operation of unknown outcome that is due by a moment, where that is possible; each once in a while. */
async function readAllBack(
  parts: EngineParts,
  asking: Asking,
  by: number,
  among: readonly Lane[] = lanes,
): Promise<void> {
  // Another process may have the connection to the reader; one without it would only keep its operations from being asked about.
  const hasReader = parts.reader !== undefined && parts.reader.isConnected?.() !== false;
  const tools = parts.tools.filter(isReadBack);
  for (const lane of among.filter((it) => it !== 'reader' || hasReader)) {
    const its = tools.filter(({ reconcile }) => laneOf(reconcile.readBack.definition) === lane);
    if (its.length > 0) await readLaneBack(parts, asking, its, { lane, by });
  }
}

async function readLaneBack(
  parts: EngineParts,
  { slots, inFlight }: Asking,
  tools: readonly ReadBackTool[],
  { lane, by }: { readonly lane: Lane; readonly by: number },
): Promise<void> {
  const now = parts.ports.clock.now();
  const names = tools.map(({ operation }) => operation);
  for (const claimed of await parts.ledger.claimUnknown(by, names, holderAt(now), againSecondsOf(lane))) {
    const row = await heldWhileRunning(parts, lane, claimed, now);
    const tool = tools.find(({ operation }) => operation === row.name);
    // An older version did not store the initial state: a person must find out.
    if (tool === undefined || typeof row.request?.from !== 'string' || inFlight.has(row.id)) continue;
    const wasOver = isOver(parts, lane, row);
    const found = await find(parts, slots, tool, sentRequest(row));
    // If the platform doesn't respond, the other operations wait: their lease lets them be read back later.
    if (found === 'gone') return;
    if (found === 'nothing') {
      // Asked before and after: the app that was asked may not be the one that is connected now.
      const isCertain = wasOver && isOver(parts, lane, row) && isOnTime(parts, lane);
      if (isCertain && isQuiet(operationOf(tool), row, now)) await settleAsNothing(parts, row);
    } else if (typeof found === 'object' && isOfIt(parts, tool, row))
      await settleAsDone(parts, tool, row, found.happened);
  }
}

/** Whether what was found is about this call, and not about the reader of another counter. */
const isOfIt = ({ reader }: EngineParts, { reconcile }: ReadBackTool, row: OperationRow): boolean =>
  reconcile.readBack.isOfReader !== true || isSameReader(row, reader);

/** Whether the other side has certainly stopped. A reader may wait for a card until its app says that it doesn't; HTTP has a timeout. */
const isOver = ({ reader }: EngineParts, lane: Lane, row: OperationRow): boolean =>
  lane !== 'reader' || (isSameReader(row, reader) && reader?.callState?.(row.id) === 'over');

/**
 * Whether our clock agrees with the platform's, so that it tells how long ago a call was sent. By a clock that is ahead, a call that
 * another process is still sending is long over. A card reader has no clock to compare.
 */
const isOnTime = ({ ports }: EngineParts, lane: Lane): boolean => {
  const skew = lane === 'reader' ? 0 : ports.skew();
  return skew !== undefined && !isAstray(skew);
};

/**
 * A call that the reader's app still runs stays open until it is asked again: other processes, where a person may settle it, see only the
 * ledger.
 */
const heldWhileRunning = (parts: EngineParts, lane: Lane, row: OperationRow, now: number): Promise<OperationRow> =>
  lane !== 'reader' || parts.reader?.callState?.(row.id) !== 'running'
    ? Promise.resolve(row)
    : retryOnConflict(() =>
        parts.ledger.transaction(row.tenant, async (tx) => {
          const known = (await tx.operations.find(row.id)) ?? row;
          if (!canMoveOperation(known.state, 'resolve')) return known;
          return tx.operations.update(known, { quietUntil: now + againSecondsOf(lane) * 1_000, updatedAt: now });
        }),
      );

type ReadBackTool = PlatformTool & { readonly reconcile: Required<Pick<PlatformTool['reconcile'], 'readBack'>> };
export const isReadBack = (tool: EngineParts['tools'][number]): tool is ReadBackTool =>
  tool.kind === 'platform' && tool.reconcile.readBack !== undefined;

/** What reading back has found. `unanswered`: the platform answered with an error; `gone`: it can't be asked. */
export type Found = Finding<unknown> | 'unanswered' | 'gone';

/**
 * Reads back one operation. "Not found" is a finding as well; any other error says nothing about this operation or the
 * others. Operations without a response don't block others: after several the circuit opens.
 */
export async function find(
  parts: EngineParts,
  slots: PlatformSlots,
  { reconcile: { readBack } }: ReadBackTool,
  sent: SentRequest,
): Promise<Found> {
  const request = { body: undefined, ...readBack.with(sent) };
  try {
    const slot = await slots.acquire(laneOf(readBack.definition));
    let reply: Reply;
    try {
      slot.check();
      reply = await ask(parts, readBack.asks, readBack.definition, request, parts.ports.ids.uuid());
      slot.record(answered({ reply }));
    } finally {
      slot.release();
    }
    if (reply.kind === 'succeeded') return readBack.finds(reply.body, sent);
    if (reply.kind === 'declined' && reply.code === 'NOT_FOUND') return readBack.finds(undefined, sent);
    return reply.kind === 'noEffect' && reply.because === 'unreachable' ? 'gone' : 'unanswered';
  } catch (error) {
    if (error instanceof Refused) return 'gone';
    throw error;
  }
}

/** The call took effect: finishes it as its response would have. */
function settleAsDone(parts: EngineParts, tool: PlatformTool, row: OperationRow, body: unknown): Promise<void> {
  return finishLost(parts, tool, row, madeReply(tool, body), 'read back');
}

/** The answer of success that was lost. */
export function madeReply(tool: PlatformTool, body: unknown): Reply {
  const [first = ''] = Object.keys(operationOf(tool).output);
  // The body has the type that the tool's `readsBack` returns.
  return { kind: 'succeeded', status: first === 'success' ? first : Number(first), body };
}

/** The call had no effect: releases its reference and its budget. */
const settleAsNothing = (parts: EngineParts, { tenant, id, version }: OperationRow): Promise<void> =>
  retryOnConflict(() =>
    parts.ledger.transaction(tenant, async (tx) => {
      const row = await tx.operations.find(id);
      // Another process has changed it in the meantime.
      if (row === undefined || row.version !== version || !canMoveOperation(row.state, 'fail')) return;
      const now = parts.ports.clock.now();
      const end = { state: nextState(row.state, 'fail'), result: nothingCame(id), budget: 'RELEASED' } as const;
      await settleOperation(parts, tx, row, end, now);
      await tx.audit.append({ operationId: id, event: 'read back', body: { happened: false }, at: now });
    }),
  );

const nothingCame = (operation: string): JsonObject => ({
  outcome: 'declined',
  said: 'According to the platform it had no effect. The call can be made again.',
  operation,
  next: [],
});
