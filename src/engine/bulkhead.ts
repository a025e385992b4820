import { Refused } from './refusal.ts';

/** Limits how many calls run at once and how many wait for a place, in order of arrival (EN-12). */
export function createBulkhead({ concurrent, queued }: { readonly concurrent: number; readonly queued: number }) {
  let running = 0;
  const queue: (() => void)[] = [];
  return {
    /** Waits for a place. Throws Refused if too many are waiting. Call `leave` once per place. */
    async enter(): Promise<void> {
      if (running < concurrent) running++;
      else if (queue.length < queued) await new Promise<void>((resolve) => queue.push(resolve));
      else throw new Refused(full);
    },
    /** Passes the place to the call that has waited longest. */
    leave(): void {
      const next = queue.shift();
      if (next === undefined) running--;
      else next();
    },
  };
}

const full = {
  code: 'RATE_LIMITED',
  rule: 'EN-12',
  because: 'Too many calls are waiting for the platform; nothing was sent.',
  retry: 'after',
  wait: 1,
  instead: [],
} as const;
