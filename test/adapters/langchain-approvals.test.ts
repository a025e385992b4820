import { describe, expect, it } from 'vitest';
import { langchainApprovals, langchainTools } from '../../src/adapters/langchain.ts';
import { agent, order, world } from '../engine/support.ts';

// What LangChain's human-in-the-loop middleware asks and shows, and what an approval by it lets through. The middleware itself
// runs in test/examples.

async function stage(configure: object = {}) {
  const here = await world({ configure });
  await here.call('enroll_card', { card: 'card_ada' });
  const approvals = langchainApprovals(here.running.engine, agent);
  const tools = await langchainTools(here.running.engine, agent, { approvals });
  const invoke = async (args: object, id = 'call_1') => {
    const tool = tools.find(({ name }) => name === 'initiate_purchase');
    const message = await tool?.invoke({ type: 'tool_call', id, name: 'initiate_purchase', args: { ...args } });
    return message?.artifact;
  };
  const asks = (name: string, args: unknown) =>
    approvals.interruptOn[name]?.when({ toolCall: { id: 'call_1', name, args } });
  const show = (args: unknown) =>
    approvals.interruptOn.initiate_purchase?.description({ id: 'call_1', name: 'initiate_purchase', args });
  const made = async () => (await here.effects('initiatePurchase')).length;
  return { here, asks, show, invoke, made };
}

describe('an approval by the middleware', () => {
  it('is asked for what needs a person alone, and for every tool that is listed', async () => {
    const { here, asks } = await stage();
    expect(await asks('initiate_purchase', order())).toBe(true);
    expect(await asks('initiate_purchase', order({ card: 'card_bo' }))).toBe(false);
    expect(await asks('find_shopper', {})).toBe(false);
    const { interruptOn } = langchainApprovals(here.running.engine, agent);
    expect(Object.keys(interruptOn)).toEqual(here.running.engine.tools.map(({ name }) => name));
  });

  it('shows the text that a person reads, and lets that call through once', async () => {
    const { show, invoke, made } = await stage();
    expect(await show(order())).toMatch(/Order: "order-1"\nAt most: "100.00 GBP"\n/);
    expect(await invoke(order())).toMatchObject({ outcome: 'done' });
    expect(await invoke(order({ reference: 'order-2', description: 'A lamp' }))).toMatchObject({
      outcome: 'needs_approval',
    });
    expect(await made()).toBe(1);
  });

  it.each([
    ['other arguments', order({ description: 'A lamp' }), 'call_1'],
    ['another call', order(), 'call_2'],
  ])('lets nothing else through: %s', async (_, args, id) => {
    const { show, invoke, made } = await stage();
    await show(order());
    expect(await invoke(args, id)).toMatchObject({ outcome: 'needs_approval' });
    expect(await made()).toBe(0);
  });

  it('lets nothing through that was not shown', async () => {
    const { invoke, made } = await stage();
    expect(await invoke(order())).toMatchObject({ outcome: 'needs_approval' });
    expect(await made()).toBe(0);
  });

  it("can't be used where the operator has switched such decisions off", async () => {
    const { asks } = await stage({ channels: ['cli'] });
    await expect(asks('initiate_purchase', order())).rejects.toThrow('program');
  });
});
