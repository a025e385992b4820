import { type InferResult, type Nullable, sql } from 'kysely';
import { requireIntact, withChecksum } from './checksum.ts';
import { nextVersion, refuseImmutable, requireInserted, requireWritten } from './compare-and-set.ts';
import { fromText, parsedOnce, toText } from './json-column.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import { bucketOf, isOpen, type Lookup, startOfBucket } from './lookups.ts';
import { operationLookups, UNDER_WAY_AT_MOST, underWay } from './operation-lookups.ts';
import { inStates, rowsAfter, startOf, toPage } from './paging.ts';
import type { OperationRow } from './rows.ts';
import type { StoredOperation, StoredReservation } from './tables.ts';
import { type Scoped, type TenantTables, tenantStatement } from './tenant-scope.ts';

const HAS_REFERENCE = sql<boolean>`reference <> ''`;
/** Later buckets that can contain a recent call. */
const BUCKETS = 1;
/** What is sent is what was proposed and approved. */
const FIXED = [
  'id',
  'tenant',
  'principal',
  'name',
  'args',
  'argsDigest',
  'essenceDigest',
  'createdAt',
  'version',
] as const satisfies readonly (keyof OperationRow)[];

const deniedSince = (name: string, essence: string, since: number): Lookup => [
  'denied since',
  name,
  essence,
  String(since),
];

/** The operations of one tenant. */
export function operationsOf(own: Scoped): LedgerTransaction['operations'] {
  const { tenant, operations, proof, rows: known } = own;
  const lookups = operationLookups(own);

  /** What ends an operation settles what it holds, so that is read with it. */
  const read = async (id: string): Promise<StoredOperation | undefined> => {
    const rows = (await own.all(byId, { id })).map(apart);
    known.held.set(
      id,
      rows.flatMap(({ held }) => held ?? []),
    );
    return rows[0]?.operation;
  };

  const newest = async (lookup: Lookup): Promise<OperationRow | undefined> => {
    const rows = await lookups.find(lookup);
    proof.found('operations', lookup, rows);
    const [found] = rows;
    if (found === undefined) return undefined;
    known.operations.set(found.id, requireIntact('operations', found));
    return toOperation(found);
  };

  /** Calls alike, created since a time, that are waiting, approved or done. Proves that each bucket is complete. */
  const madeSince = async (name: string, essence: string, since: number): Promise<readonly StoredOperation[]> => {
    const first = bucketOf(since);
    const rows = await lookups.find(madeSinceBucket(name, essence, first));
    const buckets = Map.groupBy(rows, ({ createdAt }) => bucketOf(createdAt));
    // An empty bucket is proved too: every bucket from the first to the newest is checked.
    for (let bucket = first; bucket <= first + BUCKETS; bucket += 1)
      proof.found('operations', ['made', name, essence, String(bucket)], buckets.get(bucket) ?? []);
    return rows.filter(({ createdAt }) => createdAt >= since);
  };

  return {
    insert: async (row) => {
      const stored = withChecksum('operations', { ...toStored({ ...row, tenant, version: 1 }), ...unclaimed });
      const written = requireInserted(await own.first(inserted, stored));
      proof.wrote('operations', undefined, written);
      lookups.forget();
      known.operations.set(written.id, written);
      return toOperation(written);
    },
    find: async (id) => {
      const found = await known.operations.get(id, async () => {
        const row = await read(id);
        proof.read('operations', [id], row);
        return row && requireIntact('operations', row);
      });
      return found && toOperation(found);
    },
    load: ({ name, argsDigest, principal, references, subjects, alike, deniedAlike: denied, isAllUnderWay }) =>
      lookups.load([
        ['call', name, argsDigest, principal],
        ['denied', name, argsDigest, principal],
        ...references.map((it): Lookup => ['reference', it.name, it.reference]),
        ...subjects.map((subject): Lookup => ['open on', subject]),
        ...(alike === undefined ? [] : recentOf(name, alike.essenceDigest, alike.since)),
        ...(denied === undefined ? [] : [deniedSince(name, denied.essenceDigest, denied.since)]),
        ...(isAllUnderWay ? [underWay] : []),
      ]),
    openOn: async (subject) => (subject === '' ? undefined : newest(['open on', subject])),
    openCall: (name, argsDigest, principal) => newest(['call', name, argsDigest, principal]),
    deniedCall: (name, argsDigest, principal) => newest(['denied', name, argsDigest, principal]),
    byReference: async (name, reference) => (reference === '' ? undefined : newest(['reference', name, reference])),
    recentAlike: async (name, essence, since) => {
      const [underWayLike, _, settledSince] = recentOf(name, essence, since);
      const open = await lookups.find(underWayLike);
      proof.found('operations', underWayLike, open);
      const made = await madeSince(name, essence, since);
      const settled = await lookups.find(settledSince);
      return [...open, ...made, ...settled].map(intactOperation);
    },
    deniedAlike: async (name, essence, since) =>
      (await lookups.find(deniedSince(name, essence, since))).map(intactOperation),
    underWay: async (about) => {
      const rows = await lookups.find(underWay);
      if (rows.length < UNDER_WAY_AT_MOST) {
        proof.found('operations', underWay, rows);
        return rows.map(intactOperation);
      }
      // A truncated result can't be proved complete: what is asked about has lookups of its own.
      const { subjects = [], references = [] } = about?.() ?? {};
      const asked = [
        ...subjects.map((subject): Lookup => ['open on', subject]),
        ...references.map((it): Lookup => ['reference', it.name, it.reference]),
      ];
      for (let at = 0; at < asked.length; at += MOST_AT_ONCE) await lookups.load(asked.slice(at, at + MOST_AT_ONCE));
      const found = new Map<string, OperationRow>();
      for (const lookup of asked) {
        const row = await newest(lookup);
        if (row !== undefined && isOpen(row.state)) found.set(row.id, row);
      }
      return [...found.values(), ...rows.filter(({ id }) => !found.has(id)).map(intactOperation)];
    },
    update: async (row, change) => {
      refuseImmutable<OperationRow>(row, change, FIXED);
      const before = await known.operations.get(row.id, () => read(row.id));
      known.operations.forget(row.id);
      lookups.forget();
      const next = { ...toStored(nextVersion(row, change)), ...unclaimed };
      const written = await own.first(updated, { ...withChecksum('operations', next), was: row.version });
      const kept = requireWritten(written, 'operation');
      proof.wrote('operations', before, kept);
      known.operations.set(kept.id, kept);
      return toOperation(kept);
    },
    list: async ({ states, principal, reference }, page) => {
      const listing = { of: 'operations', tenant, filter: { states, principal, reference } };
      const start = startOf(listing, page);
      const { rows, counted } = await inStates(states, start, (state) => {
        const matching = operations
          .select()
          .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
          .$if(principal !== undefined, (query) => query.where('principal', '=', principal ?? ''))
          .$if(reference !== undefined, (query) => query.where('reference', '=', reference ?? '').where(HAS_REFERENCE));
        return rowsAfter<StoredOperation>(matching, start.after);
      });
      return toPage(listing, page, rows.map(toOperation), counted, ({ createdAt, id }) => ({ at: createdAt, id }));
    },
  };
}

const byId = tenantStatement(({ operations }, { id }: { readonly id: string }) => operations.withHeld(id));
type WithHeld = InferResult<ReturnType<TenantTables['operations']['withHeld']>>[number];
/** The two rows of one: an operation, and a part of a budget that it holds. */
function apart({ heldBudget, heldScope, heldMinor, heldState, heldChecksum, ...operation }: WithHeld) {
  const { tenant, id: operationId } = operation;
  const key = { tenant, operationId, budget: heldBudget, scope: heldScope };
  const held = { ...key, minor: heldMinor, state: heldState, checksum: heldChecksum };
  return { operation, held: isHeld(held) ? held : undefined };
}
/** All of its columns are null, or none. */
const isHeld = (row: Nullable<StoredReservation>): row is StoredReservation => row.budget !== null;
const inserted = tenantStatement(({ operations }, row: StoredOperation) => operations.insert(row).returningAll());
const updated = tenantStatement(({ operations }, { was, ...row }: StoredOperation & { readonly was: number }) =>
  operations.update().set(row).where('id', '=', row.id).where('version', '=', was).returningAll(),
);

/** Lookups in one statement. SQLite takes 500. */
const MOST_AT_ONCE = 100;

const madeSinceBucket = (name: string, essence: string, first: number): Lookup => [
  ...(['made since', name, essence, String(startOfBucket(first))] as const),
];

/** Lookups of calls that a near-duplicate may repeat. */
const recentOf = (name: string, essence: string, since: number) =>
  [
    ['under way like', name, essence],
    madeSinceBucket(name, essence, bucketOf(since)),
    ['settled since', name, essence, String(since)],
  ] as const;

/** Changing an operation ends its lease. */
const unclaimed = { leaseHolder: null, leaseUntil: null };

/** The stored form of an operation, without the ledger's own columns. */
const toStored = (row: OperationRow) => ({ ...row, request: toText(row.request), result: toText(row.result) });

/** An operation that a decision uses. Throws if it is corrupt. */
const intactOperation = (row: StoredOperation): OperationRow => toOperation(requireIntact('operations', row));

/** Converts a stored operation. */
export const toOperation = parsedOnce(
  ({ leaseHolder: _holder, leaseUntil: _until, checksum: _checksum, ...row }: StoredOperation): OperationRow => ({
    ...row,
    request: row.request === null ? null : fromText(row.request),
    result: row.result === null ? null : fromText(row.result),
  }),
);
