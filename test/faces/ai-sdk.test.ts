import { createOpenAI } from '@ai-sdk/openai';
import {
  generateText,
  isStepCount,
  type ModelMessage,
  streamText,
  type ToolApprovalRequest,
  type ToolApprovalStatus,
} from 'ai';
import { describe, expect, it } from 'vitest';
import { aiSdkTools } from '../../src/adapters/ai-sdk.ts';
import { listApprovals, recordDecision } from '../../src/engine/approval-service.ts';
import { agent, bought, order, person, until, type World, world } from '../engine/support.ts';
import { scripted } from './hosts.ts';

// Approvals in the AI SDK's own way: a request in the messages, a response to it, and the call after that.

const buying = { calls: [{ name: 'initiate_purchase', arguments: order() }] };

/** A turn of a host: what the model said, and what the SDK asks a person. */
interface Said {
  readonly text: string;
  readonly messages: readonly ModelMessage[];
  readonly asked: readonly ToolApprovalRequest[];
}

const ways = ['generateText', 'streamText'] as const;

type Script = Parameters<typeof scripted>[0];

async function host(way: (typeof ways)[number], script: Script | ((here: World) => Promise<Script>), hears = true) {
  const here = await world();
  if (typeof script !== 'function') await here.call('enroll_card', { card: 'card_ada' });
  const model = await scripted(typeof script === 'function' ? await script(here) : script);
  const { onStart, ...own } = await aiSdkTools(here.running.engine, agent);
  const settings = {
    ...{ model: createOpenAI({ apiKey: 'none', baseURL: model.url }).chat('scripted'), ...own },
    ...(hears ? { onStart } : {}),
    stopWhen: isStepCount(5),
  };
  const talk = async (messages: readonly ModelMessage[]): Promise<Said> => {
    const asked = { ...settings, messages: [...messages] };
    const result = way === 'generateText' ? await generateText(asked) : streamText(asked);
    const said = [...messages, ...(await result.responseMessages)];
    return { text: await result.text, messages: said, asked: requestsIn(said) };
  };
  const made = async () => (await here.effects('initiatePurchase')).length;
  return { here, model, talk, made };
}

const wish: readonly ModelMessage[] = [{ role: 'user', content: 'Buy the headphones.' }];

const requestsIn = (messages: readonly ModelMessage[]): readonly ToolApprovalRequest[] =>
  messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string'
      ? content.filter((part) => part.type === 'tool-approval-request')
      : [],
  );

/** What a person answers to every request. */
const answered = ({ messages, asked }: Said, approved: boolean): readonly ModelMessage[] => [
  ...messages,
  {
    role: 'tool',
    content: asked.map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved })),
  },
];

const approvals = async ({ running }: World) =>
  (await listApprovals(running.engine.parts, 'default', { limit: 10 })).rows;

describe.each(ways)('an approval by %s', (way) => {
  it('is requested with the text that a person reads and its id in the ledger, before anything is sent', async () => {
    const { here, talk, made } = await host(way, [buying]);
    const { asked } = await talk(wish);
    expect(asked).toMatchObject([
      { toolCallId: 'call_1_0', reason: expect.stringMatching(/Order: "order-1"\nAt most: "100.00 GBP"\n/) },
    ]);
    const [{ id, text, state } = { id: '', text: '', state: '' }] = await approvals(here);
    expect([await made(), state, asked[0]?.reason]).toEqual([0, 'REQUESTED', `${text}\nApproval: ${id}`]);
  });

  it('lets exactly that call through once it is given', async () => {
    const { here, model, talk, made } = await host(way, [buying, { text: 'It is bought.' }]);
    const said = await talk(answered(await talk(wish), true));
    expect([said.text, model.left(), await made()]).toEqual(['It is bought.', 0, 1]);
    expect(model.asked.at(-1)?.outputs).toMatchObject([{ outcome: 'done', data: { state: 'ACTIVE' } }]);
    expect(await approvals(here)).toMatchObject([{ state: 'CONSUMED', channel: 'program', approver: 'user of agent' }]);
  });

  it('keeps the call from being made once it is denied', async () => {
    const { talk, made } = await host(way, [buying, { text: 'Then not.' }]);
    const said = await talk(answered(await talk(wish), false));
    expect([said.text, await made()]).toEqual(['Then not.', 0]);
  });

  it('is decided in the ledger, and nowhere else again, once it is denied', async () => {
    const { here, talk } = await host(way, [buying, { text: 'Then not.' }]);
    await talk(answered(await talk(wish), false));
    expect(await approvals(here)).toMatchObject([{ state: 'DENIED', channel: 'program', approver: 'user of agent' }]);
    const [{ id } = { id: '' }] = await approvals(here);
    expect(await recordDecision(here.running.engine.parts, id, 'approve', person)).toMatchObject({ ok: false });
    expect((await here.audit()).filter(({ event }) => event === 'denied')).toMatchObject([
      { body: { approval: id, approver: 'user of agent', channel: 'program' } },
    ]);
  });

  it("is denied at the model's next call by a program that passes no `onStart`, and is asked anew", async () => {
    const { here, talk } = await host(way, [buying, buying], false);
    await talk(answered(await talk(wish), false));
    expect((await approvals(here)).map(({ state }) => state)).toEqual(['REQUESTED', 'DENIED']);
  });

  it('counts for no other text than the one that was shown', async () => {
    const { model, talk, made } = await host(way, [buying, { text: 'It waits.' }]);
    const first = await talk(wish);
    const other = JSON.parse(JSON.stringify(first).replaceAll('100.00 GBP', '1.00 GBP')) as Said;
    await talk(answered(other, true));
    expect(model.asked.at(-1)?.outputs).toMatchObject([{ outcome: 'needs_approval' }]);
    expect(await made()).toBe(0);
  });

  it('counts once: the next call is asked about again', async () => {
    const next = {
      calls: [{ name: 'initiate_purchase', arguments: order({ reference: 'order-2', description: 'A lamp' }) }],
    };
    const { talk, made } = await host(way, [buying, next]);
    const said = await talk(answered(await talk(wish), true));
    expect(said.asked.map(({ reason }) => /Order: "(.*)"/.exec(reason ?? '')?.[1])).toEqual(['order-1', 'order-2']);
    expect(await made()).toBe(1);
  });
});

describe.each(ways)('a response of %s that is sent again', (way) => {
  const change = (limit: string, instruction: unknown) => ({
    calls: [
      {
        name: 'update_purchase',
        arguments: { instruction, limit: { amount: limit, currency: 'GBP' }, until, description: 'Headphones' },
      },
    ],
  });

  it.each([
    ['at once', 0],
    ['an hour later', 3_600],
  ])('lets no second change through: %s', async (_, seconds) => {
    let instruction: unknown;
    const { here, model, talk } = await host(way, async (it) => {
      instruction = await bought(it);
      return [change('150.00', instruction), { text: 'Done.' }, { text: 'Done again.' }];
    });
    const approved = answered(await talk(wish), true);
    await talk(approved);
    await here.call('update_purchase', change('100.00', instruction).calls[0]?.arguments ?? {});
    await here.advance(seconds);
    await talk(approved);
    expect(model.asked.at(-1)?.outputs).toMatchObject([{ outcome: 'needs_approval' }]);
    expect((await here.effects('updatePurchase')).length).toBe(2);
  });
});

describe('the approval function', () => {
  const ask = async (here: World, toolName: string, input: unknown, strict = false): Promise<ToolApprovalStatus> =>
    (await aiSdkTools(here.running.engine, agent, { strict })).toolApproval({ toolCall: { toolName, input } });

  it.each([
    ['a call that reads', 'find_shopper', {}],
    ['a call that is refused', 'initiate_purchase', order({ card: 'card_bo' })],
    ['a call of wrong arguments', 'initiate_purchase', 7],
    ['a card number', 'initiate_purchase', order({ description: '4111 1111 1111 1111' })],
    ["a tool of somebody else's", 'give_money', {}],
  ])('asks nobody about %s', async (_, tool, input) => {
    const here = await world();
    await here.call('enroll_card', { card: 'card_ada' });
    expect(await ask(here, tool, input)).toBeUndefined();
  });

  it('asks nobody about what a person has approved elsewhere', async () => {
    const here = await world();
    await here.call('enroll_card', { card: 'card_ada' });
    const answer = await here.call('initiate_purchase', order());
    expect(await ask(here, 'initiate_purchase', order())).toMatchObject({
      reason: `${answer.approval?.text}\nApproval: ${answer.approval?.id}`,
    });
    await recordDecision(here.running.engine.parts, String(answer.approval?.id), 'approve', person);
    expect(await ask(here, 'initiate_purchase', order())).toBeUndefined();
  });

  it("can't be used where the operator has switched such decisions off", async () => {
    const here = await world({ configure: { channels: ['cli'] } });
    await expect(ask(here, 'initiate_purchase', order())).rejects.toThrow('program');
  });
});

it('a call without a request goes through nobody: its answer waits for people elsewhere', async () => {
  const here = await world();
  await here.call('enroll_card', { card: 'card_ada' });
  const { tools } = await aiSdkTools(here.running.engine, agent);
  const options = { toolCallId: 'call_1', messages: [...wish], context: {} };
  expect(await tools.initiate_purchase?.execute?.(order(), options)).toMatchObject({ outcome: 'needs_approval' });
});

it('an approval that is over lets no later call through, not even one with the same id and text', async () => {
  const here = await world();
  await here.call('enroll_card', { card: 'card_ada' });
  const { tools, toolApproval } = await aiSdkTools(here.running.engine, agent);
  const asked = await toolApproval({ toolCall: { toolName: 'initiate_purchase', input: order() } });
  const reason = typeof asked === 'object' ? asked.reason : undefined;
  const given: ModelMessage[] = [
    ...wish,
    {
      role: 'assistant',
      content: [{ type: 'tool-approval-request', approvalId: 'a', toolCallId: 'call_1', reason: String(reason) }],
    },
    { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'a', approved: true }] },
  ];
  const call = (messages: ModelMessage[]) =>
    tools.initiate_purchase?.execute?.(order(), { toolCallId: 'call_1', messages, context: {} });
  expect(await call([...given, { role: 'assistant', content: 'Now another.' }])).toMatchObject({
    outcome: 'needs_approval',
  });
  expect(await call(given)).toMatchObject({ outcome: 'done' });
});

it('a denial in the messages decides nothing that another principal has asked, and nothing that is decided', async () => {
  const here = await world();
  await here.call('enroll_card', { card: 'card_ada' });
  const id = String((await here.call('initiate_purchase', order())).approval?.id);
  const messages: ModelMessage[] = [
    {
      role: 'assistant',
      content: [{ type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c', reason: `Text\nApproval: ${id}` }],
    },
    { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'a', approved: false }] },
  ];
  const hears = async (principal: string) => {
    await (await aiSdkTools(here.running.engine, { ...agent, principal })).onStart({ messages });
    return (await approvals(here)).map(({ state }) => state);
  };
  expect(await hears('another')).toEqual(['REQUESTED']);
  await recordDecision(here.running.engine.parts, id, 'approve', person);
  expect(await hears('agent')).toEqual(['APPROVED']);
});
