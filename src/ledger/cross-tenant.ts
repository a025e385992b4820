import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isIntact, withChecksum } from './checksum.ts';
import { nextVersion } from './compare-and-set.ts';
import { CorruptRow } from './errors.ts';
import type { Ledger } from './ledger.ts';
import { toOperation } from './operations.ts';
import { createProof, type ProofSettings } from './proof.ts';
import type { OperationRow } from './rows.ts';
import type { Tables } from './tables.ts';

/** Most rows per claim. The next claim, here or in another process, takes more. Own choice. */
const ROWS_PER_CLAIM = 100;

/** Most overdue operations per read. Own choice. */
const OVERDUE_AT_ONCE = 1_000;

/** How a database runs reads of all tenants, and a transaction of one. */
export interface Runs {
  readonly everywhere: <T>(work: (db: Kysely<Tables>) => Promise<T>) => Promise<T>;
  readonly within: <T>(tenant: string, work: (tx: Kysely<Tables>) => Promise<T>) => Promise<T>;
}

/** The ledger's operations across tenants, for either database. */
export function crossTenantReads(
  { everywhere, within }: Runs,
  terms: Pick<Claim, 'clock' | 'proving'>,
): Pick<Ledger, 'overdue' | 'claimOverdue' | 'claimUnknown' | 'tenants'> {
  const claimed = async (what: Omit<Claim, 'clock' | 'proving'>, only?: string): Promise<readonly OperationRow[]> => {
    const rows: OperationRow[] = [];
    for (const tenant of await everywhere((db) => tenantsOverdue(db, what.now, what.lost, only))) {
      const claim = within(tenant, (tx) => claimOverdue(tx, tenant, { ...what, ...terms }));
      rows.push(...(await claim.catch(noneOfDamaged)));
    }
    return rows.sort(longestWaiting);
  };
  return {
    overdue: (now) => everywhere((db) => overdue(db, now)),
    claimOverdue: (now, holder, leaseSeconds, only) =>
      claimed({ lost: { state: 'SENDING' }, now, holder, leaseSeconds }, only),
    claimUnknown: (now, names, holder, leaseSeconds, only) =>
      claimed({ lost: { state: 'UNKNOWN', names }, now, holder, leaseSeconds }, only),
    tenants: () => everywhere(tenants),
  };
}

/**
 * The conditions of the recovery queries. They repeat those of the partial indexes without parameters; otherwise the
 * indexes aren't used.
 */
const due = {
  SENDING: sql<boolean>`state = 'SENDING'`,
  UNKNOWN: sql<boolean>`state = 'UNKNOWN'`,
} as const;

/** What recovery selects: operations that are being sent, or of unknown outcome, optionally by name. */
interface Lost {
  readonly state: keyof typeof due;
  readonly names?: readonly string[];
}

/** The operations whose quiet period has ended, the longest overdue first. */
async function overdue(
  db: Kysely<Tables>,
  now: number,
  { state, names }: Lost = { state: 'SENDING' },
): Promise<readonly OperationRow[]> {
  const rows = await db
    .selectFrom('operations')
    .selectAll()
    .where(due[state])
    .where('quietUntil', '<=', now)
    .$if(names !== undefined, (query) => query.where('name', 'in', names ?? []))
    .orderBy('quietUntil')
    .orderBy('id')
    .limit(OVERDUE_AT_ONCE)
    .execute();
  return rows.map(toOperation);
}

/** The claimant, and how the database tells the time and separates claimants. */
interface Claim {
  readonly lost: Lost;
  readonly now: number;
  readonly holder: string;
  readonly leaseSeconds: number;
  /** The database's clock, in milliseconds. */
  readonly clock: RawBuilder<number>;
  readonly proving: ProofSettings;
}

/**
 * Leases a tenant's overdue operations that nobody holds, while no other transaction of this tenant runs. The lease is
 * stored in the row, so late readers see it.
 */
async function claimOverdue(
  db: Kysely<Tables>,
  tenant: string,
  { lost: { state, names }, now, holder, leaseSeconds, clock, proving }: Claim,
): Promise<readonly OperationRow[]> {
  const { proof, settle } = createProof(db, tenant, proving);
  const found = await db
    .selectFrom('operations')
    .selectAll()
    .select(() => [clock.as('clock')])
    .where('tenant', '=', tenant)
    .where(due[state])
    .where('quietUntil', '<=', now)
    .$if(names !== undefined, (query) => query.where('name', 'in', names ?? []))
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<=', clock)]))
    .orderBy('quietUntil')
    .orderBy('id')
    .limit(ROWS_PER_CLAIM)
    .execute();
  const claimed: OperationRow[] = [];
  for (const { clock: read, checksum, ...row } of found) {
    // Skips a corrupt row, which the verification of the ledger reports.
    if (!isIntact('operations', { ...row, checksum })) continue;
    const leased = { ...nextVersion(row, {}), leaseHolder: holder, leaseUntil: read + leaseSeconds * 1000 };
    const written = await db
      .updateTable('operations')
      .set(withChecksum('operations', leased))
      .where('tenant', '=', tenant)
      .where('id', '=', row.id)
      .where('version', '=', row.version)
      .returningAll()
      .executeTakeFirst();
    if (written === undefined) continue;
    proof.wrote('operations', { ...row, checksum }, written);
    claimed.push(toOperation(written));
  }
  await settle();
  return claimed.sort(longestWaiting);
}

/** A corrupt ledger recovers nothing: sending and verifying report the corruption. */
const noneOfDamaged = (error: unknown): readonly OperationRow[] => {
  if (error instanceof CorruptRow) return [];
  throw error;
};

/** In the order of `overdue`. */
const longestWaiting = (one: OperationRow, other: OperationRow): number =>
  (one.quietUntil ?? 0) - (other.quietUntil ?? 0) || (one.id < other.id ? -1 : 1);

/**
 * The tenants with overdue operations; `only` limits it to one. Reads as many rows as there are open operations, which
 * people keep few.
 */
async function tenantsOverdue(
  db: Kysely<Tables>,
  now: number,
  { state, names }: Lost,
  only?: string,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('operations')
    .select('tenant')
    .where(due[state])
    .where('quietUntil', '<=', now)
    .$if(names !== undefined, (query) => query.where('name', 'in', names ?? []))
    .orderBy('quietUntil')
    .execute();
  return [...new Set(rows.map(({ tenant }) => tenant))].filter((tenant) => only === undefined || tenant === only);
}

/**
 * Every tenant with rows in any table. Skips from one tenant to the next by an index, so the number of rows doesn't
 * matter.
 */
async function tenants(db: Kysely<Tables>): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const table of ['operations', 'observations', 'approvals', 'audit'] as const)
    for (let last = ''; ; ) {
      const next = await db
        .selectFrom(table as 'audit') // every table is read in the same way
        .select('tenant')
        .where('tenant', '>', last)
        .orderBy('tenant')
        .limit(1)
        .executeTakeFirst();
      if (next === undefined) break;
      last = next.tenant;
      found.add(last);
    }
  return [...found].sort();
}
