import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHttpPlatform } from '../../src/client/platform.ts';
import { expectClean, expectFault, json, short } from './faults.ts';
import { selfSigned } from './self-signed.ts';
import {
  bodyOf,
  canary,
  clientOn,
  closedPort,
  confirm,
  confirmed,
  listen,
  loopback,
  patience,
  rejection,
} from './support.ts';

describe('what was never sent', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('a refused connection', async () => {
    const baseUrl = `http://127.0.0.1:${await closedPort()}`;
    const platform = createHttpPlatform({ baseUrl });
    expectFault(await rejection(confirm(clientOn(platform, baseUrl))), 'unreachable', { code: 'ECONNREFUSED' });
    await platform.close();
  });

  it('a connection that does not come about in time', async () => {
    // The other side takes the TCP connection and never greets.
    const sockets: { destroy(): void }[] = [];
    const server = createTcpServer((socket) => sockets.push(socket));
    const baseUrl = `https://127.0.0.1:${await listen(server)}`;
    const platform = createHttpPlatform({ baseUrl, timeouts: short });
    expectFault(await rejection(confirm(clientOn(platform, baseUrl))), 'unreachable', {
      code: 'UND_ERR_CONNECT_TIMEOUT',
    });
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
    await platform.close();
  });

  it('a connection lost during the TLS greeting', async () => {
    const server = createTcpServer((socket) => socket.on('data', () => socket.resetAndDestroy()));
    const baseUrl = `https://127.0.0.1:${await listen(server)}`;
    const platform = createHttpPlatform({ baseUrl });
    expectFault(await rejection(confirm(clientOn(platform, baseUrl))), 'unreachable', { code: 'ECONNRESET' });
    await new Promise((resolve) => server.close(resolve));
    await platform.close();
  });

  it.each(['0', '1'])(
    'to a certificate that nobody vouches for, where NODE_TLS_REJECT_UNAUTHORIZED is %s',
    async (value) => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', value);
      let requests = 0;
      const server = createTlsServer(selfSigned, (_, response) => {
        requests += 1;
        response.end();
      });
      const baseUrl = `https://127.0.0.1:${await listen(server)}`;
      const platform = createHttpPlatform({ baseUrl });
      expectFault(await rejection(confirm(clientOn(platform, baseUrl))), 'unreachable', {
        code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      });
      expect(requests).toBe(0);
      await platform.close();
      await new Promise((resolve) => server.close(resolve));
    },
  );

  it('a request to another origin', async () => {
    await using server = await loopback((_, response) => response.end());
    for (const url of [
      'http://localhost:1/',
      'http://127.0.0.1:1/',
      'http://169.254.169.254/latest',
      server.baseUrl.replace('http', 'https'),
    ])
      expectFault(await rejection(server.platform(new Request(url))), 'misaddressed');
    expectFault(await rejection(confirm(clientOn(server.platform, 'http://localhost:1'))), 'misaddressed');
    expect(server.seen).toStrictEqual({ connections: 0, requests: 0 });
  });

  it('a request after the platform was closed', async () => {
    const baseUrl = `http://127.0.0.1:${await closedPort()}`;
    const platform = createHttpPlatform({ baseUrl });
    await platform.close();
    expectFault(await rejection(confirm(clientOn(platform, baseUrl))), 'unreachable', { code: 'UND_ERR_DESTROYED' });
  });
});

describe('what was sent and lost', () => {
  it('a reset before the body was read', async () => {
    await using server = await loopback((request) => void request.socket.resetAndDestroy());
    expectLost(await rejection(confirm(server.client)));
    expect(server.seen).toStrictEqual({ connections: 1, requests: 1 });
  });

  it('a reset after the body was read', async () => {
    await using server = await loopback(async (request) => {
      await bodyOf(request);
      request.socket.resetAndDestroy();
    });
    expectLost(await rejection(confirm(server.client)));
    expect(server.seen).toStrictEqual({ connections: 1, requests: 1 });
  });

  it('an end without an answer, which is not repeated although the method is PUT', async () => {
    await using server = await loopback((request) => void request.socket.end());
    const request = new Request(`${server.baseUrl}/x`, { method: 'PUT', body: '{}' });
    expectLost(await rejection(server.platform(request)));
    expect(server.seen).toStrictEqual({ connections: 1, requests: 1 });
  });

  it('silence', async () => {
    await using server = await loopback(() => {}, short);
    expectFault(await rejection(confirm(server.client)), 'no-answer', { code: 'UND_ERR_HEADERS_TIMEOUT' });
  });

  it('something that is not HTTP', async () => {
    await using server = await loopback((request) => void request.socket.end('what?\r\n\r\n'));
    const error = await rejection(confirm(server.client));
    expect(error).toMatchObject({ kind: 'no-answer', effect: 'unknown' });
    expectClean(error);
  });

  it.each([600, 999])('a status that no response has, and does not wait for more: %s', async (status) => {
    await using server = await loopback(({ socket }) => void socket.write(`HTTP/1.1 ${status} ?\r\n\r\n`));
    expectFault(await rejection(confirm(server.client)), 'wrong-shape', { status });
  });

  it('a platform function that throws anything else', async () => {
    const client = clientOn(async () => {
      throw new Error(canary, { cause: canary });
    });
    expectFault(await rejection(confirm(client)), 'no-answer');
  });

  const expectLost = (error: unknown) => {
    expect(error).toMatchObject({
      kind: 'no-answer',
      effect: 'unknown',
      code: expect.stringMatching(/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/),
    });
    expectClean(error);
  };
});

describe('the connection', () => {
  it('is a new one for each call, so that a kept one can not be lost under a payment', async () => {
    await using server = await loopback((_, response) => response.writeHead(202, json).end(JSON.stringify(confirmed)));
    const answers = [await confirm(server.client), await confirm(server.client)];
    expect(answers.map((it) => it.status)).toStrictEqual([202, 202]);
    expect(server.seen).toStrictEqual({ connections: 2, requests: 2 });
  });

  it('carries many calls at once', async () => {
    await using server = await loopback((_, response) => response.writeHead(202, json).end(JSON.stringify(confirmed)));
    const answers = await Promise.all(Array.from({ length: 50 }, () => confirm(server.client)));
    expect(answers).toStrictEqual(Array(50).fill({ status: 202, body: confirmed }));
    expect(server.seen.requests).toBe(50);
  });

  it('outlives the abort signal of who asked', async () => {
    const caller = new AbortController();
    await using server = await loopback((_, response) => {
      caller.abort();
      response.writeHead(202, json).end('{}');
    }, patience);
    const response = await server.platform(
      new Request(`${server.baseUrl}/x`, { method: 'POST', body: '{}', signal: caller.signal }),
    );
    expect([response.status, await response.text()]).toStrictEqual([202, '{}']);
  });

  it('joins a header that came twice, and passes informational answers over', async () => {
    await using server = await loopback((_, response) => {
      response.writeProcessing();
      response
        .writeHead(
          202,
          [
            ['x-two', 'a'],
            ['x-two', 'b'],
          ].flat(),
        )
        .end('{}');
    });
    const response = await server.platform(new Request(`${server.baseUrl}/x`));
    expect([response.status, response.headers.get('x-two'), await response.text()]).toStrictEqual([202, 'a, b', '{}']);
  });
});
