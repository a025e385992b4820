import { AlreadyOpen, StaleRow } from '../ledger/errors.ts';

/** How often something is tried anew because others were faster, before that is a fault. */
const maxAttempts = 20;

/** Tries again what others were faster at. Each try reads everything anew, so what it decides is decided on what is. */
export async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleRow || error instanceof AlreadyOpen) || tries === maxAttempts) throw error;
    }
  }
}
