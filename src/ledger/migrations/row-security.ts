import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

/** Purser's role on PostgreSQL. It owns nothing, and has only the permissions below. */
export const APP_ROLE = 'purser_app';

/** What is done with each table. Nothing that a decision reads is ever deleted; the audit is not even changed. */
const rights = {
  operations: 'select, insert, update',
  observations: 'select, insert, update',
  approvals: 'select, insert, update',
  budgets: 'select, insert, update',
  reservations: 'select, insert, update',
  sealed: 'select, insert, delete',
  events: 'select, insert, update, delete',
  names: 'select, insert, delete',
  search_keys: 'select, insert, delete',
  audit: 'select, insert',
  audit_head: 'select, update',
  proofs: 'select, insert, update, delete',
  migrations: 'select',
} as const;

/** Tables with a tenant per row, and whether recovery and audit read them for all tenants. */
const guarded = {
  operations: 'read for all',
  observations: 'read for all',
  approvals: 'read for all',
  audit: 'read for all',
  budgets: 'read for all',
  reservations: 'read for all',
  sealed: 'own alone',
  events: 'read for all',
  names: 'own alone',
  search_keys: 'own alone',
} as const;

const tenantSetting = sql`tenant = current_setting('app.tenant', true)`;
const everyTenantSetting = sql`current_setting('app.every_tenant', true) in ('read', 'archive')`;
/** Only the owner of the tables may delete audit rows, after setting this. */
const archiveSetting = sql`current_setting('app.every_tenant', true) = 'archive'`;

/**
 * PostgreSQL's second line of defence, besides the tenant in every query: a transaction sees and writes only the rows
 * of the tenant in `app.tenant`, none without one. With `app.every_tenant` it may read, but not write, all tenants'
 * rows. The owner of the tables is not exempt. Texts compare by bytes, as on SQLite.
 */
export async function enforceRowSecurity(tx: Kysely<Tables>, schema: string): Promise<void> {
  await compareBytes(tx, schema);
  for (const [name, reads] of Object.entries(guarded)) {
    const table = sql.id(schema, name);
    await sql`drop policy if exists own_rows on ${table}`.execute(tx);
    await sql`drop policy if exists every_row on ${table}`.execute(tx);
    await sql`create policy own_rows on ${table} using (${tenantSetting}) with check (${tenantSetting})`.execute(tx);
    if (reads === 'read for all')
      await sql`create policy every_row on ${table} for select using (${everyTenantSetting})`.execute(tx);
    if (name === 'audit') {
      await sql`drop policy if exists archived_rows on ${table}`.execute(tx);
      await sql`create policy archived_rows on ${table} for delete using (${archiveSetting})`.execute(tx);
    }
    await sql`alter table ${table} enable row level security`.execute(tx);
    await sql`alter table ${table} force row level security`.execute(tx);
  }
}

/** Exempts the owner of the tables during migrations, until `guardRows` restores the policies. */
export async function suspendRowSecurity(tx: Kysely<Tables>, schema: string): Promise<void> {
  for (const name of Object.keys(guarded))
    await sql`alter table if exists ${sql.id(schema, name)} no force row level security`.execute(tx);
}

/** Grants the role its permissions, and revokes all others. */
export async function grantRights(tx: Kysely<Tables>, schema: string): Promise<void> {
  const role = sql.id(APP_ROLE);
  await sql`grant usage on schema ${sql.id(schema)} to ${role}`.execute(tx);
  for (const [name, allowed] of Object.entries(rights)) {
    const table = sql.id(schema, name);
    await sql`revoke all on ${table} from public`.execute(tx);
    await sql`grant ${sql.raw(allowed)} on ${table} to ${role}`.execute(tx);
  }
}

/** Makes every text column sort by bytes, so an update of the system's locales can't corrupt an index. */
async function compareBytes(tx: Kysely<Tables>, schema: string): Promise<void> {
  const { rows } = await sql<{ name: string; columns: readonly string[] }>`
    select table_name::text as name, array_agg(column_name::text) as columns from information_schema.columns
    where table_schema = ${schema} and data_type = 'text' and collation_name is distinct from 'C'
    group by table_name`.execute(tx);
  for (const { name, columns } of rows) {
    const changes = columns.map((column) => sql`alter column ${sql.id(column)} type text collate "C"`);
    await sql`alter table ${sql.id(schema, name)} ${sql.join(changes)}`.execute(tx);
  }
}
