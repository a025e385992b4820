import { canMoveApproval, storedAs, supersede } from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import { retryOnConflict } from './retry.ts';

/**
 * Ends every approval that was given and not used. A ledger that was put back doesn't know whether it was used since, so a person is asked
 * again.
 */
export const endGivenApprovals = ({ ledger, ports, tenant }: EngineParts): Promise<void> =>
  retryOnConflict(() =>
    ledger.transaction(tenant, async (tx) => {
      const now = ports.clock.now();
      for (let ended = 1; ended > 0; ) {
        // The first page again, because what is ended leaves it.
        const { rows } = await tx.approvals.list({ states: storedAs('APPROVED', now) }, { limit: pageRows });
        ended = 0;
        for (const asked of rows) {
          const row = await tx.operations.find(asked.operationId);
          if (row === undefined || !canMoveApproval(asked, 'supersede', now)) continue;
          await supersede(tx, row, asked, now);
          ended += 1;
        }
      }
    }),
  );

/** Approvals that are ended at once. Own choice. */
const pageRows = 100;
