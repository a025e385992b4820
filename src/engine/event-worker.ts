import { limits } from '../core/limits.ts';
import type { event as machine } from '../core/own-machines.ts';
import { day as dayMilliseconds } from '../core/schedule.ts';
import { isKind } from '../domains/index.ts';
import { StaleRow } from '../ledger/errors.ts';
import type { Caller } from '../ledger/ledger.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { EventRow } from '../ledger/rows.ts';
import { nextEventState, readToolOf } from './events.ts';
import { kindMadeBy } from './next.ts';
import { readPlatform } from './read-platform.ts';
import { Refused } from './refusal.ts';
import { retryOnConflict } from './retry.ts';
import type { EngineState } from './state.ts';

/** Works on stored events. An event waits in the ledger until it ended, so a process that dies leaves it to the next one. */
export interface EventWorker {
  /** Resolves once nothing is due any more. */
  work(): Promise<void>;
  /** Ends the run that is under way after what it has begun, and resolves then. */
  pause(): Promise<void>;
}

/** One run at a time: what arrives meanwhile is for the same run. */
export function createEventWorker(state: EngineState): EventWorker {
  let running: Promise<void> | undefined;
  let isAsked = false;
  let isPausing = false;
  const run = async (): Promise<void> => {
    do {
      isAsked = false;
      await prune(state);
      while (!isPausing && (await workOnce(state)));
    } while (isAsked && !isPausing);
  };
  return {
    work: () => {
      isAsked = true;
      running ??= run().finally(() => {
        running = undefined;
      });
      return running;
    },
    pause: async () => {
      isPausing = true;
      await running?.catch(() => undefined); // whoever asked for the run hears of it
      isPausing = false;
    },
  };
}

/** Works on some events that are due; false where none is. */
async function workOnce(state: EngineState): Promise<boolean> {
  const { ledger, ports, tenant } = state.parts;
  const claimed = await retryOnConflict(() =>
    ledger.transaction(tenant, (tx) => {
      const now = ports.clock.now();
      return tx.events.claim({ now, until: now + limits.eventWorkSeconds * 1_000, most: limits.batchEvents });
    }),
  );
  // One reading serves all events of a thing that had arrived before it.
  const things = [...Map.groupBy(claimed, ({ thing }) => thing).values()];
  const lanes = Array.from({ length: limits.concurrentEventRequests }, async () => {
    for (let events = things.shift(); events !== undefined; events = things.shift()) await workOn(state, events);
  });
  await Promise.all(lanes);
  return claimed.length > 0;
}

type Trigger = Exclude<Parameters<typeof machine.move>[1], 'receive'>;

/** Reads the thing of some events, and records the result. */
async function workOn(state: EngineState, events: readonly EventRow[]): Promise<void> {
  const { ledger, ports, tenant } = state.parts;
  const trigger = await readBack(state, events).catch((error: unknown): Trigger => {
    // One that can't be worked on must not keep the others from it.
    ports.onFault?.(error);
    return 'postpone';
  });
  for (const row of events)
    await ledger
      .transaction(tenant, (tx) => tx.events.update(row, changeOf(row, trigger, ports.clock.now())))
      .catch((error: unknown) => {
        // Somebody else has it: this one's time was over.
        if (!(error instanceof StaleRow)) throw error;
      });
}

function changeOf({ state, attempts }: EventRow, trigger: Trigger, now: number): Partial<EventRow> {
  const wait = Math.min(limits.longestEventRetrySeconds, limits.eventRetrySeconds * 2 ** (attempts - 1));
  return {
    state: nextEventState(state, trigger, { attemptsLeft: attempts < limits.eventAttempts }),
    ...(trigger === 'postpone' ? { dueAt: now + wait * 1_000 } : {}),
    updatedAt: now,
  };
}

/** Reads a thing, as the merchant's app would. What it learns goes the way of every read. */
async function readBack(state: EngineState, events: readonly EventRow[]): Promise<Trigger> {
  const { parts } = state;
  const [{ kind, thing } = { kind: '', thing: '' }] = events;
  // Every attempt began and none ended: an event that kills the process is not tried again.
  if (events.every(({ attempts }) => attempts > limits.eventAttempts)) return 'postpone';
  const read = isKind(kind) ? readToolOf(state, kind) : undefined;
  const { known, isBeingMade } = await parts.ledger.transaction(parts.tenant, async (tx) => {
    const row = await tx.observations.find(thing);
    return { known: row, isBeingMade: row === undefined && (await isUnderWay(state, tx, kind)) };
  });
  // The platform may report a thing before the call that makes it has recorded its answer, or although that answer was lost.
  if (isBeingMade) return 'postpone';
  if (read === undefined || known?.kind !== kind) return 'ignore';
  const caller: Caller = { tenant: parts.tenant, principal: 'app', role: 'app' };
  try {
    const { outcome } = await readPlatform(state, read.tool, { [read.argument]: thing }, caller);
    return outcome === 'done' ? 'apply' : 'postpone';
  } catch (error) {
    if (error instanceof Refused) return 'postpone';
    throw error;
  }
}

/** Whether a call is under way, or of unknown outcome, that makes things of a kind. */
async function isUnderWay(
  { tools }: Pick<EngineState, 'tools'>,
  tx: Pick<LedgerTransaction, 'operations'>,
  kind: string,
): Promise<boolean> {
  const making = new Set<string>(
    [...tools.values()].flatMap((it) => (it.kind === 'platform' && kindMadeBy(it) === kind ? [it.operation] : [])),
  );
  return (await tx.operations.underWay()).some(({ name }) => making.has(name));
}

/**
 * Deletes old events. A delivery is taken only while its signature is fresh, so an older id can't be
 * replayed. Only the platform itself could deliver such an event again; its thing is then read again.
 */
async function prune({ parts: { ledger, ports, tenant } }: EngineState): Promise<void> {
  const now = ports.clock.now();
  const old = {
    before: now - limits.eventDays * dayMilliseconds,
    spare: now - 2 * limits.signatureMinutes * 60_000,
    keep: limits.keptEvents,
    most: limits.eventSliceRows,
  };
  while ((await ledger.transaction(tenant, (tx) => tx.events.prune(old))) === old.most);
}
