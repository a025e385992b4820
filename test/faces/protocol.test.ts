import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { prompts } from '../../src/cli/prompts.ts';
import { limits } from '../../src/core/limits.ts';
import { trackCalls } from '../../src/mcp/pending-calls.ts';
import { createMcpFactory } from '../../src/mcp/server.ts';
import { createStdioWire } from '../../src/mcp/stdio-transport.ts';
import { serveStdio } from '../support/serve-stdio.ts';
import { connect, inProcess } from './agents.ts';
import { agentCaller, footprint, nextWeek, root, tokens, type World, world } from './support.ts';
import { call2025, call2026 } from './wire.ts';

// What Purser makes of calls that no good client sends, and of the wire under it.

afterEach(() => void vi.useRealTimers());

const refused = (field: string, rule = 'EN-01', next: readonly string[] = []) => ({
  isError: true,
  structuredContent: {
    outcome: 'refused',
    next,
    error: { code: 'INVALID_ARGUMENT', retry: 'changed_call', rule, field },
  },
});

const order = async (here: World, more: object = {}) => ({
  card: 'card_ada',
  reference: 'order-1',
  limit: { amount: '40.00', currency: 'GBP' },
  until: await nextWeek(here),
  description: 'A cable',
  ...more,
});

describe('wrong arguments are answered by the engine, in either era, and change nothing', () => {
  const deep = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`);
  it.each<[string, (here: World) => Promise<readonly [string, object]>, string, (readonly string[])?]>([
    ['a misspelt one', async () => ['find_shopper', { nam: 'Bo' }], 'name'],
    ['a missing one', async () => ['list_cards', {}], 'shopper', ['find_shopper']],
    ['one of another type', async () => ['list_cards', { shopper: 7 }], 'shopper', ['find_shopper']],
    [
      'a stranger within another',
      async (here) => [
        'initiate_purchase',
        await order(here, { limit: { amount: '1.00', currency: 'GBP', per: 'day' } }),
      ],
      'limit.per',
    ],
    ['null', async (here) => ['initiate_purchase', await order(here, { description: null })], 'description'],
    [
      'one that is too long',
      async (here) => ['initiate_purchase', await order(here, { description: 'x'.repeat(256) })],
      'description',
    ],
    [
      'one that is no amount',
      async (here) => ['initiate_purchase', await order(here, { limit: { amount: '-999999999', currency: 'GBP' } })],
      'limit.amount',
    ],
    [
      'a currency that is none',
      async (here) => ['initiate_purchase', await order(here, { limit: { amount: '1.00', currency: 'ZZZ' } })],
      'limit.currency',
    ],
    [
      'a day that is none',
      async (here) => ['initiate_purchase', await order(here, { until: '2030-02-30T00:00:00Z' })],
      'until',
    ],
    [
      'a thousand and more',
      async () => ['find_shopper', { name: Array.from({ length: 3_000 }, () => 1) }],
      'arguments',
    ],
    ['one that is very deep', async () => ['preview_call', { tool: 'find_shopper', arguments: { deep } }], 'arguments'],
    ['a member of every object', async () => ['find_shopper', { constructor: 'x' }], 'constructor'],
    ['another', async () => ['find_shopper', { toString: 'x' }], 'toString'],
  ])('%s', async (_, callOf, field, next = []) => {
    const here = await world();
    const [tool, args] = await callOf(here);
    const before = await footprint(here);
    expect((await call2026(here, tool, args)).result).toMatchObject(refused(field, 'EN-01', next));
    expect((await call2025(here, tool, JSON.stringify(args))).result).toMatchObject(refused(field, 'EN-01', next));
    expect(await footprint(here)).toEqual(before);
    expect(here.failures).toEqual([]);
  });

  it('a card number, and it is not repeated', async () => {
    const here = await world();
    const number = ['4111', '1111', '1111', '1111'].join(' ');
    const { result } = await call2026(here, 'find_shopper', { name: number });
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { rule: 'EN-05', field: 'name' } } });
    expect(JSON.stringify(result)).not.toContain('1111');
  });

  it('a prototype: one within another is refused, one at the top is taken away by the SDK, and nobody inherits from it', async () => {
    const here = await world();
    const limit = '{"amount":"1.00","currency":"GBP","__proto__":{"polluted":true}}';
    const text = JSON.stringify(await order(here)).replace(/"limit":\{[^}]*\}/, `"limit":${limit}`);
    expect((await call2025(here, 'initiate_purchase', text)).result).toMatchObject({
      isError: true,
      structuredContent: { error: { rule: 'EN-01' } },
    });
    const top = await call2025(here, 'find_shopper', '{"__proto__":{"polluted":true,"name":"Bo"}}');
    expect(top.result.structuredContent.data.total).toBe(4);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

const faultOf = (asked: Promise<unknown>): Promise<{ readonly code: number; readonly message: string }> =>
  asked.then(
    () => ({ code: 0, message: '' }),
    ({ code, message }) => ({ code, message }),
  );

describe('protocol faults are protocol errors', () => {
  it.each(['buy_everything', '', '__proto__', 'constructor', 'FIND_SHOPPER'])(
    'no tool is called "%s"',
    async (name) => {
      const here = await world();
      expect((await call2025(here, name, '{}')).error).toMatchObject({ code: -32602 });
      expect(here.failures).toEqual([]);
    },
  );

  it.each(['[]', '[1]', '"x"', '7', 'null'])('arguments are no object: %s', async (args) => {
    const here = await world();
    for (const { error } of [
      await call2025(here, 'find_shopper', args),
      await call2026(here, 'find_shopper', JSON.parse(args)),
    ])
      expect([error?.code, /`(\w+)` must be an object/.exec(error?.message ?? '')?.[1]]).toEqual([-32602, 'arguments']);
  });

  // biome-ignore format: a table
  it.each([
    ['enrol_card', '/mcp', 'enroll_card'],
    ['ENROLL_CARD', '/mcp', 'enroll_card'],
    ['enrol_card', '/mcp/readonly', undefined],
    ['enroll_card', '/mcp/readonly', undefined],
    ['list_crads', '/mcp/readonly', 'list_cards'],
    ['enrol_card not found', '/mcp', undefined],
    ['x'.repeat(10_000), '/mcp', undefined],
    ['There is no such tool. Did you mean find_shopper?', '/mcp', undefined],
    ['', '/mcp', undefined],
  ])('an unknown tool is told from others, and only a listed one is suggested: %s at %s', async (name, path, meant) => {
    const agent = await connect(inProcess(await world(), tokens.agent, path), { pin: '2026-07-28' });
    const { code, message } = await faultOf(agent.client.callTool({ name, arguments: {} }));
    expect([code, /such (\w+)/.exec(message)?.[1], /Did you mean (\w+)\?/.exec(message)?.[1]]).toEqual([
      -32602,
      'tool',
      meant,
    ]);
    if (name !== '') expect(message).not.toContain(name);
  });

  it('an unknown prompt is told from others, and only a listed one is suggested', async () => {
    const { client } = await connect(inProcess(await world({ face: { prompts } })), { pin: '2026-07-28' });
    for (const [name, meant] of [
      ['buy_for_a_shoper', 'buy_for_a_shopper'],
      ['enroll_card', undefined],
    ] as const) {
      const { code, message } = await faultOf(client.getPrompt({ name }));
      expect([code, /such (\w+)/.exec(message)?.[1], /Did you mean (\w+)\?/.exec(message)?.[1]]).toEqual([
        -32602,
        'prompt',
        meant,
      ]);
    }
  });
});

it('confirms once, however many identical calls come at once', async () => {
  const here = await world();
  const agent = await connect(inProcess(here), { pin: '2026-07-28' });
  await agent.call('enroll_card', { card: 'card_ada' });
  const args = await order(here);
  const { answer } = await agent.call('initiate_purchase', args);
  await here.http('POST', `/approvals/${answer.approval?.id}`, 'person', { decision: 'approve' });
  const { instruction } = (await agent.call('initiate_purchase', args)).answer.data;
  await agent.call('retrieve_credentials', { instruction, amount: '40.00', currency: 'GBP' });
  const paid = { transactionType: 'PURCHASE', transactionStatus: 'APPROVED', amount: '40.00', currency: 'GBP' };
  await here.http('POST', '/receipts', 'app', { instruction, ...paid });
  const all = await Promise.all(Array.from({ length: 50 }, () => agent.call('confirm_transaction', { instruction })));
  const first = all.filter((it) => it.answer.replayed === undefined);
  expect(first).toMatchObject([{ isError: false, answer: { outcome: 'done', data: { state: 'COMPLETED' } } }]);
  expect(all.filter((it) => it.answer.outcome !== 'done')).toEqual([]);
  const { body } = await here.http('GET', '/sandbox/effects');
  expect(body.effects.filter((it: { operation: string }) => it.operation === 'confirmTransaction')).toHaveLength(1);
});

it('waits for a call that was sent before it closes, over HTTP', async () => {
  const sent = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const held: string[] = [];
  const here = await world({
    replace: {
      platform: (real) => async (request) => {
        sent.resolve();
        await answered.promise;
        held.push('the platform answers');
        return real(request);
      },
    },
  });
  const call = call2026(here, 'enroll_card', { card: 'card_ada' });
  await sent.promise;
  const closed = here.face.close().then(() => held.push('closed'));
  await here.http('GET', '/healthz');
  answered.resolve();
  await Promise.all([call, closed]);
  const { rows } = await here.running.engine.parts.ledger.transaction('default', (tx) =>
    tx.operations.list({}, { limit: 10 }),
  );
  expect(rows).toMatchObject([{ name: 'enrollCard', state: 'SUCCEEDED' }]);
  expect(held).toEqual(['the platform answers', 'closed']);
});

it('is idle only when the call has ended, too, with which an answered question goes on', async () => {
  const ended: string[] = [];
  const { call, idle } = trackCalls(async (name: string) => {
    await Promise.resolve();
    ended.push(name);
  });
  const goesOn = async () => {
    await call('asks');
    for (let steps = 0; steps < 50; steps++) await Promise.resolve();
    await call('goes on');
  };
  await Promise.all([goesOn(), idle().then(() => ended.push('idle'))]);
  expect(ended).toEqual(['asks', 'goes on', 'idle']);
});

describe('a server object', () => {
  it('is new for each request, and all share one table that nobody can change', async () => {
    const { running } = await world();
    const build = createMcpFactory({ engine: running.engine, caller: agentCaller, transport: 'http', version: '0' });
    const [one, other] = [await build({ era: 'modern' }), await build({ era: 'legacy' })];
    expect(one).toBeInstanceOf(McpServer);
    expect(one).not.toBe(other);
    const tableOf = (server: unknown) =>
      (
        server as {
          _registeredTools: Record<string, { inputSchema: { '~standard': { jsonSchema: { input: () => object } } } }>;
        }
      )._registeredTools;
    const schemas = [one, other].map((server) =>
      tableOf(server).initiate_purchase?.inputSchema['~standard'].jsonSchema.input(),
    );
    expect(schemas[0]).toBe(schemas[1]);
    expect(() => Object.assign(schemas[0] ?? {}, { properties: {} })).toThrow(TypeError);
  });
});

/** Purser over pipes of the test, spoken to in lines. */
async function piped(capabilities = {}) {
  const here = await world();
  const { running } = here;
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  let rest = '';
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  stdout.on('data', (chunk) => {
    rest += String(chunk);
    const parts = rest.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const { count, resolve } of waiting) if (lines.length >= count) resolve();
  });
  const heard: string[] = [];
  const served = serveStdio({
    engine: running.engine,
    caller: agentCaller,
    version: '0',
    stdin,
    stdout,
    onFailure: (failure) => heard.push(String(failure)),
  });
  const say = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  say({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 't', version: '0' } },
  });
  say({ method: 'notifications/initialized' });
  const until = (count: number) =>
    new Promise<void>((resolve) => (lines.length >= count ? resolve() : waiting.push({ count, resolve })));
  await until(1);
  return { here, running, stdin, lines, heard, served, say, until };
}

describe('stdio', () => {
  it('carries nothing but MCP, whatever comes in', async () => {
    const { stdin, lines, say, until } = await piped();
    stdin.write('this is no JSON\n{"jsonrpc":"2.0","id":\n[]\n{}\n');
    say({ id: 1, method: 'tools/list' });
    say({ id: 2, method: 'tools/call', params: { name: 'find_shopper', arguments: { nope: 1 } } });
    say({ id: 3, method: 'nothing/like/this' });
    await until(8);
    const messages = lines.map((line) => JSON.parse(line));
    expect(messages.every((message) => message.jsonrpc === '2.0')).toBe(true);
    expect(messages.map(({ id }) => String(id)).toSorted()).toEqual(['0', '1', '2', '3', ...Array(4).fill('null')]);
  });

  it('repeats no name that a caller made up', async () => {
    const { lines, say, until, heard } = await piped();
    say({ id: 1, method: 'tools/call', params: { name: 'made_up_name', arguments: {} } });
    say({ id: 2, method: 'prompts/get', params: { name: 'made_up_name' } });
    say({ id: 3, method: 'made_up_name' });
    const params = { ref: { type: 'ref/prompt', name: 'made_up_name' }, argument: { name: 'a', value: 'b' } };
    say({ id: 4, method: 'completion/complete', params });
    say({ id: 5, method: 'resources/read', params: { uri: 'made_up_name://a' } });
    say({ id: 6, method: 'logging/setLevel', params: { level: 'made_up_name' } });
    say({ id: 7, method: 'tools/list', params: { cursor: { made_up_name: 1 } } });
    say({ id: 8, method: 'tools/call', params: { name: 'list_plans', arguments: {}, task: { ttl: 'made_up_name' } } });
    await until(9);
    expect([lines, heard].flat().filter((text) => text.includes('made_up_name'))).toEqual([]);
  });

  it('ends with stdin, after the answers of what is under way', async () => {
    const { running, stdin, lines, served, say } = await piped();
    say({ id: 1, method: 'tools/call', params: { name: 'enroll_card', arguments: { card: 'card_ada' } } });
    say({ id: 2, method: 'tools/list' });
    stdin.end();
    await served.closed;
    const answers = lines.slice(1).map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2]);
    expect(answers.find(({ id }) => id === 1)).toMatchObject({ result: { structuredContent: { outcome: 'done' } } });
    const rows = await running.engine.parts.ledger.transaction('default', (tx) =>
      tx.operations.list({}, { limit: 10 }),
    );
    expect(rows.rows.filter(({ state }) => state === 'SENDING')).toEqual([]);
  });

  it('ends a while after stdin, although a request is never answered', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stdin = new PassThrough();
    const wire = createStdioWire({ stdin, stdout: new PassThrough() });
    let isClosed = false;
    wire.onclose = () => (isClosed = true);
    await wire.start();
    stdin.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    await once(stdin, 'close');
    vi.advanceTimersByTime(limits.lastAnswersMilliseconds - 1);
    expect(isClosed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isClosed).toBe(true);
  });

  it.each(['before', 'after'])(
    'asks nobody once stdin has ended, shortly %s the question: the approval waits',
    async (when) => {
      const { here, running, stdin, lines, served, say, until } = await piped({ elicitation: {} });
      await running.engine.call('enroll_card', { card: 'card_ada' }, agentCaller);
      say({ id: 1, method: 'tools/call', params: { name: 'initiate_purchase', arguments: await order(here) } });
      if (when === 'after') await until(2);
      stdin.end();
      await served.closed;
      const answer = lines.map((line) => JSON.parse(line)).find(({ id }) => id === 1);
      expect(answer).toMatchObject({ result: { structuredContent: { outcome: 'needs_approval' } } });
    },
  );

  it('refuses a request with the id of one that is under way, whose answer alone has that id', async () => {
    const { lines, say, until } = await piped();
    say({ id: 1, method: 'tools/call', params: { name: 'enroll_card', arguments: { card: 'card_ada' } } });
    say({ id: 1, method: 'ping' });
    say({ id: '1', method: 'ping' });
    await until(4);
    const answers = lines.slice(1).map((line) => JSON.parse(line));
    expect(answers.filter(({ id }) => id === null)).toMatchObject([{ error: { code: -32_600 } }]);
    expect(answers.filter(({ id }) => id === 1)).toMatchObject([
      { result: { structuredContent: { outcome: 'done' } } },
    ]);
    say({ id: 1, method: 'ping' }); // it is over
    await until(5);
    expect(JSON.parse(lines[4] ?? '')).toMatchObject({ id: 1, result: {} });
  });

  it('refuses a message that is longer than any may be, and goes on', async () => {
    const { stdin, lines, say, until, heard } = await piped();
    stdin.write(`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(300_000)}"}\n`);
    say({ id: 2, method: 'ping' });
    await until(3);
    expect(lines.map((line) => JSON.parse(line)).map(({ id, error }) => [id, error?.code])).toEqual(
      expect.arrayContaining([
        [1, -32600],
        [2, undefined],
      ]),
    );
    expect(heard).toEqual([]);
  });

  it.each([
    ['its method', '{"jsonrpc":"2.0","id":1,"method":"ping","m\\u0065thod":"ping"}'],
    ['its id', '{"jsonrpc":"2.0","id":2,"id":1,"method":"ping"}'],
    ['one within', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a":{"b":1,"b":2}}}}'],
  ])('refuses a message that has a property twice: %s', async (_, line) => {
    const { stdin, lines, say, until } = await piped();
    stdin.write(`${line}\n`);
    say({ id: 3, method: 'ping' });
    await until(3);
    expect(lines.slice(1).map((it) => JSON.parse(it))).toMatchObject([
      { id: 1, error: { code: -32_600 } },
      { id: 3, result: {} },
    ]);
  });

  it('takes an answer that has a property twice for none: nobody has approved, and the call goes on at once', async () => {
    const { here, running, stdin, lines, say, until } = await piped({ elicitation: {} });
    await running.engine.call('enroll_card', { card: 'card_ada' }, agentCaller);
    say({ id: 1, method: 'tools/call', params: { name: 'initiate_purchase', arguments: await order(here) } });
    await until(2);
    const asked = JSON.parse(lines[1] ?? '');
    const content = '"action":"accept","content":{"approve":false,"approve":true}';
    expect(asked).toMatchObject({ method: 'elicitation/create' });
    stdin.write(`{"jsonrpc":"2.0","id":${JSON.stringify(asked.id)},"result":{${content}}}\n`);
    await until(3);
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({ id: 1 });
    expect(lines[2]).not.toContain('"done"');
    const { rows } = await running.engine.parts.ledger.transaction('default', (tx) =>
      tx.approvals.list({}, { limit: 10 }),
    );
    expect(rows).toMatchObject([{ state: 'REQUESTED' }]);
  });

  it('ends the process with its client, and writes nothing of its own to stdout', async () => {
    const served = spawn(`${root}node_modules/.bin/node`, [`${root}test/faces/children/serve.ts`], { stdio: 'pipe' });
    let out = '';
    served.stdout.on('data', (chunk) => {
      out += String(chunk);
    });
    served.stdin.end();
    expect(await new Promise((resolve) => served.on('close', resolve))).toBe(0);
    expect(out).toBe('');
  });
});
