import { describe, expect, it, onTestFinished } from 'vitest';
import { compose } from '../../src/bin/compose.ts';
import { connectInMemory } from '../../src/evals/agent.ts';
import type { Caller } from '../../src/ledger/ledger.ts';
import {
  agent,
  begins,
  bought,
  configuration,
  countingIds,
  order,
  type Said,
  until,
  type World,
  world,
  worldOf,
} from '../engine/support.ts';

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

async function twoTenants() {
  const running = await compose(configuration({ tenant: 'ada_shop', tenants: { ada_shop: {}, bo_shop: {} } }), {
    clock: { now: () => begins },
    ids: countingIds(),
    frozenAt: begins,
  });
  onTestFinished(() => running.close());
  return { ada: worldOf(running, 'ada_shop'), bo: worldOf(running, 'bo_shop') };
}
