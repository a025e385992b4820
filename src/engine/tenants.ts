import type { Ledger } from '../ledger/ledger.ts';
import type { Engine } from './engine.ts';
import { UnknownTenant } from './unknown-tenant.ts';

/**
 * The ledger behind the engine of one tenant. What recovery claims is this tenant's, because its account alone can ask the
 * platform about it; a transaction of a tenant that nobody serves is refused before it begins.
 */
export const ledgerOf = (ledger: Ledger, tenant: string, served: readonly string[]): Ledger => ({
  ...ledger,
  transaction: async (of, work) => {
    if (!served.includes(of)) throw new UnknownTenant();
    return ledger.transaction(of, work);
  },
  overdue: async (now) => (await ledger.overdue(now)).filter((row) => row.tenant === tenant),
  claimOverdue: (now, holder, leaseSeconds) => ledger.claimOverdue(now, holder, leaseSeconds, tenant),
  claimUnknown: (now, names, holder, leaseSeconds) => ledger.claimUnknown(now, names, holder, leaseSeconds, tenant),
});

/**
 * Several tenants behind one engine: each call goes to the engine that has its tenant's account, rate limiter and circuit
 * breaker. `own` is the tenant that the faces of this process serve.
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
    call: async (tool, args, caller) => of(caller.tenant).call(tool, args, caller),
    propose: async (tool, args, caller) => of(caller.tenant).propose(tool, args, caller),
    verified: () => of(own).verified(),
    redeem: async (tenant, handle) => of(tenant).redeem(tenant, handle),
    inspect: async () => void (await each((engine) => engine.inspect())),
    settle: async () => void (await each((engine) => engine.settle())),
    recover: async () => (await each((engine) => engine.recover())).reduce((sum, count) => sum + count, 0),
  };
}
