import type { Nullable } from 'kysely';
import type { StoredObservation } from './tables.ts';

// What a call reads first is known before its things are, and both are read by one statement: each round to the database counts.

type Column = keyof StoredObservation;
type Prefixed<C extends Column> = `thing${Capitalize<C>}`;

/** Each column of a thing, with its name beside the columns of another query. */
const columns = {
  tenant: 'thingTenant',
  handle: 'thingHandle',
  kind: 'thingKind',
  owner: 'thingOwner',
  state: 'thingState',
  body: 'thingBody',
  changeSeq: 'thingChangeSeq',
  lookedAt: 'thingLookedAt',
  createdAt: 'thingCreatedAt',
  updatedAt: 'thingUpdatedAt',
  version: 'thingVersion',
  checksum: 'thingChecksum',
} as const satisfies { readonly [C in Column]: Prefixed<C> };
export const namedColumns = Object.entries(columns) as readonly (readonly [Column, Prefixed<Column>])[];

export type Beside<Row> = Nullable<Row> & {
  readonly part: number;
  readonly thingEnd: number | null;
} & { readonly [C in Column as Prefixed<C>]: StoredObservation[C] | null };

/** The rows of both: `key` is a column of the query that is never null. The things are this tenant's own, whatever the statement asked for. */
export function apart<Row>(found: readonly Beside<Row>[], key: keyof Row, tenant: string) {
  const own = found.flatMap((row) => thingOf(row) ?? []).filter((row) => row.tenant === tenant);
  return {
    rows: found.flatMap((row) => (row.part === 0 && row[key] !== null ? [withoutThing(row)] : [])),
    things: new Map(own.map((row) => [row.handle, row])),
    end: found.find(({ part }) => part === 1)?.thingEnd ?? undefined,
  };
}

function thingOf(row: { readonly [name in Prefixed<Column>]: unknown }): StoredObservation | undefined {
  if (row.thingHandle === null) return undefined;
  // A cast: a row with a handle is a whole thing.
  return Object.fromEntries(namedColumns.map(([column, name]) => [column, row[name]])) as unknown as StoredObservation;
}

/** A cast: what is left are the columns of the query, of a row that it answered. */
const withoutThing = <Row>(row: Beside<Row>): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'part' && !name.startsWith('thing'))) as Row;
