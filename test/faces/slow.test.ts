import { connect as open, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { patience } from '../../src/listener/port.ts';
import { tokens, type World, world } from './support.ts';

// A sender that never ends what it began. The server's patience is short here, and nothing waits but for what it does.

const impatience = { headersTimeout: 100, requestTimeout: 300, connectionsCheckingInterval: 20 };

async function served(within = impatience): Promise<number> {
  const { face } = await world();
  const { port, close } = await listen(face, { port: 0 }, within);
  onTestFinished(close);
  return port;
}

/** Says something and then one letter at a time for as long as it may; answers what came back when the door was shut. */
async function slowly(port: number, begins: string): Promise<string> {
  const socket: Socket = open(port, '127.0.0.1');
  let said = '';
  socket.on('data', (chunk) => {
    said += chunk;
  });
  socket.on('error', () => undefined); // a letter that finds the door shut
  socket.write(begins);
  const drip = setInterval(() => socket.write('x'), 10);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(drip);
  return said;
}

const headers = (path: string, role: 'agent' | 'app'): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${tokens[role]}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'Content-Length: 100000',
    '',
    '',
  ].join('\r\n');

describe('a slow sender', () => {
  it.each([
    ['in the request line', 'GET /health'],
    ['in a header', 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '],
    ["in the body of an agent's call", `${headers('/mcp', 'agent')}{"jsonrpc":"2.0","id":"`],
    ["in the body of the app's call", `${headers('/shoppers', 'app')}{"displayName":"`],
    ['in the body of a stranger', headers('/mcp', 'agent').replace(tokens.agent, 'nobody')],
  ])('%s is told so, or answered, and shut out', async (_, begins) => {
    expect(await slowly(await served(), begins)).toMatch(/^HTTP\/1\.1 40[18] /);
  });

  it('holds nobody else, however many there are', async () => {
    // Whoever is not slow must not be taken for it, on a machine with much else to do, too.
    const port = await served({ ...impatience, headersTimeout: 2_000, requestTimeout: 3_000 });
    const slow = Array.from({ length: 100 }, () => slowly(port, 'GET /healthz HTTP/1.1\r\nX-Slow: '));
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${port}/healthz`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set((await Promise.all(slow)).map((said) => said.slice(0, 12)))).toEqual(new Set(['HTTP/1.1 408']));
  });
});

it('is shut out within fifteen seconds where it sends headers alone', () => {
  expect(patience.headersTimeout + patience.connectionsCheckingInterval).toBeLessThan(15_000);
  expect(patience.requestTimeout).toBe(30_000);
});

/** What a stream of changes holds from its beginning to its end, for a client of the 2026 revision. */
async function changes({ face }: World, id: number): Promise<string> {
  const revision = '2026-07-28';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const method = 'subscriptions/listen';
  const notifications = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
  const response = await face.fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens.agent}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': revision,
        'mcp-method': method,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { notifications, _meta } }),
    }),
  );
  return response.text();
}

it('holds no stream of changes open: nothing that is listed changes, so each ends as it begins', async () => {
  const here = await world();
  for (let id = 1; id <= 70; id++) expect(await changes(here, id)).toContain('"resultType":"complete"');
});

/** A body that breaks off after its first letters. */
const brokenOff = () =>
  new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"a":')),
    pull: (controller) => controller.error(new Error('aborted')),
  });

it('is nobody to be told about where it is gone before the end of its body, at any door', async () => {
  const { face, failures } = await world();
  const answers: [call: string, status: number][] = [];
  for (const call of [...face.calls, 'POST /sandbox/clock'])
    for (const length of [{}, { 'content-length': '100' }])
      for (const token of Object.values(tokens)) {
        const [method = '', path = ''] = call.split(' ');
        if (method === 'GET') continue;
        const headers = { ...length, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const init = { ...{ method: method === 'ALL' ? 'POST' : method, headers, body: brokenOff() }, duplex: 'half' };
        const { status } = await face.fetch(new Request(`http://localhost${path}`, init as RequestInit));
        answers.push([call, status]);
      }
  expect(failures).toEqual([]);
  expect(answers.filter(([, status]) => status < 400 || status >= 500)).toEqual([]);
  expect(answers.filter(([, status]) => status === 400).length).toBeGreaterThan(10);
});
