import { Agent, type Dispatcher, errors } from 'undici';
import { limits } from '../core/limits.ts';
import { PlatformFault } from './errors.ts';
import { originOf } from './origin.ts';

/**
 * The platform as a function. It answers whatever status came, or throws a PlatformFault that says whether the request was
 * sent. The request's abort signal is ignored: a payment under way is not called off by who stopped waiting.
 */
export type Platform = (request: Request) => Promise<Response>;

/** The platform behind a connection; `close` waits for the calls under way. */
export type HttpPlatform = Platform & { readonly close: () => Promise<void> };

/** Milliseconds to the connection, from there to the headers, and from these to the end of the body. */
export interface Timeouts {
  readonly connectMilliseconds: number;
  readonly headersMilliseconds: number;
  readonly bodyMilliseconds: number;
}

/**
 * The platform at one origin, over undici. It never repeats and never follows a redirect, speaks HTTP/1.1, and opens a
 * connection for each call: a kept one may be closed by the other side while a payment is being written to it, and nobody
 * would know what became of it (TLS sessions are resumed). A request to any other origin is not sent.
 */
export function createHttpPlatform({
  baseUrl,
  timeouts = limits,
}: {
  readonly baseUrl: string;
  readonly timeouts?: Timeouts;
}): HttpPlatform {
  const origin = originOf(baseUrl);
  const agent = new Agent({
    pipelining: 0,
    allowH2: false,
    connect: { timeout: timeouts.connectMilliseconds },
    // Its own two count from one piece to the next, so that an answer that dribbles never ends. See `exchange`.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const platform: Platform = async (request) => {
    const url = new URL(request.url);
    if (url.origin !== origin) throw new PlatformFault('misaddressed');
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
    return exchange(agent, timeouts, {
      origin,
      path: url.pathname + url.search,
      // A Request's method is upper case for the five that the contract has.
      method: request.method as Dispatcher.HttpMethod,
      headers: Object.fromEntries(request.headers),
      body,
    });
  };
  return Object.assign(platform, { close: () => agent.close() });
}

/** Sends one request once. Everything before undici starts to write it is `unreachable`, everything after `no-answer`. */
function exchange(agent: Agent, timeouts: Timeouts, options: Dispatcher.DispatchOptions): Promise<Response> {
  return new Promise((resolve, reject) => {
    let started = false;
    let deadline: NodeJS.Timeout | undefined;
    let body: ReadableStreamDefaultController<Uint8Array> | undefined;

    const lose = (error: unknown) => {
      clearTimeout(deadline);
      if (body !== undefined) body.error(new PlatformFault('truncated'));
      else reject(new PlatformFault(started ? 'no-answer' : 'unreachable', { code: systemCode(error) }));
    };

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (control) => {
        // Nothing here repeats; were the library to, the second start ends the call instead.
        if (started) return control.abort(new Error('started twice'));
        started = true;
        deadline = setTimeout(() => control.abort(new errors.HeadersTimeoutError()), timeouts.headersMilliseconds);
      },
      onResponseStart: (control, status, headers) => {
        // Informational answers come before the one that counts.
        if (status < 200) return;
        clearTimeout(deadline);
        deadline = setTimeout(() => control.abort(new errors.BodyTimeoutError()), timeouts.bodyMilliseconds);
        const stream = new ReadableStream<Uint8Array>({
          start: (controller) => {
            body = controller;
          },
          pull: () => control.resume(),
          cancel: () => control.abort(new Error('not read on')),
        });
        resolve(new Response(bodiless.includes(status) ? null : stream, { status, headers: flat(headers) }));
      },
      onResponseData: (control, chunk) => {
        // Resuming yields an empty piece first; pausing on it again would go round for ever.
        if (chunk.length === 0) return;
        body?.enqueue(chunk);
        if ((body?.desiredSize ?? 0) <= 0) control.pause();
      },
      onResponseEnd: () => {
        clearTimeout(deadline);
        body?.close();
      },
      onResponseError: (_, error) => lose(error),
    };

    try {
      agent.dispatch(options, handler);
    } catch (error) {
      lose(error);
    }
  });
}

/** Statuses whose Response may not have a body. */
const bodiless: readonly number[] = [204, 205, 304];

/** The headers of an answer; one that came several times is joined by commas. */
const flat = (headers: { readonly [name: string]: string | string[] | undefined }): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] satisfies [string, string]],
  );

/** The code of a system or library error, if it is one: its message may hold addresses, its cause anything. */
function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : undefined;
}
