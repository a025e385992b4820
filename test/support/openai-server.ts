import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Api, answerOf, eventsOf, outputsIn } from './openai-wire.ts';

/**
 * A server on loopback that speaks the OpenAI API's Chat Completions and Responses, as a stream and not, and plays a script:
 * each request gets the next line of it. Ids and times are the same in every run, and nothing waits.
 */

/** A tool call of a completion. Arguments that are a text are sent as they stand, so that they may be malformed. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments: object | string;
}

/** What the model says: text, tool calls (several at once are parallel), or a refusal. */
export interface Completion {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly refusal?: string;
  readonly usage?: Usage;
}

/** Tokens that a completion is said to have cost; none where nothing is said. */
export interface Usage {
  readonly input: number;
  readonly cached?: number;
  readonly output: number;
  readonly reasoning?: number;
}

/** An error of the API instead of a completion, such as 429. */
export interface Failure {
  readonly status: number;
  /** `Retry-After`: seconds, or a date. */
  readonly retryAfter?: number | string;
}

/** A connection that breaks: before anything was answered, or in the middle of a completion. */
export interface Cut {
  readonly cut: 'unanswered' | 'midway';
  readonly of: Completion;
}

export type Turn = Completion | Failure | Cut;
/** A turn, or how one follows from what was asked. */
export type Line = Turn | ((asked: Asked) => Turn);

/** A request as the server got it. */
export interface Asked {
  readonly api: Api;
  readonly stream: boolean;
  /** The key that it came with. */
  readonly key: string;
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever the client under test sends
  readonly body: any;
  /** What the tools have answered so far, in order, read as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly outputs: readonly any[];
}

export interface OpenaiServer {
  /** For the `baseURL` of a client. */
  readonly url: string;
  /** Every request so far. */
  readonly asked: readonly Asked[];
  /** Lines that were not played yet. */
  left(): number;
  close(): Promise<void>;
}

const paths: Readonly<Record<string, Api>> = { '/v1/chat/completions': 'chat', '/v1/responses': 'responses' };

export async function openaiServer(script: readonly Line[]): Promise<OpenaiServer> {
  const lines = [...script];
  const asked: Asked[] = [];

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request);
    const api = paths[request.url ?? ''];
    if (request.method !== 'POST' || api === undefined) return fail(response, 404, 'There is nothing here.');
    const body = JSON.parse(text);
    const now: Asked = { api, stream: body.stream === true, key: keyOf(request), body, outputs: outputsIn(api, body) };
    asked.push(now);
    const line = lines.shift();
    // 400, because a client repeats a request that got a 5xx.
    if (line === undefined) return fail(response, 400, 'The script is over.');
    play(typeof line === 'function' ? line(now) : line, now, asked.length, response);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => fail(response, 400, String(error)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    left: () => lines.length,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function play(turn: Turn, { api, stream, body }: Asked, number: number, response: ServerResponse): unknown {
  if ('status' in turn) return fail(response, turn.status, 'The script says so.', turn.retryAfter);
  const completion = 'cut' in turn ? turn.of : turn;
  const whole = stream
    ? eventsOf(api, completion, body, number)
    : JSON.stringify(answerOf(api, completion, body, number));
  const type = stream ? 'text/event-stream' : 'application/json';
  if ('cut' in turn && turn.cut === 'unanswered') return response.socket?.destroy();
  response.writeHead(200, { 'content-type': type, ...(stream ? {} : { 'content-length': Buffer.byteLength(whole) }) });
  return 'cut' in turn
    ? response.write(whole.slice(0, whole.length / 2), () => response.socket?.destroy())
    : response.end(whole);
}

function fail(response: ServerResponse, status: number, message: string, retryAfter?: number | string): void {
  const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  response.writeHead(status, { 'content-type': 'application/json', ...wait });
  response.end(JSON.stringify({ error: { message, type: 'scripted', param: null, code: null } }));
}

const keyOf = ({ headers }: IncomingMessage): string => (headers.authorization ?? '').replace(/^Bearer /, '');

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
