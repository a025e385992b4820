import { z } from 'zod';
import { createClientOf } from '../../../src/client/client.ts';
import { outcomeOf } from '../../../src/client/outcome.ts';
import type { Platform } from '../../../src/client/platform.ts';
import { createHttpSignature } from '../../../src/client/signing.ts';
import { file, fileOr } from '../../../src/core/file-answer.ts';
import { operation } from '../../../src/core/operation.ts';
import { Secret } from '../../../src/core/secret.ts';
import { contract } from '../../../src/domains/index.ts';

// The client of a platform that answers as told, with an operation of each kind.

export const start = Date.UTC(2026, 0, 15, 9);
export const clock = { now: () => start };
export const baseUrl = 'https://api.example.com';

const plain = {
  ...{ title: 'A thing', about: 'Stands for any operation.', error: contract.createPlan.error },
  ...({ shape: 'PL-01', effect: 'read', recovery: 'repeat' } as const),
};
const thing = () =>
  z.object({
    ...{ id: z.string(), count: z.int().optional(), parts: z.array(z.object({ size: z.int() })).optional() },
    labels: z.record(z.string(), z.int()).optional(),
  });
const columns = { amount: ['Amount', 'amount'], currency: ['Currency'], at: ['At'] };

/** Operations that stand for those of each kind. */
const operations = {
  getThing: operation({
    ...plain,
    call: 'GET /things/{id}',
    query: () =>
      z.object({
        ...{ limit: z.int().optional(), named: z.string().optional(), whole: z.boolean().optional() },
        ...{ more: z.unknown().optional() },
      }),
    output: () => ({ 200: thing() }),
    asksFor: { by: 'id', namedAs: ['id'] },
  }),
  makeThing: operation({
    ...plain,
    call: 'POST /one/v1/things',
    also: ['POST /two/v1/things'],
    body: () => z.object({ name: z.string(), parts: z.array(z.object({ size: z.int() })).optional() }),
    output: () => ({ 201: thing(), 202: z.undefined() }),
  }),
  endThing: operation({
    ...plain,
    call: 'POST /things/{name}/end',
    worded: ['name'],
    output: () => ({ 200: thing() }),
  }),
  removeThing: operation({
    ...plain,
    call: 'DELETE /things/{id}',
    output: () => ({ 204: z.undefined() }),
  }),
  loadFile: operation({
    ...plain,
    call: 'GET /files',
    output: () => ({ 200: file(['text/csv'], { sums: columns }) }),
  }),
  loadReport: operation({
    ...plain,
    call: 'GET /reports',
    output: () => ({ 200: file(['text/csv', 'application/xml'], { sums: columns, element: 'Row', headerLines: 2 }) }),
  }),
  loadEither: operation({
    ...plain,
    call: 'GET /either',
    output: () => ({ 200: fileOr(thing(), ['text/csv', 'application/xml'], { element: 'Row' }) }),
  }),
};

export const credentials = {
  merchantId: 'merchant',
  keyId: 'key',
  sharedSecret: new Secret('c2VjcmV0LW9mLXRoZS1ldmFscw=='),
};
export const signer = createHttpSignature({ credentials, clock });

export const clientOf = (platform: Platform, agentPrefix = '/one/v1') =>
  createClientOf(operations, { platform, baseUrl, signer, agentPrefix, clock, version: '0' });
export type Operations = ReturnType<typeof clientOf>;

/** How a call ends, with what an operator reads. */
export async function endOf(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return [outcomeOf(error), error instanceof Error ? error.message : 'no error'];
  }
}

export const json = { 'content-type': 'application/json' };
export const asJson = (body: string | Uint8Array<ArrayBuffer>, status = 200, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers: { ...json, ...headers } });

/** A body that breaks off. */
export const breaking = () =>
  new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error('The connection broke.')),
  });

/** A thing, in JSON. */
export const whole = '{"id":"one","count":1}';
