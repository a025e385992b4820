import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { listen } from '../../src/http/listen.ts';
import { delivery } from '../engine/deliveries.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { begins, headersOf, keys, path, post, signatureOf, taken } from './deliveries.ts';
import { tokens, type World, world } from './support.ts';

playRowsOneIn(3);

// Deliveries of events over HTTP. Whoever has no key of the platform gets nothing in, and learns nothing of why.

const failed = 'rbs.subscriptions.charge.failed';
const body = () => delivery(failed, { subscriptionId: 'a-subscription' });
const open = (more: Parameters<typeof taken>[0] = {}) => world({ face: { deliveries: taken(more) } });
const arrived = async ({ running }: World): Promise<number> =>
  (await running.engine.parts.ledger.read('default', (tx) => tx.events.list({}, { limit: 1 }))).total;
const ask = (it: World, init: RequestInit, at = path) =>
  it.face.fetch(new Request(`http://localhost${at}`, { method: 'POST', ...init }));

describe('a delivery', () => {
  it('that the platform has signed is stored before it is answered, and worked on afterwards', async () => {
    const it = await open();
    const text = body();
    const response = await ask(it, { headers: headersOf(text), body: text });
    expect([response.status, await response.json(), await arrived(it)]).toEqual([200, { status: 'received' }, 1]);
    await it.running.engine.workEvents();
    const { rows } = await it.running.engine.parts.ledger.read('default', (tx) => tx.events.list({}, { limit: 1 }));
    expect([rows[0]?.state, it.failures]).toEqual(['NOT_KNOWN', []]);
  });

  it('may be signed with either of two keys, while one replaces the other', async () => {
    const it = await open();
    const [one, other] = [body(), body()];
    expect([
      await post(it, one, headersOf(one, signatureOf(one, begins, 'now'))),
      await post(it, other, headersOf(other, signatureOf(other, begins, 'next'))),
      await arrived(it),
    ]).toEqual([200, 200, 2]);
  });

  it('of which any bit differs is refused, in the signature as in the body, and nothing is stored', async () => {
    const it = await open();
    const text = body();
    const signature = signatureOf(text);
    const flips = (bytes: Buffer) =>
      Array.from({ length: bytes.length * 8 }, (_, bit) => {
        const copy = Buffer.from(bytes);
        copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        return copy;
      });
    const passed: string[] = [];
    let refused = 0;
    for (const flipped of flips(Buffer.from(signature))) {
      const header = flipped.toString('latin1');
      if (/[^\t\x20-\x7e\x80-\xff]/.test(header)) continue; // no header can hold it
      if ((await post(it, text, headersOf(text, header))) === 401) refused++;
      else passed.push(header);
    }
    for (const flipped of flips(Buffer.from(text)))
      if ((await post(it, flipped, headersOf(flipped, signature))) === 401) refused++;
      else passed.push(flipped.toString('latin1'));
    expect([passed, refused > 8 * text.length, await arrived(it)]).toEqual([[], true, 0]);
  });

  it('is signed as it came: the same JSON, written otherwise, is another body', async () => {
    const it = await open();
    const text = body();
    const written = JSON.stringify(JSON.parse(text), null, 2);
    expect([
      await post(it, written, headersOf(text)),
      await post(it, text, headersOf(written)),
      await arrived(it),
      await post(it, written),
      await arrived(it),
    ]).toEqual([401, 401, 0, 200, 1]);
  });

  it('of an unknown key is refused even where it is signed with the key that stands in for it', async () => {
    const it = await open();
    const text = body();
    const digest = createHmac('sha256', Buffer.from('bm9ib2R5IGhhcyB0aGlzIGtleQ==', 'base64'))
      .update(`${begins}.${text}`)
      .digest('base64');
    const unknown = keys.now.keyId.replace(/^./, '0');
    expect([
      await post(it, text, headersOf(text, `t=${begins};keyId=${unknown};sig=${digest}`)),
      await arrived(it),
    ]).toEqual([401, 0]);
  });

  it('that is replayed changes nothing while its signature is fresh, and is refused after that', async () => {
    let now = begins;
    const it = await open({ clock: { now: () => now } });
    const text = body();
    const sent = headersOf(text);
    const answers = [await post(it, text, sent), await post(it, text, sent)];
    now += limits.signatureMinutes * 60_000;
    answers.push(await post(it, text, sent));
    now += 1;
    answers.push(await post(it, text, sent));
    expect([answers, await arrived(it)]).toEqual([[200, 200, 200, 401], 1]);
  });

  it('whose time is not now is refused: five minutes either way', async () => {
    const it = await open();
    const at = async (milliseconds: number) => {
      const text = body();
      return post(it, text, headersOf(text, signatureOf(text, begins + milliseconds)));
    };
    const five = limits.signatureMinutes * 60_000;
    expect([await at(-five - 1), await at(-five), await at(five), await at(five + 1)]).toEqual([401, 200, 200, 401]);
  });

  it('looks the same to a forger whatever was wrong with it', async () => {
    const it = await open();
    const text = body();
    const { keyId } = keys.now;
    const signature = signatureOf(text);
    const forged = [
      {},
      { 'v-c-signature': '' },
      { 'v-c-signature': 'x' },
      { 'v-c-signature': `t=${begins};keyId=${keyId};sig=${'A'.repeat(43)}=` },
      { 'v-c-signature': signature.replace(keyId, keyId.replaceAll('5', '6')) },
      { 'v-c-signature': signatureOf(`${text} `) },
      { 'v-c-signature': signatureOf(text, begins - 1e6) },
      { 'v-c-signature': `${signature}, ${signature}` },
      { 'v-c-signature': signature.toUpperCase() },
      { authorization: `Bearer ${tokens.person}` },
    ];
    const answers = new Set<string>();
    for (const headers of forged) {
      const response = await ask(it, { headers: { 'content-type': 'application/json', ...headers }, body: text });
      answers.add(JSON.stringify([response.status, Object.fromEntries(response.headers), await response.text()]));
    }
    expect([answers.size, [...answers][0]?.includes('401'), await arrived(it)]).toEqual([1, true, 0]);
    expect([...answers][0]).not.toContain(keyId);
  });

  it('of an unknown key costs as much work as one of a known key', async () => {
    const asked: string[] = [];
    const it = await open({
      keyOf: (keyId) => {
        asked.push(keyId);
        return undefined;
      },
    });
    const text = body();
    expect([await post(it, text), asked]).toEqual([401, [keys.now.keyId]]);
  });

  it('believes the body that is signed, and no header beside it', async () => {
    const it = await open();
    const text = body();
    await post(it, text, {
      ...headersOf(text),
      'v-c-event-type': 'tms.token.created',
      'v-c-transaction-trace-id': 'x',
    });
    await post(it, text, { ...headersOf(text), 'v-c-transaction-trace-id': 'y', 'v-c-retry-count': '7' });
    const { rows } = await it.running.engine.parts.ledger.read('default', (tx) => tx.events.list({}, { limit: 9 }));
    expect(rows.map(({ type }) => type)).toEqual([failed]);
  });

  it.each([
    ['is no JSON', '{"eventType"', 'application/json', 400],
    ['is no text', Buffer.from([0x7b, 0xff, 0x7d]), 'application/json', 400],
    ['has no type', '{"payload":{}}', 'application/json', 400],
    ['is of another type of content', body(), 'text/plain', 415],
    ['is of no type of content', body(), '', 415],
    ['is empty', '', 'application/json', 400],
    ['is too large', `{"eventType":"${'x'.repeat(limits.requestBytes)}"}`, 'application/json', 413],
  ])('that %s is refused without being repeated', async (_, given, type, status) => {
    const it = await open();
    const response = await ask(it, {
      headers: { 'v-c-signature': signatureOf(given), 'content-type': type },
      body: given,
    });
    const text = await response.text();
    expect([response.status, await arrived(it)]).toEqual([status, 0]);
    expect(JSON.parse(text).error.message.length).toBeLessThan(100);
    expect(text).not.toContain('eventType');
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('is taken by no other method: %s', async (method) => {
    const it = await open();
    expect((await ask(it, { method, headers: headersOf('') })).status).toBe(404);
  });

  it('has one way in, which is there only where there is a key', async () => {
    const it = await open();
    const text = body();
    const elsewhere = [
      '/webhooks',
      '/webhooks/',
      '/webhooks/platform/x',
      '/webhooks/other',
      '/mcp',
      '/shoppers',
      '/act',
    ];
    const answers = [];
    for (const at of elsewhere) answers.push((await ask(it, { headers: headersOf(text), body: text }, at)).status);
    expect([answers.filter((status) => status < 400), await arrived(it)]).toEqual([[], 0]);
    expect(it.face.calls.filter((call) => call.includes('webhooks'))).toEqual([`POST ${path}`]);
    const without = await world();
    expect([await post(without, text), without.face.calls.filter((call) => call.includes('webhooks'))]).toEqual([
      404,
      [],
    ]);
  });

  it('from a page of another origin, or for another host, is refused', async () => {
    const it = await open();
    const text = body();
    const page = await ask(it, { headers: { ...headersOf(text), origin: 'https://evil.example' }, body: text });
    const host = await ask(it, { headers: { ...headersOf(text), host: 'evil.example' }, body: text });
    expect([page.status, host.status, await arrived(it)]).toEqual([403, 403, 0]);
  });

  it('that can not be stored is not acknowledged, and tells nothing of why', async () => {
    const it = await world({
      face: { deliveries: taken() },
      configure: ({ engine }) => {
        Object.assign(engine.parts.ledger, {
          transaction: () => Promise.reject(new Error('/secret/path: disk I/O error')),
        });
      },
    });
    const text = body();
    const response = await ask(it, { headers: headersOf(text), body: text });
    expect([response.status, (await response.text()).includes('secret')]).toEqual([500, false]);
  });
});

describe('a flood', () => {
  it('of signed deliveries is told to come again later, and of the others nothing is lost', async () => {
    let now = begins;
    const it = await open({ clock: { now: () => now } });
    const flood = limits.burstDeliveries + 20;
    const bodies = Array.from({ length: flood }, body);
    const answers: number[] = [];
    for (const text of bodies) answers.push(await post(it, text));
    const late = bodies.filter((_, at) => answers[at] !== 200);
    const response = await ask(it, { headers: headersOf(late[0] ?? ''), body: late[0] ?? '' });
    expect([answers.filter((one) => one === 429).length, response.status, response.headers.get('retry-after')]).toEqual(
      [20, 429, '1'],
    );
    now += 1_000;
    for (const text of late) expect(await post(it, text)).toBe(200);
    expect(await arrived(it)).toBe(flood);
  }, 60_000);

  it('of forged deliveries uses up nothing that signed ones need', async () => {
    const it = await open();
    const forged = body();
    for (let sent = 0; sent < limits.burstDeliveries + 20; sent++)
      await post(it, forged, headersOf(forged, signatureOf('x')));
    const text = body();
    expect([await post(it, text), await arrived(it)]).toEqual([200, 1]);
  });

  it('of bodies that are begun and never end holds few places, each for a while', async () => {
    const it = await open({ bodyMilliseconds: 50 });
    const never = () => new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
    const begun = Array.from({ length: limits.concurrentDeliveries + 4 }, () =>
      ask(it, { headers: headersOf('x'), body: never(), duplex: 'half' } as RequestInit),
    );
    const statuses = (await Promise.all(begun)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 503)).toHaveLength(4);
    expect(statuses.filter((status) => status === 408)).toHaveLength(limits.concurrentDeliveries);
    const text = body();
    expect(await post(it, text)).toBe(200);
  });

  it('of bodies that never end keeps no quick one out', async () => {
    const it = await open();
    const never = () => new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
    const begun = Array.from({ length: limits.concurrentDeliveries }, () =>
      ask(it, { headers: headersOf('x'), body: never(), duplex: 'half' } as RequestInit),
    );
    const text = body();
    expect([await post(it, text), (await begun[0])?.status, await arrived(it)]).toEqual([200, 503, 1]);
  });

  it('of slow senders on a port is shut out, and a quick one is served', async () => {
    const it = await open({ bodyMilliseconds: 50 });
    const { port, close } = await listen(it.face, { port: 0 });
    onTestFinished(close);
    const head = Object.entries({ ...headersOf('x'), host: `127.0.0.1:${port}`, 'content-length': '1000' });
    const socket = connect(port, '127.0.0.1');
    let said = '';
    socket.on('data', (chunk) => {
      said += chunk;
    });
    socket.on('error', () => undefined);
    socket.write(`POST ${path} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n{"eve`);
    const text = body();
    const quick = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: headersOf(text),
      body: text,
    });
    await new Promise((resolve) => socket.once('close', resolve));
    expect([quick.status, said.slice(0, 12), await arrived(it)]).toEqual([200, 'HTTP/1.1 408', 1]);
  });
});
