import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Server } from '../../evals/harness/external/server.ts';
import { type Asked, answerTo } from './failing-answers.ts';

/** A server at a URL, in this process and so there at once: it has these tools, and never answers one request, by its method or tool. */
export async function serverAt({
  tools,
  silent,
}: {
  readonly tools: readonly string[];
  readonly silent?: string;
}): Promise<Server> {
  const server = createServer(async (request, response) => {
    // A client also asks for a stream of messages with GET, and this server has none to send.
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
    const { id, method, params } = JSON.parse(await text(request)) as Asked;
    if (silent !== undefined && (silent === method || silent === params?.name)) return;
    const said = id === undefined ? undefined : answerTo(id, method, tools);
    response.writeHead(said === undefined ? 202 : 200, { 'content-type': 'application/json' });
    response.end(said && JSON.stringify(said));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { at: `http://127.0.0.1:${port}/mcp`, environment: {}, version: '0' };
}
