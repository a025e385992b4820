import { sql } from 'kysely';
import { requireIntact, withChecksum } from './checksum.ts';
import { nextVersion, refuseImmutable, requireWritten } from './compare-and-set.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';
import { inStates, rowsAfter, startOf, toPage } from './paging.ts';
import type { EventRow } from './rows.ts';
import type { StoredEvent } from './tables.ts';
import type { Scoped } from './tenant-scope.ts';

/** The columns of what arrived, which never change. */
const FIXED: readonly (keyof EventRow)[] = [
  'tenant',
  'id',
  'type',
  'kind',
  'thing',
  'happenedAt',
  'createdAt',
  'version',
];

/** The events delivered to one tenant. */
export function eventsOf({ tenant, events, proof }: Scoped): LedgerTransaction['events'] {
  const read = async (id: string): Promise<StoredEvent | undefined> => {
    const row = await events.select().selectAll().where('id', '=', id).executeTakeFirst();
    proof.read('events', [id], row);
    return row && requireIntact('events', row);
  };
  const write = async (before: StoredEvent, change: Partial<EventRow>): Promise<EventRow> => {
    const { checksum: _, ...row } = before;
    const written = await events
      .update()
      .set(withChecksum('events', nextVersion(row, change)))
      .where('id', '=', row.id)
      .where('version', '=', row.version)
      .returningAll()
      .executeTakeFirst();
    const kept = requireWritten(written, 'event');
    proof.wrote('events', before, kept);
    return toEvent(kept);
  };
  return {
    find: async (id) => {
      const row = await read(id);
      return row && toEvent(row);
    },
    insert: async (row) => {
      const written = await events
        .insert(withChecksum('events', { ...row, tenant, version: 1 }))
        .returningAll()
        .executeTakeFirstOrThrow();
      proof.wrote('events', undefined, written);
      return toEvent(written);
    },
    claim: async ({ now, until, most }) => {
      const due = await events
        .select()
        .selectAll()
        .where(waiting)
        .where('dueAt', '<=', now)
        .orderBy('dueAt')
        .orderBy('id')
        .limit(most)
        .execute();
      const claimed: EventRow[] = [];
      for (const row of due)
        claimed.push(await write(requireIntact('events', row), { attempts: row.attempts + 1, dueAt: until }));
      return claimed;
    },
    update: async (row, change) => {
      refuseImmutable<EventRow>(row, change, FIXED);
      const before = await read(row.id);
      return write(requireWritten(before?.version === row.version ? before : undefined, 'event'), change);
    },
    waiting: async (most) => (await events.select().select('id').where(waiting).limit(most).execute()).length,
    prune: async ({ before, spare, keep, most }) => {
      const [oldestKept] = await events
        .select()
        .select('createdAt')
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .offset(keep)
        .limit(1)
        .execute();
      const until = Math.max(before, Math.min(spare, (oldestKept?.createdAt ?? -1) + 1));
      const old = events
        .select()
        .select('id')
        .where('createdAt', '<', until)
        .where('state', '<>', 'RECEIVED')
        .orderBy('createdAt')
        .orderBy('id')
        .limit(most);
      const removed = await events.remove().where('id', 'in', old).returningAll().execute();
      for (const row of removed) proof.wrote('events', row, undefined);
      return removed.length;
    },
    list: async ({ thing }, page) => {
      const listing = { of: 'events', tenant, filter: { thing } };
      const start = startOf(listing, page);
      const { rows, counted } = await inStates(undefined, start, () => {
        const matching = events.select().$if(thing !== undefined, (query) => query.where('thing', '=', thing ?? ''));
        return rowsAfter<StoredEvent>(matching, start.after);
      });
      const intact = rows.map((row) => toEvent(requireIntact('events', row)));
      return toPage(listing, page, intact, counted, ({ createdAt, id }) => ({ at: createdAt, id }));
    },
  };
}

/** Said as the partial index says it, with no parameter: otherwise it is not used. */
const waiting = sql<boolean>`state = 'RECEIVED'`;

const toEvent = ({ checksum: _, ...row }: StoredEvent): EventRow => row;
