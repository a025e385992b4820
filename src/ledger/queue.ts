import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as othersGoOn } from 'node:timers/promises';
import { LedgerUnavailable } from './errors.ts';

/** Runs the work of each lane in order. Lanes don't wait for each other. */
export interface Queue {
  run<T>(work: () => Promise<T>, lane?: string): Promise<T>;
  /** Throws where `run` would refuse new work. */
  demandOpen(): void;
  /** Refuses new work, waits for work in progress, then runs `last`. A second call waits for the first. */
  close(last: () => Promise<void>): Promise<void>;
}

/**
 * The queue in front of a database. Work that waits for work of the same queue is refused, because it might deadlock.
 */
export function createQueue(place: string): Queue {
  const within = new AsyncLocalStorage<{ under: boolean }>();
  const tails = new Map<string, Promise<unknown>>();
  let closing: Promise<void> | undefined;

  const enqueue = <T>(work: () => Promise<T>, lane: string): Promise<T> => {
    // Waiting work first yields to the event loop, which SQLite's statements never do.
    const before = tails.get(lane)?.then(() => othersGoOn());
    const result = (before ?? Promise.resolve()).then(work);
    // The caller of the work gets its error; the next work doesn't.
    const tail = result
      .catch(() => undefined)
      .then(() => {
        if (tails.get(lane) === tail) tails.delete(lane);
      });
    tails.set(lane, tail);
    return result;
  };

  const refuseNested = () => {
    if (within.getStore()?.under)
      throw new Error('A transaction is already open: use it instead of opening another inside it.');
  };

  const demandOpen = () => {
    refuseNested();
    if (closing) throw new LedgerUnavailable(`The ledger ${place} is closed: open it again.`);
  };

  return {
    demandOpen,
    run: async (work, lane = '') => {
      demandOpen();
      return enqueue(async () => {
        const mark = { under: true };
        return within.run(mark, work).finally(() => {
          mark.under = false;
        });
      }, lane);
    },
    close: async (last) => {
      refuseNested();
      closing ??= Promise.all(tails.values()).then(last);
      return closing;
    },
  };
}
