import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it, vi } from 'vitest';
import { DatabaseSync } from '../../src/core/sqlite.ts';
import { after, parseDuration } from '../../src/sandbox/clock.ts';
import { sandboxSeed } from '../../src/sandbox/index.ts';
import { Bench, cardOf, host, start } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'purser-sandbox-'));
afterAll(() => rmSync(folder, { recursive: true }));

const story = async (bench: Bench) => {
  const id = await bench.bought();
  await bench.retrieve(id);
  await bench.confirm(id);
  await bench.enroll('shopper_bo');
  await bench.control('POST', 'faults', { on: '*', kind: 'late-apply' });
  await bench.enroll('shopper_cleo').catch(() => undefined);
  const { body } = await bench.retrieve(await bench.bought('shopper_ada'));
  return { payload: body.signedPayload, snapshot: JSON.stringify((await bench.control('GET', 'snapshot')).body) };
};

it('comes out the same for the same seed and the same calls', async () => {
  const [one, other] = [await story(new Bench()), await story(new Bench())];
  expect(one).toEqual(other);
  expect(await story(new Bench({ seed: 8 }))).not.toEqual(one);
});

it('goes out as a snapshot and comes back whole', async () => {
  const [bench, copy] = [new Bench(), new Bench({ seed: 99, frozenAt: 0 })];
  await story(bench);
  const { body } = await bench.control('GET', 'snapshot');
  expect(await copy.control('PUT', 'snapshot', body)).toEqual({ status: 200, body: { restored: true } });
  expect((await copy.control('GET', 'snapshot')).body).toEqual(body);
  const [told, again] = [await bench.initiate('shopper_ada'), await copy.initiate('shopper_ada')];
  expect(again.body.instructionId).toBe(told.body.instructionId);
});

it('refuses a snapshot that is none, and keeps the world', async () => {
  const bench = new Bench();
  const before = await bench.sandbox.world.snapshot();
  const empty = { version: 1, documents: [], counters: {}, effects: [] };
  expect((await bench.control('PUT', 'snapshot', empty)).body.error.field).toBe('documents');
  expect((await bench.control('PUT', 'snapshot', { version: 2 })).status).toBe(400);
  expect(await bench.sandbox.world.snapshot()).toEqual(before);
});

it('begins anew on reset', async () => {
  const bench = new Bench();
  const fresh = await bench.sandbox.world.snapshot();
  await story(bench);
  await bench.control('POST', 'clock', { advance: 'P1W' });
  await bench.control('POST', 'reset');
  expect(await bench.sandbox.world.snapshot()).toEqual(fresh);
});

it('is still there after the process has gone', async () => {
  const file = join(folder, 'durable.db');
  const bench = new Bench({ file });
  const id = await bench.bought();
  await bench.sandbox.close();
  const later = new Bench({ file, seed: 1000, frozenAt: 0 });
  expect((await later.retrieve(id)).status).toBe(200);
  expect((await later.control('GET', 'clock')).body.now).toBe('2026-01-15T09:00:00.000Z');
  await later.sandbox.close();
});

it('says that it is closed, once it is', async () => {
  const { sandbox } = new Bench({});
  await sandbox.close();
  await expect(sandbox.world.snapshot()).rejects.toThrow('is closed: open it again');
  expect(() => sandbox.world.now()).toThrow('is closed: open it again');
});

it('is shared by processes: every id once, every effect once, one clock', async () => {
  const file = join(folder, 'shared.db');
  const run = () => promisify(execFile)(process.execPath, [join(import.meta.dirname, 'worker.ts'), file, '15']);
  const outputs = await Promise.all([run(), run(), run()]);
  // Each worker prints the list of its instructions.
  const ids = outputs.flatMap(({ stdout }) => JSON.parse(stdout) as string[]);
  const bench = new Bench({ file, frozenAt: undefined });
  const { effects } = await bench.sandbox.world.snapshot();
  const count = (operation: string) => effects.filter((effect) => effect.operation === operation).length;
  expect([new Set(ids).size, count('initiatePurchase'), count('retrieveCredentials'), count('enrollCard')]).toEqual([
    45, 45, 45, 3,
  ]);
  await bench.sandbox.close();
}, 60_000);

it('is shared by two sandboxes of one process', async () => {
  const file = join(folder, 'twice.db');
  const benches = [new Bench({ file }), new Bench({ file })];
  await benches[0]?.enroll('shopper_ada');
  const told = await Promise.all(Array.from({ length: 20 }, (_, index) => benches[index % 2]?.bought('shopper_ada')));
  expect(new Set(told).size).toBe(20);
  await Promise.all(benches.map((bench) => bench.sandbox.close()));
});

it('serves parallel requests one after the other', async () => {
  const bench = new Bench();
  await bench.enroll('shopper_ada');
  const told = await Promise.all(Array.from({ length: 20 }, () => bench.initiate('shopper_ada')));
  expect(new Set(told.map(({ body }) => body.instructionId)).size).toBe(20);
});

it('writes each effect with its digest, correlation and time, and none for a refusal', async () => {
  const bench = new Bench();
  await bench.enroll('shopper_ada');
  await bench.initiate('shopper_bo');
  expect((await bench.control('GET', 'effects')).body).toEqual({
    effects: [
      {
        seq: 1,
        operation: 'enrollCard',
        entity: cardOf('shopper_ada').instrumentIdentifierId,
        correlationId: '00000000-0000-4000-8000-000000000001',
        digest: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
        status: 200,
        at: start,
      },
    ],
  });
});

it('has a clock that runs beside the wall clock, and can be set', async () => {
  const bench = new Bench({ frozenAt: undefined });
  const shown = async () => (await bench.control('GET', 'clock')).body.milliseconds - start;
  expect(await shown()).toBe(0);
  bench.wall += 5000;
  expect(await shown()).toBe(5000);
  await bench.control('POST', 'clock', { advance: 'PT1M' });
  bench.wall += 1000;
  expect(await shown()).toBe(66_000);
  await bench.control('POST', 'clock', { now: '2026-01-15T10:00:00+01:00' });
  expect(await shown()).toBe(0);
});

it.each([
  ['PT2H', 7_200_000],
  ['P1W', 604_800_000],
  ['P1DT1H1M1S', 90_061_000],
  ['PT0S', 0],
  ['P', undefined],
  ['PT', undefined],
  ['P1DT', undefined],
  ['P1M', 31 * 86_400_000],
  ['P1Y2M', (365 + 31 + 28) * 86_400_000],
  ['P1.5M', undefined],
  ['2H', undefined],
  ['-PT2H', undefined],
  ['PT1.5H', undefined],
])('reads the duration %s', (written, milliseconds) => {
  const duration = parseDuration(written);
  expect(duration && after(0, duration)).toBe(milliseconds);
});

it('shows and takes fixtures, never the secret', async () => {
  const bench = new Bench();
  const { body } = await bench.control('GET', 'fixtures');
  expect(body.shoppers.map(({ handle }: { handle: string }) => handle)).toEqual(Object.keys(sandboxSeed.shoppers));
  expect(JSON.stringify(body)).not.toContain(sandboxSeed.credentials.secret);
  const card = {
    instrumentIdentifierId: 'I9',
    customerId: 'C9',
    paymentInstrumentId: 'P9',
    lastFour: '9999',
    expires: '01/2032',
  };
  await bench.control('POST', 'fixtures', {
    cards: [{ ...card, enrolls: 'active', credentials: 'released' }],
    shoppers: [{ handle: 'shopper_eve', displayName: 'Eve' }],
  });
  const paymentInformation = {
    instrumentIdentifier: { id: 'I9' },
    customer: { id: 'C9' },
    paymentInstrument: { id: 'P9' },
  };
  expect((await bench.enroll('shopper_ada', { paymentInformation })).status).toBe(200);
});

it.each([
  ['POST', 'clock', {}, 400, ''],
  ['POST', 'clock', { advance: 'PT1H', now: 0 }, 400, ''],
  ['POST', 'clock', { advance: 'soon' }, 400, 'advance'],
  ['POST', 'clock', { advance: -1 }, 400, 'advance'],
  ['POST', 'clock', { now: 'yesterday' }, 400, 'now'],
  ['POST', 'clock', { forward: 1 }, 400, 'forward'],
  ['POST', 'faults', { on: 'buyShoes', kind: 'decline' }, 400, 'on'],
  ['POST', 'faults', { on: '*', kind: 'explode' }, 400, 'kind'],
  ['POST', 'faults', { on: '*', kind: '5xx', status: 200 }, 400, 'status'],
  ['POST', 'fixtures', { cards: [{ lastFour: '1' }] }, 400, 'cards.0.instrumentIdentifierId'],
  ['POST', 'cards/nobody/verify', {}, 404, undefined],
  ['POST', 'instructions/nothing/verify', {}, 404, undefined],
  ['GET', 'nowhere', undefined, 404, undefined],
  ['PATCH', 'clock', {}, 405, undefined],
])('answers %s /sandbox/%s %o with %i', async (method, path, body, status, field) => {
  const told = await new Bench().control(method, path, body);
  expect([told.status, told.body.error?.field]).toEqual([status, field === '' ? undefined : field]);
});

it('is not controlled by a page of another origin', async () => {
  const reset = (origin: string) =>
    new Request(`http://${host}/sandbox/reset`, { method: 'POST', headers: { origin, host } });
  const bench = new Bench();
  expect((await bench.send(reset('https://evil.example.com'))).status).toBe(403);
  expect((await bench.send(reset('null'))).status).toBe(403);
  expect((await bench.send(reset(`http://${host}`))).status).toBe(200);
});

it('says what went wrong where SQLite has rolled back by itself, as on a full disk', async () => {
  const executed = vi.spyOn(DatabaseSync.prototype, 'exec');
  const { sandbox } = new Bench();
  const database = executed.mock.contexts.at(-1) as DatabaseSync;
  executed.mockRestore();
  const full = new Error('database or disk is full');
  const ended = sandbox.world.transaction(() => {
    database.exec('ROLLBACK');
    throw full;
  });
  await expect(ended).rejects.toBe(full);
});
