import { AlreadyOpen, StaleRow } from '../ledger/errors.ts';

/** How often a conflict is retried before it is a fault. */
const maxAttempts = 20;

/** Rethrows whatever isn't a conflict with another writer, and the last of too many conflicts. `attempts`: made so far. */
export function demandConflict(error: unknown, attempts: number): void {
  if (!(error instanceof StaleRow || error instanceof AlreadyOpen) || attempts === maxAttempts) throw error;
}

/** Retries when another writer got there first. Each attempt reads everything again. */
export async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      demandConflict(error, attempts);
    }
  }
}
