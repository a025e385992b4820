import { AsyncLocalStorage } from 'node:async_hooks';
import { LedgerUnavailable } from './ledger.ts';

/** Runs one piece of work after the other, in the order they came. */
export interface Queue {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Refuses new work, waits for what is under way, then does `last`. A second call waits for the first. */
  close(last: () => Promise<void>): Promise<void>;
}

/** The queue before one connection. Work that waits for other work of the same queue is refused: it would never end. */
export function createQueue(place: string): Queue {
  const within = new AsyncLocalStorage<{ under: boolean }>();
  let tail: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;

  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const result = tail.then(work);
    // Whoever asked for the work gets its error; the next in the queue does not.
    tail = result.catch(() => undefined);
    return result;
  };

  const refuseNested = () => {
    if (within.getStore()?.under)
      throw new Error('A transaction is open here already: use it, and open no other inside.');
  };

  return {
    run: async (work) => {
      refuseNested();
      if (closing) throw new LedgerUnavailable(`The ledger ${place} is closed: open it again.`);
      return enqueue(async () => {
        const mark = { under: true };
        return within.run(mark, work).finally(() => {
          mark.under = false;
        });
      });
    },
    close: async (last) => {
      refuseNested();
      closing ??= enqueue(last);
      return closing;
    },
  };
}
