import type { IncomingMessage, Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { type Opened, open, type Patience, type Port, patience } from '../http/port.ts';
import type { HttpFace } from './http.ts';

/** Connections that may be open at once. Own choice. */
const mostConnections = 1_024;

export interface Listening extends Opened {
  close(): Promise<void>;
}

/** Serves the face on a port. Throws an Error in one sentence where the port is taken or not allowed. */
export async function listen(face: HttpFace, at: Port, serverOptions: Patience = patience): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: (request, { incoming }) => face.fetch(request, { incoming: incoming as IncomingMessage }), // over HTTP/1.1
    serverOptions,
    overrideGlobalObjects: false,
  }) as Server; // it makes one of node:http where it is given no other
  server.maxConnections = mostConnections;
  return {
    ...(await open(server, 'Purser', at)),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await face.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
