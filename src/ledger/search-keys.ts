import type { JsonObject } from '../core/canonical-json.ts';
import type { Search, SearchKey } from '../core/thing.ts';
import { isKind, kindTable } from '../domains/index.ts';
import { requireIntact } from './checksum.ts';
import { toObservation } from './json-column.ts';
import type { KeyRange, LedgerTransaction } from './ledger-transaction.ts';
import { namesKind, searchedNames } from './names.ts';
import { countUpTo, newestFirst, startOf, toPage } from './paging.ts';
import type { ObservationRow } from './rows.ts';
import type { StoredName, StoredSearchKey } from './tables.ts';
import { type Scoped, tenantStatement } from './tenant-scope.ts';

// The search index of things, as declared by their kind. Its rows contain copies, so a search reads the bodies of
// returned things only.

/** The property of a thing's body with the principal whose call created it; absent if it belongs to the merchant. */
export const principalMember = 'madeBy';

type Indexed = Pick<ObservationRow, 'kind' | 'handle' | 'state' | 'body' | 'createdAt'>;

const searchOf = (kind: string): Search | undefined => (isKind(kind) ? kindTable[kind].search : undefined);

/** The searchable names of a thing, by search kind. */
function searchNamesOf(row: Indexed): ReadonlyMap<string, string> {
  const text = searchOf(row.kind)?.text?.(row);
  if (text === undefined) return new Map();
  return new Map([undefined, row.state].map((state) => [namesKind(row.kind, state), text]));
}

/** The index rows of a thing. */
function searchKeysOf(row: Indexed): readonly Omit<StoredSearchKey, 'tenant'>[] {
  const { kind, handle, body } = row;
  const principal = typeof body[principalMember] === 'string' ? body[principalMember] : '';
  const keys = searchOf(kind)?.keys?.(row) ?? [];
  return keys
    .filter(({ at }) => Number.isSafeInteger(at))
    .map(({ key, value, at }) => ({ kind, principal, key, value, at, handle }));
}

/** Updates the index for a thing; `before` is undefined for a new one. */
export async function indexThing(own: Scoped, before: Indexed | undefined, after: Indexed): Promise<void> {
  await indexNames(own, before, after);
  const [old, current] = [before === undefined ? [] : searchKeysOf(before), searchKeysOf(after)];
  const has = (keys: typeof old, { key, value, at }: SearchKey): boolean =>
    keys.some((one) => one.key === key && one.value === value && one.at === at);
  const removed = old.filter((one) => !has(current, one));
  if (removed.length > 0) await own.all(keysRemoved, { keys: removed });
  // An existing key must not prevent the result of a sent call from being recorded.
  const added = current.filter((it) => !has(old, it));
  if (added.length > 0) await own.all(keysAdded, { keys: added });
}

type Key = Omit<StoredSearchKey, 'tenant'>;
const keysRemoved = tenantStatement(({ searchKeys }, { keys }: { readonly keys: readonly Key[] }) =>
  searchKeys
    .remove()
    .where((eb) => eb.or(keys.map(({ kind, key, value, at, handle }) => eb.and({ kind, key, value, at, handle })))),
);
const keysAdded = tenantStatement(({ searchKeys }, { keys }: { readonly keys: readonly Key[] }) =>
  searchKeys.insert(keys).onConflict((on) => on.doNothing()),
);
const namesRemoved = tenantStatement(
  ({ names }, { kinds, handle }: { readonly kinds: readonly string[]; readonly handle: string }) =>
    names.remove().where('kind', 'in', kinds).where('handle', '=', handle),
);
const namesAdded = tenantStatement(({ names }, { rows }: { readonly rows: readonly Omit<StoredName, 'tenant'>[] }) =>
  names.insert(rows).onConflict((on) => on.doNothing()),
);

async function indexNames(own: Scoped, before: Indexed | undefined, after: Indexed): Promise<void> {
  const { handle } = after;
  const [old, current] = [
    before === undefined ? new Map<string, string>() : searchNamesOf(before),
    searchNamesOf(after),
  ];
  const isKept = (kind: string): boolean => old.get(kind) === current.get(kind);
  const removed = [...old.keys()].filter((kind) => !isKept(kind));
  if (removed.length > 0) await own.all(namesRemoved, { kinds: removed, handle });
  const added = [...current]
    .filter(([kind]) => !isKept(kind))
    .flatMap(([kind, text]) => searchedNames(text).map((name) => ({ kind, handle, name })));
  // As for keys, existing names are not added again.
  if (added.length > 0) await own.all(namesAdded, { rows: added });
}

/** Searches the index with one statement per range and principal, so each uses the index's order. */
export function lookedUpBy({ tenant, searchKeys }: Scoped): LedgerTransaction['observations']['listBy'] {
  return async ({ kind, ranges, principals }, page) => {
    const listing = { of: 'search keys', tenant, filter: { kind, ranges: ranges.map(fixed), principals } };
    const { after, fetch } = startOf(listing, page);
    const found: ObservationRow[] = [];
    const places = new Map<string, number>();
    let counted = 0;
    for (const { key, value, above, upTo } of ranges)
      for (const principal of principals ?? [undefined]) {
        const matching = searchKeys
          .select()
          .where('searchKeys.kind', '=', kind)
          .$if(principal !== undefined, (query) => query.where('searchKeys.principal', '=', principal ?? ''))
          .where('searchKeys.key', '=', key)
          .where('searchKeys.value', '=', value)
          .$if(above !== undefined, (query) => query.where('searchKeys.at', '>', above ?? 0))
          .$if(upTo !== undefined, (query) => query.where('searchKeys.at', '<=', upTo ?? 0));
        const rows = await matching
          .innerJoin('observations', (join) =>
            join
              .onRef('observations.tenant', '=', 'searchKeys.tenant')
              .onRef('observations.handle', '=', 'searchKeys.handle'),
          )
          .selectAll('observations')
          .select('searchKeys.at')
          .$if(after !== undefined, (query) =>
            query.where((eb) =>
              eb(eb.refTuple('searchKeys.at', 'searchKeys.handle'), '<', eb.tuple(after?.at ?? 0, after?.id ?? '')),
            ),
          )
          .orderBy('searchKeys.at', 'desc')
          .orderBy('searchKeys.handle', 'desc')
          .limit(fetch)
          .execute();
        for (const { at, ...row } of rows) {
          found.push(toObservation(requireIntact('observations', row)));
          places.set(row.handle, at);
        }
        counted += await countUpTo(matching.select('searchKeys.handle'));
      }
    const placeOf = ({ handle }: ObservationRow) => ({ at: places.get(handle) ?? 0, id: handle });
    const dated = ({ at, id }: { readonly at: number; readonly id: string }) => ({ createdAt: at, id });
    const sorted = found.toSorted((one, other) => newestFirst(dated(placeOf(one)), dated(placeOf(other))));
    return toPage(listing, page, sorted.slice(0, fetch), counted, placeOf);
  };
}

/** The part of a range that identifies the list. Its bounds may move with the clock between pages. */
const fixed = ({ key, value }: KeyRange): JsonObject => ({ key, value });
