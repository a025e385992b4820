import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { bareServer } from '../bare-server.ts';

// The barest server over HTTP, without sessions. It prints its address, and ends with its stdin.

const handler = createMcpHandler(bareServer);
const server = createServer(getRequestListener((request) => handler.fetch(request), { overrideGlobalObjects: false }));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // of a server that listens on a port
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}/mcp` }));
});
process.stdin.resume().once('end', () => process.exit(0));
