import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { errorFormat } from '../../src/core/error-format.ts';
import { model, text } from '../../src/core/fields.ts';
import { operation } from '../../src/core/operation.ts';
import { sandboxes } from '../../src/domains/sandboxes.ts';
import { type Answer, find, PlatformError } from '../../src/sandbox/answer.ts';
import type { Document } from '../../src/sandbox/documents.ts';
import { controlCall, type HandlersOf, type SandboxDomain } from '../../src/sandbox/domain.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { wire } from '../../src/sandbox/wire.ts';
import { host, signed, start } from './support.ts';

// A made-up domain, loyalty, of which nothing else in the sandbox knows.

interface PointsDocument extends Document {
  readonly state: string;
  readonly merchantId: string;
  readonly points: number;
}

declare module '../../src/sandbox/documents.ts' {
  interface Kinds {
    readonly points: PointsDocument;
  }
}

const error = errorFormat({
  schema: z.looseObject({ oops: text, where: text.optional() }),
  paths: { reason: ['oops'], field: ['where'], message: [] },
  reasons: [],
  toBody: ({ reason, field }) => ({ oops: reason, where: field }),
});

const shared = { title: 'Points', about: 'Points of a customer.', shape: 'AP-01', error } as const;
const contract = {
  awardPoints: operation({
    ...{ ...shared, call: 'POST /loyalty/v1/points/{id}', effect: 'write', recovery: 'repeat' },
    body: () => z.strictObject({ points: model(z.int().positive()) }),
    output: () => ({ 201: z.looseObject({ points: z.int() }) }),
  }),
  getPoints: operation({
    ...{ ...shared, call: 'GET /loyalty/v1/points/{id}', effect: 'read', recovery: 'repeat' },
    output: () => ({ 200: z.looseObject({ points: z.int() }) }),
  }),
};

const handlers: HandlersOf<typeof contract, { awardPoints: { readonly bonus: number } }> = {
  awardPoints({ path: { id }, body, merchant }, world) {
    const points = 'bonus' in body ? body.bonus * 2 : body.points;
    if (points > 1000) throw new PlatformError(400, 'TOO_MANY_POINTS', 'At most 1000.', { source: 'points' });
    world.put('points', { id, state: 'HELD', merchantId: merchant.id, points, due: world.now + 60_000 });
    return { status: 201, entity: id, body: { points } };
  },
  getPoints({ path: { id }, merchant }, world) {
    const { points } = find(world, 'points', id, merchant, 'id');
    return { status: 200, entity: id, body: { points } };
  },
};

const loyalty: SandboxDomain<typeof contract> = {
  contract,
  handlers,
  forms: { awardPoints: { bonus: z.strictObject({ bonus: z.int() }) } },
  bodyBytes: { awardPoints: 100 },
  settlers: { points: (world, { due: _, ...it }) => void world.put('points', { ...it, points: 0 }) },
  control: [
    controlCall('POST /sandbox/points/{id}/double', z.strictObject({}), ({ world, path: { id = '' } }) => {
      const { points, ...it } = world.must('points', id);
      return world.put('points', { ...it, points: points * 2 });
    }),
  ],
  pages: { '/points/': (world, { rest, signer }) => wire(200, { points: world.must('points', rest).points, signer }) },
  seed: (world) => void world.put('points', { id: 'seeded', state: 'HELD', merchantId: 'somebody', points: 7 }),
};

const opened: Sandbox[] = [];
afterEach(() => Promise.all(opened.splice(0).map((sandbox) => sandbox.close())));

function open(domains: Readonly<Record<string, SandboxDomain>> = { loyalty }) {
  const sandbox = createSandbox({ file: ':memory:', clock: { now: () => start }, frozenAt: start }, domains);
  opened.push(sandbox);
  const answer = async (request: Request) => {
    const response = await sandbox.handle(request);
    return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
  };
  const sent = (method: string, path: string, body?: unknown) =>
    answer(signed(`http://${host}`, method, path, JSON.stringify(body)));
  const unsigned = (method: string, path: string, body?: unknown) =>
    answer(
      new Request(`http://${host}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
    );
  return { sandbox, sent, unsigned };
}

it('serves a domain that it does not know, by its contract and handlers', async () => {
  const { sandbox, sent } = open();
  expect(await sent('POST', '/loyalty/v1/points/ada', { points: 5 })).toEqual({ status: 201, body: { points: 5 } });
  expect(await sent('GET', '/loyalty/v1/points/ada')).toEqual({ status: 200, body: { points: 5 } });
  expect(await sent('POST', '/loyalty/v1/points/bo', { bonus: 4 })).toEqual({ status: 201, body: { points: 8 } });
  const { effects } = await sandbox.world.snapshot();
  expect(effects.map(({ operation, entity }) => [operation, entity])).toEqual([
    ['awardPoints', 'ada'],
    ['awardPoints', 'bo'],
  ]);
});

it('answers in the error format of its contract, and keeps nothing of a rejected request', async () => {
  const { sent } = open();
  const path = '/loyalty/v1/points/ada';
  const rejected = (status: number, reason: string, where: string) => ({ status, body: { oops: reason, where } });
  expect(await sent('POST', path, { points: 1001 })).toEqual(rejected(400, 'TOO_MANY_POINTS', 'points'));
  expect(await sent('POST', path, {})).toEqual(rejected(400, 'MISSING_FIELD', 'points'));
  expect(await sent('GET', path)).toEqual(rejected(404, 'NOT_FOUND', 'id'));
  expect((await sent('POST', path, { points: 5, padding: 'x'.repeat(100) })).status).toBe(413);
  expect((await sent('DELETE', path)).status).toBe(405);
});

it('settles its documents, serves its control calls and pages, and seeds its world again at a reset', async () => {
  const { sent, unsigned, sandbox } = open();
  await sent('POST', '/loyalty/v1/points/ada', { points: 5 });
  expect((await unsigned('POST', '/sandbox/points/ada/double')).body).toMatchObject({ points: 10 });
  expect(await unsigned('GET', '/points/ada')).toEqual({ status: 200, body: { points: 10, signer: null } });
  expect((await sent('GET', '/points/ada')).body).toMatchObject({ signer: expect.any(String) });
  await unsigned('POST', '/sandbox/clock', { advance: 'PT1M' });
  expect((await sent('GET', '/loyalty/v1/points/ada')).body).toEqual({ points: 0 });
  expect((await unsigned('POST', '/sandbox/reset')).body).toEqual({ reset: true });
  const { documents } = await sandbox.world.snapshot();
  expect(documents.filter(({ kind }) => kind === 'points').map(({ body }) => body.id)).toEqual(['seeded']);
});

it('injects faults into its operations, and into those of no other domain', async () => {
  const { sent, unsigned } = open();
  const fault = (on: string) => unsigned('POST', '/sandbox/faults', { on, kind: 'decline' });
  expect((await fault('awardPoints')).status).toBe(200);
  expect((await sent('POST', '/loyalty/v1/points/ada', { points: 5 })).body).toMatchObject({ oops: 'DECLINED' });
  expect(await fault('createPlan')).toMatchObject({ status: 400, body: { error: { field: 'on' } } });
});

it('serves every domain by default, and a further one beside them', async () => {
  const { sent, unsigned } = open({ ...sandboxes, loyalty });
  expect((await sent('POST', '/loyalty/v1/points/ada', { points: 5 })).status).toBe(201);
  expect((await sent('GET', '/rbs/v1/plans')).status).toBe(200);
  expect((await open().sent('GET', '/rbs/v1/plans')).status).toBe(404);
  expect((await unsigned('GET', '/sandbox/fixtures')).body.cards).toHaveLength(5);
});

it('does not open where it does not know how an operation goes at a card reader', () => {
  const printed = operation({
    ...{ ...shared, call: 'SDK printPoints', effect: 'write', recovery: 'repeat' },
    output: () => ({ success: z.looseObject({}) }),
  });
  const printing = {
    contract: { printed },
    handlers: { printed: (): Answer => ({ status: 200, entity: '', body: {} }) },
  };
  expect(() => open({ printing })).toThrow('printed');
  const atReader = { printed: { asks: true, taps: false, failing: { else: 'error' } } } as const;
  expect([...open({ printing: { ...printing, atReader } }).sandbox.readerCalls.keys()]).toEqual(['printPoints']);
});
