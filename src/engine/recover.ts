import type { JsonObject } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import type { Facts } from '../domains/facts.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { OperationRow } from '../ledger/rows.ts';
import { finish } from './finish.ts';
import { orFreeze } from './freeze.ts';
import { gatherFacts } from './gather-facts.ts';
import { type Lane, laneOf } from './lanes.ts';
import { canMoveOperation, isOverdue, markUnknown, nextState } from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import { createPlatformSlots, type PlatformSlots } from './platform-slots.ts';
import { Refused } from './refusal.ts';
import { iso } from './render.ts';
import { retryOnConflict } from './retry.ts';
import type { Reply } from './send.ts';
import { answered, ask } from './send.ts';
import { type Finding, operationOf, type PlatformTool, type SentRequest } from './tool.ts';
import { viewOf } from './view.ts';

/**
 * What every now and then is done about calls that a crash or a fault has left behind. Past the quiet period they are UNKNOWN
 * and listed; where the platform can be asked what became of them, it is asked, through the valve that calls go through.
 * Answers how many were given up.
 */
export async function recover(
  parts: EngineParts,
  slots: PlatformSlots = createPlatformSlots(parts.settings.platformLimits, parts.ports.clock),
): Promise<number> {
  const count = await giveUpOverdue(parts);
  await readAllBack(parts, slots);
  return count;
}

/** The first half of it, which asks nobody: a start does not wait for the platform. */
export async function giveUpOverdue(parts: EngineParts): Promise<number> {
  const now = parts.ports.clock.now();
  let count = 0;
  // What a claim has taken is over before the next one; what others have taken is theirs.
  for (let more = true; more; ) {
    const claimed = await parts.ledger.claimOverdue(now, holderAt(now), limits.leaseSeconds);
    for (const { id, tenant } of claimed) await giveUp(parts, tenant, id, now);
    count += claimed.length;
    more = claimed.length > 0;
  }
  return count;
}

const holderAt = (now: number): string => `recovery of ${iso(now)}`;

const giveUp = (parts: EngineParts, tenant: string, id: string, now: number): Promise<void> =>
  retryOnConflict(() =>
    parts.ledger.transaction(tenant, async (tx) => {
      const row = await tx.operations.find(id);
      if (row !== undefined && canMoveOperation(row.state, 'lose') && isOverdue(row, now))
        await markUnknown(tx, row, now);
    }),
  );

/** Asks the platform about every operation of unknown outcome that it can be asked about, once in a while each. */
async function readAllBack(parts: EngineParts, slots: PlatformSlots): Promise<void> {
  const now = parts.ports.clock.now();
  const tools = parts.tools.filter(isReadBack);
  const names = tools.map(({ operation }) => operation);
  const gone = new Set<Lane>();
  for (const row of await parts.ledger.claimUnknown(now, names, holderAt(now), limits.readBackSeconds)) {
    const tool = tools.find(({ operation }) => operation === row.name);
    // An older Purser did not write down where the thing came from: a person finds out.
    if (tool === undefined || typeof row.request?.from !== 'string') continue;
    const sent = { ...row.request, reference: row.reference } as unknown as SentRequest; // as `storedRequest` keeps it
    const lane = laneOf(tool.reconcile.readBack.definition);
    if (gone.has(lane)) continue;
    const found = await find(parts, slots, tool, sent);
    // Where nothing answers, the others need not ask either: the lease lets them ask again later.
    if (found === 'gone') gone.add(lane);
    else if (found === 'nothing') await settleAsNothing(parts, row);
    else if (found !== 'unclear') await settleAsDone(parts, tool, row, found.happened);
  }
}

type ReadBackTool = PlatformTool & { readonly reconcile: Required<Pick<PlatformTool['reconcile'], 'readBack'>> };
const isReadBack = (tool: EngineParts['tools'][number]): tool is ReadBackTool =>
  tool.kind === 'platform' && tool.reconcile.readBack !== undefined;

/**
 * Asks about one. What is not there is a finding, too; any other refusal, or an answer that can't be used, tells nothing of
 * this one, and nothing of the others either. One that is never answered stops nobody: after several the valve does.
 */
async function find(
  parts: EngineParts,
  slots: PlatformSlots,
  { reconcile: { readBack } }: ReadBackTool,
  sent: SentRequest,
): Promise<Finding<unknown> | 'gone'> {
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
    return reply.kind === 'noEffect' && reply.because === 'unreachable' ? 'gone' : 'unclear';
  } catch (error) {
    if (error instanceof Refused) return 'gone';
    throw error;
  }
}

/** The call took effect: ends it as its answer would have. */
async function settleAsDone(parts: EngineParts, tool: PlatformTool, row: OperationRow, body: unknown): Promise<void> {
  const caller: Caller = { tenant: row.tenant, principal: row.principal };
  const facts = await parts.ledger.transaction(row.tenant, async (tx) => {
    const view = viewOf(tx, caller, parts.settings);
    const known = await gatherFacts(tool, JSON.parse(row.args) as Facts['args'], view, parts.settings, parts.ports);
    return { ...known, new: row.request?.new as Facts['new'] }; // as `storedRequest` keeps it
  });
  const [first = ''] = Object.keys(operationOf(tool).output);
  // It has the shape that the tool's `readsBack` is typed to make.
  const reply: Reply = { kind: 'succeeded', status: first === 'success' ? first : Number(first), body };
  const sent = { kind: 'send', row, facts, warnings: [] } as const;
  // Where a person has said otherwise meanwhile, somebody must look.
  await orFreeze(parts, row.tenant, () => retryOnConflict(() => finish(parts, tool, sent, reply, caller, 'read back')));
}

/** Nothing came of the call: its reference and its budget are free again. */
const settleAsNothing = (parts: EngineParts, { tenant, id, version }: OperationRow): Promise<void> =>
  retryOnConflict(() =>
    parts.ledger.transaction(tenant, async (tx) => {
      const row = await tx.operations.find(id);
      // Whoever changed it meanwhile knows more.
      if (row === undefined || row.version !== version || !canMoveOperation(row.state, 'fail')) return;
      const now = parts.ports.clock.now();
      await tx.operations.update(row, { state: nextState(row.state, 'fail'), result: nothingCame(id), updatedAt: now });
      await tx.budgets.settle(id, 'RELEASED');
      await tx.audit.append({ operationId: id, event: 'read back', body: { happened: false }, at: now });
    }),
  );

const nothingCame = (operation: string): JsonObject => ({
  outcome: 'declined',
  said: 'The platform was asked what became of it: it has not taken effect. It can be made again.',
  operation,
  next: [],
});
