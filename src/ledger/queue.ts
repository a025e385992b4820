import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as othersGoOn } from 'node:timers/promises';
import { LedgerUnavailable } from './errors.ts';

/** Runs one piece of work of a lane after the other, in the order they came. Lanes do not wait for each other. */
export interface Queue {
  run<T>(work: () => Promise<T>, lane?: string): Promise<T>;
  /** Refuses new work, waits for what is under way, then does `last`. A second call waits for the first. */
  close(last: () => Promise<void>): Promise<void>;
}

/** The queue before a database. Work that waits for other work of the same queue is refused: it might never end. */
export function createQueue(place: string): Queue {
  const within = new AsyncLocalStorage<{ under: boolean }>();
  const tails = new Map<string, Promise<unknown>>();
  let closing: Promise<void> | undefined;

  const enqueue = <T>(work: () => Promise<T>, lane: string): Promise<T> => {
    // What waits for others lets the event loop go on first: statements of SQLite never do.
    const before = tails.get(lane)?.then(() => othersGoOn());
    const result = (before ?? Promise.resolve()).then(work);
    // Whoever asked for the work gets its error; the next in the queue does not.
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
      throw new Error('A transaction is open here already: use it, and open no other inside.');
  };

  return {
    run: async (work, lane = '') => {
      refuseNested();
      if (closing) throw new LedgerUnavailable(`The ledger ${place} is closed: open it again.`);
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
