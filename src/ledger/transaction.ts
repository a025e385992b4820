import type { Kysely } from 'kysely';
import { approvalsOf } from './approvals.ts';
import { auditOf, trailsOf } from './audit.ts';
import { budgetsOf } from './budgets.ts';
import { appendToChain, readEnd } from './chain.ts';
import { BadCursor, LedgerUnavailable } from './errors.ts';
import { eventsOf } from './events.ts';
import type { LedgerReads, LedgerTransaction } from './ledger-transaction.ts';
import { observationsOf } from './observations.ts';
import { loadBesideUnderWay } from './operation-lookups.ts';
import { operationsOf } from './operations.ts';
import { createProof, type Proof, type ProofSettings } from './proof.ts';
import { sealedOf } from './sealed.ts';
import type { StoredAudit, Tables } from './tables.ts';
import { scoped } from './tenant-scope.ts';
import type { Anchor } from './verification.ts';
import { type ChainAccess, verifyRecent } from './verify-recent.ts';

/** All reads and writes of one open transaction, for one tenant, on either database. */
export function transactionOf(
  db: Kysely<Tables>,
  tenant: string,
  writing: ChainAccess,
  proof: Proof,
): LedgerTransaction {
  const own = scoped(db, tenant, proof);
  /** The end of the chain as last read by this transaction. */
  let head: Anchor | undefined;
  /** The newest halt of the tenant or its end, once read. */
  let halt: StoredAudit | null | undefined;
  return {
    operations: operationsOf(own),
    observations: observationsOf(own),
    approvals: approvalsOf(own),
    budgets: budgetsOf(own),
    sealed: sealedOf(own),
    events: eventsOf(own),
    audit: auditOf(own, {
      append: async ({ operationId = null, event, body, at }) => {
        const end = head ?? writing.writes.committed().last;
        const row = await appendToChain(db, { tenant, operationId, event, body, at }, end);
        head = { seq: row.seq, hash: row.hash };
        own.end.is(row.seq);
        halt = undefined;
        writing.appends(row);
        proof.appended(row, trailsOf(row));
        return row;
      },
      verifyRecent: async (verified, anchor, handles = []) => {
        proof.requireCheck();
        const {
          verdict,
          halt: newest = null,
          things,
        } = await verifyRecent(db, { tenant, handles }, verified, anchor, writing);
        await own.rows.observations.readAhead(handles, async () => things);
        if (verdict.kind === 'whole') {
          head = verdict.verified;
          own.end.is(head.seq);
        }
        halt = newest;
        return verdict;
      },
      end: async () => own.end.known() ?? readEnd(db),
      newestHalt: () => halt,
    }),
  };
}

/** One tenant's reads, in the snapshot of `db`. They are not compared with the proof. */
export function readsOf(db: Kysely<Tables>, tenant: string, proving: ProofSettings): LedgerReads {
  const own = scoped(db, tenant, createProof(db, tenant, proving).proof);
  const observations = observationsOf(own);
  return {
    operations: operationsOf(own),
    observations: {
      ...observations,
      load: (handles) => (own.rows.lookups.size === 0 ? loadBesideUnderWay(own, handles) : observations.load(handles)),
    },
    approvals: approvalsOf(own),
    budgets: budgetsOf(own),
    events: eventsOf(own),
  };
}

/**
 * Runs a transaction's work, and proves its reads before the commit. A decision that ends in its own error is proved
 * too, because what it found missing may have been removed.
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

/** After these the transaction can't be queried, or has decided nothing. */
const ofLedger = [BadCursor, LedgerUnavailable];

/** Throws for an empty tenant. */
export function requireTenant(tenant: string): void {
  if (tenant === '') throw new Error('A ledger transaction needs a tenant.');
}
