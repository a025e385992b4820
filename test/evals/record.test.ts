import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { type DraftOptions, draftFile, draftOf } from '../../evals/harness/record/draft.ts';
import { recordBetween } from '../../evals/harness/record/proxy.ts';
import { readRecording, tryDraft } from '../../evals/harness/record/record.ts';
import { BadRecording, type Recorded, type RecordedCall } from '../../evals/harness/record/session.ts';
import { redactor } from '../../evals/harness/redaction/redact.ts';
import { worldsAsTarget } from '../../evals/harness/replay/target.ts';
import { purserCatalogue } from '../../evals/harness/scenario/catalogue.ts';
import { defineScenario, type Values } from '../../evals/harness/scenario/schema.ts';
import { recordDecision } from '../../src/engine/approval-service.ts';
import { registerReceipt } from '../../src/engine/register.ts';
import { createMcpFactory } from '../../src/mcp/server.ts';
import { agent, person, world } from '../engine/support.ts';
import { checkScenarios, order, playOn, stageOfFile, wrong } from './support.ts';

const stage = stageOfFile();
const secretNumber = '4000 0000 0000 0002';

const options: DraftOptions = {
  id: 'recorded-001-headphones',
  title: 'A recorded session',
  isPurser: true,
  fixture: 'plain',
  known: new Set(['shopper_ada', 'card_ada']),
  redact: redactor(),
};

/** A host, a proxy and Purser with ids of its own; what happens between them is recorded. */
async function recording(
  talk: (host: Client, purser: Awaited<ReturnType<typeof world>>) => Promise<void>,
  approve?: boolean,
) {
  const purser = await world();
  const factory = createMcpFactory({ engine: purser.running.engine, caller: agent, transport: 'stdio', version: '0' });
  const server = await factory({ era: 'legacy' });
  const [far, upstream] = InMemoryTransport.createLinkedPair();
  const [near, host] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  let time = Date.UTC(2026, 0, 15, 9);
  const recorded = recordBetween({ host, upstream, now: () => time++ });
  const capabilities = approve === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client({ name: 'host', version: '0' }, { capabilities, versionNegotiation: { mode: 'legacy' } });
  if (approve !== undefined)
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { approve } }));
  await client.connect(near);
  onTestFinished(() => client.close());
  await talk(client, purser);
  await client.close();
  return recorded;
}

const called = async (host: Client, name: string, args: object) =>
  // biome-ignore lint/suspicious/noExplicitAny: answers of Purser, whose fields the tests name
  (await host.callTool({ name, arguments: { ...args } })).structuredContent as any;

/** A purchase from its beginning to its confirmation, a person and the merchant's system taking part unseen. */
const wholePurchase = async (host: Client, { running: { engine } }: Awaited<ReturnType<typeof world>>) => {
  await called(host, 'enroll_card', { card: 'card_ada' });
  const until = new Date(engine.parts.ports.clock.now() + 3_600_000).toISOString();
  const asked = await called(host, 'initiate_purchase', order({ until }));
  await recordDecision(engine.parts, asked.approval.id, 'approve', person);
  const intent = await called(host, 'initiate_purchase', order({ until }));
  const { instruction } = intent.data;
  const released = await called(host, 'retrieve_credentials', { instruction, amount: '39.90', currency: 'GBP' });
  expect(released.outcome).toBe('done');
  await called(host, 'confirm_transaction', { instruction });
  const receipt = { instruction, transactionType: 'PURCHASE', transactionStatus: 'APPROVED' };
  await registerReceipt(engine.parts, agent.tenant, { ...receipt, amount: '39.90', currency: 'GBP' });
  expect((await called(host, 'confirm_transaction', { instruction })).outcome).toBe('done');
};

describe('a session that was recorded through the proxy', () => {
  it('becomes a scenario that replays green', async () => {
    const recorded = await recording(wholePurchase);
    const tried = await tryDraft(recorded, options, worldsAsTarget(stage()));
    expect([tried.isGreen, tried.notes]).toEqual([true, expect.arrayContaining([expect.stringContaining('AP-10')])]);
    const scenario = defineScenario(parse(draftFile(tried)));
    expect(() => checkScenarios([scenario], purserCatalogue)).not.toThrow();
    expect(wrong(await playOn(stage(), scenario))).toEqual([]);
    expect(scenario.expect.changed).toEqual(['cards', 'instructions', 'credentials', 'receipts']);
    expect(scenario.steps.map((step) => ('call' in step ? step.call : Object.values(step)[0]))).toEqual([
      ...['enroll_card', 'initiate_purchase', 'approver', 'initiate_purchase'],
      ...['retrieve_credentials', 'confirm_transaction', 'payments', 'confirm_transaction'],
    ]);
  });

  it('names by reference what the answers brought, because another world has other ids', async () => {
    const recorded = await recording(wholePurchase);
    const { steps } = draftOf(recorded, options).scenario;
    const args = steps.flatMap((step) => ('call' in step && step.call === 'retrieve_credentials' ? [step.args] : []));
    expect(args).toEqual([{ instruction: '$call3.instruction', amount: '39.90', currency: 'GBP' }]);
  });

  it('tells what a person was asked on the way', async () => {
    const talk = async (host: Client) => {
      await called(host, 'enroll_card', { card: 'card_ada' });
      await called(host, 'initiate_purchase', order({ until: '2026-01-15T10:00:00Z' }));
    };
    for (const approve of [true, false]) {
      const recorded = await recording(talk, approve);
      const tried = await tryDraft(recorded, options, worldsAsTarget(stage()));
      expect([tried.isGreen, tried.notes]).toEqual([true, expect.anything()]);
      const actors = tried.scenario.steps.filter((step) => 'actor' in step);
      const verb = approve ? 'approves' : 'denies';
      expect(actors).toEqual([{ actor: 'approver', [verb]: '$asked2.approval.id', works: true }]);
    }
  });

  it('holds no secret, neither in its steps nor in its notes', async () => {
    const recorded = await recording(async (host) => {
      await called(host, 'enroll_card', { card: 'card_ada' });
      await called(host, 'find_shopper', { name: secretNumber });
      await called(host, 'list_cards', { shopper: 'shopper_ada' });
    });
    const key = 'the-key-that-was-in-the-environment';
    const said: Recorded[] = [{ kind: 'user', text: `My card is ${secretNumber}, my key ${key}.` }, ...recorded];
    const redact = redactor([{ what: 'key', value: key }]);
    const tried = await tryDraft(said, { ...options, redact }, worldsAsTarget(stage()));
    const file = draftFile(tried);
    expect([file.includes(secretNumber), file.includes('4000'), file.includes(key)]).toEqual([false, false, false]);
    expect(tried.notes).toContain('A call of find_shopper held a secret in its arguments and is left out.');
    expect(tried.isGreen).toBe(true);
  });

  it('keeps no call that Purser refused as card data, however it was written, and no member of such a name', () => {
    const call = (args: Values, refused?: string): RecordedCall => ({
      ...{ kind: 'call', tool: 'find_shopper', args, text: '', isError: refused !== undefined },
      answer: refused === undefined ? { outcome: 'done' } : { outcome: 'refused', error: { rule: refused } },
    });
    const { scenario, notes } = draftOf(
      [call({ name: 'Ada' }), call({ name: 'four thousand' }, 'EN-05'), call({ name: 'Ada', cvv: '123' })],
      options,
    );
    expect(scenario.steps).toMatchObject([{ call: 'find_shopper', args: { name: 'Ada' } }]);
    expect(notes).toEqual(Array(2).fill('A call of find_shopper held a secret in its arguments and is left out.'));
  });

  it('lets time go by where it was quiet', () => {
    const call = (at: number): RecordedCall => ({
      ...{ kind: 'call', tool: 'list_cards', args: { shopper: 'shopper_ada' }, at },
      ...{ answer: { outcome: 'done' }, text: '', isError: false },
    });
    const { steps, world: given } = draftOf(
      [call(Date.UTC(2026, 0, 1)), call(Date.UTC(2026, 0, 1, 2))],
      options,
    ).scenario;
    expect([given?.now, steps[1]]).toEqual(['2026-01-01T00:00:00.000Z', { advance: 'PT7200S' }]);
  });

  it('says where a replay differs, and is then not green', async () => {
    const recorded = await recording(async (host, { running: { engine } }) => {
      await called(host, 'enroll_card', { card: 'card_ada' });
      const until = new Date(engine.parts.ports.clock.now() + 3_600_000).toISOString();
      const asked = await called(host, 'initiate_purchase', order({ until }));
      await recordDecision(engine.parts, asked.approval.id, 'approve', person);
      await called(host, 'initiate_purchase', order({ until }));
    });
    const changed = recorded.map((it, index) =>
      it.kind === 'call' && index === 0 ? { ...it, answer: { outcome: 'declined' } } : it,
    );
    const tried = await tryDraft(changed, options, worldsAsTarget(stage()));
    expect(tried.isGreen).toBe(false);
    expect(tried.notes).toContainEqual(expect.stringContaining('it should be declined; it was done'));
  });
});

const call = { id: 'call_1', type: 'function', function: { name: 'enroll_card', arguments: '{"card":"card_ada"}' } };
const answer = JSON.stringify({ outcome: 'done', data: { state: 'ACTIVE' } });
// biome-ignore format: a table
const enrolling = [
  { kind: 'user', text: 'Set up my card.' },
  { kind: 'say', text: 'A moment.' },
  { kind: 'call', tool: 'enroll_card', args: { card: 'card_ada' }, answer: JSON.parse(answer), text: answer,
    isError: false },
  { kind: 'say', text: 'Done.' },
];

describe('messages', () => {
  it('of Chat Completions are read', () => {
    const messages = [
      { role: 'system', content: 'Be good.' },
      { role: 'user', content: [{ type: 'text', text: 'Set up my card.' }] },
      { role: 'assistant', content: 'A moment.', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: answer },
      { role: 'assistant', content: 'Done.' },
    ];
    expect(readRecording(JSON.stringify(messages))).toEqual(enrolling);
    expect(readRecording(JSON.stringify({ messages }))).toEqual(enrolling);
    expect(readRecording(messages.map((it) => JSON.stringify(it)).join('\n'))).toEqual(enrolling);
  });

  it('as items of Responses are read', () => {
    const input = [
      { role: 'user', content: 'Set up my card.' },
      { type: 'reasoning', summary: [] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A moment.' }] },
      { type: 'function_call', call_id: 'call_1', name: 'enroll_card', arguments: '{"card":"card_ada"}' },
      { type: 'function_call_output', call_id: 'call_1', output: answer },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
    ];
    expect(readRecording(JSON.stringify({ input }))).toEqual(enrolling);
  });

  it('become a scenario that replays green', async () => {
    const recorded = readRecording(
      JSON.stringify([
        { role: 'user', content: 'Set up my card.' },
        { role: 'assistant', content: 'A moment.', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: answer },
      ]),
    );
    const tried = await tryDraft(recorded, options, worldsAsTarget(stage()));
    expect([tried.isGreen, tried.scenario.expect.changed]).toEqual([true, ['cards']]);
  });

  it.each([
    ['{', 'neither JSON nor lines of JSON'],
    ['[]', 'no messages'],
    ['{"messages": 1}', 'no messages'],
    [JSON.stringify([{ role: 'assistant', tool_calls: [call] }]), 'A call of enroll_card has no answer'],
    [
      JSON.stringify([{ role: 'assistant', tool_calls: [{ ...call, function: { name: 'x', arguments: '{' } }] }]),
      'The arguments of a call of x are no JSON object',
    ],
  ])('that are none are refused: %s', (text, because) => {
    expect(() => readRecording(text)).toThrow(BadRecording);
    expect(() => readRecording(text)).toThrow(because);
  });
});

describe('spans', () => {
  const attribute = (key: string, value: string) => ({ key, value: { stringValue: value } });
  const span = (spanId: string, at: number, attributes: object[], parentSpanId?: string) => ({
    ...{ spanId, startTimeUnixNano: `${1_767_225_600_000 + at}000000`, attributes },
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
  });
  const message = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });
  const tool = (operation: object) => [
    operation,
    attribute('gen_ai.tool.name', 'enroll_card'),
    attribute('gen_ai.tool.call.arguments', '{"card":"card_ada"}'),
    attribute('gen_ai.tool.call.result', answer),
  ];
  const asked = message('user', 'Set up my card.');
  const spans = [
    span('c', 20, tool(attribute('mcp.method.name', 'tools/call')), 'b'),
    span('b', 10, tool(attribute('gen_ai.operation.name', 'execute_tool'))),
    span('a', 0, [
      attribute('gen_ai.operation.name', 'chat'),
      attribute('gen_ai.input.messages', JSON.stringify([asked])),
      attribute('gen_ai.output.messages', JSON.stringify([message('assistant', 'A moment.')])),
    ]),
    span('d', 30, [
      attribute('gen_ai.operation.name', 'chat'),
      attribute('gen_ai.input.messages', JSON.stringify([asked, message('assistant', 'A moment.')])),
      attribute('gen_ai.output.messages', JSON.stringify([message('assistant', 'Done.')])),
    ]),
  ];
  const otlp = (list: readonly object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans: list }] }] });

  it('of a model and its tools are read in the order of time, each call once', () => {
    const read = readRecording(JSON.stringify(otlp(spans)));
    expect(read.map(({ at: _, ...it }) => it)).toEqual(enrolling);
    expect(readRecording(spans.map((it) => JSON.stringify(otlp([it]))).join('\n'))).toEqual(read);
  });

  it('tell a call once, whatever stands between its spans, and that of another agent within it as another', () => {
    const calls = (between: readonly object[]) => {
      const [outer, inner] = ['o', 'i'].map((id) =>
        span(id, 10, tool(attribute('mcp.method.name', 'tools/call')), id === 'o' ? 'a' : 'h'),
      );
      const http = span('h', 11, [attribute('http.request.method', 'POST'), ...between], 'o');
      return readRecording(
        JSON.stringify(otlp([...spans.slice(2), ...[outer, http, inner].map((it) => it ?? {})])),
      ).filter(({ kind }) => kind === 'call');
    };
    expect(calls([])).toHaveLength(1);
    expect(calls([attribute('gen_ai.operation.name', 'invoke_agent')])).toHaveLength(2);
  });

  it('are read where parents run in a circle', () => {
    const http = span('h', 11, [attribute('http.request.method', 'POST')], 'h');
    const call = span('i', 12, tool(attribute('mcp.method.name', 'tools/call')), 'h');
    expect(readRecording(JSON.stringify(otlp([http, call])))).toHaveLength(1);
  });

  it('become a scenario that replays green', async () => {
    const tried = await tryDraft(readRecording(JSON.stringify(otlp(spans))), options, worldsAsTarget(stage()));
    expect([tried.isGreen, tried.scenario.world?.now]).toEqual([true, '2026-01-01T00:00:00.000Z']);
  });

  it('hold what a result of MCP holds', () => {
    const result = { content: [{ type: 'text', text: 'Zoe is not known.' }], isError: true };
    const [read] = readRecording(
      JSON.stringify(
        otlp([
          span('a', 0, [
            ...tool(attribute('mcp.method.name', 'tools/call')).slice(0, 3),
            attribute('gen_ai.tool.call.result', JSON.stringify(result)),
          ]),
        ]),
      ),
    );
    expect(read).toMatchObject({ answer: 'Zoe is not known.', isError: true });
  });

  it('without their content are refused', () => {
    const bare = otlp([span('a', 0, tool(attribute('gen_ai.operation.name', 'execute_tool')).slice(0, 2))]);
    expect(() => readRecording(JSON.stringify(bare))).toThrow('record spans with their content');
    expect(() => readRecording(JSON.stringify(otlp([])))).toThrow('no conversation');
  });
});
