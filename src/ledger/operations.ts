import { sql } from 'kysely';
import { requireIntact, withChecksum } from './checksum.ts';
import { nextVersion, refuseImmutable, requireWritten } from './compare-and-set.ts';
import { fromText, toText } from './json-column.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import { bucketOf, type Lookup, repeatable, startOfBucket } from './lookups.ts';
import { inStates, rowsAfter, startOf, toPage } from './paging.ts';
import type { OperationRow } from './rows.ts';
import type { StoredOperation } from './tables.ts';
import type { Scoped } from './tenant-scope.ts';

// Said as the partial indexes say it, word for word and with no parameter: otherwise they are not used, and every call reads
// through all that ever was.

/** Sent, and nothing final is known: no second operation may touch the subject. */
const IS_OPEN = sql<boolean>`state in ('SENDING', 'UNKNOWN')`;
const HAS_SUBJECT = sql<boolean>`subject <> ''`;
/** Denied, and nobody was told: what has failed otherwise has an answer. */
const IS_UNTOLD = sql<boolean>`state = 'FAILED' and result is null`;
const HAS_REFERENCE = sql<boolean>`reference <> ''`;
const HAS_NOT_ENDED = sql<boolean>`state in ('PROPOSED', 'APPROVED', 'SENDING', 'UNKNOWN')`;
/** Over without effect: the reference is free again. */
const WITHOUT_EFFECT = ['FAILED', 'EXPIRED'];
/** Enough to notice what was done twice. */
const RECENT = 100;
/** Milliseconds within which a call of unknown outcome is usually settled; one that takes longer is looked for no more. Own choice. */
const SETTLED_WITHIN = 86_400_000;
/** Buckets after the first one in which a recent call may be. */
const BUCKETS = 1;
/** What was proposed and approved is what is sent. */
const FIXED = [
  'id',
  'tenant',
  'principal',
  'name',
  'args',
  'argsDigest',
  'createdAt',
  'version',
] as const satisfies readonly (keyof OperationRow)[];

/** The operations of one tenant. */
export function operationsOf({ tenant, operations, proof, rows: known }: Scoped): LedgerTransaction['operations'] {
  const sameCall = (name: string, argsDigest: string, principal: string) =>
    operations
      .select()
      .selectAll()
      .where('name', '=', name)
      .where('argsDigest', '=', argsDigest)
      .where('principal', '=', principal);

  const read = (id: string) => operations.select().selectAll().where('id', '=', id).executeTakeFirst();

  /** The newest of a few: sorting them in the database would have it walk through an index by time instead. */
  const newest = async (
    lookup: Lookup,
    query: { execute(): Promise<StoredOperation[]> },
  ): Promise<OperationRow | undefined> => {
    const rows = await query.execute();
    proof.found('operations', lookup, rows);
    const [found] = rows.toSorted((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1));
    if (found === undefined) return undefined;
    known.operations.set(found.id, requireIntact('operations', found));
    return toOperation(found);
  };

  /** Calls of a name that were made since a moment and wait, are approved or done: every bucket of them is complete. */
  const madeSince = async (name: string, since: number): Promise<readonly StoredOperation[]> => {
    const first = bucketOf(since);
    const rows = await operations
      .select()
      .selectAll()
      .where('createdAt', '>=', startOfBucket(first))
      .where('name', '=', name)
      .where('state', 'in', repeatable)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .execute();
    const buckets = Map.groupBy(rows, ({ createdAt }) => bucketOf(createdAt));
    // A bucket without rows must be one of which none is known; those from the first one to the newest are looked at.
    for (let bucket = first; bucket <= first + BUCKETS; bucket += 1)
      proof.found('operations', ['made', name, String(bucket)], buckets.get(bucket) ?? []);
    return rows.filter(({ createdAt }) => createdAt >= since);
  };

  return {
    insert: async (row) => {
      const stored = { ...toStored({ ...row, tenant, version: 1 }), ...unclaimed };
      const written = await operations.insert(stored).returningAll().executeTakeFirstOrThrow();
      proof.wrote('operations', undefined, written);
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
    openOn: async (subject) =>
      subject === ''
        ? undefined
        : newest(
            ['open on', subject],
            operations.select().selectAll().where('subject', '=', subject).where(IS_OPEN).where(HAS_SUBJECT),
          ),
    openCall: (name, argsDigest, principal) =>
      newest(['call', name, argsDigest, principal], sameCall(name, argsDigest, principal).where(HAS_NOT_ENDED)),
    deniedCall: (name, argsDigest, principal) =>
      newest(['denied', name, argsDigest, principal], sameCall(name, argsDigest, principal).where(IS_UNTOLD)),
    byReference: async (name, reference) =>
      reference === ''
        ? undefined
        : newest(
            ['reference', name, reference],
            operations
              .select()
              .selectAll()
              .where('name', '=', name)
              .where('reference', '=', reference)
              .where('state', 'not in', WITHOUT_EFFECT),
          ),
    recentCalls: async (name, since) => {
      const named = () => operations.select().selectAll().where('name', '=', name);
      const calls = () => named().orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(RECENT);
      // Three queries, each answered by an index: together they would read through all that ever was.
      const open = await named().where(IS_OPEN).execute();
      proof.found('operations', ['under way of', name], open);
      const made = await madeSince(name, since);
      const settled = calls()
        .where('createdAt', '>=', since - SETTLED_WITHIN)
        .where('state', '=', 'FAILED')
        .where('updatedAt', '>=', since)
        .where('attempt', '>', 0);
      return [...open, ...made, ...(await settled.execute())].map(intactOperation);
    },
    update: async (row, change) => {
      refuseImmutable<OperationRow>(row, change, FIXED);
      const before = await known.operations.get(row.id, () => read(row.id));
      known.operations.forget(row.id);
      const next = { ...toStored(nextVersion(row, change)), ...unclaimed };
      const written = await operations
        .update()
        .set(withChecksum('operations', next))
        .where('id', '=', row.id)
        .where('version', '=', row.version)
        .returningAll()
        .executeTakeFirst();
      const kept = requireWritten(written, 'operation');
      proof.wrote('operations', before, kept);
      known.operations.set(kept.id, kept);
      return toOperation(kept);
    },
    list: async ({ states, principal, reference }, page) => {
      const listing = { of: 'operations', tenant, filter: { states, principal, reference } };
      const { after, fetch } = startOf(listing, page);
      const { rows, counted } = await inStates(states, fetch, (state) => {
        const matching = operations
          .select()
          .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
          .$if(principal !== undefined, (query) => query.where('principal', '=', principal ?? ''))
          .$if(reference !== undefined, (query) => query.where('reference', '=', reference ?? '').where(HAS_REFERENCE));
        return rowsAfter<StoredOperation>(matching, after);
      });
      // Whether something is under way that rests on terms which a call would change is decided by this list.
      if (
        isUnderWay(states) &&
        principal === undefined &&
        reference === undefined &&
        after === undefined &&
        rows.length < fetch
      )
        proof.found('operations', ['under way'], rows);
      return toPage(listing, page, rows.map(toOperation), counted, ({ createdAt, id }) => ({ at: createdAt, id }));
    },
  };
}

const isUnderWay = (states: readonly string[] | undefined): boolean => states?.join() === 'SENDING,UNKNOWN';

/** Whoever changes an operation is done with the lease on it. */
const unclaimed = { leaseHolder: null, leaseUntil: null };

/** An operation in its stored form, but for what the ledger alone knows of it. */
const toStored = (row: OperationRow) => ({ ...row, request: toText(row.request), result: toText(row.result) });

/** An operation that a decision is made by: it must be what was written. */
export const intactOperation = (row: StoredOperation): OperationRow => toOperation(requireIntact('operations', row));

/** An operation out of its stored form. */
export function toOperation({
  leaseHolder: _holder,
  leaseUntil: _until,
  checksum: _checksum,
  ...row
}: StoredOperation): OperationRow {
  return {
    ...row,
    request: row.request === null ? null : fromText(row.request),
    result: row.result === null ? null : fromText(row.result),
  };
}
