import { pipeline, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { expectFault, json, short } from './faults.ts';
import { canary, clientOn, confirm, confirmed, loopback, rejection } from './support.ts';

describe('an answer that is not to be trusted', () => {
  it.each([301, 302, 303, 307, 308])('a redirect %i, which is not followed', async (status) => {
    await using other = await loopback((_, response) => response.writeHead(202, json).end(JSON.stringify(confirmed)));
    await using server = await loopback((_, response) => response.writeHead(status, { location: other.baseUrl }).end());
    expectFault(await rejection(confirm(server.client)), 'redirected', { status });
    expect(other.seen.requests + server.seen.requests).toBe(1);
  });

  it.each([
    ['HTML', { 'content-type': 'text/html' }, '<p>Welcome</p>'],
    ['JSON that says it is text', { 'content-type': 'text/plain' }, JSON.stringify(confirmed)],
    ['JSON without a type', {}, JSON.stringify(confirmed)],
    ['no JSON that says it is', json, `{"a": ${canary}x`],
    ['broken UTF-8', json, Buffer.from([0x22, 0xff, 0x22])],
    ['compressed bytes nobody asked for', { ...json, 'content-encoding': 'gzip' }, Buffer.from([0x1f, 0x8b, 0x08])],
    ['nothing', json, ''],
  ])('%s with a success status', async (_, headers, body) => {
    await using server = await loopback((_, response) => response.writeHead(202, headers).end(body));
    expectFault(await rejection(confirm(server.client)), 'not-json', { status: 202 });
  });

  it('a body shorter than announced', async () => {
    await using server = await loopback((request, response) => {
      response.writeHead(202, { ...json, 'content-length': '500' });
      response.write(JSON.stringify(confirmed), () => request.socket.end());
    });
    expectFault(await rejection(confirm(server.client)), 'truncated', { status: 202 });
  });

  it('a chunked body without its end', async () => {
    await using server = await loopback((request, response) => {
      response.writeHead(202, json);
      response.write(JSON.stringify(confirmed), () => request.socket.resetAndDestroy());
    });
    expectFault(await rejection(confirm(server.client)), 'truncated', { status: 202 });
  });

  it('a body shorter than announced by a platform in the same process', async () => {
    const client = clientOn(
      async () => new Response('{"cl', { status: 202, headers: { ...json, 'content-length': '90' } }),
    );
    expectFault(await rejection(confirm(client)), 'truncated', { status: 202 });
  });

  it('a body that stops', async () => {
    await using server = await loopback((_, response) => void response.writeHead(202, json).write('{'), short);
    expectFault(await rejection(confirm(server.client)), 'truncated', { status: 202 });
  });

  it('a body that dribbles and never ends', async () => {
    // Each piece comes well within the time between two pieces.
    await using server = await loopback(
      (request, response) => {
        response.writeHead(202, json);
        const dribble = setInterval(() => response.write(' '), 5);
        request.socket.on('close', () => clearInterval(dribble));
      },
      { ...short, bodyMilliseconds: 60, fileIdleMilliseconds: 60 },
    );
    expectFault(await rejection(confirm(server.client)), 'truncated', { status: 202 });
  });

  it('a body above the limit, which is not read on', async () => {
    const ended = Promise.withResolvers<unknown>();
    await using server = await loopback((_, response) => {
      const endless = Readable.from(
        (function* () {
          while (true) yield Buffer.alloc(65_536, ' ');
        })(),
      );
      pipeline(endless, response.writeHead(202, json), ended.resolve);
    });
    expectFault(await rejection(confirm(server.client)), 'oversized', { status: 202 });
    expect(await ended.promise).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });

  it('reads a body of exactly the limit', async () => {
    const text = JSON.stringify(confirmed).padEnd(limits.answerBytes, ' ');
    await using server = await loopback((_, response) => response.writeHead(202, json).end(text));
    expect(await confirm(server.client)).toStrictEqual({ status: 202, body: confirmed });
  });

  it.each([
    ['another shape', { clientCorrelationId: 7, status: canary }, ['clientCorrelationId', 'status']],
    ['no object', [canary], ['(all)']],
  ])('%s, by its paths and not its values', async (_, body, paths) => {
    await using server = await loopback((_, response) => response.writeHead(202, json).end(JSON.stringify(body)));
    expectFault(await rejection(confirm(server.client)), 'wrong-shape', { status: 202, paths });
  });

  it.each([200, 201, 204, 206])('a success %i that the contract does not state', async (status) => {
    await using server = await loopback((_, response) =>
      response.writeHead(status, json).end(status === 204 ? undefined : '{}'),
    );
    expectFault(await rejection(confirm(server.client)), 'wrong-shape', { status });
  });
});
