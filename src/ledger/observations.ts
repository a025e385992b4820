import type { Nullable } from 'kysely';
import { canonicalJson } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import { missingHead } from './chain.ts';
import { requireIntact, withChecksum } from './checksum.ts';
import { nextVersion, requireInserted, requireWritten } from './compare-and-set.ts';
import { toObservation } from './json-column.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import { namesOf } from './names.ts';
import { countBeside, startOf, toPage } from './paging.ts';
import type { Told } from './rows.ts';
import { indexThing, lookedUpBy } from './search-keys.ts';
import type { StoredObservation } from './tables.ts';
import { type Scoped, tenantStatement } from './tenant-scope.ts';

/** One tenant's observations. */
export function observationsOf(own: Scoped): LedgerTransaction['observations'] {
  const { tenant, observations, proof, rows } = own;
  const read = (handle: string) => own.first(byHandle, { handle });
  const insertAll: LedgerTransaction['observations']['insertAll'] = async (added, at) => {
    if (added.length === 0) return [];
    const stored = added.map((row) =>
      withChecksum('observations', {
        ...{ ...notTold, ...row, tenant, body: canonicalJson(row.body) },
        ...{ createdAt: at, updatedAt: at, version: 1 },
      }),
    );
    const written = await own.all(inserted, { rows: stored });
    for (const row of written) {
      proof.wrote('observations', undefined, row);
      rows.observations.set(row.handle, row);
    }
    const kept = written.map(toObservation);
    for (const row of kept) await indexThing(own, undefined, row);
    return kept;
  };
  return {
    ...namesOf(own),
    listBy: lookedUpBy(own),
    load: (handles) =>
      rows.observations.readAhead(handles, async (missing) => {
        const found = await own.all(withOwners, { handles: missing });
        const [first] = found;
        if (first === undefined) throw missingHead();
        own.end.is(first.end);
        return new Map(found.flatMap(({ end: _, ...row }) => (isThing(row) ? [[row.handle, row] as const] : [])));
      }),
    find: async (handle) => {
      const found = await rows.observations.get(
        handle,
        () => read(handle),
        (row) => {
          proof.read('observations', [handle], row);
          if (row !== undefined) requireIntact('observations', row);
        },
      );
      return found && toObservation(found);
    },
    insert: async (row, at) => {
      const [written] = await insertAll([row], at);
      return requireInserted(written);
    },
    insertAll,
    update: async (row, { state = row.state, body = row.body, ...told }, at) => {
      const next = { ...nextVersion(row, { ...told, state, updatedAt: at }), body: canonicalJson(body) };
      const before = await rows.observations.get(row.handle, () => read(row.handle));
      rows.observations.forget(row.handle);
      const written = await own.first(updated, { ...withChecksum('observations', next), was: row.version });
      const kept = requireWritten(written, 'observation');
      proof.wrote('observations', before, kept);
      rows.observations.set(kept.handle, kept);
      await indexThing(own, before && toObservation(before), toObservation(kept));
      return toObservation(kept);
    },
    countOwned: async (kind, owners) => {
      if (owners.length === 0) return new Map();
      const rows = await observations
        .select()
        .select(['handle', observations.owned(kind, limits.countedRows)])
        .where('handle', 'in', owners)
        .execute();
      return new Map(rows.map(({ handle, count }) => [handle, count ?? 0]));
    },
    list: async ({ kind, owner }, page) => {
      const listing = { of: 'observations', tenant, filter: { kind, owner } };
      const start = startOf(listing, page);
      const { after, fetch } = start;
      const rows = await own.all(pageOf(owner !== undefined, after !== undefined), {
        kind,
        fetch,
        owner: owner ?? '',
        at: after?.at ?? 0,
        id: after?.id ?? '',
      });
      const matching = observations
        .select()
        .select('handle')
        .where('kind', '=', kind)
        .$if(owner !== undefined, (query) => query.where('owner', '=', owner ?? ''));
      const counted = await countBeside(rows, start, matching);
      return toPage(listing, page, rows.map(toObservation), counted, ({ createdAt, handle }) => ({
        at: createdAt,
        id: handle,
      }));
    },
  };
}

const notTold: Told = { changeSeq: 0, lookedAt: 0 };

const byHandle = tenantStatement(({ observations }, { handle }: { readonly handle: string }) =>
  observations.select().selectAll().where('handle', '=', handle),
);
/** The row of the end alone has no thing. */
const isThing = (row: Nullable<StoredObservation>): row is StoredObservation => row.handle !== null;
/** Things and their owners, because whoever needs a thing usually needs its owner. */
const withOwners = tenantStatement(({ observations }, { handles }: { readonly handles: readonly string[] }) =>
  observations.withOwners(handles),
);
interface PageGiven {
  readonly kind: string;
  readonly owner: string;
  readonly at: number;
  readonly id: string;
  readonly fetch: number;
}
/** A page of a kind's things: of one owner or of all, and from the first on or after another. */
const createPage = (isOfOwner: boolean, isLater: boolean) =>
  tenantStatement(({ observations }, { kind, owner, at, id, fetch }: PageGiven) =>
    observations
      .select()
      .selectAll()
      .where('kind', '=', kind)
      .$if(isOfOwner, (query) => query.where('owner', '=', owner))
      .$if(isLater, (query) => query.where((eb) => eb(eb.refTuple('createdAt', 'handle'), '>', eb.tuple(at, id))))
      .orderBy('createdAt')
      .orderBy('handle')
      .limit(fetch),
  );
const [ofAll, laterOfAll] = [createPage(false, false), createPage(false, true)];
const [ofOwner, laterOfOwner] = [createPage(true, false), createPage(true, true)];
const pageOf = (isOfOwner: boolean, isLater: boolean) =>
  isOfOwner ? (isLater ? laterOfOwner : ofOwner) : isLater ? laterOfAll : ofAll;
const inserted = tenantStatement(({ observations }, { rows }: { readonly rows: readonly StoredObservation[] }) =>
  observations.insert(rows).returningAll(),
);
const updated = tenantStatement(({ observations }, { was, ...row }: StoredObservation & { readonly was: number }) =>
  observations.update().set(row).where('handle', '=', row.handle).where('version', '=', was).returningAll(),
);
