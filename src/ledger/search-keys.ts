import type { JsonObject } from '../core/canonical-json.ts';
import type { Search, SearchKey } from '../core/thing.ts';
import { isKind, kindTable } from '../domains/index.ts';
import { requireIntact } from './checksum.ts';
import { toObservation } from './json-column.ts';
import type { KeyRange, LedgerTransaction } from './ledger-transaction.ts';
import { namesKind, namesOf } from './names.ts';
import { countUpTo, newestFirst, startOf, toPage } from './paging.ts';
import type { ObservationRow } from './rows.ts';
import type { StoredSearchKey } from './tables.ts';
import type { Scoped } from './tenant-scope.ts';

// An index of things by what their kind declares they are searched for. The rows hold copies, so a search never reads the
// bodies of things it doesn't return.

/** The member of a thing's body that names the principal whose call made it; absent where it belongs to the merchant. */
export const principalMember = 'madeBy';

type Indexed = Pick<ObservationRow, 'kind' | 'handle' | 'state' | 'body' | 'createdAt'>;

const searchOf = (kind: string): Search | undefined => (isKind(kind) ? kindTable[kind].search : undefined);

/** The names of one thing, by their kind. */
export function searchNamesOf(row: Indexed): ReadonlyMap<string, string> {
  const text = searchOf(row.kind)?.text?.(row);
  if (text === undefined) return new Map();
  return new Map([undefined, row.state].map((state) => [namesKind(row.kind, state), text]));
}

/** The rows of the index for one thing. */
export function searchKeysOf(row: Indexed): readonly Omit<StoredSearchKey, 'tenant'>[] {
  const { kind, handle, body } = row;
  const principal = typeof body[principalMember] === 'string' ? body[principalMember] : '';
  const keys = searchOf(kind)?.keys?.(row) ?? [];
  return keys
    .filter(({ at }) => Number.isSafeInteger(at))
    .map(({ key, value, at }) => ({ kind, principal, key, value, at, handle }));
}

/** Brings the index up to date with a thing; `before` is undefined for a new one. */
export async function indexThing(own: Scoped, before: Indexed | undefined, after: Indexed): Promise<void> {
  await indexNames(own, before, after);
  const { searchKeys } = own;
  const [old, current] = [before === undefined ? [] : searchKeysOf(before), searchKeysOf(after)];
  const has = (keys: typeof old, { key, value, at }: SearchKey): boolean =>
    keys.some((one) => one.key === key && one.value === value && one.at === at);
  for (const { kind, key, value, at, handle } of old.filter((one) => !has(current, one)))
    await searchKeys
      .remove()
      .where('kind', '=', kind)
      .where('key', '=', key)
      .where('value', '=', value)
      .where('at', '=', at)
      .where('handle', '=', handle)
      .execute();
  // A key that is in the index already must not keep what was sent from being recorded.
  const added = current.filter((it) => !has(old, it));
  if (added.length > 0)
    await searchKeys
      .insert(added)
      .onConflict((on) => on.doNothing())
      .execute();
}

async function indexNames(own: Scoped, before: Indexed | undefined, after: Indexed): Promise<void> {
  const [old, current] = [
    before === undefined ? new Map<string, string>() : searchNamesOf(before),
    searchNamesOf(after),
  ];
  const { rename } = namesOf(own);
  for (const kind of new Set([...old.keys(), ...current.keys()]))
    if (old.get(kind) !== current.get(kind)) await rename({ kind, handle: after.handle }, current.get(kind) ?? '');
}

/** The search over the index: one statement for each range and principal, so that each is answered in its order. */
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

/** What of a range belongs to the list itself. Its bounds may move with the clock between two pages. */
const fixed = ({ key, value }: KeyRange): JsonObject => ({ key, value });
