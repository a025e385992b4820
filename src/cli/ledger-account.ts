import { retryOnConflict } from '../engine/retry.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ObservationRow } from '../ledger/rows.ts';
import { BadConfiguration } from './bad-configuration.ts';
import type { Configuration } from './configuration.ts';
import type { Account } from './tenants.ts';

// The account that the rows of a tenant are of. What one merchant has made would otherwise be taken for made by another one, shown to their
// agents, and looked for where it never was. In a sandbox nothing is anybody's.

const handle = 'account_of_ledger';

type Own = Pick<Account, 'tenant' | 'credentials'>;
type Configured = Pick<Configuration, 'environment' | 'baseUrl' | 'initAccount'>;

/** Requires that a tenant's rows are of the account that is configured for it. The first start names it in the ledger. */
export async function demandAccount(
  { environment, baseUrl = '', initAccount }: Configured,
  { tenant, credentials: { merchantId } }: Own,
  ledger: Ledger,
  now: number,
): Promise<void> {
  if (environment === 'sandbox') return;
  const body = { merchantId, platform: baseUrl };
  const fault = await retryOnConflict(() =>
    ledger.transaction(tenant, async (tx) => {
      const row = await tx.observations.find(handle);
      const fault = foreign(row, body);
      if (fault === undefined ? row !== undefined : initAccount !== true) return fault;
      if (row === undefined)
        await tx.observations.insert({ handle, kind: 'account', owner: '', state: 'OWN', body }, now);
      else await tx.observations.update(row, { body }, now);
      await tx.audit.append({ event: 'account', body, at: now });
      return undefined;
    }),
  );
  if (fault !== undefined) throw new BadConfiguration(fault);
}

/** Why a start is refused whose account is not that of the ledger's rows; undefined where it is. */
export async function accountFault(
  { environment, baseUrl = '' }: Configured,
  { tenant, credentials: { merchantId } }: Own,
  ledger: Ledger,
): Promise<string | undefined> {
  if (environment === 'sandbox') return undefined;
  const row = await ledger.transaction(tenant, (tx) => tx.observations.find(handle));
  return foreign(row, { merchantId, platform: baseUrl });
}

/** The sentence about a ledger of another account; a ledger without a row is nobody's yet. */
function foreign(
  row: ObservationRow | undefined,
  { merchantId, platform }: { readonly merchantId: string; readonly platform: string },
): string | undefined {
  if (row === undefined || (row.body.merchantId === merchantId && row.body.platform === platform)) return undefined;
  return `The ledger has the rows of merchant ${row.body.merchantId} at ${row.body.platform}, and the configuration names merchant ${merchantId} at ${platform}: give each its own data folder (PURSER_DATA), its own database (DATABASE_URL) or its own tenant (PURSER_TENANT). If it is the same account under a new name or address, stop every process that serves the old one, and start once with "purser mcp --init-account" or "purser serve --init-account".`;
}
