import { expect, it } from 'vitest';
import { world } from '../faces/support.ts';
import { builtServe, sent } from './sockets.ts';

// Every call of the built server, by every method, with every form of body that HTTP/1.1 knows, over real sockets.

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

const json = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const chunked = (text: string) => `${text === '' ? '' : `${text.length.toString(16)}\r\n${text}\r\n`}0\r\n\r\n`;
const bodies: readonly (readonly [name: string, headers: readonly string[], body: string])[] = [
  ['no body', [], ''],
  ['an empty body', ['Content-Length: 0'], ''],
  ['an empty body in chunks', ['Transfer-Encoding: chunked'], chunked('')],
  ['a body', [`Content-Length: ${json.length}`], json],
  ['a body in chunks', ['Transfer-Encoding: chunked'], chunked(json)],
];

it('answers every method with every form of body below 500, and the same whether or not it comes in chunks', async () => {
  const { face } = await world();
  const served = await builtServe();
  const paths = [...new Set(face.calls.map((call) => (call.split(' ')[1] ?? '').replace(/:id|\*/, 'x')))];
  expect(paths.length).toBeGreaterThan(8);
  const odd: string[] = [];
  for (const path of paths)
    for (const method of methods) {
      const seen = new Map<string, number>();
      for (const [name, headers, body] of bodies)
        for (const role of [undefined, 'agent', 'app', 'person'] as const) {
          const bearer = role === undefined ? [] : [`Authorization: Bearer ${served.token(role)}`];
          const lines = ['Host: 127.0.0.1', 'Accept: application/json, text/event-stream', ...bearer, ...headers];
          const typed = name === 'no body' ? lines : [...lines, 'Content-Type: application/json'];
          const { status } = await sent(served.port, `${method} ${path}`, typed, body);
          seen.set(`${name} as ${role}`, status);
          if (status < 200 || status >= 500) odd.push(`${method} ${path} with ${name} as ${role}: ${status}`);
        }
      for (const role of [undefined, 'agent', 'app', 'person'])
        for (const form of ['an empty body', 'a body'])
          if (seen.get(`${form} as ${role}`) !== seen.get(`${form} in chunks as ${role}`))
            odd.push(`${method} ${path} with ${form} as ${role}: ${[...seen.values()]}`);
    }
  expect(odd).toEqual([]);
  const { err } = await served.stop('SIGTERM');
  expect(err.split('\n').filter((line) => line !== '' && !/^purser: (starting with|stopped)/.test(line))).toEqual([]);
}, 120_000);

it('refuses a body in chunks as soon as it is too long, and goes on serving', async () => {
  const served = await builtServe();
  const line = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
  const headers = [
    'Host: 127.0.0.1',
    `Authorization: Bearer ${served.token('app')}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ];
  expect((await sent(served.port, 'POST /shoppers', headers, line.repeat(5))).status).toBe(413);
  expect((await sent(served.port, 'GET /healthz', ['Host: 127.0.0.1'])).status).toBe(200);
});
