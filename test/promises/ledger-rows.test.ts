import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contract, type OperationName } from '../../src/domains/index.ts';
import { toolName } from '../../src/engine/tool.ts';
import { checksummedTables, checksumOf } from '../../src/ledger/checksum.ts';
import { primaryKeys } from '../../src/ledger/primary-keys.ts';
import { openLedger } from '../../src/ledger/store.ts';
import type { ChecksummedTable } from '../../src/ledger/tables.ts';
import { changing, currencyOf } from '../engine/changing.ts';
import { openWorld, order, world } from '../engine/support.ts';
import { folder } from '../faces/cli.ts';
import { testKey } from '../ledger/support/databases.ts';
import { playRowsOneIn } from '../support/drawn.ts';

playRowsOneIn(3);

// Whoever can write the database, and compute every checksum, still can't edit a row that a money decision reads, take it
// away, or put it back as it once was.

type Name = keyof typeof changing & OperationName;
const moneyCalls = (Object.keys(changing) as Name[]).filter((name) => contract[name].effect === 'money');
const halted = { outcome: 'refused', error: { code: 'INTERNAL_HALT', rule: 'EN-13' } };

type Row = { readonly [column: string]: string | number | null };
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string) => name.replace(/_[a-z]/g, (found) => found.slice(1).toUpperCase());
const keyOf = (table: ChecksummedTable, row: Row) =>
  primaryKeys[table].map((column) => String(row[snake(column)])).join('/');

/** The ledger's file, as somebody with a SQL prompt sees it. */
function prompt(file: string) {
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  const remove = (table: ChecksummedTable, row: Row) => {
    const columns = primaryKeys[table].map(snake);
    database.exec('PRAGMA foreign_keys = OFF');
    database
      .prepare(`DELETE FROM ${table} WHERE ${columns.map((column) => `${column} = ?`).join(' AND ')}`)
      .run(...columns.map((column) => row[column] ?? null));
  };
  return {
    rows: (table: ChecksummedTable) => database.prepare(`SELECT * FROM ${table}`).all() as Row[],
    remove,
    put: (table: ChecksummedTable, row: Row) => {
      remove(table, row);
      const names = Object.keys(row);
      database
        .prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => '?').join()})`)
        .run(...names.map((name) => row[name] ?? null));
    },
  };
}

/** A row with another value in a column, and the checksum that Purser would compute for it. */
function edited(table: ChecksummedTable, row: Row, column: string): Row {
  const value = row[column];
  const next = { ...row, [column]: typeof value === 'number' ? value + 1 : `${value ?? ''}x` };
  const plain = Object.fromEntries(Object.entries(next).map(([name, found]) => [camel(name), found]));
  return { ...next, checksum: checksumOf(table, plain as never) };
}

/** Methods of a transaction that decide nothing by what they answer. */
const idle: readonly string[] = ['load', 'list', 'insert', 'insertAll', 'update', 'put', 'append'];
type Methods = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** The keys of what a method has found. */
function keysOf(table: string, found: unknown, [take, scope]: readonly unknown[]): readonly string[] {
  if (table === 'budgets' && typeof take === 'object') {
    const { budget, scope: of } = take as { readonly budget: string; readonly scope: string };
    return [`budgets/default/${budget}/${of}`];
  }
  if (table === 'budgets') return [`budgets/default/${take}/${scope}`];
  return (Array.isArray(found) ? found : [found])
    .map((row: { readonly id?: string; readonly handle?: string } | undefined) => row?.id ?? row?.handle)
    .filter((key) => key !== undefined)
    .map((key) => `${table}/default/${key}`);
}

/** What the transaction reads that decides a call, in a world of its own: ids count, so another world has the same. */
async function readsOf(name: Name, configure: Parameters<typeof world>[0]) {
  const it = await world(configure);
  const args = await changing[name](it);
  const { ledger } = it.parts;
  const { transaction } = ledger;
  let reads = new Set<string>();
  const watched = (tx: object, own: Set<string>, decides: () => void) => {
    const watch = (table: string, methods: Methods): object =>
      Object.fromEntries(
        Object.entries(methods).map(([method, ask]) => [
          method,
          async (...given: never[]) => {
            const found = await ask(...given);
            if (method === 'verifyRecent') decides();
            if (!idle.includes(method)) for (const key of keysOf(table, found, given)) own.add(key);
            return found;
          },
        ]),
      );
    return Object.fromEntries(Object.entries(tx).map(([table, methods]) => [table, watch(table, methods as Methods)]));
  };
  Object.assign(ledger, {
    transaction: async (tenant: string, work: (tx: never) => Promise<unknown>) => {
      const own = new Set<string>();
      let decided = false;
      const done = await transaction(tenant, (tx) =>
        work(
          watched(tx, own, () => {
            decided = true;
          }) as never,
        ),
      );
      if (decided) reads = own;
      return done;
    },
  });
  const first = await it.call(toolName(name), args);
  const asks = first.outcome === 'needs_approval';
  if (asks) await it.approve(first);
  const last = asks ? await it.call(toolName(name), args) : first;
  expect(last, last.said).toMatchObject({ outcome: 'done' });
  return { reads, asks };
}

describe.each(moneyCalls)('%s', (name) => {
  it('is not sent where any row that its decision reads was edited, taken away or put back', async () => {
    const data = folder();
    const tool = toolName(name);
    const sent: string[] = [];
    const limit = { name: 'all', tools: [tool], currency: currencyOf(name), count: 1_000, per: [] } as const;
    const { reads, asks } = await readsOf(name, { configure: { limits: [limit] } });
    const it = await world({
      configure: { data, state: folder(), limits: [limit] },
      replace: {
        platform: (real) => (request) => {
          if (request.method !== 'GET') sent.push(request.url);
          return real(request);
        },
        reader: (_, simulated) =>
          simulated && {
            ...simulated,
            send: async (operation, input, watch) => {
              if (operation.effect !== 'read') sent.push(operation.title);
              return simulated.send(operation, input, watch);
            },
          },
      },
    });
    const sql = prompt(join(data, 'sandbox.sqlite'));
    const older = new Map<string, Row>();
    const snapshot = () => {
      for (const table of checksummedTables)
        for (const row of sql.rows(table))
          older.set(`${table}/${keyOf(table, row)}/${row.version ?? row.minor ?? row.state}`, row);
    };
    const calling = it.call;
    const args = await changing[name]({
      ...it,
      call: async (...given) => {
        const said = await calling(...given);
        snapshot();
        return said;
      },
      through: async (...given) => {
        const said = await it.through(...given);
        snapshot();
        return said;
      },
    });
    snapshot();
    // A call that nobody need approve is attacked before it is made, any other one between the yes and the sending.
    const first = asks ? await it.call(tool, args) : undefined;
    snapshot();
    if (first !== undefined) await it.approve(first);
    const before = sent.length;
    const tried = { edited: 0, removed: 0, older: 0 };
    const { engine } = it.running;
    const refused = async (what: string) => {
      expect({ what, said: await it.call(tool, args) }).toMatchObject({ what, said: halted });
      expect({ what, verdict: await engine.parts.ledger.verify() }).toMatchObject({ what, verdict: { ok: false } });
      expect(sent).toHaveLength(before);
    };
    for (const table of checksummedTables)
      for (const row of sql.rows(table)) {
        if (!reads.has(`${table}/${keyOf(table, row)}`)) continue;
        const columns = Object.keys(row).filter(
          (column) => column !== 'checksum' && !primaryKeys[table].map(snake).includes(column),
        );
        const column = columns[(tried.edited * 7) % columns.length] ?? '';
        const versions = [...older].filter(
          ([key, old]) => key.startsWith(`${table}/${keyOf(table, row)}/`) && old.checksum !== row.checksum,
        );
        for (const [kind, attack] of [
          ['edited', (now: Row) => sql.put(table, edited(table, now, column))],
          ['removed', (now: Row) => sql.remove(table, now)],
          ...versions.map(([, old]) => ['older', () => sql.put(table, old)] as const),
        ] as const) {
          // A call that asks the platform first writes down what it says.
          const now = sql.rows(table).find((one) => keyOf(table, one) === keyOf(table, row)) ?? row;
          attack(now);
          await refused(`${kind} ${table}/${keyOf(table, row)} ${kind === 'edited' ? column : ''}`);
          tried[kind] += 1;
          sql.put(table, now);
          await engine.inspect();
        }
      }
    console.info(name, tried);
    expect(tried.edited).toBeGreaterThan(0);
    const last = await it.call(tool, args);
    expect(last, last.said).toMatchObject({ outcome: 'done' });
    expect(sent).toHaveLength(before + 1);
  });
});

it('lets a start go on where a row is missing, to look and to nothing else', async () => {
  const configure = { data: folder(), state: folder() };
  await (await openWorld({ configure })).running.close();
  const sql = prompt(join(configure.data, 'sandbox.sqlite'));
  const [row] = sql.rows('observations').filter(({ kind }) => kind === 'shopper');
  if (row === undefined) throw new Error('A sandbox has shoppers.');
  sql.remove('observations', row);
  const it = await world({ configure });
  expect(await it.call('list_operations')).toMatchObject({ outcome: 'done' });
  expect(await it.call('enroll_card', { card: 'card_ada' })).toMatchObject(halted);
});

it('is not previewed either where a row of the decision was edited, with a checksum that fits', async () => {
  const data = folder();
  const it = await world({ configure: { data } });
  await it.call('enroll_card', { card: 'card_ada' });
  const asked = { tool: 'initiate_purchase', arguments: order() };
  const sql = prompt(join(data, 'sandbox.sqlite'));
  const card = sql.rows('observations').find(({ handle }) => handle === 'card_ada');
  if (card === undefined) throw new Error('A sandbox has this card.');
  sql.put('observations', edited('observations', card, 'created_at'));
  expect(await it.call('preview_call', asked)).toMatchObject(halted);
  sql.put('observations', card);
  await it.running.engine.inspect();
  expect(await it.call('preview_call', asked)).toMatchObject({ data: { verdict: { outcome: 'needs_approval' } } });
});

it('covers every column of every table of the schema that decisions read', async () => {
  const file = join(folder(), 'ledger.sqlite');
  await (await openLedger({ file, key: testKey })).close();
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
  // The audit is a chain of its own, names only find what is then read by its key, and the tree proves the others.
  const others = ['audit', 'audit_head', 'migrations', 'names', 'proofs', 'search_keys'];
  expect(tables.map(({ name }) => name)).toEqual([...others, ...checksummedTables].toSorted());
  for (const table of checksummedTables) {
    const columns = database
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map(({ name }) => String(name));
    const row = Object.fromEntries(columns.map((column) => [column, column]));
    for (const column of columns.filter((one) => one !== 'checksum'))
      expect(edited(table, row, column).checksum, `${table}.${column}`).not.toBe(edited(table, row, 'none').checksum);
  }
});
