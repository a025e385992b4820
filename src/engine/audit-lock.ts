import { StaleRow } from '../ledger/errors.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { RecentVerdict, VerifiedPosition } from '../ledger/verification.ts';
import type { EngineParts } from './parts.ts';
import { type Refusal, Refused } from './refusal.ts';

/**
 * Refuses calls while the audit chain is broken (EN-13). The first call, or an inspection, verifies all of it; later calls continue
 * from the last verified row, so the cost of a call does not grow with the ledger.
 */
export function auditLock({ ledger, anchor, verifiedBefore }: EngineParts) {
  let verified: VerifiedPosition | undefined = verifiedBefore;
  let isBroken = false;
  let isBehind = false;
  const inspect = oneAtATime(async () => {
    const writes = await ledger.writeCounters();
    const found = await ledger.verify(anchor?.read());
    const isCutOff = found.ok && found.rows < (writes.last?.seq ?? 0);
    note(
      found.ok && !isCutOff
        ? { kind: 'whole', verified: { seq: found.rows, hash: found.head, writes } }
        : {
            kind: 'broken',
            because: found.ok ? 'The chain ends before a row that this process has written.' : found.because,
          },
    );
  });
  const catchUp = oneAtATime(async () => {
    if (verified === undefined) return inspect();
    const found = await ledger.verifySince(verified, anchor?.read());
    note(found);
    isBehind = false;
    // Older rows are too many to verify before a call; a finding there refuses the next calls.
    if (found.kind === 'whole' && found.older) void inspect().catch(() => undefined);
  });
  const note = (found: Exclude<RecentVerdict, { readonly kind: 'behind' }>): void => {
    isBroken = found.kind === 'broken';
    if (found.kind === 'whole') verified = found.verified;
  };
  const demandNotBroken = (): void => {
    // Nothing is appended to a chain that is broken.
    if (isBroken) throw new Refused(damaged, { isNoted: false });
  };

  return {
    inspect: (): Promise<void> => inspect(),
    /** How far the chain was verified, for the next start; undefined while it is broken or was never verified. */
    verified: (): VerifiedPosition | undefined => (isBroken ? undefined : verified),
    /** Demands an intact ledger. Verifies what `demandUnchanged` found to be too much for a transaction. */
    demandWhole: async (): Promise<void> => {
      demandNotBroken();
      if (verified === undefined || isBehind) await catchUp();
      demandNotBroken();
    },
    /**
     * Verifies what was added or changed since the last check, first thing in the transaction that decides. Throws StaleRow where
     * that is much: retry from `demandWhole`.
     */
    demandUnchanged: async (tx: LedgerTransaction): Promise<void> => {
      const found = verified === undefined ? ({ kind: 'behind' } as const) : await tx.audit.verifyRecent(verified);
      if (found.kind === 'behind') {
        isBehind = true;
        throw new StaleRow('The audit has grown or changed too much since it was last verified.');
      }
      note(found);
      demandNotBroken();
    },
    /** Refuses calls until an inspection finds the ledger intact: a call has read a damaged row. */
    close: (): void => {
      isBroken = true;
    },
  };
}

export type AuditLock = ReturnType<typeof auditLock>;

/** Runs one at a time: callers that arrive meanwhile join the run that is under way. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** The refusal of every call that depends on a damaged row. */
export const damaged: Refusal = {
  code: 'INTERNAL_HALT',
  rule: 'EN-13',
  because:
    'The ledger is damaged, or its audit chain is broken, so nothing is sent. An operator must look: purser audit verify.',
  retry: 'never',
  instead: ['list_operations'],
};
