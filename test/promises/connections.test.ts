import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { listen } from '../../src/http/listen.ts';
import type { Bounds } from '../../src/listener/connections.ts';
import { patience } from '../../src/listener/port.ts';
import { tokens, world } from '../faces/support.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { sent } from './sockets.ts';

playRowsOneIn(3);

// What callers can hold of a server at once. Nothing here is timed: what is held is counted.

async function served(bounds: Partial<Bounds> = {}) {
  const { face } = await world();
  let count = 0;
  const counting: typeof face.fetch = async (...given) => {
    const answer = await padded(await face.fetch(...given));
    count++;
    return answer;
  };
  const listening = await listen({ ...face, fetch: counting }, { port: 0 }, patience, { ...limits, ...bounds });
  onTestFinished(listening.close);
  return { ...listening, answered: () => count };
}

/** The answer of a call with blanks behind it: longer than what lies between the two ends can hold of a few. */
async function padded(answer: Response): Promise<Response> {
  const { status, headers } = answer;
  const text = await answer.text();
  return new Response(text.length < 10_000 ? text : text + ' '.repeat(1_000_000), {
    status,
    headers: [...headers].filter(([name]) => name !== 'content-length'),
  });
}

async function opened(port: number, says = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined); // closed by the other side, as it should be
  await new Promise((resolve) => socket.once('connect', resolve));
  if (says !== '') socket.write(says);
  return socket;
}

const host = 'Host: 127.0.0.1';
const bearer = `Authorization: Bearer ${tokens.agent}`;
const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
const listing = [
  'POST /mcp HTTP/1.1',
  host,
  bearer,
  'Content-Type: application/json',
  'Accept: application/json, text/event-stream',
  `Content-Length: ${list.length}`,
  '',
  list,
].join('\r\n');

const megabytes = (): number => Math.round(process.memoryUsage().rss / 1_048_576);

/** Waits until something is so: the server has to hear of a socket first. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

describe('connections without a token', () => {
  it.each([
    ['that say nothing', ''],
    ['that never end their headers', 'GET /healthz HTTP/1.1\r\nX-Slow: '],
    ['that never end a body', `POST /mcp HTTP/1.1\r\n${host}\r\nContent-Length: 100000\r\n\r\n{`],
  ])(
    '%s, 2,000 of them, refuse nobody',
    async (that, says) => {
      const { port, held } = await served();
      const keeper = await opened(port, listing);
      await until(() => held().known === 1);
      for (let count = 0; count < 2_000; count += 50) {
        await Promise.all(Array.from({ length: 50 }, () => opened(port, says)));
        expect(held().strangers).toBeLessThanOrEqual(limits.strangerConnections);
      }
      expect((await sent(port, 'GET /healthz', [host])).status).toBe(200);
      expect((await sent(port, 'GET /operations', [host, `Authorization: Bearer ${tokens.person}`])).status).toBe(200);
      const { strangers } = held();
      console.log(`http: of 2,000 slow connections ${that} ${strangers} are held; ${megabytes()} MB resident.`);
      expect([keeper.destroyed, held().known]).toEqual([false, 1]);
    },
    60_000,
  );

  it('on which a token was shown, more than there are places for, are closed for new ones', async () => {
    const { port, held } = await served({ knownConnections: 4 });
    for (let count = 0; count < 12; count++) {
      const socket = await opened(port, listing);
      await new Promise((resolve) => socket.once('data', resolve));
      expect(held().known).toBeLessThanOrEqual(4);
    }
  });
});

describe('answers that nobody reads', () => {
  /** Asks for as much as one connection may, far more than fits between the two ends; the most bytes that are held meanwhile. */
  async function fill(socket: Socket, { held }: Awaited<ReturnType<typeof served>>): Promise<number> {
    socket.pause();
    socket.write(listing.repeat(limits.connectionRequests));
    let most = 0;
    for (let turn = 0; turn < 3_000 && !socket.destroyed; turn++) {
      most = Math.max(most, held().unreadBytes);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return most;
  }

  it('hold a bounded number of bytes: the one that has waited longest is closed', async () => {
    const unreadBytes = 2_000_000;
    const longest = 1_100_000;
    const server = await served({ unreadBytes });
    const { port, held } = server;
    let most = 0;
    for (let count = 0; count < 12; count++) {
      most = Math.max(most, await fill(await opened(port), server));
      expect(held().requests).toBeLessThanOrEqual(12 * limits.connectionRequests);
    }
    console.log(`http: at most ${most} bytes of unread answers were held; ${megabytes()} MB resident.`);
    expect(most).toBeGreaterThan(0);
    // One connection may hold the answers to what it asked at once; those of the others are gone by then.
    expect(most).toBeLessThan(unreadBytes + limits.connectionRequests * longest);
    expect((await sent(port, 'GET /healthz', [host])).status).toBe(200);
  });

  it('that are sent before any answer was read, too many on one connection, close it', async () => {
    const { port, held } = await served();
    const socket = await opened(port);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    socket.write(listing.repeat(limits.connectionRequests + 8));
    await closed;
    expect(held()).toEqual({ strangers: 0, known: 0, requests: 0, unreadBytes: 0 });
  });

  it('are closed when their time is over', async () => {
    const { port, held } = await served({ unreadMilliseconds: 50 });
    const socket = await opened(port);
    socket.pause();
    socket.write(listing.repeat(16));
    await until(() => held().known === 1);
    await until(() => held().known === 0);
    expect(held()).toEqual({ strangers: 0, known: 0, requests: 0, unreadBytes: 0 });
  });
});

describe('requests of strangers', () => {
  const slow = `POST /act HTTP/1.1\r\n${host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;

  it('that never end a body give way to those that are quick', async () => {
    const { port, held } = await served({ roleRequests: 2 });
    const begun = [await opened(port, slow), await opened(port, slow)];
    await until(() => held().requests === 2);
    const answers = [
      await sent(port, 'GET /healthz', [host]),
      await sent(port, 'POST /act', [host, 'Content-Type: application/json', 'Content-Length: 2'], '{}'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    await until(() => begun.some(({ destroyed }) => destroyed));
  });

  it('take no places from whoever shows a token', async () => {
    const { face } = await world();
    const full = { admit: (role: string) => role !== 'stranger' };
    const asked = (path: string, token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return face.fetch(new Request(`http://localhost${path}`, { headers }), full);
    };
    const answers = await Promise.all([
      asked('/operations', tokens.person),
      asked('/things/shopper_ada', tokens.app),
      asked('/mcp', tokens.agent),
      asked('/healthz'),
      asked('/operations', 'nobody'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 405, 503, 503]);
  });
});

it('requests of one role leave places for the others', async () => {
  const { port } = await served({ roleRequests: 2 });
  const slow = `POST /mcp HTTP/1.1\r\n${host}\r\n${bearer}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
  for (const _ of [1, 2]) await opened(port, slow);
  const agents = () => sent(port, 'POST /mcp', [host, bearer, 'Content-Length: 0']);
  let answer = await agents();
  while (answer.status !== 503) answer = await agents(); // until both slow ones were heard of
  expect((await sent(port, 'GET /operations', [host, `Authorization: Bearer ${tokens.person}`])).status).toBe(200);
  expect((await sent(port, 'GET /healthz', [host])).status).toBe(200);
});
