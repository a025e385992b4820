import { Command, MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, humanInTheLoopMiddleware } from 'langchain';
import { describe, expect, it } from 'vitest';
import { langchainApprovals, langchainTools } from '../../src/adapters/langchain.ts';
import { limits } from '../../src/core/limits.ts';
import { listApprovals } from '../../src/engine/approval-service.ts';
import { registerShopper } from '../../src/engine/register.ts';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { agent, order, world } from '../engine/support.ts';
import { scripted } from './hosts.ts';

// What LangChain's human-in-the-loop middleware asks and shows, and what an approval by it lets through. The middleware itself
// runs in test/docs/examples.test.ts.

async function stage(configure: object = {}) {
  const here = await world({ configure });
  await here.call('enroll_card', { card: 'card_ada' });
  /** An agent with approvals of its own, as a process has them. */
  const started = async () => {
    const approvals = langchainApprovals(here.running.engine, agent);
    const tools = await langchainTools(here.running.engine, agent, { approvals });
    return {
      asks: (name: string, args: unknown, id = 'call_1') =>
        approvals.interruptOn[name]?.when({ toolCall: { id, name, args } }),
      /** What the middleware does each time before a call: whether it interrupts, and what it shows then. */
      look: async (args: unknown, id = 'call_1') => {
        const call = { id, name: 'initiate_purchase', args };
        const interrupts = await approvals.interruptOn.initiate_purchase?.when({ toolCall: call });
        return interrupts ? approvals.interruptOn.initiate_purchase?.description(call) : undefined;
      },
      invoke: async (args: object, id = 'call_1') => {
        const tool = tools.find(({ name }) => name === 'initiate_purchase');
        const message = await tool?.invoke({ type: 'tool_call', id, name: 'initiate_purchase', args: { ...args } });
        return message?.artifact;
      },
    };
  };
  const made = async () => (await here.effects('initiatePurchase')).length;
  return { here, started, made, ...(await started()) };
}

const waits = { outcome: 'needs_approval' };

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
    const { look, invoke, made } = await stage();
    expect(await look(order())).toMatch(/Order: "order-1"\nAt most: "100.00 GBP"\n/);
    await look(order()); // the agent goes on
    expect(await invoke(order())).toMatchObject({ outcome: 'done' });
    expect(await invoke(order({ reference: 'order-2', description: 'A lamp' }))).toMatchObject(waits);
    expect(await made()).toBe(1);
  });

  it.each([
    ['other arguments', order({ description: 'A lamp' }), 'call_1', { outcome: 'refused', error: { rule: 'EN-03' } }],
    ['another call', order(), 'call_2', waits],
  ])('lets nothing else through: %s', async (_, args, id, outcome) => {
    const { look, invoke, made } = await stage();
    await look(order());
    await look(order());
    expect(await invoke(args, id)).toMatchObject(outcome);
    expect(await made()).toBe(0);
  });

  it('lets nothing through that was not shown, or not by this object', async () => {
    const { started, look, invoke, made } = await stage();
    expect(await invoke(order())).toMatchObject(waits);
    await look(order());
    const other = await started();
    await other.look(order());
    expect(await other.invoke(order())).toMatchObject(waits);
    expect(await made()).toBe(0);
  });

  it('lets nothing through that was asked about in other words', async () => {
    const { here, look, invoke, made } = await stage();
    const before = await look(order());
    // The card that the person read of is another one now.
    const { cards, ...ada } = sandboxSeed.shoppers.shopper_ada;
    const others = cards.map(({ label: _, ...card }) => ({ ...card, lastFour: '4321' }));
    const session = { handle: 'shopper_ada', ...ada, cards: others };
    expect(await registerShopper(here.running.engine.parts, 'default', session)).toMatchObject({ ok: true });
    expect(await look(order())).not.toBe(before);
    expect(await invoke(order())).toMatchObject(waits);
    expect(await made()).toBe(0);
  });

  it('shows each call its own text, whatever a provider calls it', async () => {
    const { look } = await stage();
    expect(await look(order())).toContain('"order-1"');
    expect(await look(order({ reference: 'order-2', description: 'A lamp' }))).toContain('"order-2"');
  });

  it('is decided once, in time, and can be decided elsewhere', async () => {
    const { here, look, invoke, made } = await stage();
    await look(order());
    await here.advance(limits.approvalMinutes * 60);
    await look(order());
    expect(await invoke(order())).toMatchObject(waits);
    expect(await made()).toBe(0);
  });

  it("can't be used where the operator has switched such decisions off", async () => {
    const { asks } = await stage({ channels: ['cli'] });
    await expect(asks('initiate_purchase', order())).rejects.toThrow('program');
  });
});

describe('a rejection', () => {
  const buying = (reference: string) => ({
    calls: [{ name: 'initiate_purchase', arguments: order({ reference, description: reference }) }],
  });

  /** An agent of LangChain's, asked to buy, and what the ledger holds once a person has answered. */
  async function talked(script: Parameters<typeof scripted>[0], decision: 'approve' | 'reject', hears = true) {
    const here = await world();
    await here.call('enroll_card', { card: 'card_ada' });
    const model = await scripted(script);
    const approvals = langchainApprovals(here.running.engine, agent);
    const { interruptOn, middleware } = approvals;
    // LangChain's own types don't hold under exactOptionalPropertyTypes, hence the casts.
    const asks = humanInTheLoopMiddleware({ interruptOn } as never);
    const host = createAgent({
      model: new ChatOpenAI({ apiKey: 'none', model: 'scripted', configuration: { baseURL: model.url } }),
      tools: await langchainTools(here.running.engine, agent, { approvals }),
      middleware: [asks, hears ? middleware : { name: 'Nothing' }] as never[],
      checkpointer: new MemorySaver(),
    });
    const thread = { configurable: { thread_id: 'test' } };
    await host.invoke({ messages: [{ role: 'user', content: 'Buy it.' }] }, thread);
    await host.invoke(new Command({ resume: { decisions: [{ type: decision }] } }), thread);
    const { rows } = await listApprovals(here.running.engine.parts, 'default', { limit: 10 });
    const denied = (await here.audit()).filter(({ event }) => event === 'denied');
    return { states: rows.map(({ state }) => state), denied: denied.map(({ body }) => body) };
  }

  const by = { approver: 'user of agent', channel: 'program' };

  it('by the middleware is decided in the ledger before the model goes on', async () => {
    const { states, denied } = await talked([buying('one'), { text: 'Then not.' }], 'reject');
    expect([states, denied]).toMatchObject([['DENIED'], [by]]);
  });

  it("is recorded at the model's next call without the middleware, and decides that call in no way", async () => {
    const { states, denied } = await talked([buying('one'), buying('two')], 'reject', false);
    expect([states, denied]).toMatchObject([['REQUESTED', 'DENIED'], [by]]);
  });

  it.each([
    ['is made', [buying('one'), { text: 'Done.' }]],
    ['is made, and then another', [buying('one'), buying('two')]],
  ])('is read from no call that %s', async (_, script) => {
    const { states, denied } = await talked(script, 'approve');
    expect([states.at(-1), denied]).toEqual(['CONSUMED', []]);
  });
});
