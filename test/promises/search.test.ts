import { describe, expect, it, onTestFinished } from 'vitest';
import { connectInMemory } from '../../evals/harness/world/mcp.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import { bill } from '../engine/invoicing.ts';
import { agent, begins, bought, order, type Said, twoTenants, until, type World, world } from '../engine/support.ts';

// What was done can be found again, through an MCP client: by the merchant's reference and by state, page by page, and only
// by whoever may see it.

const other: Caller = { tenant: agent.tenant, principal: 'somebody else' };
const reference = 'order-1';

/** An MCP client of a caller. */
async function client({ running }: World, caller: Caller = agent) {
  const tools = await connectInMemory(running.engine, caller, '0');
  onTestFinished(() => tools.close());
  return async (tool: string, args: object = {}) => (await tools.callTool(tool, { ...args })).answer as Said;
}
type Client = Awaited<ReturnType<typeof client>>;

/** Every item of a list, page by page, and the totals that its pages gave. */
async function walk(call: Client, tool: string, args: object, limit: number) {
  const items: Record<string, unknown>[] = [];
  const totals = new Set<number>();
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const said = await call(tool, { ...args, limit, ...(cursor === undefined ? {} : { cursor }) });
    expect(said).toMatchObject({ outcome: 'done' });
    items.push(...said.data.items);
    totals.add(said.data.total);
    cursor = said.data.more;
  }
  return { items, totals: [...totals] };
}

/** Five purchases, one of them cancelled and two that end after an hour, and one that waits for a person. */
async function shopped(): Promise<World> {
  const it = await world();
  await bought(it, order({ reference }));
  const soon = new Date(begins + 3_600_000).toISOString();
  for (const [at, end] of [until, until, soon, soon].entries())
    await it.through('initiate_purchase', order({ reference: `order-${at + 2}`, until: end }));
  const cancelled = (await it.call('list_purchases', { reference: 'order-2' })).data.items[0].instruction;
  await it.through('cancel_purchase', { instruction: cancelled });
  await it.call('initiate_purchase', order({ reference: 'order-9' }));
  return it;
}

const named = (items: readonly Record<string, unknown>[]) => items.map((item) => item.reference).toSorted();

describe('purchases', () => {
  it('are found by reference, with what leads on', async () => {
    const call = await client(await shopped());
    const found = await call('list_purchases', { reference });
    expect(found.data).toMatchObject({ total: 1, items: [{ reference, state: 'ACTIVE' }] });
    expect(found.next).toContain('get_purchase');
    const [{ instruction }] = found.data.items;
    expect(await call('get_purchase', { instruction })).toMatchObject({ outcome: 'done', data: { reference } });
    expect((await call('list_purchases', { reference, state: 'ACTIVE' })).data.total).toBe(1);
    expect((await call('list_purchases', { reference, state: 'CANCELLED' })).data).toEqual({ items: [], total: 0 });
  });

  it('that were never made are not found, and the operations may say why', async () => {
    const call = await client(await shopped());
    for (const none of ['order-9', 'order', 'ORDER-1', '%', ''])
      expect(await call('list_purchases', { reference: none })).toMatchObject({
        outcome: 'done',
        data: { items: [], total: 0 },
        next: ['list_operations'],
      });
  });

  it.each([1, 2, 100])('are found by state as it is now, each once, %i a page', async (limit) => {
    const it = await shopped();
    const call = await client(it);
    const inState = async (state?: string) => {
      const found = await walk(call, 'list_purchases', state === undefined ? {} : { state }, limit);
      expect(found.items.every((item) => state === undefined || item.state === state)).toBe(true);
      expect(found.totals).toEqual([found.items.length]);
      return named(found.items);
    };
    expect(await inState()).toEqual(['order-1', 'order-2', 'order-3', 'order-4', 'order-5']);
    expect(await inState('ACTIVE')).toEqual(['order-1', 'order-3', 'order-4', 'order-5']);
    expect(await inState('EXPIRED')).toEqual([]);
    await it.advance(3_600);
    expect(await inState('ACTIVE')).toEqual(['order-1', 'order-3']);
    expect(await inState('EXPIRED')).toEqual(['order-4', 'order-5']);
    expect(await inState('CANCELLED')).toEqual(['order-2']);
    expect(await inState('COMPLETED')).toEqual([]);
  });
});

describe('operations', () => {
  it('are found by reference, whatever became of them', async () => {
    const call = await client(await shopped());
    const waits = await call('list_operations', { reference: 'order-9' });
    expect(waits.data).toMatchObject({ total: 1, items: [{ tool: 'initiate_purchase', state: 'PROPOSED' }] });
    const [{ operation }] = waits.data.items;
    expect(await call('get_operation', { operation })).toMatchObject({ outcome: 'done' });
    expect((await call('list_operations', { reference: 'order-9', state: 'SUCCEEDED' })).data.total).toBe(0);
    expect((await call('list_operations', { reference: 'order-1', state: 'SUCCEEDED' })).data.total).toBe(1);
    for (const none of ['order', 'order-77', ''])
      expect((await call('list_operations', { reference: none })).data).toEqual({ items: [], total: 0 });
  });
});

/** Bills of three customers; the link of the last one is open. */
async function billedShop(): Promise<World> {
  const it = await world();
  for (const [at, customer] of ['Ada Lovelace', 'Bo Ada', 'Cleo Example'].entries())
    await it.through('create_invoice', {
      ...bill({ reference: `RE-${at}`, customer_name: customer, customer_id: `customer-${at}` }),
      ...{ how: 'draft', due: `2026-02-0${at + 1}` },
    });
  const [last] = (await it.call('list_invoices', { find: 'RE-2' })).data.items;
  await it.through('publish_invoice', { invoice: last.invoice });
  return it;
}

describe('invoices', () => {
  it.each([1, 2, 100])('are found by number, customer and due date, each once, %i a page', async (limit) => {
    const call = await client(await billedShop());
    const found = async (args: object) => {
      const { items, totals } = await walk(call, 'list_invoices', args, limit);
      expect(totals).toEqual([items.length]);
      return named(items);
    };
    expect(await found({ find: 'ada' })).toEqual(['RE-0', 'RE-1']);
    expect(await found({ find: 'Ada L' })).toEqual(['RE-0']);
    expect(await found({ find: 'customer-2' })).toEqual(['RE-2']);
    expect(await found({ find: 're-1' })).toEqual(['RE-1']);
    expect(await found({ find: 'example', state: 'CREATED' })).toEqual(['RE-2']);
    expect(await found({ find: 'example', state: 'DRAFT' })).toEqual([]);
    expect(await found({ due_by: '2026-02-02' })).toEqual(['RE-0', 'RE-1']);
    expect(await found({ due_by: '2026-02-03', state: 'CREATED' })).toEqual(['RE-2']);
    expect(await found({ due_by: '2026-01-31' })).toEqual([]);
    expect(await found({})).toEqual(['RE-0', 'RE-1', 'RE-2']);
  });

  it('that Purser has not read are not found by a search, and the answer says where it searched', async () => {
    const it = await world();
    const call = await client(it);
    await create(it, '2026/001');
    const search = { find: '2026/001' };
    const before = await call('list_invoices', search);
    expect(before.data).toEqual({ items: [], total: 0, remembered: true });
    expect(before.next).toEqual(['get_invoice']);
    expect((await call('list_invoices')).data).not.toHaveProperty('remembered');
    expect((await call('list_invoices', search)).data).toMatchObject({ total: 1, remembered: true });
  });

  it.each(['2026/001', 'INV 7', 'RE-Ü1'])('made outside Purser are read by their number: %s', async (number) => {
    const it = await world();
    const call = await client(it);
    await create(it, number);
    const got = await call('get_invoice', { reference: number });
    expect(got).toMatchObject({ outcome: 'done', data: { reference: number } });
    const { invoice } = got.data;
    expect((await call('get_invoice', { invoice })).data).toMatchObject({ invoice, reference: number });
    expect(await call('get_invoice', { reference: `${number}0` })).toMatchObject({
      outcome: 'declined',
      error: { code: 'NOT_FOUND' },
    });
  });

  it('are asked for in one way, and a cursor belongs to its list', async () => {
    const call = await client(await billedShop());
    const { more } = (await call('list_invoices', { limit: 1 })).data;
    const { more: searched } = (await call('list_invoices', { find: 'ada', limit: 1 })).data;
    for (const [tool, args, field] of [
      ['get_invoice', {}, 'invoice'],
      ['get_invoice', { invoice: 'invoice_x', reference: 'RE-0' }, 'reference'],
      ['list_invoices', { find: 'a', due_by: '2026-02-01' }, 'due_by'],
      ['list_invoices', { due_by: '2026-02-31' }, 'due_by'],
      ['list_invoices', { limit: 1, cursor: searched }, 'cursor'],
      ['list_invoices', { find: 'ada', limit: 1, cursor: more }, 'cursor'],
      ['list_invoices', { find: 'bo', limit: 1, cursor: searched }, 'cursor'],
    ] as const)
      expect([tool, args, await call(tool, args)]).toMatchObject([
        tool,
        args,
        { outcome: 'refused', error: { code: 'INVALID_ARGUMENT', field } },
      ]);
  });

  it("are the merchant's: every principal finds them, and no other tenant", async () => {
    const { ada, bo } = await twoTenants();
    await ada.through('create_invoice', bill({ reference: 'RE-9', how: 'draft' }));
    for (const args of [{ find: 'RE-9' }, { due_by: '2030-01-01' }]) {
      const by = async (it: World, caller: Caller) => (await client(it, caller))('list_invoices', args);
      expect((await by(ada, { ...agent, tenant: 'ada_shop' })).data.total).toBe(1);
      expect((await by(ada, { ...other, tenant: 'ada_shop' })).data.total).toBe(1);
      expect((await by(bo, { ...agent, tenant: 'bo_shop' })).data).toMatchObject({ items: [], total: 0 });
    }
  });
});

/** Creates an invoice at the platform, as the merchant does in its portal. */
async function create({ running }: World, invoiceNumber: string): Promise<void> {
  const invoiceInformation = {
    ...{ invoiceNumber, description: 'Repair', dueDate: '2026-02-01' },
    ...({ deliveryMode: 'none', sendImmediately: false } as const),
  };
  const body = {
    invoiceInformation,
    customerInformation: { name: 'Ada Example', email: 'ada@example.com' },
    orderInformation: { amountDetails: { totalAmount: '40.00', currency: 'GBP' } },
  };
  await running.engine.parts.client.createInvoice({ body }, { requestId: 'portal' });
}

const searches = [
  ['list_purchases', { reference }],
  ['list_purchases', { state: 'ACTIVE' }],
  ['list_purchases', {}],
  ['list_operations', { reference }],
] as const;

describe.each(searches)('%s %j', (tool, args) => {
  it("finds nothing of another principal, unless they work together, and refuses the other's cursor", async () => {
    for (const principals of ['separate', 'together'] as const) {
      const it = await world({ configure: { principals } });
      await bought(it, order({ reference }));
      await it.through('initiate_purchase', order({ reference: 'order-2' }));
      const [own, theirs] = [await client(it), await client(it, other)];
      const found = (await own(tool, args)).data;
      expect(found.total).toBeGreaterThan(0);
      expect((await theirs(tool, args)).data).toEqual(principals === 'together' ? found : { items: [], total: 0 });
      const { more } = (await own(tool, { ...args, limit: 1 })).data;
      if (more === undefined) continue;
      const paged = await theirs(tool, { ...args, limit: 1, cursor: more });
      expect(paged.outcome).toBe(principals === 'together' ? 'done' : 'refused');
    }
  });

  it('finds nothing of another tenant', async () => {
    const { ada, bo } = await twoTenants();
    await bought(ada, order({ reference }));
    const [own, theirs] = [
      await client(ada, { ...agent, tenant: 'ada_shop' }),
      await client(bo, { ...agent, tenant: 'bo_shop' }),
    ];
    expect((await own(tool, args)).data.total).toBeGreaterThan(0);
    expect((await theirs(tool, args)).data).toEqual({ items: [], total: 0 });
  });
});
