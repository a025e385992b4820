import { type Kysely, type RawBuilder, sql } from 'kysely';
import { LedgerUnavailable } from './errors.ts';
import { applyMissing, isUpToDate, migrations } from './migrations/index.ts';
import { APP_ROLE, enforceRowSecurity, grantRights, suspendRowSecurity } from './migrations/row-security.ts';
import type { Tables } from './tables.ts';

/** What the server must say before it is used: what it has confirmed stays, and any text can be kept. */
const demands = [
  ['synchronous_commit', 'off', 'loses what it has confirmed when it crashes: set synchronous_commit to on'],
  ['fsync', 'off', 'loses what it has confirmed when the machine fails: set fsync to on'],
] as const;

/**
 * Sees to it that the database keeps what it confirms, that the tables are those of today, and that the lock on their rows
 * holds for this user. Answers the role to act as; `none` for the user itself, where that is neither above the lock nor may
 * act as the role.
 *
 * The tables belong to whoever starts Purser first. Where that user may create roles, it makes `purser_app`, which owns
 * nothing, and acts as it from then on. For a user that owns nothing either: `grant purser_app to that_user`.
 */
export async function prepare(db: Kysely<Tables>, schema: string, place: string, all = migrations): Promise<string> {
  await requireDurable(db, place);
  if (!(await isReady(db, schema, place, all))) await applyMigrations(db, schema, place, all);
  const { mayAct, above } = await privilegesOf(db);
  if (mayAct) return APP_ROLE;
  if (above)
    throw new LedgerUnavailable(
      `The user of the ledger ${place} is above row-level security: name another, or let it create the role ${APP_ROLE}.`,
    );
  return 'none';
}

async function requireDurable(db: Kysely<Tables>, place: string): Promise<void> {
  for (const [setting, wrong, tell] of demands) {
    const { rows } = await sql<{ found: string }>`select current_setting(${setting}) as found`.execute(db);
    if (rows[0]?.found === wrong) throw new LedgerUnavailable(`The ledger ${place} ${tell}.`);
  }
  const { rows } = await sql<{ found: string }>`select current_setting('server_encoding') as found`.execute(db);
  if (rows[0]?.found !== 'UTF8')
    throw new LedgerUnavailable(`The ledger ${place} can't keep every text: create its database with encoding UTF8.`);
}

async function isReady(db: Kysely<Tables>, schema: string, place: string, all: typeof migrations): Promise<boolean> {
  const name = `"${schema}".migrations`;
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(db);
  return rows[0]?.found === true && (await isUpToDate(db, place, all));
}

/** Brings the schema to today's tables. Of replicas that start at the same moment one does it, and the others wait. */
async function applyMigrations(
  db: Kysely<Tables>,
  schema: string,
  place: string,
  all: typeof migrations,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${schema} migrations`}, 0))`.execute(tx);
    // Somebody who may not make schemas may have been given one.
    const { rows } = await sql<{
      found: boolean;
    }>`select to_regnamespace(${`"${schema}"`}) is not null as found`.execute(tx);
    if (rows[0]?.found !== true) await sql`create schema ${sql.id(schema)}`.execute(tx);
    await suspendRowSecurity(tx, schema);
    await applyMissing(tx, place, all);
    await enforceRowSecurity(tx, schema);
    await makeRole(tx);
    if ((await privilegesOf(tx)).roleExists) await grantRights(tx, schema);
  });
}

/** Makes the role where this user may, and lets this user act as it. Another database of the server may have made it. */
async function makeRole(tx: Kysely<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${APP_ROLE}, 0))`.execute(tx);
  const { roleExists, mayAct, mayCreate } = await privilegesOf(tx);
  if (!mayCreate || mayAct) return;
  const role = sql.id(APP_ROLE);
  if (!roleExists) await unlessThere(sql`create role ${role} nologin nosuperuser nobypassrls`).execute(tx);
  await unlessThere(sql`grant ${role} to current_user`).execute(tx);
}

/** Roles are the server's: while this ledger makes one, that of another database may, too. */
const unlessThere = (statement: RawBuilder<unknown>) =>
  sql`do $$ begin ${statement}; exception when duplicate_object or unique_violation or internal_error then null; end $$`;

interface Privileges {
  /** Whether row-level security does not hold for this user. */
  readonly above: boolean;
  readonly mayCreate: boolean;
  readonly roleExists: boolean;
  readonly mayAct: boolean;
}

async function privilegesOf(db: Kysely<Tables>): Promise<Privileges> {
  const { rows } = await sql<Privileges>`
    select rolsuper or rolbypassrls as above, rolsuper or rolcreaterole as may_create,
      role.found as role_exists, case when role.found then pg_has_role(${APP_ROLE}, 'member') else false end as may_act
    from pg_roles, (select exists (select from pg_roles where rolname = ${APP_ROLE}) as found) as role
    where rolname = current_user`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('The database does not know its own user.');
  return found;
}
