import { DatabaseSync, StatementSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { recover } from '../../src/engine/recover.ts';
import { registerShopper } from '../../src/engine/register.ts';
import { toolName } from '../../src/engine/tool.ts';
import { tools } from '../../tools/index.ts';
import { changing } from '../engine/changing.ts';
import { callWith, furnish, named, type Own } from '../engine/naming.ts';
import { openWorld, type World, world } from '../engine/support.ts';
import { databases, folder, openHere } from '../ledger/support/databases.ts';

// A ledger that grows makes no call slower: each statement is answered by an index, and the rows that a call reads are bounded.

/** Tables that grow with what is done. */
const growing = [
  'operations',
  'observations',
  'approvals',
  'audit',
  'budgets',
  'reservations',
  'sealed',
  'events',
  'names',
  'search_keys',
];
/** Verifying and bringing tables up to date walk through them on purpose, in steps. */
const isWalk = (sql: string) =>
  / where "checksum" = /.test(sql) ||
  (/ order by ("tenant"|"seq")/.test(sql) && / limit cast\(\? as integer\)$/.test(sql));

/** Calls every tool of the catalogue in every way that its handles allow. */
async function callEveryTool(it: World): Promise<Own> {
  const own = await furnish(it);
  for (const tool of tools) {
    const fields = named.filter(([name]) => name === tool.name).map(([, field]) => field);
    const handles = Object.fromEntries(fields.map((field) => [field, own[field as keyof Own]]));
    const [first = ''] = fields;
    const args = { ...callWith(tool.name, first, String(handles[first] ?? ''), own), ...handles };
    await it.call(tool.name, fields.length === 0 ? {} : args);
    if ('state' in tool.inputSchema.shape) await it.call(tool.name, { state: 'UNKNOWN' });
    if ('reference' in tool.inputSchema.shape && tool.kind === 'local')
      await it.call(tool.name, { reference: 'order-1' });
    if ('find' in tool.inputSchema.shape)
      for (const args of [{ find: 'ada' }, { find: 'ada', state: 'SENT' }, { due_by: '2030-01-01' }])
        await it.call(tool.name, { ...args, limit: 1 });
    if ('name' in tool.inputSchema.shape && tool.kind === 'local') await it.call(tool.name, { name: 'ada', limit: 1 });
  }
  return own;
}

describe('a statement of the ledger', { timeout: 120_000 }, () => {
  it('reads through no table that grows, whatever tool, timer or start asks', async () => {
    const asked = new Set<string>();
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
    onTestFinished(() => prepare.mockRestore());
    const data = folder();
    for (let start = 0; start < 2; start++) {
      const it = await openWorld({ configure: { data } });
      if (start === 0) await callEveryTool(it);
      await it.call('no_such_tool', {});
      await it.call('find_shopper', { name: 'a', cursor: 'nonsense' });
      await it.advance(400);
      await recover(it.parts);
      await it.running.engine.inspect();
      await it.call('enroll_card', { card: 'card_ada' });
      await it.parts.ledger.tenants();
      await it.running.close();
    }
    for (const [operation, prepared] of Object.entries(changing)) {
      const it = await world();
      await it.through(toolName(operation), await prepared(it));
    }
    for (const [sql] of prepare.mock.calls) if (/^(select|update|delete|with) /i.test(sql)) asked.add(sql);
    prepare.mockRestore();
    const ledger = new DatabaseSync(`${data}/sandbox.sqlite`, { readOnly: true });
    onTestFinished(() => ledger.close());
    const scans = new RegExp(`^SCAN (${growing.join('|')})\\b`);
    const plans = [...asked].flatMap((sql) => planOf(ledger, sql));
    expect(plans.length).toBeGreaterThan(60);
    expect(plans.filter(({ sql, detail }) => scans.test(detail) && !isWalk(sql))).toEqual([]);
    // A tenant alone narrows nothing down, unless the rows come in the order of the index and few are taken.
    const wide = plans.filter(
      ({ sql, detail }) => /\((tenant=\?)\)$/.test(detail) && !/ limit cast\(\? as integer\)/.test(sql),
    );
    expect(wide).toEqual([]);
    // By a bare parameter SQLite plans, and prepares such a statement again at each use.
    expect([...asked].filter((sql) => / limit \?/.test(sql))).toEqual([]);
    expect(plans.filter(({ sql, detail }) => /TEMP B-TREE/.test(detail) && !/distinct/.test(sql))).toEqual([]);
  });
});

describe('a call', { timeout: 120_000 }, () => {
  it('reads no more rows of a ledger of twice the size', async () => {
    const data = folder();
    const it = await world({ configure: { data } });
    const own = await furnish(it);
    // The first refusal of a kind is written down, and the others are counted.
    await it.call('no_such_tool', {});
    const local = tools.filter(({ kind }) => kind === 'local').map(({ name }) => name);
    const calls: readonly (readonly [string, object])[] = [
      ...local.map((tool) => [tool, argsOf(tool, own)] as const),
      ['find_shopper', {}],
      ['find_shopper', { name: 'zoe', limit: 100 }],
      ['list_operations', { state: 'FAILED', limit: 100 }],
      ['list_operations', { reference: 'grown', limit: 100 }],
      ['list_purchases', { state: 'ACTIVE', limit: 100 }],
      ['list_purchases', { state: 'EXPIRED' }],
      ['list_purchases', { reference: 'grown' }],
      ['list_invoices', { find: 'zoe', state: 'SENT', limit: 100 }],
      ['list_invoices', { due_by: '2030-01-01', limit: 100 }],
      ['list_invoices', { due_by: '2030-01-01', state: 'SENT' }],
      ['no_such_tool', {}],
      ['enroll_card', { card: 'card_ada' }],
    ];
    const figures: (readonly [string, number])[][] = [];
    for (let size = 0; size < 2; size++) {
      await grow(it, 1_200);
      await it.call('enroll_card', { card: 'card_ada' });
      figures.push([]);
      // A process remembers which texts it has found to be the merchant's own.
      if (size === 0) for (const [tool, args] of calls) await it.call(tool, args);
      for (const [tool, args] of calls)
        figures[size]?.push([`${tool} ${Object.keys(args)}`, await rowsRead(() => it.call(tool, args))]);
    }
    console.log('rows read per call:', Object.fromEntries(figures[1] ?? []));
    const [small = [], large = []] = figures;
    expect(large.filter(([, rows], at) => rows > (small[at]?.[1] ?? 0))).toEqual([]);
    expect(large.map(([call]) => call)).toEqual(small.map(([call]) => call));
  });
});

const argsOf = (tool: string, own: Own): object =>
  ({
    list_cards: { shopper: own.shopper },
    get_purchase: { instruction: own.instruction },
    get_operation: { operation: own.operation },
    preview_call: { tool: 'enroll_card', arguments: { card: own.card } },
  })[tool] ?? {};

let grown = 0;

/** More shoppers with a card each, operations with an approval each, and audit rows. */
async function grow({ running }: World, rows: number): Promise<void> {
  const { ledger } = running.engine.parts;
  await ledger.transaction('default', async (tx) => {
    for (let row = 0; row < rows; row++) {
      const id = `op_grown${grown++}`;
      await tx.operations.insert({ ...operation, id, argsDigest: id, essenceDigest: id });
      await tx.approvals.insert({ ...approval, id: `apr_${id}`, operationId: id });
      await tx.observations.insert(
        { handle: `shopper_${id}`, kind: 'shopper', owner: '', state: 'none', body: { displayName: `Zoe ${id}` } },
        grown,
      );
      await tx.observations.rename({ kind: 'shopper', handle: `shopper_${id}` }, `Zoe ${id}`);
      await tx.observations.insert(
        { handle: `card_${id}`, kind: 'card', owner: `shopper_${id}`, state: 'none', body: {} },
        grown,
      );
      await tx.observations.insert(
        { handle: `invoice_${id}`, kind: 'invoice', owner: '', state: 'SENT', body: { ...invoiceBody, invoiceId: id } },
        grown,
      );
      for (const until of ['1', '4102444800'])
        await tx.observations.insert(purchase(`instruction_${id}_${until}`, until), grown);
      await tx.audit.append({ operationId: id, event: 'proposed', body: {}, at: grown });
    }
  });
}

const invoiceBody = { currency: 'GBP', total: '1.00', customer: 'Zoe', due: '2026-02-01' };
const purchase = (handle: string, until: string) => ({
  ...{ handle, kind: 'instruction', owner: '', state: 'ACTIVE' },
  body: { reference: handle, until, limit: '1.00', currency: 'GBP', card: '', madeBy: 'agent' },
});

// biome-ignore format: rows
const operation = {
  principal: 'agent', name: 'initiatePurchase', subject: '', reference: 'grown', args: '{}', rulesHash: '', state: 'FAILED', attempt: 1,
  startedAt: null, quietUntil: null, request: null, result: { said: '' }, createdAt: 1, updatedAt: 1,
};
// biome-ignore format: rows
const approval = {
  principal: 'agent', digest: '', text: '', state: 'DENIED', approver: null, channel: null, expiresAt: 1, decidedAt: 1, createdAt: 1,
};

/** How many rows SQLite hands over meanwhile. */
async function rowsRead(work: () => Promise<unknown>): Promise<number> {
  const all = vi.spyOn(StatementSync.prototype, 'all');
  onTestFinished(() => all.mockRestore());
  await work();
  // The tree of proofs has a fixed depth, but a small one has not yet all of its nodes.
  const counted = all.mock.results.filter(
    (_, at) => !/"proofs"/.test((all.mock.contexts[at] as StatementSync | undefined)?.sourceSQL ?? ''),
  );
  const rows = counted.reduce((sum, { value }) => sum + (value as readonly unknown[]).length, 0);
  all.mockRestore();
  return rows;
}

/** The steps by which the ledger answers a query; none for a query of another database. */
function planOf(ledger: DatabaseSync, sql: string): readonly { readonly sql: string; readonly detail: string }[] {
  try {
    const rows = ledger.prepare(`explain query plan ${sql}`).all(...(sql.match(/\?/g) ?? []).map(() => 'x'));
    return rows.map(({ detail }) => ({ sql, detail: String(detail) }));
  } catch {
    return []; // the sandbox has tables of its own
  }
}

describe.each(databases)('shoppers on $name', (database) => {
  it('are found by the beginning of any word of their name, page by page, each once', async () => {
    const ledger = await openHere(await database.place());
    const names = ['Ada Lovelace', 'José O’Brien-Ada', 'ADA  ADAMS', '李小龙', 'Bo', 'Þóra Ådén', '100% Ada_'];
    await ledger.transaction('shop', async (tx) => {
      for (const [at, name] of names.entries()) {
        const thing = { handle: `shopper_${at}`, kind: 'shopper' };
        await tx.observations.insert({ ...thing, owner: '', state: 'none', body: { displayName: name } }, at);
        await tx.observations.rename(thing, 'Nobody');
        await tx.observations.rename(thing, name);
      }
    });
    const found = (name: string, limit = 100) =>
      ledger.transaction('shop', async (tx) => {
        const all: unknown[] = [];
        for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
          const page = await tx.observations.search({ kind: 'shopper', name }, { limit, cursor });
          all.push(...page.rows.map(({ body }) => body.displayName));
          cursor = page.more;
        }
        return all.toSorted();
      });
    const ada = ['Ada Lovelace', 'José O’Brien-Ada', 'ADA  ADAMS', '100% Ada_'].toSorted();
    for (const limit of [1, 2, 100]) expect(await found('aDá', limit)).toEqual(ada);
    expect(await found('ada l')).toEqual(['Ada Lovelace']);
    expect(await found('jose o’b')).toEqual(['José O’Brien-Ada']);
    expect(await found('小龙')).toEqual(['李小龙']);
    expect(await found('aden')).toEqual(['Þóra Ådén']);
    for (const none of ['nobody', 'da', '%', '_', "' or 1=1"])
      expect([none, await found(none)]).toEqual([none, none === '%' || none === '_' ? await found('') : []]);
    expect(
      await ledger.transaction('cafe', (tx) => tx.observations.search({ kind: 'shopper', name: 'ada' }, { limit: 9 })),
    ).toEqual({ rows: [], total: 0 });
  });
});

it('a shopper who is registered under another name is found by that alone', async () => {
  const it = await world();
  const { parts } = it;
  for (const displayName of ['Zoe One', 'Yan Two'])
    await registerShopper(parts, 'default', { handle: 'shopper_z', displayName });
  const totals = await Promise.all(
    ['zoe', 'yan', 'two'].map(async (name) => (await it.call('find_shopper', { name })).data.total),
  );
  expect(totals).toEqual([0, 1, 1]);
});

describe('refusals', () => {
  const refusedRows = async ({ running }: World) => {
    const { rows } = await running.engine.parts.ledger.transaction('default', (tx) => tx.audit.list({ limit: 100 }));
    return rows.filter(({ event }) => event === 'refused').map(({ body }) => body);
  };

  it('of one kind are two rows an hour, however many there are, and each is answered', async () => {
    const it = await world();
    const call = () => it.call('enroll_card', { card: 'card_nobody' });
    for (let time = 0; time < 200; time++) expect((await call()).error?.code).toBe('NOT_FOUND');
    const first = { tool: 'enroll_card', rule: 'EN-02', code: 'NOT_FOUND', principal: 'agent' };
    expect(await refusedRows(it)).toMatchObject([first]);
    await it.advance(3_601);
    await it.running.engine.recover();
    expect(await refusedRows(it)).toMatchObject([{ ...first, times: 199 }, first]);
    await call();
    expect(await refusedRows(it)).toHaveLength(3);
  });

  it('of one kind that are made at the same moment are a row and a count, too, in this window and the next', async () => {
    const it = await world({ configure: { data: folder() } });
    const call = () =>
      Promise.all(
        Array.from({ length: 16 }, (_, at) => it.call('cancel_purchase', { instruction: `instruction_${at}` })),
      );
    await call();
    const first = {
      tool: 'cancel_purchase',
      rule: 'EN-02',
      code: 'NOT_FOUND',
      principal: 'agent',
      field: 'instruction',
    };
    expect(await refusedRows(it)).toMatchObject([first]);
    await it.advance(3_601);
    await call();
    const { field: _, ...counted } = first;
    expect(await refusedRows(it)).toMatchObject([first, { ...counted, times: 15 }, first]);
  });

  it('of other tools, principals and rules are rows of their own; a stop writes their number down', async () => {
    const data = folder();
    const it = await openWorld({ configure: { data } });
    for (const principal of ['agent', 'agent', 'other'])
      for (const [tool, args] of [
        ['enroll_card', { card: 'card_nobody' }],
        ['enroll_card', {}],
        ['no_such_tool', {}],
      ] as const)
        await it.call(tool, args, { tenant: 'default', principal });
    expect(await refusedRows(it)).toHaveLength(6);
    await it.running.close();
    const counts = (await refusedRows(await world({ configure: { data } }))).map(({ times = 0 }) => times);
    expect(counts.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1]);
  });
});
