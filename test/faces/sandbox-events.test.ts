import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../src/cli/config.ts';
import { deliveriesOf } from '../../src/cli/deliveries.ts';
import { subscribeHere } from '../../src/cli/sandbox-subscription.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import { builtServe } from '../promises/sockets.ts';
import { connect, inProcess, onPort } from './agents.ts';
import { sandboxOf, world } from './support.ts';

// From the sandbox to the agent: an event is delivered to the port of Purser, what it is about is read back, and the agent sees it.

/** A Purser on a port, whose sandbox delivers to it. */
async function delivering() {
  const configuration = readConfiguration({ PURSER_DATA: ':memory:', PURSER_TOOLSETS: 'all' });
  let sandbox: ReturnType<typeof sandboxOf> | undefined;
  const here = await world({
    configuration,
    configure: (running) => {
      sandbox = sandboxOf(running);
    },
    face: {
      deliveries: {
        clock: { now: () => Date.now() },
        keyOf: (keyId) => deliveriesOf(configuration, sandbox)?.keyOf(keyId),
      },
    },
  });
  const { origin } = await onPort(here);
  await subscribeHere(sandboxOf(here.running), origin);
  const agent = await connect(inProcess(here), { pin: '2026-07-28' });
  const through = async (tool: string, args: object) => {
    const first = (await agent.call(tool, args)).answer;
    if (first.approval === undefined) return first;
    const by = { tenant: 'default', approver: 'ann', channel: 'cli' } as const;
    await recordDecision(here.running.engine.parts, first.approval.id, 'approve', by);
    return (await agent.call(tool, args)).answer;
  };
  return {
    ...{ here, agent, through, origin },
    deliver: async () => {
      await sandboxOf(here.running).deliver();
      await here.running.engine.workEvents();
    },
  };
}

describe('an event of the sandbox', () => {
  it('reaches the agent by its port: a charge that failed shows in the subscription', async () => {
    const { here, agent, through, deliver } = await delivering();
    const plan = await agent.call('create_plan', {
      ...{ name: 'Gold', reference: 'plan-1', every: 1, unit: 'month', amount: '9.51', currency: 'GBP' },
    });
    // The sandbox declines amounts with this ending.
    const start = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z');
    const made = await through('create_subscription', {
      ...{ card: 'card_ada', plan: plan.answer.data?.plan, name: 'Gold for Ada', start, reference: 'subscription-1' },
    });
    const { subscription } = made.data as { readonly subscription: string };
    await here.http('POST', '/sandbox/clock', undefined, { advance: 2 * 86_400_000 });
    await deliver();
    const { answer } = await agent.call('list_events', { thing: subscription });
    expect(answer.data?.items[0]).toMatchObject({ type: 'rbs.subscriptions.charge.failed', state: 'APPLIED' });
    const { body: known } = await here.http('GET', '/sandbox/deliveries');
    expect(known.deliveries.map((it: { state: string }) => it.state)).not.toContain('PENDING');
    const row = await here.running.engine.parts.ledger.read('default', (tx) => tx.observations.find(subscription));
    const looked = await agent.call('get_subscription', { subscription });
    expect([row?.state, looked.answer.data?.state]).toEqual(['DELINQUENT', 'DELINQUENT']);
    expect(here.failures).toEqual([]);
  });

  it('goes to the port that Purser has now, by one subscription for all starts', async () => {
    const { here, origin, agent } = await delivering();
    const sandbox = sandboxOf(here.running);
    await subscribeHere(sandbox, 'http://127.0.0.1:9');
    await subscribeHere(sandbox, origin);
    const addresses = await sandbox.world.transaction((now) =>
      now.list('webhook').map(({ terms }) => terms.webhookUrl),
    );
    const { answer } = await agent.call('list_webhook_subscriptions', {});
    expect([addresses, answer.data?.items.length]).toEqual([[`${origin}/webhooks/platform`], 1]);
  });
});

it('purser serve takes what its own sandbox delivers', { timeout: 120_000 }, async () => {
  const served = await builtServe();
  const url = `http://127.0.0.1:${served.port}`;
  const deliveries = async () => {
    const { deliveries: made } = (await (await fetch(`${url}/sandbox/deliveries`)).json()) as {
      readonly deliveries: readonly {
        readonly state: string;
        readonly attempts: readonly { readonly status: number }[];
      }[];
    };
    return made;
  };
  // Enrolling a card is what the platform tells of.
  const headers = { authorization: `Bearer ${served.token('agent')}`, 'content-type': 'application/json' };
  const call = (name: string, args: object) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { ...headers, accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    }).then((response) => response.text());
  expect(await call('enroll_card', { card: 'card_ada' })).toContain('done');
  let made = await deliveries();
  while (made.length === 0 || made.some(({ state }) => state === 'PENDING')) made = await deliveries();
  expect(new Set(made.flatMap(({ attempts }) => attempts.map(({ status }) => status)))).toEqual(new Set([200]));
  expect(await call('list_events', {})).toContain('tms.token.created');
  served.child.kill();
  expect((await served.over).code).toBe(0);
});
