import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reveal, Secret } from '../../src/core/secret.ts';
import { type Migration, migrations } from '../../src/ledger/migrations/index.ts';
import { openLedger } from '../../src/ledger/store.ts';
import { approval, event, observation, operation } from './rows.ts';
import { emptyPlace, openHere, postgresPlace, superuser, testKey } from './support/databases.ts';
import { apply } from './support/migrate.ts';

const guarded = [
  ...['operations', 'observations', 'approvals', 'audit', 'budgets', 'reservations', 'sealed', 'events'],
] as const;

/** A ledger of two tenants with a row in every table, and a plain connection that acts as Purser's role. */
async function two() {
  const place = await postgresPlace();
  const it = await openHere(place);
  for (const tenant of ['shop', 'cafe'])
    await it.transaction(tenant, async (tx) => {
      await tx.operations.insert(operation({ id: 'op' }));
      await tx.observations.insert({ handle: 'card', kind: 'card', owner: '', state: '', body: {} }, 1);
      await tx.approvals.insert(approval({ id: 'ok', operationId: 'op' }));
      await tx.budgets.reserve({ budget: 'day', scope: '', operationId: 'op', minor: 5 });
      await tx.sealed.put({ handle: 'secret', sealed: 'x', expiresAt: 9 });
      await tx.events.insert(event({ id: 'e' }));
      await tx.audit.append({ event: 'sent', body: {}, at: 1 });
    });
  const client = await superuser(place);
  await client.query('set role purser_app');
  return { it, client, place };
}

/** The tenants whose rows of each table a statement reaches. */
async function seen(client: pg.Client): Promise<Readonly<Record<string, readonly string[]>>> {
  const found = [];
  for (const table of guarded)
    found.push([table, (await client.query(`select tenant from ${table} order by 1`)).rows.map((row) => row.tenant)]);
  return Object.fromEntries(found);
}

const every = (tenants: readonly string[]) => Object.fromEntries(guarded.map((table) => [table, tenants]));
const name = (client: pg.Client, tenant: string) =>
  client.query("select set_config('app.tenant', $1, false)", [tenant]);

describe('row-level security on PostgreSQL', () => {
  it('shows raw SQL the rows of the tenant it has named, and no row where it has named none or a stranger', async () => {
    const { client } = await two();
    expect(await seen(client)).toEqual(every([]));
    for (const stranger of ['', 'nobody', '*', '%', 'SHOP', 'shop ', "shop' or true --"]) {
      await name(client, stranger);
      expect(await seen(client), stranger).toEqual(every([]));
    }
    await name(client, 'shop');
    expect(await seen(client)).toEqual(every(['shop']));
  });

  it('lets nobody write, move or delete a row of another tenant', async () => {
    const { client } = await two();
    await name(client, 'shop');
    const changed = [];
    for (const table of ['operations', 'observations', 'approvals', 'budgets', 'reservations', 'events'])
      changed.push((await client.query(`update ${table} set tenant = tenant where tenant = 'cafe'`)).rowCount);
    for (const table of ['sealed', 'events'])
      changed.push((await client.query(`delete from ${table} where tenant = 'cafe'`)).rowCount);
    expect(changed).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    for (const forged of [
      `insert into sealed values ('cafe', 'forged', 'x', 9)`,
      `insert into audit select 99, 'cafe', null, 'forged', '{}', 1, '', ''`,
      `update observations set tenant = 'cafe', handle = 'moved'`,
    ])
      await expect(client.query(forged), forged).rejects.toThrow('row-level security');
  });

  it('lets recovery and audit read every row, and write none', async () => {
    const { client } = await two();
    await client.query("select set_config('app.every_tenant', 'read', false)");
    const all = {
      operations: ['cafe', 'shop'],
      observations: ['cafe', 'shop'],
      approvals: ['cafe', 'shop'],
      audit: ['cafe', 'shop'],
      budgets: ['cafe', 'shop'],
      reservations: ['cafe', 'shop'],
      events: ['cafe', 'shop'],
    };
    expect(await seen(client)).toEqual({ ...every([]), ...all });
    expect((await client.query(`update operations set state = 'FAILED'`)).rowCount).toBe(0);
    expect((await client.query('select from operations for update')).rowCount).toBe(0);
  });

  it('leaves nothing of a tenant on a connection that the next one gets', async () => {
    const { it } = await two();
    const found = [];
    for (const tenant of ['shop', 'nobody', 'cafe', 'nobody'])
      found.push((await it.transaction(tenant, (tx) => tx.operations.list({}, { limit: 9 }))).total);
    expect([found, await it.tenants()]).toEqual([
      [1, 0, 1, 0],
      ['cafe', 'shop'],
    ]);
  });

  it.each([
    'delete from operations',
    'delete from audit',
    `update audit set event = 'forged'`,
    'delete from audit_head',
    'truncate operations',
    'drop table audit',
    'alter table operations disable row level security',
    'create table mine (a text)',
  ])('gives the role no right to %s', async (statement) => {
    const { client } = await two();
    await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner/);
  });
});

/** Makes a login of the server, for the time of a test, and answers its address. */
async function login(url: string, rights: string): Promise<{ readonly user: string; readonly url: Secret<string> }> {
  const user = `user_${url.length}_${performance.now().toString().replace('.', '')}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create role ${user} login password 'word' ${rights}`);
  await client.query(`grant create on database postgres to ${user}`);
  onTestFinished(async () => {
    await client.query(`drop owned by ${user} cascade; drop role ${user}`);
    await client.end();
  });
  const own = new URL(url);
  own.username = user;
  own.password = 'word';
  return { user, url: new Secret(own.href) };
}

describe('the user of a ledger on PostgreSQL', () => {
  it('may own the tables: the lock holds for it, too', async () => {
    const { url, schema } = await emptyPlace();
    const owner = await login(reveal(url), 'nosuperuser nocreaterole');
    const place = { url: owner.url, schema, key: testKey };
    const it = await openHere(place);
    await it.transaction('shop', (tx) => tx.audit.append({ event: 'sent', body: {}, at: 1 }));
    expect([await it.tenants(), await it.verify()]).toMatchObject([['shop'], { ok: true, rows: 1 }]);
    const client = await superuser(place);
    expect((await client.query('select from audit')).rowCount).toBe(0);
  });

  it('may own the tables: a migration reaches the rows of every tenant, and the lock holds again', async () => {
    const { url, schema } = await emptyPlace();
    const owner = await login(reveal(url), 'nosuperuser nocreaterole');
    const place = { url: owner.url, schema, key: testKey };
    const first = await openLedger(place);
    for (const tenant of ['shop', 'cafe'])
      await first.transaction(tenant, (tx) => tx.observations.insert(observation({ handle: 'card' }), 1));
    await first.close();
    let reached = 0n;
    const fillsIn: Migration = {
      name: '0002-made-up',
      up: async (tx) => {
        reached = (await tx.updateTable('observations').set({ state: 'FILLED IN' }).executeTakeFirst()).numUpdatedRows;
      },
    };
    await apply(place, [...migrations, fillsIn]);
    const client = await superuser(place);
    expect([reached, (await client.query('select from observations')).rowCount]).toEqual([2n, 0]);
  });

  it('may create roles: then it acts as one that owns nothing', async () => {
    const { url, schema } = await emptyPlace();
    await (await openLedger({ url, schema: `${schema}_first`, key: testKey })).close();
    const owner = await login(reveal(url), 'nosuperuser createrole');
    const client = new pg.Client({ connectionString: reveal(url) });
    await client.connect();
    await client.query(`grant purser_app to ${owner.user} with admin option`);
    await client.end();
    const it = await openHere({ url: owner.url, schema, key: testKey });
    await it.transaction('shop', (tx) => tx.audit.append({ event: 'sent', body: {}, at: 1 }));
    expect(await it.verify()).toMatchObject({ ok: true, rows: 1 });
  });

  it('may own nothing, once an owner has made the tables and it was granted the role', async () => {
    const { url, schema } = await emptyPlace();
    const guest = await login(reveal(url), 'nosuperuser nocreaterole');
    await (await openLedger({ url, schema, key: testKey })).close();
    const refused = openLedger({ url: guest.url, schema, key: testKey });
    await expect(refused).rejects.toThrow(/lacks a permission .* grant purser_app to this user/);
    const client = await superuser({ url, schema });
    await client.query(`grant purser_app to ${guest.user}`);
    const it = await openHere({ url: guest.url, schema, key: testKey });
    await it.transaction('shop', (tx) => tx.audit.append({ event: 'sent', body: {}, at: 1 }));
    expect([await it.tenants(), await it.verify()]).toMatchObject([['shop'], { ok: true, rows: 1 }]);
  });

  it('may not be above the lock', async () => {
    const { url, schema } = await emptyPlace();
    const above = await login(reveal(url), 'nosuperuser nocreaterole bypassrls');
    await expect(openLedger({ url: above.url, schema, key: testKey })).rejects.toThrow('bypasses row-level security');
  });
});
