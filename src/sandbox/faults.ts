import { limits } from '../core/limits.ts';
import { declined, PlatformError } from './answer.ts';
import type { FaultDocument, FaultKind } from './documents.ts';
import { plainRefusal } from './errors.ts';
import type { World } from './world.ts';

/** An answer as it goes over the wire; the declared length may be a lie. */
export interface Wire {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
}

/** What a fault does to a request: whether and when it is applied, and what becomes of its answer. */
export interface Mishap {
  /** `now` applied as if nothing were wrong · `asked` applied, the customer asked first · `later` · `never`. */
  readonly applies: 'now' | 'asked' | 'later' | 'never';
  /** The platform's no in the place of an answer, where there is one. */
  readonly refuses?: (fault: FaultDocument) => PlatformError;
  /** What the wire does to the answer. */
  readonly spoils?: (answer: Wire, now: number) => Wire;
  /** The answer never arrives. */
  readonly loses?: true;
}

/** Seconds, where a fault does not say how many. Own choice. */
export const lateSeconds = 60;
const retrySeconds = 30;
const serverError = 502;

/** Every kind of fault. */
export const mishaps: { readonly [K in FaultKind]: Mishap } = {
  decline: { applies: 'never', refuses: declined },
  pending: { applies: 'asked' },
  'timeout-after-commit': { applies: 'now', loses: true },
  'late-apply': { applies: 'later', loses: true },
  '401': { applies: 'never', spoils: () => plainRefusal(401, {}, 'Authentication Failed') },
  '429': { applies: 'never', refuses: ({ afterSeconds = retrySeconds }) => tooMany(afterSeconds) },
  '5xx': { applies: 'never', refuses: ({ status = serverError }) => broken(status) },
  '5xx-after-commit': { applies: 'now', refuses: ({ status = serverError }) => broken(status) },
  truncated: { applies: 'now', spoils: (answer) => cut(answer) },
  'not-json': { applies: 'now', spoils: (answer) => page(answer) },
  'wrong-shape': { applies: 'now', spoils: (answer) => ({ ...answer, text: '{"unexpected":[null,true]}' }) },
  oversized: {
    applies: 'now',
    spoils: (answer) => ({ ...answer, text: `{"padding":"${'0'.repeat(limits.answerBytes)}"}` }),
  },
  'wrong-date': { applies: 'now', spoils: (answer, now) => dated(answer, now + wrongMilliseconds) },
};

/** An answer with the moment at which it was made. */
export const dated = (answer: Wire, at: number): Wire => ({
  ...answer,
  headers: { date: new Date(at).toUTCString(), ...answer.headers },
});

/** How far ahead the platform's clock is in the fault of that name. Own choice. */
const wrongMilliseconds = 3_600_000;

/** The mishap of a request that no fault waits for. */
export const noMishap: Mishap = { applies: 'now' };

/** Takes the oldest fault that waits for an operation, if there is one. */
export function takeFault(world: World, operation: string): FaultDocument | undefined {
  const fault = world.list('fault').find(({ on }) => on === operation || on === '*');
  if (fault === undefined) return undefined;
  if (fault.times > 1) world.put('fault', { ...fault, times: fault.times - 1 });
  else world.remove('fault', fault.id);
  return fault;
}

/** Queues a fault behind those that wait. */
export const queueFault = (world: World, fault: Omit<FaultDocument, 'id'>): FaultDocument =>
  world.put('fault', { id: `fault-${String(world.count('fault')).padStart(idDigits, '0')}`, ...fault });

/** Ids of faults sort by age. */
const idDigits = 9;

export const tooMany = (retryAfterSeconds: number): PlatformError =>
  new PlatformError(429, 'TOO_MANY_REQUESTS', 'Too many requests were sent.', { retryAfterSeconds });

const broken = (status: number): PlatformError =>
  new PlatformError(status, 'SYSTEM_ERROR', 'The platform could not answer this request.');

const cut = ({ text, ...answer }: Wire): Wire => ({
  ...answer,
  headers: { ...answer.headers, 'content-length': String(Buffer.byteLength(text)) },
  text: text.slice(0, Math.floor(text.length / 2)),
});

const page = (answer: Wire): Wire => ({
  ...answer,
  headers: { ...answer.headers, 'content-type': 'text/html' },
  text: '<!doctype html><title>Service</title><p>The service is busy.</p>',
});
