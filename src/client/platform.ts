import { Agent, type Dispatcher, errors } from 'undici';
import { limits } from '../core/limits.ts';
import { PlatformFault } from './errors.ts';
import { originOf } from './origin.ts';

/**
 * The platform as a function. Returns the response whatever its status. Throws a PlatformFault, which says whether the
 * request was sent. The request's abort signal is ignored: a payment in progress can't be cancelled.
 */
export type Platform = (request: Request, exchange?: Exchange) => Promise<Response>;

export interface Exchange {
  /** The response may be a file: its body has no total timeout while data keeps arriving. */
  readonly streams?: boolean;
}

/** The platform over HTTP; `close` waits for calls in progress. */
export type HttpPlatform = Platform & { readonly close: () => Promise<void> };

/** Milliseconds to connect, then to the headers, then to the end of the body; for a file, between two chunks. */
export interface Timeouts {
  readonly connectMilliseconds: number;
  readonly headersMilliseconds: number;
  readonly bodyMilliseconds: number;
  readonly fileIdleMilliseconds: number;
}

/**
 * The platform at one origin, over undici with HTTP/1.1. It never retries or follows redirects, and sends nothing to
 * another origin. Each call opens its own connection: the other side may close a kept one while a payment is being
 * written to it, which would leave the outcome unknown. TLS sessions are resumed. A certificate that nobody vouches for is
 * never taken.
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
    // Stated, because NODE_TLS_REJECT_UNAUTHORIZED would switch it off, and a host passes its variables on.
    connect: { timeout: timeouts.connectMilliseconds, rejectUnauthorized: true },
    // Disabled: undici's timers restart with every chunk, so a trickle would never time out. See `exchange`.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const platform: Platform = async (request, { streams = false } = {}) => {
    const url = new URL(request.url);
    if (url.origin !== origin) throw new PlatformFault('misaddressed');
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
    return exchange(
      agent,
      { ...timeouts, streams },
      {
        origin,
        path: url.pathname + url.search,
        // A cast: Request upper-cases the five methods of the contract.
        method: request.method as Dispatcher.HttpMethod,
        headers: Object.fromEntries(request.headers),
        body,
      },
    );
  };
  return Object.assign(platform, { close: () => agent.close() });
}

/** Sends a request once. A failure before undici starts to write is `unreachable`, afterwards `no-answer`. */
function exchange(
  agent: Agent,
  timeouts: Timeouts & Required<Exchange>,
  options: Dispatcher.DispatchOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let started = false;
    let deadline: NodeJS.Timeout | undefined;
    let body: ReadableStreamDefaultController<Uint8Array> | undefined;
    // Restarts or stops the timeout for a file's next chunk. Other bodies have one timeout.
    let restart = (_milliseconds: number | undefined): void => undefined;

    const lose = (error: unknown) => {
      clearTimeout(deadline);
      if (body !== undefined) body.error(new PlatformFault('truncated'));
      else reject(new PlatformFault(started ? 'no-answer' : 'unreachable', { code: systemCode(error) }));
    };

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (control) => {
        // Nothing retries. If the library did, the second start would end the call.
        if (started) return control.abort(new Error('started twice'));
        started = true;
        deadline = setTimeout(() => control.abort(new errors.HeadersTimeoutError()), timeouts.headersMilliseconds);
      },
      onResponseStart: (control, status, headers) => {
        // Informational responses precede the final one.
        if (status < 200) return;
        if (status > lastStatus) {
          reject(new PlatformFault('wrong-shape', { status }));
          return control.abort(new Error('no status'));
        }
        const isFile = timeouts.streams && status < 300;
        const expire = () => control.abort(new errors.BodyTimeoutError());
        clearTimeout(deadline);
        deadline = setTimeout(expire, isFile ? timeouts.fileIdleMilliseconds : timeouts.bodyMilliseconds);
        if (isFile)
          restart = (milliseconds) => {
            clearTimeout(deadline);
            deadline = milliseconds === undefined ? undefined : setTimeout(expire, milliseconds);
          };
        const stream = new ReadableStream<Uint8Array>({
          start: (controller) => {
            body = controller;
          },
          pull: () => {
            restart(timeouts.fileIdleMilliseconds);
            control.resume();
          },
          cancel: () => control.abort(new Error('not read on')),
        });
        resolve(new Response(bodiless.includes(status) ? null : stream, { status, headers: flat(headers) }));
      },
      onResponseData: (control, chunk) => {
        // Resuming emits an empty chunk first; pausing on it would loop forever.
        if (chunk.length === 0) return;
        body?.enqueue(chunk);
        const isFull = (body?.desiredSize ?? 0) <= 0;
        // No timeout while the file's reader is busy.
        restart(isFull ? undefined : timeouts.fileIdleMilliseconds);
        if (isFull) control.pause();
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

/** RFC 9110, 15: there are five classes of statuses. A Response can't have any other. */
const lastStatus = 599;

/** Statuses whose Response may not have a body. */
const bodiless: readonly number[] = [204, 205, 304];

/** The response headers; repeated ones are joined by commas. */
const flat = (headers: { readonly [name: string]: string | string[] | undefined }): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] satisfies [string, string]],
  );

/** The code of a system or library error, if it has one. Its message may contain addresses, its cause anything. */
function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : undefined;
}
