import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { createDeliveries } from '../../src/http/platform-events.ts';
import { subscribed } from '../engine/billing.ts';
import { delivery } from '../engine/deliveries.ts';
import { begins, openWorld, patient, type World } from '../engine/support.ts';
import { headersOf, keys, path, signatureOf, taken } from '../faces/deliveries.ts';
import { programOf } from '../support/bundled.ts';
import { quickFolder } from '../support/folder.ts';
import { type Numbers, numbers } from '../support/numbers.ts';
import { rewrite } from '../support/portal.ts';
import type { Delivered } from './children/receiver.ts';
import { search } from './encodings.ts';
import { bytesIn } from './entries.ts';

// Deliveries on a network that loses, doubles, delays and cuts them, to a Purser that dies in between: each event arrives once.

/** The soak makes more. */
const count = Number(process.env.DELIVERIES ?? 150);
const seed = Number(process.env.SEED ?? 20260115);
const failed = 'rbs.subscriptions.charge.failed';

function folder(): string {
  const made = quickFolder('purser-deliveries-');
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  mkdirSync(join(made, 'data'), { mode: 0o700 });
  return made;
}

/** What happens to one attempt of a delivery. */
const faults = [
  'none',
  'none',
  'none',
  'none',
  'dropped',
  'answer lost',
  'doubled',
  'delayed',
  'cut',
  'stale',
] as const;

/** A Purser on a data folder, and the platform as it delivers to it. */
async function receiving(data: string, random: Numbers) {
  let reads = 0;
  let isFaulty = false;
  const open = () =>
    openWorld({
      configure: { data },
      replace: {
        platform: (real) => async (request) => {
          if (request.method === 'GET') reads++;
          // One reading in eight gets no answer.
          return isFaulty && request.method === 'GET' && random(8) === 0
            ? new Response('', { status: 503 })
            : real(request);
        },
      },
    });
  let world = await open();
  let engine = patient(world);
  let wall = begins;
  const take = () =>
    createDeliveries({
      ...taken({ clock: { now: () => wall } }),
      engine,
      tenant: 'default',
      onFailure: (failure) => {
        throw failure;
      },
    });
  let receive = take();
  const close = async () => {
    await engine.settle();
    await world.running.close();
  };
  const request = (body: string | ReadableStream<Uint8Array>, headers: Record<string, string>) =>
    receive(
      new Request(`http://localhost${path}`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit),
      undefined,
    ).then(({ status }) => status);
  return {
    world: (): World => world,
    reads: () => reads,
    /** From now on the platform is no better than the network. */
    spoil: () => {
      reads = 0;
      isFaulty = true;
    },
    /** Time goes by, so that no rate is exceeded. */
    pass: (seconds: number) => {
      wall += seconds * 1_000;
    },
    send: (text: string) => request(text, headersOf(text, signatureOf(text, wall))),
    stale: (text: string) => request(text, headersOf(text, signatureOf(text, wall - 301_000))),
    cut: (text: string) => {
      const half = Buffer.from(text).subarray(0, text.length / 2);
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          controller.enqueue(half);
          controller.error(new Error('cut'));
        },
      });
      return request(body, headersOf(text, signatureOf(text, wall))).catch(() => 0);
    },
    /** Purser stops in the middle of its work, and another one starts on the same folder. */
    restart: async () => {
      await close();
      world = await open();
      engine = patient(world);
      receive = take();
    },
    close,
  };
}

it(`${count} deliveries with faults arrive once each`, { timeout: count * 600 + 60_000 }, async () => {
  console.log(`deliveries with faults: ${count}, seed ${seed}`);
  const random = numbers(seed);
  const it = await receiving(join(folder(), 'data'), random);
  onTestFinished(it.close);
  const things: { readonly handle: string; readonly id: string }[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const handle = await subscribed(it.world(), {
      name,
      reference: `subscription-${name}`,
      start: '2026-01-15T09:00:00Z',
    });
    things.push({ handle, id: String((await it.world().thing(handle)).body.subscriptionId) });
  }
  const { sandbox } = it.world().running;
  if (sandbox !== undefined) await rewrite(sandbox, 'ACTIVE', 'DELINQUENT');
  it.spoil();
  const queue = Array.from({ length: count }, () => delivery(failed, { subscriptionId: random.of(things).id }));
  const attempts: Record<string, number> = {};
  for (let text = queue.shift(); text !== undefined; text = queue.shift()) {
    it.pass(1);
    const fault = random.of(faults);
    attempts[fault] = (attempts[fault] ?? 0) + 1;
    const statuses = {
      none: () => it.send(text),
      dropped: async () => 0,
      'answer lost': async () => ((await it.send(text)) === 200 ? 0 : 0),
      doubled: async () => Math.max(...(await Promise.all([it.send(text), it.send(text)]))),
      delayed: async () => 0,
      cut: () => it.cut(text),
      stale: () => it.stale(text),
    };
    const status = await statuses[fault]();
    // Whatever was not acknowledged is delivered again, at some other time.
    if (status !== 200) queue.splice(random(queue.length + 1), 0, again(text));
    if (random(100) === 0) await it.restart();
  }
  const world = it.world();
  for (let round = 0; round < limits.eventAttempts; round++) {
    await world.running.engine.workEvents();
    await world.advance(limits.longestEventRetrySeconds);
  }
  const ends: Record<string, number> = {};
  let cursor: string | undefined;
  do {
    const { data } = await world.call('list_events', { limit: 100, cursor });
    for (const { state } of data.items) ends[state] = (ends[state] ?? 0) + 1;
    cursor = data.more;
  } while (cursor !== undefined);
  console.log({ attempts, ends, reads: it.reads() });
  expect(ends).toEqual({ APPLIED: count });
  expect(Object.keys(attempts).toSorted()).toEqual([...new Set(faults)].toSorted());
  expect(it.reads()).toBeLessThan(2 * count);
  for (const { handle } of things) expect((await world.thing(handle)).state).toBe('DELINQUENT');
});

/** The same event in its next attempt. */
const again = (text: string): string => {
  const { retryNumber, ...body } = JSON.parse(text) as { readonly retryNumber: number };
  return JSON.stringify({ ...body, retryNumber: retryNumber + 1, requestType: 'RETRY' });
};

describe('a process that is killed', { timeout: 300_000 }, () => {
  it.each(['acknowledged', 'reading'] as const)('when an event was %s leaves it to the next one', async (point) => {
    const inside = folder();
    const data = join(inside, 'data');
    const first = await openWorld({ configure: { data } });
    const handle = await subscribed(first, { start: '2026-01-15T09:00:00Z' });
    const { subscriptionId } = (await first.thing(handle)).body;
    if (first.running.sandbox !== undefined) await rewrite(first.running.sandbox, 'ACTIVE', 'DELINQUENT');
    await first.running.close();
    const program = await programOf(new URL('./children/receiver.ts', import.meta.url));
    const child = fork(program.file, [], {
      env: {
        ...process.env,
        ...program.env,
        PURSER_DATA: data,
        PURSER_WEBHOOK_KEYS: `${keys.now.keyId}=${keys.now.key}`,
      },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const printed: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => printed.push(chunk));
    const body = delivery(failed, { subscriptionId });
    const told: Delivered = { point, body, headers: headersOf(body), now: begins };
    child.on('message', () => child.send(told));
    const [, signal] = (await once(child, 'close')) as [number | null, string | null];
    expect([signal, Buffer.concat(printed).toString()]).toEqual(['SIGKILL', '']);

    const next = await openWorld({ configure: { data } });
    onTestFinished(() => next.running.close());
    const state = async () => [
      (await next.thing(handle)).state,
      (await next.call('list_events')).data.items.map((item: { state: string }) => item.state),
    ];
    await next.running.engine.recover();
    // Whoever began with it may still be at it, until its time is over.
    if (point === 'reading') expect(await state()).toEqual(['ACTIVE', ['RECEIVED']]);
    await next.advance(limits.eventWorkSeconds);
    await next.running.engine.recover();
    expect(await state()).toEqual(['DELINQUENT', ['APPLIED']]);
    // The platform heard nothing, or something that it lost: it delivers again, and nothing follows.
    expect(await next.running.engine.receiveDelivery('default', again(body))).toBe('known');
    expect(search(bytesIn(data), { 'webhook key': keys.now.key })).toMatchObject({ hits: [] });
  });
});

describe('two processes on one data folder', () => {
  it('store an event once and read its thing once, whichever of them it is delivered to', async () => {
    const inside = folder();
    const data = join(inside, 'data');
    const paths: string[] = [];
    const replace = {
      platform: (real: (request: Request) => Promise<Response>) => async (request: Request) => {
        paths.push(`${request.method} ${new URL(request.url).pathname}`);
        return real(request);
      },
    };
    const [one, other] = [
      await openWorld({ configure: { data }, replace }),
      await openWorld({ configure: { data }, replace }),
    ];
    onTestFinished(async () => {
      await one.running.close();
      await other.running.close();
    });
    const handle = await subscribed(one, { start: '2026-01-15T09:00:00Z' });
    const { subscriptionId } = (await one.thing(handle)).body;
    paths.length = 0;
    const bodies = Array.from({ length: 20 }, () => delivery(failed, { subscriptionId }));
    const results = [];
    for (const body of bodies)
      results.push(
        ...(await Promise.all([one, other].map((it) => it.running.engine.receiveDelivery('default', body)))),
      );
    expect([results.filter((it) => it === 'stored').length, results.filter((it) => it === 'known').length]).toEqual([
      20, 20,
    ]);
    await Promise.all([one, other].map((it) => it.running.engine.workEvents()));
    const { data: listed } = await other.call('list_events', { limit: 100 });
    expect([new Set(listed.items.map((it: { state: string }) => it.state)), listed.total]).toEqual([
      new Set(['APPLIED']),
      20,
    ]);
    expect(paths).toEqual([`GET /rbs/v1/subscriptions/${subscriptionId}`]);
  });
});

it('the key is in no row, no log, no error and no answer', async () => {
  const data = join(folder(), 'data');
  const it = await openWorld({ configure: { data } });
  onTestFinished(() => it.running.close());
  const failures: unknown[] = [];
  const deliveries = { ...taken({ clock: { now: () => begins } }), engine: it.running.engine, tenant: 'default' };
  const take = createDeliveries({ ...deliveries, onFailure: (failure) => failures.push(failure) });
  const texts: string[] = [];
  const good = delivery(failed, { subscriptionId: 'x' });
  for (const [body, signature] of [
    [good, signatureOf(good)],
    [good, signatureOf('other')],
    ['{', signatureOf('{')],
    [good, ''],
  ] as const) {
    const request = new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: headersOf(body, signature),
      body,
    });
    const response = await take(request, undefined);
    texts.push(JSON.stringify([...response.headers]), await response.text());
  }
  await it.running.engine.workEvents();
  texts.push(JSON.stringify((await it.call('list_events')).data), inspect(deliveries, { depth: 9, showHidden: true }));
  texts.push(failures.map((failure) => inspect(failure)).join('\n'));
  const sinks = [...bytesIn(data), ...texts.map((text, at) => ({ name: `text ${at}`, bytes: Buffer.from(text) }))];
  const decoded = Buffer.from(keys.now.key, 'base64').toString('latin1');
  expect(search(sinks, { key: keys.now.key, 'key, decoded': decoded })).toMatchObject({ hits: [] });
});
