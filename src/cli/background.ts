import { Refused } from '../engine/refusal.ts';
import { isConflict } from '../engine/retry.ts';
import type { Ports } from '../engine/settings.ts';
import { LedgerUnavailable } from '../ledger/errors.ts';

/**
 * Waits for background work. An error of the work doesn't reject, because it is retried later. What each call reports by itself, such as an
 * unavailable ledger, isn't reported again. Any other error would otherwise stop the work for good without a trace.
 */
export const inBackground = (work: Promise<unknown>, onFault: NonNullable<Ports['onFault']>): Promise<void> =>
  work.then(
    () => undefined,
    (error: unknown) => {
      if (!isReportedByCalls(error)) onFault(error);
    },
  );

const isReportedByCalls = (error: unknown): boolean =>
  error instanceof LedgerUnavailable || error instanceof Refused || isConflict(error);
