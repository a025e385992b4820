import { createHttpSignature, type Signer } from '../../../src/client/signing.ts';
import { Secret } from '../../../src/core/secret.ts';
import { createSandbox, type Sandbox, sandboxSeed } from '../../../src/sandbox/index.ts';
import { variationsWith } from '../replay/variations.ts';
import { filled, filledPath } from '../scenario/captures.ts';
import type { Value } from '../scenario/schema.ts';
import { plainSpec } from '../world/settings.ts';
import { otherQueries, otherValues } from './others.ts';
import { requestIn, type Session, type SessionRequest, type SessionStep } from './session.ts';

// Plays a session against a sandbox of its own, whose clock only the session moves.

/** An answer as it came. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON where it is JSON, text otherwise. */
  readonly body: unknown;
}

/** What the sandbox sent by itself. */
export interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What became of a request with one thing missing or wrong. */
export interface Otherwise extends Answered {
  readonly what: string;
}

/** A step and what came of it. */
export interface Played {
  readonly title: string;
  readonly answer: Answered | undefined;
  readonly sent: readonly Sent[];
  readonly otherwise: readonly Otherwise[];
}

const host = 'https://sandbox.purser.test';

/** Plays every step of a session. */
export async function playSession({ sandbox: opened, steps }: Session): Promise<readonly Played[]> {
  const start = Date.parse(plainSpec.now);
  let now = start;
  const clock = { now: () => now };
  const sent: Sent[] = [];
  let endpoints: number | null = 200;
  const sandbox = createSandbox({
    ...opened,
    ...{ file: ':memory:', clock, frozenAt: start },
    send: async ({ url, headers, body }) => {
      sent.push({ url, headers, body: parsedIf(body) });
      return endpoints;
    },
  });
  const signer = createHttpSignature({
    credentials: { ...sandboxSeed.credentials, sharedSecret: new Secret(sandboxSeed.credentials.secret) },
    clock,
  });
  const captures = new Map<string, unknown>();
  const stage: Stage = { sandbox, signer, captures };
  try {
    const played: Played[] = [];
    for (const step of steps) {
      if (typeof step !== 'string' && 'endpoints' in step) endpoints = step.endpoints as number | null; // by its schema
      const { title, answer, as, otherwise = [] } = await made(stage, step);
      now = sandbox.world.now();
      await sandbox.deliver();
      if (as !== undefined) captures.set(as, answer?.body);
      played.push({ title, answer, sent: sent.splice(0), otherwise });
    }
    return played;
  } finally {
    await sandbox.close();
  }
}

interface Stage {
  readonly sandbox: Sandbox;
  readonly signer: Signer;
  readonly captures: ReadonlyMap<string, unknown>;
}

interface Made {
  readonly title: string;
  readonly answer?: Answered;
  readonly as?: string | undefined;
  readonly otherwise?: readonly Otherwise[];
}

async function made(stage: Stage, step: SessionStep): Promise<Made> {
  const { sandbox, captures } = stage;
  const request = requestIn(step);
  if (request !== undefined) return requested(stage, request);
  if (typeof step === 'string') throw new Error(`${step} is no request.`);
  if ('advance' in step) {
    const answer = await answerOf(stage, {
      ...plainRequest,
      path: '/sandbox/clock',
      body: { advance: `${step.advance}` },
    });
    return { title: `after ${step.advance}`, answer };
  }
  if ('reader' in step) {
    const wire = await sandbox.perform(`${step.reader}`, filled((step.body ?? {}) as Value, captures));
    const answer =
      wire === 'dropped' ? lost : { status: wire.status, headers: wire.headers, body: parsedIf(wire.text) };
    return { title: `at the reader: ${step.reader}`, answer, as: step.as as string | undefined };
  }
  return { title: `from now on, endpoints answer ${step.endpoints ?? 'nothing'}` };
}

const plainRequest: SessionRequest = {
  ...{ method: 'POST', path: '', body: undefined, as: undefined, unsigned: false, headers: {}, vary: false },
};
const lost: Answered = { status: 0, headers: {}, body: 'no answer' };

async function requested(stage: Stage, request: SessionRequest): Promise<Made> {
  const path = filledPath(request.path, stage.captures);
  const body = request.body === undefined ? undefined : filled(request.body, stage.captures);
  const whole = { ...request, path, body };
  const otherwise = request.vary ? await othersOf(stage, whole) : [];
  return {
    title: `${request.method} ${request.path}`,
    answer: await answerOf(stage, whole),
    as: request.as,
    otherwise,
  };
}

/** The answers to a request with one thing missing or wrong. Then the sandbox is as it was. */
async function othersOf(stage: Stage, request: SessionRequest): Promise<readonly Otherwise[]> {
  const { world } = stage.sandbox;
  const then = await world.snapshot();
  const others = [
    ...otherQueries(request.path).map(({ what, path }) => ({ what, request: { ...request, path } })),
    ...(request.body === undefined ? [] : variationsWith(request.body, otherValues)).map(({ what, body }) => ({
      what,
      request: { ...request, body: body as Value }, // made of values
    })),
  ];
  const found: Otherwise[] = [];
  for (const other of others) {
    const answer = await answerOf(stage, other.request);
    if (answer.status < 400 && request.method !== 'GET') await world.restore(then);
    found.push({ what: other.what, ...answer });
  }
  await world.restore(then);
  return found;
}

async function answerOf({ sandbox, signer }: Stage, request: SessionRequest): Promise<Answered> {
  const { method, path, unsigned, headers: own } = request;
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const url = host + path;
  const usual = {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...own,
  };
  const given = body === undefined ? {} : { body };
  const isControl = path.startsWith('/sandbox/');
  const headers = unsigned || isControl ? usual : await signer({ method, url, headers: usual, ...given });
  try {
    const answer = await sandbox.handle(new Request(url, { method, headers, ...given }), path);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: parsedIf(await answer.text()) };
  } catch (error) {
    if (error instanceof Error && error.name === 'AnswerLost') return lost;
    throw error;
  }
}

function parsedIf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
