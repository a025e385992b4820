import { limits } from '../core/limits.ts';
import { Secret } from '../core/secret.ts';
import { isSigned, parse } from '../core/webhook-signature.ts';
import type { Engine } from '../engine/engine.ts';
import type { DeliveryResult } from '../engine/events.ts';
import { createBucket } from '../engine/rate-limiter.ts';
import { readBody } from '../listener/read.ts';
import { fault, json } from '../listener/reply.ts';

/** Where the platform delivers events. */
export const deliveryCall = 'POST /webhooks/platform';

export interface DeliveryOptions {
  /** The key of an id; undefined if there is none. */
  readonly keyOf: (keyId: string) => Secret<string> | undefined | Promise<Secret<string> | undefined>;
  /** The real time, which signatures carry. */
  readonly clock: { now(): number };
  /** Milliseconds in which a body must arrive. */
  readonly bodyMilliseconds?: number;
}

interface Receiving extends DeliveryOptions {
  readonly engine: Pick<Engine, 'receiveDelivery' | 'workEvents'>;
  readonly tenant: string;
  readonly onFailure: (failure: unknown) => void;
}

/** Admits a request once its sender is known; false where too many are under way. */
type Admit = (() => boolean) | undefined;

/**
 * Takes deliveries of events. The signature is their authentication, and is checked over the raw body before anything of it is
 * read: who has no key learns nothing about what was wrong. The answer comes once the events are on disk; they are worked on later.
 */
export function createDeliveries(options: Receiving): (request: Request, admit: Admit) => Promise<Response> {
  const { engine, tenant, clock, onFailure, bodyMilliseconds = limits.deliverySeconds * 1_000 } = options;
  const bucket = createBucket({ burst: limits.burstDeliveries, everyMilliseconds: 1_000 / limits.steadyDeliveries });
  const signed = signatureCheck(options);
  /** Of each body that is being read, oldest first: what ends that. */
  const reading = new Set<() => void>();

  const bodyOf = async (request: Request): Promise<Uint8Array | Response> => {
    const { promise: crowdedOut, resolve } = Promise.withResolvers<Response>();
    const end = (): void => {
      reading.delete(end);
      resolve(busy());
    };
    reading.add(end);
    const [oldest] = reading;
    // Anybody can begin a body. One that takes long must not keep out one that is quick.
    if (reading.size > limits.concurrentDeliveries) oldest?.();
    try {
      return await Promise.race([readInTime(request, bodyMilliseconds), crowdedOut]);
    } finally {
      reading.delete(end);
    }
  };

  return async (request, admit) => {
    if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) return noJson(415);
    const check = signed(request);
    if (check === undefined) return unsigned();
    const body = await bodyOf(request);
    if (body instanceof Response) return body;
    if (!(await check(body))) return unsigned();
    if (admit?.() === false) return busy();
    const wait = bucket.take(clock.now());
    if (wait !== undefined) return tooMany(wait);
    const text = textOf(body);
    if (text === undefined) return noJson(400);
    const result = await engine.receiveDelivery(tenant, text);
    if (result === 'stored') void engine.workEvents().catch(onFailure);
    return answers[result]();
  };
}

/** Begins to check a signature. Returns undefined for an invalid header, or one whose time differs too much from the clock. */
function signatureCheck({ keyOf, clock }: DeliveryOptions) {
  const nobody = new Secret('bm9ib2R5IGhhcyB0aGlzIGtleQ==');
  return (request: Request): ((body: Uint8Array) => Promise<boolean>) | undefined => {
    const signature = parse(request.headers.get('v-c-signature') ?? '');
    if (signature === null) return undefined;
    if (Math.abs(clock.now() - signature.atMs) > limits.signatureMinutes * 60_000) return undefined;
    return async (body) => {
      const key = await keyOf(signature.keyId);
      // An unknown key takes as long as a known one.
      return isSigned(key ?? nobody, body, signature) && key !== undefined;
    };
  };
}

/** The body of a delivery, or why it isn't taken. */
async function readInTime(request: Request, milliseconds: number): Promise<Uint8Array | Response> {
  const over = AbortSignal.timeout(milliseconds);
  const late = new Promise<Response>((resolve) => {
    over.addEventListener('abort', () => resolve(tooSlow()), { once: true });
  });
  const read = readBody(request, limits.requestBytes).then((bytes) => bytes ?? tooLarge());
  return Promise.race([read, late]);
}

function textOf(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined; // the error's message could quote the body
  }
}

const received = (): Response => json(200, { status: 'received' });

const answers: { readonly [R in DeliveryResult]: () => Response } = {
  stored: received,
  // An attempt that is made again because the last answer was lost must end well.
  known: received,
  full: () => tooMany(60),
  unreadable: () => noJson(400),
};

const unsigned = (): Response =>
  fault(
    401,
    { code: 'UNAUTHORIZED', message: "This needs the platform's signature.", field: 'v-c-signature' },
    { 'www-authenticate': 'Signature realm="purser"', connection: 'close' },
  );
const noJson = (status: 400 | 415): Response =>
  fault(status, {
    code: 'INVALID_ARGUMENT',
    message: 'The body must be a delivery in JSON, sent as application/json.',
  });
const tooSlow = (): Response =>
  fault(408, { code: 'TOO_SLOW', message: 'The body did not arrive in time.' }, { connection: 'close' });
const tooLarge = (): Response =>
  fault(
    413,
    { code: 'TOO_LARGE', message: `A body has at most ${limits.requestBytes} bytes.` },
    { connection: 'close' },
  );
const tooMany = (seconds: number): Response =>
  fault(
    429,
    { code: 'RATE_LIMITED', message: 'Too many deliveries. Send it again later.' },
    { 'retry-after': String(seconds) },
  );
const busy = (): Response =>
  fault(
    503,
    { code: 'BUSY', message: 'Too many requests are under way. Send it again in a second.' },
    { 'retry-after': '1', connection: 'close' },
  );
