import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { AnswerLost } from './answer.ts';
import type { Sandbox } from './handler.ts';

/** Milliseconds for the headers and for the whole of a request, so that a slow sender holds nothing. Own choice. */
const headersTimeout = 10_000;
const requestTimeout = 30_000;

export interface ServeOptions {
  /** 0 for any that is free. */
  readonly port: number;
  /** This machine alone where nothing is said. */
  readonly host?: string | undefined;
  /** Hears of what went wrong inside; stderr is the caller's. */
  readonly onFailure?: ((failure: unknown) => void) | undefined;
}

export interface Served {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Serves a sandbox over HTTP. Throws an Error in one sentence where the port is taken or not allowed. */
export async function serveSandbox(
  sandbox: Sandbox,
  { port, host = '127.0.0.1', onFailure = () => undefined }: ServeOptions,
): Promise<Served> {
  const server = createServer({ headersTimeout, requestTimeout }, (incoming, outgoing) => {
    serveOne(sandbox, incoming, outgoing).catch((failure) => {
      if (!(failure instanceof AnswerLost)) onFailure(failure);
      outgoing.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (failure: NodeJS.ErrnoException) => reject(new Error(unable(failure, host, port))));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  // A server that listens on a host and a port has an address with a port.
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const reasons: { readonly [code: string]: string | undefined } = {
  EADDRINUSE: 'is already in use; choose another port or stop the program that has it',
  EACCES: 'may not be used by this user; choose a port above 1023',
  EADDRNOTAVAIL: 'is not an address of this machine',
};

const unable = ({ code = 'unknown' }: NodeJS.ErrnoException, host: string, port: number): string =>
  `The sandbox can't listen: ${host}:${port} ${reasons[code] ?? `answered ${code}`}.`;

async function serveOne(sandbox: Sandbox, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const request = requestOf(incoming);
  if (request === null) {
    outgoing.writeHead(400).end();
    return;
  }
  const response = await sandbox.handle(request);
  const body = Buffer.from(await response.arrayBuffer());
  const declared = Number(response.headers.get('content-length') ?? body.length);
  const headers = { ...Object.fromEntries(response.headers), 'content-length': String(declared) };
  outgoing.writeHead(response.status, response.status === 204 ? Object.fromEntries(response.headers) : headers);
  // An answer that promises more bytes than it has is cut off for real.
  if (body.length < declared && incoming.method !== 'HEAD') outgoing.write(body, () => outgoing.destroy());
  else outgoing.end(body);
}

/** The request as it came over the wire: its own Host, its own bytes. Null where no URL can be made of it. */
function requestOf(incoming: IncomingMessage): Request | null {
  const { method = 'GET', url = '/', headers, rawHeaders } = incoming;
  const full = `http://${headers.host}${url}`;
  if (!url.startsWith('/') || !URL.canParse(full)) return null;
  const received = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) received.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const carriesBody = method !== 'GET' && method !== 'HEAD';
  // Node's web stream is the one that its Request reads; the two libraries of types name it twice.
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
  return new Request(full, { method, headers: received, ...(carriesBody ? { body, duplex: 'half' as const } : {}) });
}
