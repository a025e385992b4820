import { canMoveApproval, storedUnused, supersede } from './operation-state.ts';
import type { EngineParts } from './parts.ts';
import { retryOnConflict } from './retry.ts';

/**
 * Ends what can be used only once: granted approvals and sealed secrets. A restored ledger doesn't know what was used after the
 * backup, so people are asked again, and credentials are released again.
 */
export const endUnused = ({ ledger, ports, tenant }: EngineParts): Promise<void> =>
  retryOnConflict(() =>
    ledger.transaction(tenant, async (tx) => {
      const now = ports.clock.now();
      await tx.sealed.clear();
      for (let ended = 1; ended > 0; ) {
        // The first page again, because what is ended leaves it.
        const { rows } = await tx.approvals.list({ states: storedUnused(now) }, { limit: pageRows });
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
