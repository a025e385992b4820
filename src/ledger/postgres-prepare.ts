import { type Kysely, type RawBuilder, sql } from 'kysely';
import { LedgerUnavailable } from './errors.ts';
import { applyMissing, isUpToDate, migrations } from './migrations/index.ts';
import { APP_ROLE, enforceRowSecurity, grantRights, suspendRowSecurity } from './migrations/row-security.ts';
import { lacksPermission } from './postgres-errors.ts';
import type { Tables } from './tables.ts';

/** Required server settings: confirmed data is durable, and any text can be stored. */
const demands = [
  ['synchronous_commit', 'off', 'loses confirmed data when it crashes: set synchronous_commit to on'],
  ['fsync', 'off', 'loses confirmed data when the machine fails: set fsync to on'],
] as const;

/**
 * Checks durability, applies migrations, and ensures that row-level security applies to this user. Returns the role to
 * act as; `none` for the user itself, if security applies to it and it can't act as the role.
 * The tables belong to the user that starts Purser first. If that user may create roles, it creates `purser_app`, which
 * owns nothing, and acts as it. For a user that owns nothing: `grant purser_app to that_user`.
 */
export async function prepare(db: Kysely<Tables>, schema: string, place: string, all = migrations): Promise<string> {
  await requireDurable(db, place);
  if (!(await isReady(db, schema, place, all))) await applyMigrations(db, schema, place, all);
  const { mayAct, above } = await privilegesOf(db);
  if (mayAct) return APP_ROLE;
  if (above) throw new LedgerUnavailable(bypasses(place));
  return 'none';
}

const bypasses = (place: string): string =>
  `The user of the ledger ${place} bypasses row-level security: use another user, or let it create the role ${APP_ROLE}.`;

async function requireDurable(db: Kysely<Tables>, place: string): Promise<void> {
  for (const [setting, wrong, tell] of demands) {
    const { rows } = await sql<{ found: string }>`select current_setting(${setting}) as found`.execute(db);
    if (rows[0]?.found === wrong) throw new LedgerUnavailable(`The ledger ${place} ${tell}.`);
  }
  const { rows } = await sql<{ found: string }>`select current_setting('server_encoding') as found`.execute(db);
  if (rows[0]?.found !== 'UTF8')
    throw new LedgerUnavailable(`The ledger ${place} can't store every text: create its database with encoding UTF8.`);
}

const isReady = async (db: Kysely<Tables>, schema: string, place: string, all: typeof migrations): Promise<boolean> =>
  (await isMigrated(db, schema)) && isUpToDate(db, place, all);

/** Whether any migration was applied to the schema. */
export async function isMigrated(db: Kysely<Tables>, schema: string): Promise<boolean> {
  const name = `"${schema}".migrations`;
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${name}) is not null as found`.execute(db);
  return rows[0]?.found === true;
}

/** What a first start would throw before it makes anything. Changes nothing. */
export async function demandMakeable(db: Kysely<Tables>, schema: string, place: string): Promise<void> {
  await requireDurable(db, place);
  const { rows } = await sql<{ may: boolean }>`
    select case when to_regnamespace(${`"${schema}"`}) is null
      then has_database_privilege(current_database(), 'CREATE')
      else has_schema_privilege(${schema}, 'CREATE') end as may`.execute(db);
  if (rows[0]?.may !== true) throw new LedgerUnavailable(lacksPermission(place));
  const { above, mayAct, mayCreate } = await privilegesOf(db);
  if (above && !mayAct && !mayCreate) throw new LedgerUnavailable(bypasses(place));
}

/** Migrates the schema. If several replicas start at once, one migrates and the others wait. */
async function applyMigrations(
  db: Kysely<Tables>,
  schema: string,
  place: string,
  all: typeof migrations,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${schema} migrations`}, 0))`.execute(tx);
    // The schema may have been created for a user without that permission.
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

/**
 * Creates the role, if this user may, and lets this user act as it. Another database of the server may already have
 * created it.
 */
async function makeRole(tx: Kysely<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${APP_ROLE}, 0))`.execute(tx);
  const { roleExists, mayAct, mayCreate } = await privilegesOf(tx);
  if (!mayCreate || mayAct) return;
  const role = sql.id(APP_ROLE);
  if (!roleExists) await unlessThere(sql`create role ${role} nologin nosuperuser nobypassrls`).execute(tx);
  await unlessThere(sql`grant ${role} to current_user`).execute(tx);
}

/** Roles belong to the server, so the ledger of another database may create the same one concurrently. */
const unlessThere = (statement: RawBuilder<unknown>) =>
  sql`do $$ begin ${statement}; exception when duplicate_object or unique_violation or internal_error then null; end $$`;

interface Privileges {
  /** Whether this user bypasses row-level security. */
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
