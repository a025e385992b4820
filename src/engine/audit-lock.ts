import { StaleRow } from '../ledger/errors.ts';
import type { LedgerTransaction } from '../ledger/ledger-transaction.ts';
import type { Anchor, RecentVerdict, VerifiedPosition } from '../ledger/verification.ts';
import { readAnchor, rolledBack } from './anchor.ts';
import type { EngineParts } from './parts.ts';
import { type Refusal, Refused } from './refusal.ts';

/**
 * Refuses calls while the audit chain is broken (EN-13). The first call, or an inspection, verifies all of it; later calls continue
 * from the last verified row, so the cost of a call does not grow with the ledger.
 */
export function auditLock({ ledger, anchor, verifiedBefore, ports }: EngineParts) {
  const anchored = (): Anchor | undefined => readAnchor({ anchor, ports });
  let verified: VerifiedPosition | undefined = verifiedBefore;
  let isBroken = false;
  let isBehind = false;
  const inspect = oneAtATime(async () => {
    const writes = await ledger.writeCounters();
    const found = await ledger.verify(anchored());
    const isCutOff = found.ok && found.rows < (writes.last?.seq ?? 0);
    note(
      found.ok && !isCutOff
        ? { kind: 'whole', verified: { seq: found.rows, hash: found.head, writes } }
        : {
            kind: 'broken',
            because: found.ok ? 'The chain ends before a row that this process wrote.' : found.because,
          },
    );
  });
  const catchUp = oneAtATime(async () => {
    if (verified === undefined) return inspect();
    const found = await ledger.verifySince(verified, anchored());
    note(found);
    isBehind = false;
    // Verifying older rows takes too long before a call; a fault found there refuses the next calls.
    if (found.kind === 'whole' && found.older) void inspect().catch((fault: unknown) => ports.onFault?.(fault));
  });
  const note = (found: Exclude<RecentVerdict, { readonly kind: 'behind' | 'unanchored' }>): void => {
    isBroken = found.kind === 'broken';
    if (found.kind === 'whole') verified = found.verified;
  };
  const demandNotBroken = (): void => {
    // Nothing is appended to a broken chain.
    if (isBroken) throw new Refused(damaged, { isNoted: false });
  };

  return {
    inspect: (): Promise<void> => inspect(),
    /** The verified position, for the next start; undefined while the chain is broken or unverified. */
    verified: (): VerifiedPosition | undefined => (isBroken ? undefined : verified),
    /** Requires an intact ledger. Verifies what is too much for `demandUnchanged`. */
    demandWhole: async (): Promise<void> => {
      demandNotBroken();
      if (verified === undefined || isBehind) await catchUp();
      demandNotBroken();
    },
    /**
     * Verifies what was added or changed since the last check, and that the chain contains the anchor, at the beginning
     * of the deciding transaction. Throws StaleRow if that is too much: retry from `demandWhole`. Call the returned
     * function once the transaction is committed: only then do rows count that another one wrote which shares its commit.
     * The things of these handles are prefetched.
     */
    demandUnchanged: async (tx: LedgerTransaction, handles?: readonly string[]): Promise<() => void> => {
      const row = anchored();
      if (anchor !== undefined && row === undefined) throw new Refused(rolledBack);
      const found =
        verified === undefined ? ({ kind: 'behind' } as const) : await tx.audit.verifyRecent(verified, row, handles);
      if (found.kind === 'unanchored') throw new Refused(rolledBack);
      if (found.kind === 'behind') {
        isBehind = true;
        throw new StaleRow('The audit has changed too much since it was last verified.');
      }
      if (found.kind === 'broken') note(found);
      demandNotBroken();
      return () => {
        if (found.kind === 'whole') verified = found.verified; // what was found broken meanwhile stays so
      };
    },
    /** Refuses calls until an inspection finds the ledger intact, because a call has read a corrupt row. */
    close: (): void => {
      isBroken = true;
    },
  };
}

export type AuditLock = ReturnType<typeof auditLock>;

/** Runs one at a time: concurrent callers join the current run. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** The refusal of every call that depends on a corrupt row. */
export const damaged: Refusal = {
  code: 'INTERNAL_HALT',
  rule: 'EN-13',
  because:
    'The ledger is damaged, or its audit chain is broken, so nothing was sent. An operator must investigate: purser audit verify.',
  retry: 'never',
  instead: ['list_operations'],
};
