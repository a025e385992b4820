import { CamelCasePlugin, type Dialect, Kysely } from 'kysely';
import { approvalsOf } from './approvals.ts';
import { auditOf } from './audit.ts';
import { budgetsOf } from './budgets.ts';
import { append, verify } from './chain.ts';
import { overdue, tenants } from './every-tenant.ts';
import type { Ledger, LedgerTransaction } from './ledger.ts';
import { migrate } from './migrations/index.ts';
import { observationsOf } from './observations.ts';
import { operationsOf } from './operations.ts';
import { createQueue } from './queue.ts';
import { sealedOf } from './sealed.ts';
import { sqliteDialect } from './sqlite.ts';
import type { Tables } from './tables.ts';
import { scoped } from './tenant.ts';

/**
 * Opens the ledger in a SQLite file, or in memory for `:memory:`, and brings its tables up to date. Several processes
 * may share one file. Throws LedgerUnavailable.
 */
export function openLedger({ file }: { readonly file: string }): Promise<Ledger> {
  return openLedgerOn(sqliteDialect(file), file);
}

/** The ledger on any database Kysely speaks; `place` is what its errors call it. */
export async function openLedgerOn(dialect: Dialect, place: string): Promise<Ledger> {
  const db = new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
  try {
    await migrate(db, place);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const queue = createQueue(place);
  return {
    transaction: async (tenant, work) => {
      if (tenant === '') throw new Error('A ledger transaction needs a tenant.');
      return queue.run(() => db.transaction().execute((tx) => work(transactionOf(tx, tenant))));
    },
    overdue: (now) => queue.run(() => overdue(db, now)),
    tenants: () => queue.run(() => tenants(db)),
    verifyAudit: (anchor) => verify(db, queue.run, anchor),
    close: () => queue.close(() => db.destroy()),
  };
}

function transactionOf(db: Kysely<Tables>, tenant: string): LedgerTransaction {
  const own = scoped(db, tenant);
  return {
    operations: operationsOf(own),
    observations: observationsOf(own),
    approvals: approvalsOf(own),
    budgets: budgetsOf(own),
    sealed: sealedOf(own),
    audit: auditOf(own, ({ operationId = null, event, body, at }) =>
      append(db, { tenant, operationId, event, body, at }),
    ),
  };
}
