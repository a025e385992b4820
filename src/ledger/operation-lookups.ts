import { sql } from 'kysely';
import { type Lookup, repeatable, withoutEffect } from './lookups.ts';
import { newestFirst } from './paging.ts';
import type { StoredOperation } from './tables.ts';
import type { Scoped } from './tenant-scope.ts';

// The lookups of operations. Conditions repeat those of the partial indexes literally and without parameters; otherwise
// the indexes aren't used, and every call reads the whole history.

/** Sent, and the outcome is not final: no second operation may use the lock key. */
const IS_OPEN = sql<boolean>`state in ('SENDING', 'UNKNOWN')`;
const HAS_SUBJECT = sql<boolean>`subject <> ''`;
const HAS_NOT_ENDED = sql<boolean>`state in ('PROPOSED', 'APPROVED', 'SENDING', 'UNKNOWN')`;
/** Denied, and the agent has not seen it: other failures have a result. */
const IS_UNTOLD = sql<boolean>`state = 'FAILED' and result is null`;
/** More operations are never in progress in practice. Own choice. */
export const UNDER_WAY_AT_MOST = 1_000;
/** Enough to notice duplicates. */
const RECENT = 100;
/** Milliseconds within which an unknown outcome is usually resolved; later ones are not looked up. Own choice. */
const SETTLED_WITHIN = 86_400_000;

type Select = ReturnType<Scoped['operations']['select']>;

const ofCall = (rows: Select, name = '', argsDigest = '', principal = ''): Select =>
  rows.where('name', '=', name).where('argsDigest', '=', argsDigest).where('principal', '=', principal);

const alike = (rows: Select, name = '', essenceDigest = ''): Select =>
  rows.where('name', '=', name).where('essenceDigest', '=', essenceDigest);

/** The query of each lookup, by name. */
const queries: { readonly [lookup: string]: (rows: Select, ...of: string[]) => Select } = {
  'under way': (rows) => rows.where(IS_OPEN).limit(UNDER_WAY_AT_MOST),
  'under way like': (rows, ...of) => alike(rows, ...of).where(IS_OPEN),
  'open on': (rows, subject = '') => rows.where('subject', '=', subject).where(IS_OPEN).where(HAS_SUBJECT),
  call: (rows, ...of) => ofCall(rows, ...of).where(HAS_NOT_ENDED),
  denied: (rows, ...of) => ofCall(rows, ...of).where(IS_UNTOLD),
  reference: (rows, name = '', reference = '') =>
    rows.where('name', '=', name).where('reference', '=', reference).where('state', 'not in', withoutEffect),
  'made since': (rows, name, essenceDigest, since) =>
    alike(rows, name, essenceDigest).where('createdAt', '>=', Number(since)).where('state', 'in', repeatable),
  'settled since': (rows, name, essenceDigest, since) =>
    alike(rows, name, essenceDigest)
      .where('createdAt', '>=', Number(since) - SETTLED_WITHIN)
      .where('state', '=', 'FAILED')
      .where('updatedAt', '>=', Number(since))
      .where('attempt', '>', 0)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(RECENT),
};

/** Looks up operations of one tenant, each lookup once. */
export function operationLookups({ operations }: Pick<Scoped, 'operations'>) {
  const known = new Map<string, readonly StoredOperation[]>();
  const query = ([name, ...of]: Lookup): Select => {
    const build = queries[name];
    if (build === undefined) throw new Error(`Unknown lookup of operations: "${name}".`);
    return build(operations.select(), ...of);
  };
  return {
    /** Prefetches several lookups in one statement, each by an index. */
    load: async (lookups: readonly Lookup[]): Promise<void> => {
      const found = await operations.selectEach(lookups.map(query)).execute();
      for (const [at, lookup] of lookups.entries())
        known.set(
          lookup.join('\n'),
          found.flatMap(({ part, ...row }) => (part === at ? [row] : [])),
        );
    },
    /**
     * The rows of a lookup, newest first. Sorted here, because with a sort in SQL some queries would use an index on
     * time instead.
     */
    find: async (lookup: Lookup): Promise<readonly StoredOperation[]> => {
      const rows = known.get(lookup.join('\n')) ?? (await query(lookup).selectAll().execute());
      return rows.toSorted(newestFirst);
    },
    /** A write invalidates the prefetched rows. */
    forget: (): void => known.clear(),
  };
}
