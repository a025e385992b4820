import { AlreadyOpen, StaleRow } from '../ledger/errors.ts';

/** The most retries of a conflict. */
const maxAttempts = 20;

/** Whether another writer got there first. */
export const isConflict = (error: unknown): boolean => error instanceof StaleRow || error instanceof AlreadyOpen;

/**
 * Rethrows anything but a conflict with another writer, and the last of too many conflicts. `attempts`: the number so
 * far.
 */
export function demandConflict(error: unknown, attempts: number): void {
  if (!isConflict(error) || attempts === maxAttempts) throw error;
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
