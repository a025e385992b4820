import { requireIntact } from './checksum.ts';
import { BadCursor } from './errors.ts';
import { toObservation } from './json-column.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import { countUpTo, startOf, toPage } from './paging.ts';
import type { Scoped } from './tenant-scope.ts';

// Things are found by the beginning of any word of their name. Each name is stored once from each of its words on, so
// an index serves the search, whatever the number of names.

/** Sorts after every text with the same beginning, if texts compare by bytes. */
const LAST = '\u{10ffff}';

/** Normalises names for comparison: case, accents and repeated blanks are ignored. */
const normalisedName = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ').trim();

/**
 * A name from each beginning of a word on. In scripts without case any letter may begin a word, because such scripts
 * often have no blanks.
 */
export function searchedNames(text: string): readonly string[] {
  const name = normalisedName(text);
  const starts = [...name.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]|\p{Lo}/gu)].map(({ index }) => name.slice(index));
  return [...new Set(starts)];
}

/** The search kind of things: all of a kind, or those in one state. */
export const namesKind = (kind: string, state?: string): string => (state === undefined ? kind : `${kind} ${state}`);

/** The names of one tenant's things. */
export function namesOf({ tenant, names }: Scoped): Pick<LedgerTransaction['observations'], 'rename' | 'search'> {
  return {
    rename: async ({ kind, handle }, text) => {
      await names.remove().where('kind', '=', kind).where('handle', '=', handle).execute();
      const rows = searchedNames(text).map((name) => ({ kind, handle, name }));
      if (rows.length > 0) await names.insert(rows).execute();
    },
    search: async ({ kind: things, name, state }, page) => {
      const kind = namesKind(things, state);
      const wanted = normalisedName(name).replace(/^[^\p{L}\p{N}]+/u, '');
      const listing = { of: 'names', tenant, filter: { kind, name: wanted } };
      const { after, fetch } = startOf(listing, page);
      // Signs alone begin no word; an empty text would begin every one.
      if (wanted === '') return { rows: [], total: 0 };
      const matching = names.between(kind, wanted, `${wanted}${LAST}`);
      const last = after && (await matching.select('name').where('names.handle', '=', after.id).executeTakeFirst());
      if (after !== undefined && last === undefined)
        throw new BadCursor('The list has changed: start again from the first page.');
      const found = await matching
        .innerJoin('observations', (join) =>
          join.onRef('observations.tenant', '=', 'names.tenant').onRef('observations.handle', '=', 'names.handle'),
        )
        .selectAll('observations')
        .$if(after !== undefined, (query) =>
          query.where((eb) =>
            eb(eb.refTuple('name', 'names.handle'), '>', eb.tuple(last?.name ?? '', after?.id ?? '')),
          ),
        )
        .orderBy('name')
        .orderBy('names.handle')
        .limit(fetch)
        .execute();
      const counted = await countUpTo(matching.select('handle'));
      const rows = found.map((row) => toObservation(requireIntact('observations', row)));
      return toPage(listing, page, rows, counted, ({ handle }) => ({ at: 0, id: handle }));
    },
  };
}
