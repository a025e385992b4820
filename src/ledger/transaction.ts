import type { Kysely } from 'kysely';
import { approvalsOf } from './approvals.ts';
import { auditOf } from './audit.ts';
import { budgetsOf } from './budgets.ts';
import { append } from './chain.ts';
import type { LedgerTransaction } from './ledger.ts';
import { observationsOf } from './observations.ts';
import { operationsOf } from './operations.ts';
import { sealedOf } from './sealed.ts';
import { since, type Writing } from './since.ts';
import type { Tables } from './tables.ts';
import { scoped } from './tenant.ts';

/** All reads and writes of one open transaction, for one tenant, on any database. */
export function transactionOf(db: Kysely<Tables>, tenant: string, writing: Writing): LedgerTransaction {
  const own = scoped(db, tenant);
  return {
    operations: operationsOf(own),
    observations: observationsOf(own),
    approvals: approvalsOf(own),
    budgets: budgetsOf(own),
    sealed: sealedOf(own),
    audit: auditOf(own, {
      append: async ({ operationId = null, event, body, at }) => {
        const row = await append(db, { tenant, operationId, event, body, at });
        writing.appends(row);
        return row;
      },
      since: (verified) => since(db, verified, writing),
    }),
  };
}

/** Throws for the empty tenant, which nobody is. */
export function demandTenant(tenant: string): void {
  if (tenant === '') throw new Error('A ledger transaction needs a tenant.');
}
