import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileTypes } from '../core/file-answer.ts';
import { boundConnections } from '../listener/connections.ts';
import { loopback, refuseForeign } from '../listener/gate.ts';
import { type Opened, open, type Port, patience } from '../listener/port.ts';
import { UnfinishedBody } from '../listener/read.ts';
import { AnswerLost } from './answer.ts';
import type { Sandbox } from './handler.ts';

export interface ServeOptions extends Port {
  /** Additional host names to serve, with or without a port. */
  readonly hosts?: readonly string[] | undefined;
  /** Called with internal errors, so the caller decides where to log them. */
  readonly onFailure?: ((failure: unknown) => void) | undefined;
}

export interface Served extends Opened {
  close(): Promise<void>;
}

/** Serves a sandbox over HTTP. Throws an Error in one sentence if the port is taken or not allowed. */
export async function serveSandbox(
  sandbox: Sandbox,
  { onFailure = () => undefined, hosts = [], ...at }: ServeOptions,
): Promise<Served> {
  const server = createServer(patience);
  const served = [...loopback, ownName, ...hosts];
  boundConnections(server, (incoming, outgoing) =>
    serveOne(sandbox, served, incoming, outgoing).catch((failure) => {
      if (!(failure instanceof AnswerLost || failure instanceof UnfinishedBody)) onFailure(failure);
      outgoing.destroy();
    }),
  );
  return {
    ...(await open(server, 'The sandbox', at)),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The sandbox's host name. `.test` is reserved, so no page has this origin. */
const ownName = 'sandbox.purser.test';

async function serveOne(
  sandbox: Sandbox,
  hosts: readonly string[],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = requestOf(incoming);
  if (request === null) {
    outgoing.writeHead(400).end();
    return;
  }
  const response = refuseForeign(request, hosts, []) ?? (await sandbox.handle(request, incoming.url));
  if (isFile(response)) return sendFile(response, outgoing);
  const body = Buffer.from(await response.arrayBuffer());
  const declared = Number(response.headers.get('content-length') ?? body.length);
  const headers = { ...Object.fromEntries(response.headers), 'content-length': String(declared) };
  outgoing.writeHead(response.status, response.status === 204 ? Object.fromEntries(response.headers) : headers);
  // A response that declares more bytes than it has is cut off.
  if (body.length < declared && incoming.method !== 'HEAD') outgoing.write(body, () => outgoing.destroy());
  else outgoing.end(body);
}

const isFile = ({ status, headers }: Response): boolean =>
  status < 300 && fileTypes.some((type) => headers.get('content-type') === type);

/** A file goes out as fast as it is read, and is cut off where it breaks off. */
async function sendFile({ status, headers, body }: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(status, Object.fromEntries(headers));
  if (body === null) outgoing.end();
  // Node's web stream is the one that its Response has; the two libraries of types name it twice.
  else await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), outgoing);
}

/** The request as received, with its own Host and bytes. Null if its URL is invalid. */
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
