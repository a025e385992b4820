import { setImmediate as othersGoOn } from 'node:timers/promises';
import { limits } from '../core/limits.ts';

/** Yields to the event loop when the work since the last turn has taken its share. Await it between rows. */
export function createTimeSlice(): { readonly isDue: () => boolean; readonly rest: () => Promise<void> } {
  let began = performance.now();
  return {
    isDue: () => performance.now() - began >= limits.workMilliseconds,
    rest: async () => {
      await othersGoOn();
      began = performance.now();
    },
  };
}
