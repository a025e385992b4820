import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Served, serveSandbox } from '../../src/sandbox/index.ts';
import { Bench, enrollment, signed, tokened } from './support.ts';

let bench: Bench;
let served: Served;
beforeEach(async () => {
  bench = new Bench();
  served = await serveSandbox(bench.sandbox, { port: 0 });
});
afterEach(() => served.close());

const path = '/acp/v1/tokens';
const body = () => JSON.stringify({ ...enrollment('shopper_ada'), clientCorrelationId: bench.correlation() });

/** Sends a request over a socket, with exactly its headers. */
const send = (request: Request, sent: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      served.url + new URL(request.url).pathname,
      { method: request.method, headers: Object.fromEntries(request.headers) },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
        incoming.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(sent);
  });

const enroll = (sign: typeof signed = signed) => {
  const sent = body();
  return send(sign(served.url, 'POST', path, sent), sent);
};
const fault = (kind: string) => bench.control('POST', 'faults', { on: 'enrollCard', kind });

describe('over a real port', () => {
  it('serves both schemes', async () => {
    expect((await enroll()).status).toBe(200);
    expect((await enroll(tokened)).status).toBe(200);
  });

  it('looks at the Host that was received, whatever the address', async () => {
    const sent = body();
    const request = signed('http://sandbox.purser.test', 'POST', path, sent);
    expect((await send(request, sent)).status).toBe(200);
    request.headers.set('host', 'localhost');
    expect((await send(request, sent)).status).toBe(401);
  });

  it.each([
    ['host', 'evil.example'],
    ['origin', 'http://evil.example'],
  ])('serves no other %s, whatever is called', async (name, value) => {
    for (const at of ['/sandbox/clock', '/sandbox/reset', '/pay/x', path]) {
      const request = new Request(`${served.url}${at}`, { method: 'POST' });
      request.headers.set('host', new URL(served.url).host);
      request.headers.set(name, value);
      expect((await send(request, '')).status).toBe(403);
    }
  });

  it.each(['constructor', 'toString', 'valueOf', '__proto__'])(
    'has nothing at a path of the iframe that is called %s, as every object has it',
    async (name) => {
      const response = await fetch(`${served.url}/vts-auth/${name}`, { method: 'POST', body: '{}' });
      expect([response.status, await response.text()]).toEqual([404, '{"response":{"rmsg":"Not Found"}}']);
    },
  );

  it('refuses a control request that is not UTF-8: it would say what nobody has sent', async () => {
    const body = Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect((await fetch(`${served.url}/sandbox/issuer`, { method: 'POST', body })).status).toBe(400);
  });

  it('serves the control API', async () => {
    const told = await fetch(`${served.url}/sandbox/clock`, { method: 'POST', body: '{"advance":"PT1H"}' });
    expect(await told.json()).toEqual({
      now: '2026-01-15T10:00:00.000Z',
      milliseconds: expect.any(Number),
      runs: false,
    });
  });

  it('destroys the connection where the answer is lost', async () => {
    await fault('timeout-after-commit');
    await expect(enroll()).rejects.toThrow(/socket hang up|ECONNRESET/);
    expect(await bench.effects()).toEqual(['enrollCard 200']);
  });

  it('cuts an answer off in the middle', async () => {
    await fault('truncated');
    await expect(enroll()).rejects.toThrow(/aborted|ECONNRESET/);
    expect(await bench.effects()).toEqual(['enrollCard 200']);
  });

  it('goes on after a cut', async () => {
    await fault('truncated');
    await enroll().catch(() => undefined);
    expect((await enroll()).status).toBe(200);
  });

  it('refuses a body above the limit', async () => {
    const huge = `{"padding":"${'0'.repeat(300_000)}"}`;
    expect((await send(signed(served.url, 'POST', path, huge), huge)).status).toBe(413);
  });

  it('answers HEAD and OPTIONS without a body', async () => {
    const head = await fetch(`${served.url}/sandbox/effects`, { method: 'HEAD' });
    const options = await fetch(served.url + path, { method: 'OPTIONS' });
    expect([head.status, await head.text(), options.status, options.headers.get('allow')]).toEqual([
      200,
      '',
      204,
      'POST, OPTIONS',
    ]);
  });

  it.each([
    'GET http://other/ HTTP/1.1\r\nHost: a\r\n\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
  ])('answers %j with 400', async (text) => {
    expect(await talk(served.port, text)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('says in a sentence that a port is taken', async () => {
    await expect(serveSandbox(bench.sandbox, { port: served.port })).rejects.toThrow(
      `The sandbox can't listen: 127.0.0.1:${served.port} is already in use; choose another port or stop the program that uses it.`,
    );
  });
});

const talk = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString());
    });
    socket.once('error', reject);
  });
