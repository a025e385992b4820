import type { Ledger } from '../ledger/ledger.ts';
import type { Engine } from './engine.ts';
import { UnknownTenant } from './unknown-tenant.ts';

/**
 * One tenant's view of the ledger. Recovery claims only this tenant's operations, because only its account can read
 * them back. Transactions and reads of an unknown tenant are refused before they begin.
 */
export function ledgerOf(ledger: Ledger, tenant: string, served: readonly string[]): Ledger {
  const demandServed = (of: string): void => {
    if (!served.includes(of)) throw new UnknownTenant();
  };
  return {
    ...ledger,
    transaction: async (of, work) => {
      demandServed(of);
      return ledger.transaction(of, work);
    },
    read: async (of, work) => {
      demandServed(of);
      return ledger.read(of, work);
    },
    overdue: async (now) => (await ledger.overdue(now)).filter((row) => row.tenant === tenant),
    claimOverdue: (now, holder, leaseSeconds) => ledger.claimOverdue(now, holder, leaseSeconds, tenant),
    claimUnknown: (now, names, holder, leaseSeconds) => ledger.claimUnknown(now, names, holder, leaseSeconds, tenant),
  };
}

/**
 * Several tenants behind one engine: each call goes to its tenant's engine, with its own account, rate limiter and
 * circuit breaker. `own` is the tenant that this process serves.
 */
export function serveTenants(engines: ReadonlyMap<string, Engine>, own: string): Engine {
  const of = (tenant: string): Engine => {
    const engine = engines.get(tenant);
    if (engine === undefined) throw new UnknownTenant();
    return engine;
  };
  const each = <T>(work: (engine: Engine) => Promise<T>): Promise<T[]> => Promise.all([...engines.values()].map(work));
  const { tools, environment, parts } = of(own);
  return {
    ...{ tools, environment, parts, of },
    tenants: [...engines.keys()],
    call: async (tool, args, caller, watch) => of(caller.tenant).call(tool, args, caller, watch),
    propose: async (tool, args, caller) => of(caller.tenant).propose(tool, args, caller),
    approvals: async (tenant, page) => of(tenant).approvals(tenant, page),
    decide: async (approval, verdict, by) => of(by?.tenant).decide(approval, verdict, by),
    verified: () => of(own).verified(),
    redeem: async (tenant, handle, by) => of(tenant).redeem(tenant, handle, by),
    receiveDelivery: async (tenant, body) => of(tenant).receiveDelivery(tenant, body),
    workEvents: async () => void (await each((engine) => engine.workEvents())),
    fileChart: async (caller, handle) => of(caller.tenant).fileChart(caller, handle),
    filePage: async (caller, handle, page) => of(caller.tenant).filePage(caller, handle, page),
    files: async (caller) => of(caller.tenant).files(caller),
    openFile: async (tenant, handle) => of(tenant).openFile(tenant, handle),
    inspect: async () => void (await each((engine) => engine.inspect())),
    settle: async () => void (await each((engine) => engine.settle())),
    askReader: async (tenant) => of(tenant).askReader(tenant),
    recover: async () => (await each((engine) => engine.recover())).reduce((sum, count) => sum + count, 0),
  };
}
