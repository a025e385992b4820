import type { IncomingMessage, Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { HttpFace } from './http.ts';

/** Milliseconds for the headers and for the whole of a request, so that a slow sender holds nothing. A66. */
const headersTimeout = 10_000;
const requestTimeout = 30_000;
/** Connections that may be open at once. Own choice. */
const mostConnections = 1_024;

export interface ListenOptions {
  /** 0 for any that is free. */
  readonly port: number;
  /** This machine alone where nothing is said. */
  readonly host?: string | undefined;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Serves the face on a port. Throws an Error in one sentence where the port is taken or not allowed. */
export async function listen(face: HttpFace, { port, host = '127.0.0.1' }: ListenOptions): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: (request, { incoming }) => face.fetch(request, { incoming: incoming as IncomingMessage }), // over HTTP/1.1
    serverOptions: { headersTimeout, requestTimeout },
    overrideGlobalObjects: false,
  }) as Server; // it makes one of node:http where it is given no other
  server.maxConnections = mostConnections;
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
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await face.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const reasons: { readonly [code: string]: string | undefined } = {
  EADDRINUSE: 'is already in use; choose another port or stop the program that has it',
  EACCES: 'may not be used by this user; choose a port above 1023',
  EADDRNOTAVAIL: 'is not an address of this machine',
};

const unable = ({ code = 'unknown' }: NodeJS.ErrnoException, host: string, port: number): string =>
  `Purser can't listen: ${host}:${port} ${reasons[code] ?? `answered ${code}`}.`;
