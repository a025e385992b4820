import { limits } from '../core/limits.ts';
import { hour } from '../core/schedule.ts';
import { AnswerLost, declined, PlatformError } from './answer.ts';
import type { FaultDocument, FaultKind } from './documents.ts';
import { dated, gatewayRefusal, type SentFile, type Wire } from './wire.ts';
import type { World } from './world.ts';

/** What an injected fault does to a request: whether and when it is applied, and what happens to its response. */
export interface FaultEffect {
  /** `now`: as usual · `asked`: the platform asks the customer first · `later`: after the fault's delay · `twice`: two times · `never`. */
  readonly applies: 'now' | 'asked' | 'later' | 'twice' | 'never';
  /** Replaces the response by an error. */
  readonly error?: (fault: FaultDocument) => PlatformError;
  /** Alters the response on the wire. */
  readonly alter?: (response: Wire, now: number) => Wire;
  /** The response never arrives. */
  readonly dropsResponse?: true;
}

/** Delay of a late request, if the fault sets none. Own choice. */
export const lateSeconds = 60;
const retrySeconds = 30;
const serverError = 502;

/** Every kind of fault. */
export const faultEffects: { readonly [K in FaultKind]: FaultEffect } = {
  decline: { applies: 'never', error: declined },
  pending: { applies: 'asked' },
  'timeout-after-commit': { applies: 'now', dropsResponse: true },
  'late-apply': { applies: 'later', dropsResponse: true },
  twice: { applies: 'twice' },
  '401': { applies: 'never', alter: () => gatewayRefusal(401, {}, 'Authentication Failed') },
  '429': { applies: 'never', error: ({ afterSeconds = retrySeconds }) => tooMany(afterSeconds) },
  '5xx': { applies: 'never', error: ({ status = serverError }) => systemError(status) },
  '5xx-after-commit': { applies: 'now', error: ({ status = serverError }) => systemError(status) },
  truncated: { applies: 'now', alter: (response) => truncated(response) },
  'not-json': { applies: 'now', alter: (response) => webPage(response) },
  'wrong-shape': { applies: 'now', alter: (response) => replaced(response, '{"unexpected":[null,true]}') },
  oversized: {
    applies: 'now',
    alter: (response) => replaced(response, `{"padding":"${'0'.repeat(limits.answerBytes)}"}`),
  },
  'wrong-date': { applies: 'now', alter: (response, now) => dated(response, now + wrongMilliseconds) },
};

/** How far the `Date` header is ahead in `wrong-date`. Own choice. */
const wrongMilliseconds = hour;

/** The effect on a request if no fault is queued for it. */
export const noFault: FaultEffect = { applies: 'now' };

/** Takes the oldest fault that is queued for an operation, if there is one. */
export function takeFault(world: World, operation: string): FaultDocument | undefined {
  const fault = world.list('fault').find(({ on }) => on === operation || on === '*');
  if (fault === undefined) return undefined;
  if (fault.times > 1) world.put('fault', { ...fault, times: fault.times - 1 });
  else world.remove('fault', fault.id);
  return fault;
}

/** Queues a fault behind the others. */
export const queueFault = (world: World, fault: Omit<FaultDocument, 'id'>): FaultDocument =>
  world.put('fault', { id: `fault-${String(world.count('fault')).padStart(idDigits, '0')}`, ...fault });

/** Padding makes the ids of faults sort by age. */
const idDigits = 9;

export const tooMany = (retryAfterSeconds: number): PlatformError =>
  new PlatformError(429, 'TOO_MANY_REQUESTS', 'Too many requests were sent.', { retryAfterSeconds });

const systemError = (status: number): PlatformError =>
  new PlatformError(status, 'SYSTEM_ERROR', 'The platform could not answer this request.');

const truncated = ({ text, file, ...response }: Wire): Wire => ({
  ...response,
  ...(file === undefined
    ? {
        headers: { ...response.headers, 'content-length': String(Buffer.byteLength(text)) },
        text: text.slice(0, Math.floor(text.length / 2)),
      }
    : { text: '', file: { ...file, pieces: () => firstOf(file) } }),
});

/** A file of which one piece arrives. */
async function* firstOf({ pieces }: SentFile): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces()) {
    yield piece;
    throw new AnswerLost();
  }
}

const webPage = (response: Wire): Wire =>
  replaced(response, '<!doctype html><title>Service</title><p>The service is busy.</p>', 'text/html');

/** Another text in the place of what would be sent. */
function replaced({ status, headers }: Wire, text: string, type = 'application/json'): Wire {
  const { 'content-length': _, ...kept } = headers;
  return { status, headers: { ...kept, 'content-type': type }, text };
}
