import type { Server } from 'node:http';

/** Timeouts in milliseconds, so a slow sender can't hold a connection. A66. */
export interface Patience {
  readonly headersTimeout: number;
  /** For the whole of a request, its headers included. */
  readonly requestTimeout: number;
  /** How often timeouts are checked; Node's default is thirty seconds. */
  readonly connectionsCheckingInterval: number;
}

/** Own choice. */
export const patience: Patience = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
};

export interface Port {
  /** 0 for any free port. */
  readonly port: number;
  /** This machine only, by default. */
  readonly host?: string | undefined;
}

/** Where a server can be reached. */
export interface Opened {
  readonly url: string;
  readonly port: number;
}

/** Opens a port for a server. Throws an Error in one sentence, with the server's name, if the port is taken or not allowed. */
export async function open(server: Server, name: string, { port, host = '127.0.0.1' }: Port): Promise<Opened> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (failure: NodeJS.ErrnoException) => {
      const { code = 'unknown' } = failure;
      reject(new Error(`${name} can't listen: ${host}:${port} ${reasons[code] ?? `answered ${code}`}.`));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address();
  // A server that listens on a host and a port has an address with a port.
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, port: bound };
}

const reasons: { readonly [code: string]: string | undefined } = {
  EADDRINUSE: 'is already in use; choose another port or stop the program that uses it',
  EACCES: 'may not be used by this user; choose a port above 1023',
  EADDRNOTAVAIL: 'is not an address of this machine',
};
