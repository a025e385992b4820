import type { SelectQueryBuilder } from 'kysely';
import type { JsonObject } from '../core/canonical-json.ts';
import { canonicalJson, sha256 } from '../core/canonical-json.ts';
import { limits } from '../core/limits.ts';
import { BadCursor } from './errors.ts';
import type { Page, Paged } from './ledger-transaction.ts';
import type { Tables } from './tables.ts';

/** A longer page would block other transactions for too long. */
const ROWS_PER_PAGE_AT_MOST = 1000;

/** Where a page ended: the sort key of its last row. Keys are unique, so no row is skipped or repeated. */
export interface Place {
  readonly at: number;
  readonly id: string;
}

/** A list of one tenant with one filter. Cursors of other lists are refused. */
export interface Listing {
  readonly of: string;
  readonly tenant: string;
  readonly filter: JsonObject;
}

/** Where a page starts, and how many rows to fetch: one more than requested, to know whether there are more. */
export interface Start {
  readonly after: Place | undefined;
  readonly fetch: number;
}

export function startOf(listing: Listing, page: Page): Start {
  if (!Number.isInteger(page.limit) || page.limit < 1 || page.limit > ROWS_PER_PAGE_AT_MOST)
    throw new RangeError(`A page has 1 to ${ROWS_PER_PAGE_AT_MOST} rows, not ${page.limit}.`);
  return { after: page.cursor === undefined ? undefined : decode(listing, page.cursor), fetch: page.limit + 1 };
}

/** Cuts the fetched rows to the page, with the cursor of the next one if there are more. */
export function toPage<Row>(
  listing: Listing,
  page: Page,
  fetched: readonly Row[],
  counted: number,
  placeOf: (row: Row) => Place,
): Paged<Row> {
  const rows = fetched.slice(0, page.limit);
  const last = rows.at(-1);
  return fetched.length > rows.length && last !== undefined
    ? { rows, ...capped(counted), more: encode(listing, placeOf(last)) }
    : { rows, ...capped(counted) };
}

/** Counts rows up to one more than the limit, because counting a long list reads all of it. */
export async function countUpTo(query: Countable): Promise<number> {
  return (await query.limit(limits.countedRows + 1).execute()).length;
}

/** The same for a list whose rows were fetched from the same table: a first page that has room left has them all. */
export async function countBeside(
  found: readonly unknown[],
  { after, fetch }: Start,
  query: Countable,
): Promise<number> {
  return after === undefined && found.length < fetch ? found.length : countUpTo(query);
}

interface Countable {
  limit(rows: number): { execute(): Promise<readonly unknown[]> };
}

/**
 * Rows in any of several states, newest first. Each state is queried separately, so an index serves it whatever the
 * number of rows in other states.
 */
export async function inStates<State, Row extends { readonly createdAt: number; readonly id: string }>(
  states: readonly State[] | undefined,
  start: Start,
  ask: (state: State | undefined) => { readonly rows: Fetchable<Row>; readonly count: Countable },
): Promise<{ readonly rows: readonly Row[]; readonly counted: number }> {
  const rows: Row[] = [];
  let counted = 0;
  for (const state of states === undefined ? [undefined] : new Set(states)) {
    const asked = ask(state);
    const found = await asked.rows.limit(start.fetch).execute();
    rows.push(...found);
    counted += await countBeside(found, start, asked.count);
  }
  return { rows: rows.toSorted(newestFirst).slice(0, start.fetch), counted };
}

/** The rows of a query after a place, newest first, and the query for counting them. */
export function rowsAfter<Row>(matching: object, place: Place | undefined) {
  const query = matching as SelectQueryBuilder<Tables, 'approvals', object>; // every list has the columns it names
  const rows = query
    .selectAll()
    .$if(place !== undefined, (earlier) =>
      earlier.where((eb) => eb(eb.refTuple('createdAt', 'id'), '<', eb.tuple(place?.at ?? 0, place?.id ?? ''))),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc');
  return { count: query.select('id'), rows: rows as unknown as Fetchable<Row> };
}

interface Fetchable<Row> {
  limit(rows: number): { execute(): Promise<readonly Row[]> };
}

/** The order of a list: newest first, rows of the same time by id. */
export const newestFirst = (one: Dated, other: Dated): number =>
  other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1);
type Dated = { readonly createdAt: number; readonly id: string };

const capped = (counted: number) =>
  counted > limits.countedRows ? ({ total: limits.countedRows, isCapped: true } as const) : { total: counted };

const seal = (listing: Listing): string =>
  sha256(canonicalJson([listing.of, listing.tenant, listing.filter])).slice(0, 16);

const encode = (listing: Listing, { at, id }: Place): string =>
  Buffer.from(canonicalJson([seal(listing), at, id]), 'utf8').toString('base64url');

function decode(listing: Listing, cursor: string): Place {
  const [sealed, at, id] = parts(cursor);
  const isPlace = Number.isSafeInteger(at) && typeof id === 'string' && sayable.test(id);
  const place = isPlace ? { at: at as number, id } : undefined; // a safe integer is a number
  // Only an exact output of `encode` for this list is a valid cursor.
  if (sealed !== seal(listing) || !place || encode(listing, place) !== cursor)
    throw new BadCursor('This cursor does not belong to this list: leave it out to start from the first page.');
  return place;
}

/** Without controls and half characters: no row has such an id, and not every database can be asked for one. */
const sayable = /^\P{C}*$/u;

function parts(cursor: string): readonly unknown[] {
  try {
    const found: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(found) ? found : [];
  } catch {
    // Invalid JSON: `decode` refuses it like any other invalid cursor.
    return [];
  }
}
