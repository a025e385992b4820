import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Server } from '../../evals/harness/external/server.ts';
import { Secret } from '../../src/core/secret.ts';
import { listen } from '../../src/http/listen.ts';

// A counter over Streamable HTTP on loopback, as others serve theirs.

export const token = 'token-of-the-counter-0001';

/** What goes wrong, by the number of an addition, the first being 1: its connection is cut, or the server is gone from then on. */
interface Trouble {
  readonly cuts?: number;
  readonly dies?: number;
}

/** A counter that runs until it is closed. */
export async function counterAt({
  cuts,
  dies = Number.POSITIVE_INFINITY,
}: Trouble = {}): Promise<Server & { readonly close: () => Promise<void> }> {
  let [count, added] = [0, 0];
  const shows = (value: number) => ({
    content: [{ type: 'text' as const, text: JSON.stringify({ count: value }) }],
    structuredContent: { count: value },
  });
  const mcp = createMcpHandler(() => {
    const server = new McpServer({ name: 'counter', version: '1' });
    server.registerTool('add', { inputSchema: z.object({ by: z.int() }) }, async ({ by }) => {
      count += by;
      return shows(count);
    });
    server.registerTool('tell', { inputSchema: z.object({}) }, async () => ({
      content: [{ type: 'text', text: token }],
    }));
    server.registerTool('reset', { inputSchema: z.object({}) }, async () => {
      count = 0;
      return shows(count);
    });
    server.registerTool('read', { inputSchema: z.object({}) }, async () => shows(count));
    return server;
  });
  const listening = await listen(
    {
      fetch: async (request, env) => {
        if (request.headers.get('authorization') !== `Bearer ${token}`) return new Response(null, { status: 401 });
        const text = await request.clone().text();
        const adds = text.includes('"add"');
        if (adds) added += 1;
        if (added < dies && !(adds && added === cuts)) return mcp.fetch(request);
        env?.incoming?.socket.destroy();
        return new Response(null, { status: 503 });
      },
      idle: async () => undefined,
      close: async () => undefined,
    },
    { port: 0 },
  );
  const close = async () => void (await listening.close());
  return { at: `${listening.url}/mcp`, environment: {}, token: new Secret(token), version: '0', close };
}
