import { sql } from 'kysely';
import { fresh, keepFixed } from './compare-and-set.ts';
import { fromText, toText } from './json-column.ts';
import type { LedgerTransaction, OperationRow } from './ledger.ts';
import { startOf, toPage } from './paging.ts';
import type { StoredOperation } from './tables.ts';
import type { Scoped } from './tenant.ts';

// Said as the partial indexes say it, word for word and with no parameter: otherwise they are not used, and every call reads
// through all that ever was.

/** Sent, and nothing final is known: no second operation may touch the subject. */
const IS_OPEN = sql<boolean>`state in ('SENDING', 'UNKNOWN')`;
const HAS_SUBJECT = sql<boolean>`subject <> ''`;
const HAS_NOT_ENDED = sql<boolean>`state in ('PROPOSED', 'APPROVED', 'SENDING', 'UNKNOWN')`;
/** Over without effect: the reference is free again. */
const WITHOUT_EFFECT = ['FAILED', 'EXPIRED'];
/** Enough to notice what was done twice. */
const RECENT = 100;
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
export function operationsOf({ tenant, operations }: Scoped): LedgerTransaction['operations'] {
  return {
    insert: async (row) => {
      const stored = { ...row, request: toText(row.request), result: toText(row.result), version: 1 };
      return toOperation(await operations.insert(stored).returningAll().executeTakeFirstOrThrow());
    },
    find: async (id) => first(operations.select().selectAll().where('id', '=', id)),
    openOn: async (subject) =>
      subject === ''
        ? undefined
        : first(operations.select().selectAll().where('subject', '=', subject).where(IS_OPEN).where(HAS_SUBJECT)),
    openCall: async (name, argsDigest, principal) => {
      const rows = await operations
        .select()
        .selectAll()
        .where('name', '=', name)
        .where('argsDigest', '=', argsDigest)
        .where('principal', '=', principal)
        .where(HAS_NOT_ENDED)
        .execute();
      // They are one or two: sorting them in the database would have it walk through an index by time instead.
      const [newest] = rows.toSorted((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1));
      return newest && toOperation(newest);
    },
    byReference: async (name, reference) =>
      reference === ''
        ? undefined
        : first(
            operations
              .select()
              .selectAll()
              .where('name', '=', name)
              .where('reference', '=', reference)
              .where('state', 'not in', WITHOUT_EFFECT),
          ),
    doneSince: async (name, since) =>
      operations
        .select()
        .select(['id', 'reference', 'args', 'createdAt'])
        .where('createdAt', '>=', since)
        .where('name', '=', name)
        .where('state', '=', 'SUCCEEDED')
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(RECENT)
        .execute(),
    update: async (row, { request, result, ...change }) => {
      keepFixed<OperationRow>(row, change, FIXED);
      const written = await operations
        .update()
        .set({ ...change, version: row.version + 1 })
        .$if(request !== undefined, (query) => query.set({ request: toText(request ?? null) }))
        .$if(result !== undefined, (query) => query.set({ result: toText(result ?? null) }))
        .where('id', '=', row.id)
        .where('version', '=', row.version)
        .returningAll()
        .executeTakeFirst();
      return toOperation(fresh(written, 'operation'));
    },
    list: async ({ states }, page) => {
      const listing = { of: 'operations', tenant, filter: { states } };
      const { after, fetch } = startOf(listing, page);
      const matching = operations
        .select()
        .$if(states !== undefined, (query) =>
          query.where((eb) => (states?.length ? eb('state', 'in', states) : eb.lit(false))),
        );
      const rows = await matching
        .selectAll()
        .$if(after !== undefined, (query) =>
          query.where((eb) => eb(eb.refTuple('createdAt', 'id'), '<', eb.tuple(after?.at ?? 0, after?.id ?? ''))),
        )
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(fetch)
        .execute();
      const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      return toPage(listing, page, rows.map(toOperation), total, ({ createdAt, id }) => ({ at: createdAt, id }));
    },
  };
}

async function first(query: {
  executeTakeFirst(): Promise<StoredOperation | undefined>;
}): Promise<OperationRow | undefined> {
  const row = await query.executeTakeFirst();
  return row && toOperation(row);
}

/** An operation out of its stored form. */
export function toOperation({ leaseHolder: _holder, leaseUntil: _until, ...row }: StoredOperation): OperationRow {
  return {
    ...row,
    request: row.request === null ? null : fromText(row.request),
    result: row.result === null ? null : fromText(row.result),
  };
}
