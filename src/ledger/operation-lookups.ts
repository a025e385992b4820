import { sql } from 'kysely';
import { day } from '../core/schedule.ts';
import { missingHead } from './chain.ts';
import { type Lookup, repeatable, withoutEffect } from './lookups.ts';
import { newestFirst } from './paging.ts';
import type { StoredOperation } from './tables.ts';
import { type Scoped, type TenantTables, tenantStatement } from './tenant-scope.ts';
import { apart } from './things-beside.ts';

// The lookups of operations. Conditions repeat those of the partial indexes literally and without parameters; otherwise
// the indexes aren't used, and every call reads the whole history. States are never parameters: SQLite would prepare the
// statement again for each value, because the value might match an index.

/** Sent, and the outcome is not final: no second operation may use the lock key. */
const IS_OPEN = sql<boolean>`state in ('SENDING', 'UNKNOWN')`;
const HAS_SUBJECT = sql<boolean>`subject <> ''`;
const HAS_NOT_ENDED = sql<boolean>`state in ('PROPOSED', 'APPROVED', 'SENDING', 'UNKNOWN')`;
/** Denied, and the agent has not seen it: other failures have a result. */
const IS_UNTOLD = sql<boolean>`state = 'FAILED' and result is null`;
export const underWay: Lookup = ['under way'];
/** More operations are never in progress in practice. Own choice. */
export const UNDER_WAY_AT_MOST = 1_000;
/** Enough to notice duplicates. */
const RECENT = 100;
/** Milliseconds within which an unknown outcome is usually resolved; later ones are not looked up. Own choice. */
const SETTLED_WITHIN = day;

const literal = (state: string) => sql.lit(state);

type Select = ReturnType<TenantTables['operations']['select']>;
type Value = string | number;

/** The query of each lookup, with what it is given in place of the parts of the lookup, where that is something else. */
interface Query {
  readonly given?: (...of: string[]) => readonly Value[];
  readonly rows: (rows: Select, ...given: never[]) => Select;
}

const alike = (rows: Select, name: string, essenceDigest: string): Select =>
  rows.where('name', '=', name).where('essenceDigest', '=', essenceDigest);
const ofCall = (rows: Select, name: string, argsDigest: string, principal: string): Select =>
  rows.where('name', '=', name).where('argsDigest', '=', argsDigest).where('principal', '=', principal);

const queries: { readonly [lookup: string]: Query } = {
  'under way': { rows: (rows) => rows.where(IS_OPEN).limit(UNDER_WAY_AT_MOST) },
  'under way like': { rows: (rows, name, essenceDigest) => alike(rows, name, essenceDigest).where(IS_OPEN) },
  'open on': { rows: (rows, subject) => rows.where('subject', '=', subject).where(IS_OPEN).where(HAS_SUBJECT) },
  call: {
    rows: (rows, name, argsDigest, principal) => ofCall(rows, name, argsDigest, principal).where(HAS_NOT_ENDED),
  },
  denied: { rows: (rows, name, argsDigest, principal) => ofCall(rows, name, argsDigest, principal).where(IS_UNTOLD) },
  reference: {
    rows: (rows, name, reference) =>
      rows
        .where('name', '=', name)
        .where('reference', '=', reference)
        .where('state', 'not in', withoutEffect.map(literal)),
  },
  'made since': {
    given: (name = '', essenceDigest = '', since = '') => [name, essenceDigest, Number(since)],
    rows: (rows, name, essenceDigest, since) =>
      alike(rows, name, essenceDigest).where('createdAt', '>=', since).where('state', 'in', repeatable.map(literal)),
  },
  /** Never sent: a person denied it. */
  'denied since': {
    given: (name = '', essenceDigest = '', since = '') => [name, essenceDigest, Number(since)],
    rows: (rows, name, essenceDigest, since) =>
      alike(rows, name, essenceDigest)
        .where('createdAt', '>=', since)
        .where('state', '=', literal('FAILED'))
        .where('attempt', '=', 0)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(RECENT),
  },
  'settled since': {
    given: (name = '', essenceDigest = '', since = '') => [
      ...[name, essenceDigest],
      ...[Number(since) - SETTLED_WITHIN, Number(since)],
    ],
    rows: (rows, name, essenceDigest, created, updated) =>
      alike(rows, name, essenceDigest)
        .where('createdAt', '>=', created)
        .where('state', '=', literal('FAILED'))
        .where('updatedAt', '>=', updated)
        .where('attempt', '>', 0)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(RECENT),
  },
};

const queryOf = (name: string): Query => {
  const query = queries[name];
  if (query === undefined) throw new Error(`Unknown lookup of operations: "${name}".`);
  return query;
};

const givenOf = ([name, ...of]: Lookup): readonly Value[] => queryOf(name).given?.(...of) ?? of;

interface Given {
  readonly [lookup: string]: readonly Value[];
}

/** The statements of lookups that are asked together, by their names. */
const statements = new Map<string, ReturnType<typeof createStatement>>();

function statementOf(names: readonly string[]): ReturnType<typeof createStatement> {
  const key = names.join('\n');
  const known = statements.get(key) ?? createStatement(names);
  statements.set(key, known);
  return known;
}

/** The rows of several lookups in one statement, each with its lookup's position in the list. */
const createStatement = (names: readonly string[]) =>
  tenantStatement(({ operations }, given: Given) =>
    operations.selectEach(
      // A cast: a placeholder of each value, which has the type of the value.
      names.map((name, at) => queryOf(name).rows(operations.select(), ...((given[at] ?? []) as never[]))),
    ),
  );

/** Prefetches things, with the operations under way: an answer about a thing also names the calls that may still change it. */
export async function loadBesideUnderWay(own: Scoped, handles: readonly string[]): Promise<void> {
  await own.rows.observations.readAhead(handles, async (missing) => {
    const { rows, things, end } = apart(await own.all(besideUnderWay, { handles: missing }), 'id', own.tenant);
    if (end === undefined) throw missingHead();
    own.end.is(end);
    own.rows.lookups.set(underWay.join('\n'), rows);
    return things;
  });
}

const besideUnderWay = tenantStatement(
  ({ operations, observations }, { handles }: { readonly handles: readonly string[] }) =>
    observations.besideOperations(handles, operations.select().selectAll().where(IS_OPEN).limit(UNDER_WAY_AT_MOST)),
);

/** Looks up operations of one tenant, each lookup once. */
export function operationLookups(own: Scoped) {
  const known = own.rows.lookups;
  const ask = async (lookups: readonly Lookup[]): Promise<readonly (readonly StoredOperation[])[]> => {
    const found = await own.all(
      statementOf(lookups.map(([name]) => name)),
      Object.fromEntries(lookups.map((lookup, at) => [at, givenOf(lookup)])),
    );
    return lookups.map((_, at) => found.flatMap(({ part, ...row }) => (part === at ? [row] : [])));
  };
  return {
    /** Prefetches several lookups in one statement, each by an index. */
    load: async (lookups: readonly Lookup[]): Promise<void> => {
      const found = await ask(lookups);
      for (const [at, lookup] of lookups.entries()) known.set(lookup.join('\n'), found[at] ?? []);
    },
    /**
     * The rows of a lookup, newest first. Sorted here, because with a sort in SQL some queries would use an index on
     * time instead.
     */
    find: async (lookup: Lookup): Promise<readonly StoredOperation[]> => {
      const [rows = []] = known.has(lookup.join('\n')) ? [known.get(lookup.join('\n'))] : await ask([lookup]);
      return rows.toSorted(newestFirst);
    },
    /** A write invalidates the prefetched rows. */
    forget: (): void => known.clear(),
  };
}
