import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { checkReader } from '../../src/cli/doctor/reader.ts';
import { limits } from '../../src/core/limits.ts';
import { type End, ReaderGone } from '../../src/reader/ends.ts';
import { tokens } from '../faces/support.ts';
import { closedWith, configuration, connected, dial, refusedWith, report, type Served, served } from './app.ts';

// The bridge over a real WebSocket: who may connect, what is said, and what becomes of a call.

const sale = { amount: '40.00', currency: 'GBP', customIdentifier: 'sale-1' };

const inputs: { readonly [call: string]: unknown } = { startChargeTransaction: sale };

/** Makes a call; its progress is noted. */
function call({ bridge }: Served, name = 'startChargeTransaction', input: unknown = inputs[name]) {
  const stop = new AbortController();
  const seen: unknown[] = [];
  const ended = bridge.reader.send(name, input, { signal: stop.signal, onProgress: (it) => seen.push(it) });
  ended.catch(() => undefined);
  return { ended, seen, cancel: () => stop.abort() };
}

describe('an app', () => {
  it('says hello, is welcomed, and is what the operator sees', async () => {
    const here = await served();
    const look = () =>
      fetch(`${here.http}/reader`, { headers: { authorization: `Bearer ${tokens.reader}` } }).then((it) => it.json());
    expect(await look()).toEqual({ connected: false });
    const { welcome, socket } = await connected(here);
    expect(welcome).toEqual({
      ...{ type: 'welcome', purser: '1.2.3', heartbeatSeconds: limits.readerHeartbeatSeconds },
      configuration,
    });
    expect([await look(), here.bridge.connected(), here.bridge.reader.isConnected?.()]).toEqual([
      { connected: true, reader: report },
      report,
      true,
    ]);
    socket.close();
    await once(socket, 'close');
    expect(await look()).toEqual({ connected: false });
  });

  it('reports what has changed of itself', async () => {
    const here = await served();
    const { say, next } = await connected(here, { educationShown: false });
    say({ type: 'report', reader: report });
    say({ type: 'ping' });
    expect(await next()).toEqual({ type: 'pong' });
    expect(here.bridge.connected()).toEqual(report);
  });
});

it('is told to the operator’s commands on this machine without a token, and to nobody elsewhere', async () => {
  const here = await served();
  const { port } = new URL(here.http);
  const health = async () => (await fetch(`${here.http}/healthz`)).json();
  const found = async () => (await checkReader({ port: Number(port) })).map((it) => it.found);
  expect([await health(), await found()]).toEqual([
    { status: 'ok', environment: 'sandbox', reader: 'none' },
    ['no app is connected; docs/reader.md says how'],
  ]);
  await connected(here);
  expect([await health(), await found()]).toMatchObject([{ reader: 'connected' }, ['its app is connected']]);
  const far = await here.face.fetch(new Request('http://localhost/healthz'), {
    incoming: { socket: { remoteAddress: '192.0.2.1' } } as never, // all that is looked at
  });
  expect(await far.json()).toEqual({ status: 'ok', environment: 'sandbox' });
  expect(await checkReader({ port: 0 })).toEqual([]);
});

describe('a call', () => {
  it('goes to the app once, with its progress and its end', async () => {
    const here = await served();
    const { say, next } = await connected(here);
    const { ended, seen } = call(here);
    expect(await next()).toEqual({ type: 'call', id: 'call-1', call: 'startChargeTransaction', input: sale });
    say({ type: 'progress', id: 'call-1', step: 'WAITING_FOR_CARD' });
    say({ type: 'progress', id: 'call-1', step: 'PROCESSING', fraction: 0.5 });
    say({ type: 'end', id: 'call-1', case: 'success', value: { identifier: 't-1', status: 'Approved' } });
    expect(await ended).toEqual({ case: 'success', value: { identifier: 't-1', status: 'Approved' } });
    expect(seen).toEqual([{ step: 'WAITING_FOR_CARD' }, { step: 'PROCESSING', fraction: 0.5 }]);
  });

  const cases = ['cancelledByUser', 'cancelByUser', 'notFound', 'failure', 'error', 'networkError', 'unexpected'];
  it.each(cases)('ends with the case %s of the SDK, and without what it tells developers', async (name) => {
    const here = await served();
    const { say, next } = await connected(here);
    const { ended } = call(here);
    const { id } = await next();
    say({ type: 'end', id, case: name, developerInfo: 'a stack trace' });
    expect(await ended).toEqual({ case: name });
  });

  it.each(['enrolled', 'enrolling', 'notEnrolled'])(
    'of the status ends with %s, and what the app reported',
    async (status) => {
      const here = await served();
      const { say, next } = await connected(here);
      const { ended } = call(here, 'enrollmentStatus');
      const asked = await next();
      expect(asked).toEqual({ type: 'call', id: asked.id, call: 'enrollmentStatus' });
      say({ type: 'end', id: asked.id, case: status });
      const { serialNumbers, ...rest } = report;
      expect(await ended).toEqual({
        case: 'success',
        value: { status, reader: { ...rest, serialNumber: serialNumbers[0] } },
      });
    },
  );

  it.each([
    ['enrollmentStatus', 'success'],
    ['startChargeTransaction', 'enrolled'],
  ])('%s does not end with %s: that is no case of it', async (name, ending) => {
    const here = await served();
    const { say, next } = await connected(here);
    const { ended } = call(here, name);
    say({ type: 'end', id: (await next()).id, case: ending, value: {} });
    expect(await ended).toEqual({ case: 'unexpected' });
  });

  it('is cancelled on the reader, and its end counts all the same', async () => {
    const here = await served();
    const { say, next } = await connected(here);
    const { ended, cancel } = call(here);
    const { id } = await next();
    cancel();
    expect(await next()).toEqual({ type: 'cancel', id });
    say({ type: 'end', id, case: 'cancelledByUser' });
    expect(await ended).toEqual({ case: 'cancelledByUser' });
  });

  it('does not reach a reader where none is connected, or one has not said hello', async () => {
    const here = await served();
    await expect(call(here).ended).rejects.toBeInstanceOf(ReaderGone);
    const socket = dial(here);
    await once(socket, 'open');
    await expect(call(here).ended).rejects.toBeInstanceOf(ReaderGone);
  });

  it('does not reach a reader that is busy with as many as it takes', async () => {
    const here = await served();
    const { next } = await connected(here);
    const many = Array.from({ length: limits.readerCallElements }, () => call(here));
    await expect(call(here).ended).rejects.toBeInstanceOf(ReaderGone);
    for (const _ of many) expect(await next()).toMatchObject({ type: 'call' });
  });

  it('that nobody waits for, twice, or of an earlier connection ends nothing', async () => {
    const here = await served();
    const first = await connected(here);
    const lost = call(here);
    const { id } = await first.next();
    first.socket.terminate();
    await expect(lost.ended).rejects.toThrow();
    const { say, next } = await connected(here);
    const { ended } = call(here);
    const later = await next();
    expect(later.id).not.toBe(id);
    for (const stranger of [id, 'call-0', later.id.toUpperCase()]) say({ type: 'end', id: stranger, case: 'failure' });
    say({ type: 'end', id: later.id, case: 'success', value: 1 });
    say({ type: 'end', id: later.id, case: 'failure' });
    expect(await ended).toEqual({ case: 'success', value: 1 });
  });
});

describe('a connection that is lost', () => {
  const steps: readonly (readonly [string, (app: Awaited<ReturnType<typeof connected>>) => Promise<unknown>])[] = [
    ['before the call was read', async () => undefined],
    ['after the call was read', ({ next }) => next()],
    ['while the card is awaited', async ({ next, say }) => say({ type: 'progress', ...(await step(next)) })],
    [
      'in the middle of a message',
      async ({ next, socket }) => socket.send(`{"type":"end","id":"${(await next()).id}"`),
    ],
  ];
  const step = async (next: () => Promise<{ id: string }>) => ({ id: (await next()).id, step: 'WAITING_FOR_CARD' });

  it.each(steps)('%s leaves the call unknown, and it is never sent again', async (_, until) => {
    const here = await served();
    const app = await connected(here);
    const { ended } = call(here);
    await until(app);
    app.socket.terminate();
    await expect(ended).rejects.not.toBeInstanceOf(ReaderGone);
    const again = await connected(here);
    again.say({ type: 'ping' });
    expect(await again.next()).toEqual({ type: 'pong' });
  });

  it('by Purser, which stops: the app is told, and calls are lost at once', async () => {
    const here = await served();
    const { socket, next } = await connected(here);
    const { ended } = call(here);
    await next();
    here.bridge.close();
    await expect(ended).rejects.toThrow();
    expect(await closedWith(socket)).toBe(1001);
    await expect(call(here).ended).rejects.toBeInstanceOf(ReaderGone);
    expect(await refusedWith(dial(here))).toMatchObject({ status: 503, body: { error: { code: 'BUSY' } } });
  });

  it('a thousand times is connected again each time, and nothing of it stays', async () => {
    const here = await served();
    const ends: unknown[] = [];
    for (let times = 0; times < 1_000; times++) {
      const { socket, next } = await connected(here);
      const { ended } = call(here);
      await next();
      socket.terminate();
      ends.push(await ended.catch((error: Error) => error.name));
    }
    expect(new Set(ends)).toEqual(new Set(['ConnectionLost']));
    const { say, next } = await connected(here);
    const { ended } = call(here);
    say({ type: 'end', id: (await next()).id, case: 'success', value: 'the last' });
    expect(await ended).toEqual({ case: 'success', value: 'the last' });
  });
});

describe('two apps', () => {
  it('never answer one call: the newer one takes the place of the other, whose calls are lost', async () => {
    const here = await served();
    const old = await connected(here);
    const { ended } = call(here);
    const { id } = await old.next();
    const replaced = closedWith(old.socket);
    const fresh = await connected(here);
    expect(await replaced).toBe(4409);
    await expect(ended).rejects.not.toBeInstanceOf(ReaderGone);
    fresh.say({ type: 'end', id, case: 'success', value: 'of somebody else' });
    const next: { readonly ended: Promise<End> } = call(here);
    fresh.say({ type: 'end', id: (await fresh.next()).id, case: 'success', value: 'its own' });
    expect(await next.ended).toEqual({ case: 'success', value: 'its own' });
  });

  it('one that only connects, and says nothing, takes nobody’s place', async () => {
    const here = await served();
    const { say, next } = await connected(here);
    const silent = dial(here);
    await once(silent, 'open');
    const { ended } = call(here);
    say({ type: 'end', id: (await next()).id, case: 'success', value: 1 });
    expect(await ended).toEqual({ case: 'success', value: 1 });
  });
});

describe('who may not connect', () => {
  const forbidden: readonly (readonly [string, Parameters<typeof dial>[1], number])[] = [
    ['without a token', { token: '' }, 401],
    ['with a wrong token', { token: 'reader-token-0005' }, 401],
    ...(['agent', 'app', 'person'] as const).map(
      (role) => [`with the token of the ${role}`, { token: tokens[role] }, 401] as const,
    ),
    ['from a page of another origin', { headers: { origin: 'https://evil.example' } }, 403],
    ['to another host', { headers: { host: 'evil.example' } }, 403],
    ['without the protocol', { protocols: [] }, 400],
    ['with another protocol', { protocols: ['purser-reader.v2'] }, 400],
  ];

  it.each(forbidden)('%s', async (_, options, status) => {
    const here = await served();
    const refused = await refusedWith(dial(here, options));
    expect(refused.status).toBe(status);
    expect(JSON.stringify(refused.body)).not.toMatch(/token-000|evil/);
    expect(here.bridge.connected()).toBeUndefined();
  });

  it.each(['?token=reader-token-0004', '/', '/1'])('under an address with more than the path: %s', async (more) => {
    const here = await served();
    const socket = dial(here, { url: `${here.url}${more}` });
    const [, { statusCode }] = await once(socket, 'unexpected-response');
    expect(statusCode).not.toBe(101);
    expect(here.bridge.connected()).toBeUndefined();
  });

  it('too many who say nothing: the rest are told to come later', async () => {
    const here = await served();
    for (let many = 0; many < limits.readerHelloConnections; many++) await once(dial(here), 'open');
    expect(await refusedWith(dial(here))).toMatchObject({ status: 503, body: { error: { code: 'BUSY' } } });
  });

  it('a token of the reader opens nothing else', async () => {
    const here = await served();
    const status = async (method: string, path: string) => {
      const headers = { authorization: `Bearer ${tokens.reader}`, 'content-type': 'application/json' };
      return (await fetch(`${here.http}${path}`, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) }))
        .status;
    };
    for (const it of here.face.calls.filter(
      (one) => !/sandbox|pay|vts|tap|healthz|approve|\/act|webhooks|GET \/reader/.test(one),
    )) {
      const [method = '', path = ''] = it.split(' ');
      if (method === 'ALL') expect([it, await status('POST', path.replace('*', ''))]).toEqual([it, 401]);
      else expect([it, await status(method, path)]).toEqual([it, 401]);
    }
  });
});

describe('what ends a connection', () => {
  const hello = JSON.stringify({ type: 'hello', reader: report });
  const wrong: readonly (readonly [string, readonly (string | Buffer)[], number])[] = [
    ['no JSON', ['hello'], 4400],
    ['JSON of nothing', ['null'], 4400],
    ['an unknown message', ['{"type":"charge"}'], 4400],
    ['a hello without its report', ['{"type":"hello"}'], 4400],
    ['a hello with a stranger in it', [JSON.stringify({ type: 'hello', reader: { ...report, token: 'x' } })], 4400],
    [
      'a hello of a third environment',
      [JSON.stringify({ type: 'hello', reader: { ...report, environment: 'sandbox' } })],
      4400,
    ],
    ['something before the hello', ['{"type":"ping"}'], 4401],
    ['a second hello', [hello, hello], 4401],
    ['a case that there is not', [hello, '{"type":"end","id":"call-1","case":"approved"}'], 4400],
    ['a progress in words', [hello, '{"type":"progress","id":"call-1","step":"Please tap"}'], 4400],
    ['a progress beyond its end', [hello, '{"type":"progress","id":"call-1","step":"DONE","fraction":2}'], 4400],
    ['a member of the prototype', [hello, '{"type":"__proto__"}'], 4400],
    ['a binary message', [hello, Buffer.from('{"type":"ping"}')], 1003],
    ['a message that is too long', [hello, `"${'x'.repeat(limits.readerMessageBytes)}"`], 1009],
    [
      'more messages than anybody needs',
      [hello, ...Array.from({ length: limits.readerBurstMessages }, () => '{"type":"ping"}')],
      4429,
    ],
  ];

  it.each(wrong)('%s', async (_, messages, code) => {
    const here = await served();
    const socket = dial(here);
    await once(socket, 'open');
    const ended = closedWith(socket);
    for (const message of messages) socket.send(message);
    expect(await ended).toBe(code);
    expect([here.bridge.connected(), here.failures]).toEqual([undefined, []]);
  });

  it('frames that are none', async () => {
    const here = await served();
    const { socket } = await connected(here);
    const { ended } = call(here);
    const raw = (socket as unknown as { readonly _socket: NodeJS.WritableStream })._socket; // beneath the library
    raw.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    await expect(ended).rejects.not.toBeInstanceOf(ReaderGone);
    expect(here.bridge.connected()).toBeUndefined();
  });

  const quick = { helloMilliseconds: 50, heartbeatMilliseconds: 60_000, closeMilliseconds: 50 };

  it('silence instead of a hello', async () => {
    const here = await served(quick);
    const socket = dial(here);
    expect(await closedWith(socket)).toBe(4408);
  });

  it('a hello that comes byte by byte', async () => {
    const here = await served(quick);
    const socket = dial(here);
    await once(socket, 'open');
    const raw = (socket as unknown as { readonly _socket: NodeJS.WritableStream })._socket; // beneath the library
    raw.write(Buffer.from([0x81, 0xfe, 0x01])); // the beginning of a text of at least 256 bytes
    expect(await closedWith(socket)).toBe(4408);
  });

  it('a peer that is dead: it answers no ping', async () => {
    const here = await served({ ...quick, helloMilliseconds: 60_000, heartbeatMilliseconds: 50 });
    const { socket, next } = await connected(here);
    const { ended } = call(here);
    await next();
    socket.pause();
    await expect(ended).rejects.not.toBeInstanceOf(ReaderGone);
    expect(here.bridge.connected()).toBeUndefined();
  });

  it('and one that answers pings stays', async () => {
    const here = await served({ ...quick, helloMilliseconds: 60_000, heartbeatMilliseconds: 20 });
    const { socket, next, say } = await connected(here);
    for (let many = 0; many < 5; many++) await once(socket, 'ping');
    const { ended } = call(here);
    say({ type: 'end', id: (await next()).id, case: 'success', value: 1 });
    expect(await ended).toEqual({ case: 'success', value: 1 });
  });

  it('answers that nobody reads: the next call does not reach it', async () => {
    const here = await served();
    const { socket } = await connected(here);
    socket.pause();
    const big = { ...sale, note: 'x'.repeat(1_000_000) };
    // What the operating system holds for the app does not count.
    let gone = false;
    for (let many = 0; many < limits.readerCallElements && !gone; many++) {
      const { ended } = call(here, 'startChargeTransaction', { ...big, many });
      gone = await Promise.race([
        ended.then(
          () => false,
          (error) => error instanceof ReaderGone,
        ),
        soon(),
      ]);
    }
    expect([gone, here.bridge.connected()]).toEqual([true, undefined]);
  });
  const soon = () => new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));

  it('a request that is no upgrade, or of another kind, is served as it is', async () => {
    const here = await served();
    const raw = connect(Number(new URL(here.http).port), '127.0.0.1');
    raw.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of raw) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200/);
  });
});

it('counts no connected app among the callers of HTTP, so that none of them takes its place', async () => {
  const here = await served();
  const { say, next } = await connected(here);
  expect(here.held()).toMatchObject({ strangers: 0, known: 0 });
  const { ended } = call(here);
  say({ type: 'end', id: (await next()).id, case: 'success', value: 1 });
  expect(await ended).toEqual({ case: 'success', value: 1 });
});
