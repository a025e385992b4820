import type { Kysely } from 'kysely';
import { approvalsOf } from './approvals.ts';
import { auditOf, trailsOf } from './audit.ts';
import { budgetsOf } from './budgets.ts';
import { appendToChain } from './chain.ts';
import { BadCursor, LedgerUnavailable } from './errors.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import { observationsOf } from './observations.ts';
import { operationsOf } from './operations.ts';
import { createProof, type Proof, type ProofSettings } from './proof.ts';
import { sealedOf } from './sealed.ts';
import type { Tables } from './tables.ts';
import { scoped } from './tenant-scope.ts';
import type { Anchor } from './verification.ts';
import { type ChainAccess, verifyRecent } from './verify-recent.ts';

/** All reads and writes of one open transaction, for one tenant, on any database. */
export function transactionOf(
  db: Kysely<Tables>,
  tenant: string,
  writing: ChainAccess,
  proof: Proof,
): LedgerTransaction {
  const own = scoped(db, tenant, proof);
  /** The end of the chain, as this transaction has last seen it. */
  let head: Anchor | undefined;
  return {
    operations: operationsOf(own),
    observations: observationsOf(own),
    approvals: approvalsOf(own),
    budgets: budgetsOf(own),
    sealed: sealedOf(own),
    audit: auditOf(own, {
      append: async ({ operationId = null, event, body, at }) => {
        const row = await appendToChain(db, { tenant, operationId, event, body, at }, head);
        head = { seq: row.seq, hash: row.hash };
        writing.appends(row);
        proof.appended(row, trailsOf(row));
        return row;
      },
      verifyRecent: async (verified) => {
        proof.requireCheck();
        const verdict = await verifyRecent(db, verified, writing);
        if (verdict.kind === 'whole') head = verdict.verified;
        return verdict;
      },
    }),
  };
}

/**
 * Does the work of a transaction, and proves what it has read before it is kept. A decision that ended in an error of its own
 * is proven, too: what it found missing may have been taken away.
 */
export async function withProof<T>(
  db: Kysely<Tables>,
  tenant: string,
  { writing, proving }: { readonly writing: ChainAccess; readonly proving: ProofSettings },
  work: (tx: LedgerTransaction, proof: Proof) => Promise<T>,
): Promise<T> {
  const { proof, check, settle } = createProof(db, tenant, proving);
  let value: T;
  try {
    value = await work(transactionOf(db, tenant, writing, proof), proof);
  } catch (error) {
    if (!ofLedger.some((kind) => error instanceof kind)) await check();
    throw error;
  }
  await settle();
  return value;
}

/** After these the transaction can not be asked any more, or has decided nothing. */
const ofLedger = [BadCursor, LedgerUnavailable];

/** Throws for the empty tenant, which nobody is. */
export function requireTenant(tenant: string): void {
  if (tenant === '') throw new Error('A ledger transaction needs a tenant.');
}
