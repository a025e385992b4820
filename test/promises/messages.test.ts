import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { folder, start } from '../faces/cli.ts';
import { builtServe, sent } from './sockets.ts';

// What a caller may write, as raw bytes to the built product: it is answered, it ends nothing, and none of it comes back.

const card = '4111111111111111';
const marks = ['\u001b[31m', '\u202e'];
const line = (it: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...it })}\n`;
const hello = line({
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
});
const ping = line({ id: 'ping', method: 'ping' });

/** Sends lines to the built `purser mcp`, each of which gets an answer, and a ping after them. */
async function told(lines: readonly (string | Buffer)[]) {
  const answers: { readonly id: string | number | null; readonly error?: { readonly code: number } }[] = [];
  const data = folder();
  const served = start(['mcp', '--data', data]);
  served.child.stdin.write(hello);
  await served.line();
  served.child.stdin.write(line({ method: 'notifications/initialized' }));
  for (const one of lines) served.child.stdin.write(one);
  served.child.stdin.write(`\n${ping}`);
  while (answers.length < lines.length + 1) answers.push(JSON.parse(await served.line())); // in any order
  served.child.stdin.end();
  const { code, err } = await served.over;
  const bytes = readdirSync(data).map((file) => readFileSync(join(data, file)).toString('latin1'));
  return { answers: answers.filter(({ id }) => id !== 'ping'), code, err, ledger: bytes.join('') };
}

describe('over stdio, the server goes on after', () => {
  const big = 'x'.repeat(limits.requestBytes);
  it.each([
    [
      'a message above the limit, with its id at the end',
      line({ method: 'ping', params: { big, id: 1 }, id: 7 }),
      -32600,
      7,
    ],
    [
      'a message above the limit, with its id first',
      line({ id: 'seven', method: 'ping', params: { big } }),
      -32600,
      'seven',
    ],
    ['a message far above the limit', `{"id":8,"method":"${big.repeat(20)}"}\n`, -32600, 8],
    ['an endless line without an id', `${big.repeat(20)}\n`, -32600, null],
    ['what is not JSON', '{"jsonrpc":"2.0","id":9,"method":"ping"\n', -32700, 9],
    [
      'what is not UTF-8',
      Buffer.from([...Buffer.from('{"id":10,"method":"'), 0xff, 0xfe, ...Buffer.from('"}\n')]),
      -32700,
      10,
    ],
    ['deep nesting', `{"id":11,"method":"ping","params":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`, -32600, 11],
    ['what is not JSON-RPC', '{"id":12,"say":"hello"}\n', -32600, 12],
    ['a list', '[1,2]\n', -32600, null],
  ])('%s', async (_, bytes, code, id) => {
    const { answers, code: end } = await told([bytes]);
    expect([answers.map(({ id, error }) => [id, error?.code]), end]).toEqual([[[id, code]], 0]);
  });
});

/** Every place of a message where a caller's words stand. */
const planted = (text: string): readonly (readonly [where: string, message: object])[] => [
  ['tool name', { method: 'tools/call', params: { name: text, arguments: {} } }],
  ['argument name', { method: 'tools/call', params: { name: 'find_shopper', arguments: { [text]: 1 } } }],
  ['argument', { method: 'tools/call', params: { name: 'find_shopper', arguments: { name: text } } }],
  ['tool member', { method: 'tools/call', params: { name: 'find_shopper', [text]: 1, arguments: {} } }],
  ['arguments that are text', { method: 'tools/call', params: { name: 'find_shopper', arguments: text } }],
  [
    'previewed tool',
    { method: 'tools/call', params: { name: 'preview_call', arguments: { tool: text, arguments: {} } } },
  ],
  ['prompt name', { method: 'prompts/get', params: { name: text } }],
  ['prompt argument', { method: 'prompts/get', params: { name: 'buy_for_shopper', arguments: { shopper: text } } }],
  ['prompt argument name', { method: 'prompts/get', params: { name: 'buy_for_shopper', arguments: { [text]: 'x' } } }],
  ['resource', { method: 'resources/read', params: { uri: `file:///${text}` } }],
  ['subscription', { method: 'resources/subscribe', params: { uri: text } }],
  [
    'completion',
    {
      method: 'completion/complete',
      params: { ref: { type: 'ref/prompt', name: text }, argument: { name: text, value: text } },
    },
  ],
  ['method', { method: text }],
  ['method with slashes', { method: `tools/${text}`, params: { [text]: text } }],
  ['log level', { method: 'logging/setLevel', params: { level: text } }],
  ['cursor', { method: 'tools/list', params: { cursor: text } }],
  [
    'client info',
    {
      method: 'initialize',
      params: { protocolVersion: text, capabilities: { [text]: {} }, clientInfo: { name: text, version: text } },
    },
  ],
  [
    'revision',
    {
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': text,
          'io.modelcontextprotocol/clientInfo': { name: text },
          'io.modelcontextprotocol/clientCapabilities': text,
        },
      },
    },
  ],
  ['no method at all', { [text]: text }],
];

const found = (text: string): readonly string[] =>
  [card, ...marks].filter((it) => text.includes(it) || text.includes(JSON.stringify(it).slice(1, -1)));
const texts = [card, `a${marks.join('')}b`];

it('no word of a caller comes back over stdio, or is written to stderr or the ledger', async () => {
  const messages = texts.flatMap((text) => planted(text).map(([where, message]) => [where, message] as const));
  const { answers, err, ledger } = await told(messages.map(([, message], id) => line({ id, ...message })));
  expect(answers.length).toBe(messages.length);
  const echoes = answers.filter((answer) => found(JSON.stringify(answer)).length > 0);
  expect(echoes.map(({ id }) => messages[Number(id)]?.[0])).toEqual([]);
  expect([found(err), ledger.includes(card)]).toEqual([[], false]);
});

it('no word of a caller comes back over HTTP, from a body, a header or a path', async () => {
  const served = await builtServe();
  const role = [`Authorization: Bearer ${served.token('agent')}`, 'Host: 127.0.0.1'];
  const typed = ['Content-Type: application/json', 'Accept: application/json, text/event-stream'];
  const echoes: string[] = [];
  const post = async (where: string, body: string, more: readonly string[] = []) => {
    const headers = [...role, ...typed, ...more, `Content-Length: ${Buffer.byteLength(body)}`];
    const { text } = await sent(served.port, 'POST /mcp', headers, body);
    if (found(text).length > 0) echoes.push(`${where}: ${text.slice(-300)}`);
  };
  for (const text of texts)
    for (const [where, message] of planted(text)) {
      await post(where, line({ id: 1, ...message }));
      await post(`${where}, 2026`, line({ id: 1, ...message }), [
        'MCP-Protocol-Version: 2026-07-28',
        `Mcp-Method: ${card}`,
      ]);
    }
  for (const name of [
    'MCP-Protocol-Version',
    'Mcp-Method',
    'Mcp-Name',
    'Mcp-Session-Id',
    'Last-Event-ID',
    'Accept',
    'Content-Type',
    card,
  ])
    await post(`header ${name}`, line({ id: 1, method: 'tools/list', params: {} }), [`${name}: ${card}`]);
  for (const path of [
    '',
    'mcp/',
    'mcp/x/',
    'shoppers/',
    'approvals/',
    'approve/',
    'sandbox/',
    'pay/',
    'sandbox/cards/',
  ])
    for (const bearer of [
      role,
      ['Host: 127.0.0.1'],
      [`Authorization: Bearer ${served.token('person')}`, 'Host: 127.0.0.1'],
    ]) {
      const { text } = await sent(served.port, `GET /${path}${card}?${card}=${card}`, bearer);
      if (found(text).length > 0) echoes.push(`GET /${path}: ${text.slice(-300)}`);
    }
  for (const host of [card, `${card}.example`]) {
    const { text } = await sent(served.port, 'GET /healthz', [`Host: ${host}`, `Origin: http://${host}`]);
    if (found(text).length > 0) echoes.push(`host: ${text.slice(-300)}`);
  }
  expect(echoes).toEqual([]);
  const { err } = await served.stop('SIGTERM');
  const bytes = readdirSync(served.data).map((file) => readFileSync(join(served.data, file)).toString('latin1'));
  expect([found(err), bytes.join('').includes(card)]).toEqual([[], false]);
}, 60_000);
