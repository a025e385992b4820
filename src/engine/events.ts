import { limits } from '../core/limits.ts';
import { event as machine } from '../core/own-machines.ts';
import { platformIdKey } from '../core/thing.ts';
import type { Kind } from '../domains/facts.ts';
import { kindTable } from '../domains/index.ts';
import { type DeliveredEvent, eventsIn } from '../domains/webhooks/delivered.ts';
import { subjectOf } from '../domains/webhooks/subjects.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { EventRow } from '../ledger/rows.ts';
import { handleFor } from './handles.ts';
import { IntegrityError } from './integrity-error.ts';
import { untrusted } from './render.ts';
import { retryOnConflict } from './retry.ts';
import type { EngineState } from './state.ts';
import type { PlatformTool, Tool } from './tool.ts';

/**
 * What became of a delivery. `known`: every event in it had been stored before. `full`: too many events wait, so the platform
 * should deliver it again later. `unreadable`: its body is no delivery.
 */
export type DeliveryResult = 'stored' | 'known' | 'full' | 'unreadable';

/**
 * Stores the events of a delivery, each once. Nothing of it is believed or shown but its type: what an event is about is read
 * from the platform later (`event-worker.ts`).
 */
export async function receiveDelivery(state: EngineState, body: string): Promise<DeliveryResult> {
  const events = eventsIn(body);
  if (events === undefined) return 'unreadable';
  const { ledger, tenant } = state.parts;
  return retryOnConflict(() =>
    ledger.transaction(tenant, async (tx) => {
      if ((await tx.events.waiting(limits.waitingEvents)) >= limits.waitingEvents) return 'full';
      let result: DeliveryResult = 'known';
      for (const it of events) if (await store(state, tx, it)) result = 'stored';
      return result;
    }),
  );
}

/** Stores an event; false where it is known. */
async function store(state: EngineState, tx: LedgerTransaction, it: DeliveredEvent): Promise<boolean> {
  if ((await tx.events.find(it.id)) !== undefined) return false;
  const { clock } = state.parts.ports;
  const thing = it.about === undefined ? '' : await handleOf(tx, it.about.kind, it.about.platformId);
  const readable = it.about !== undefined && readToolOf(state, it.about.kind) !== undefined;
  const now = clock.now();
  await tx.events.insert({
    ...{ id: it.id, kind: it.about?.kind ?? '', thing, happenedAt: it.happenedAt },
    type: subjectOf(it.type) === undefined ? untrusted(it.type, limits.eventTypeCharacters) : it.type,
    state: nextEventState('none', 'receive', { readable }),
    ...{ dueAt: now, attempts: 0, createdAt: now, updatedAt: now },
  });
  return true;
}

/** The handle that a thing of the platform has here, or would have; empty where such handles aren't derived and none is known. */
async function handleOf(tx: LedgerTransaction, kind: Kind, platformId: string): Promise<string> {
  if (kindTable[kind].platformId !== undefined) return handleFor(kind, platformId);
  const { rows } = await tx.observations.listBy(
    { kind, ranges: [{ key: platformIdKey, value: platformId }] },
    { limit: 1 },
  );
  return rows[0]?.handle ?? '';
}

/** How a thing of a kind is read from the platform: the tool that shows one, and its argument. */
export interface ReadTool {
  readonly tool: PlatformTool;
  readonly argument: string;
}

/** The tool that reads things of a kind; undefined where Purser has none. */
export function readToolOf({ tools }: Pick<EngineState, 'tools'>, kind: Kind): ReadTool | undefined {
  const tool = tools.get(kindTable[kind].shownBy);
  if (!isPlatformTool(tool)) return undefined;
  const [argument] = Object.entries(tool.input.args).find(([, arg]) => arg.kind === kind) ?? [];
  return argument === undefined ? undefined : { tool, argument };
}

const isPlatformTool = (tool: Tool | undefined): tool is PlatformTool => tool?.kind === 'platform';

type Trigger = Parameters<typeof machine.move>[1];
type Seen = Partial<Omit<Parameters<typeof machine.move>[0], 'state'>>;

/** The state of an event after a trigger. A move that the table forbids throws IntegrityError: Purser never makes one. */
export function nextEventState(state: EventRow['state'], trigger: Trigger, seen: Seen = {}): string {
  const move = machine.move({ readable: false, attemptsLeft: false, ...seen, state }, trigger);
  if (!move.ok) throw new IntegrityError(`An event can't "${trigger}": ${move.because}`);
  return move.to;
}
