import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { checkServer } from '../../src/evals/foreign/check.ts';
import { catalogueOf, serverPlace } from '../../src/evals/foreign/place.ts';
import type { Server } from '../../src/evals/foreign/server.ts';
import { Secret } from '../../src/ledger/vault.ts';
import { listen } from '../../src/mcp/listen.ts';
import { fileWith } from '../bin/support.ts';
import { watch } from './support.ts';

// A counter over Streamable HTTP on loopback, as others serve theirs.

const token = 'token-of-the-counter-0001';

/** A counter that runs. It cuts the connection of its `dies`th addition, and answers nobody afterwards. */
async function counter({ dies = Number.POSITIVE_INFINITY }: { readonly dies?: number } = {}): Promise<Server> {
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
    server.registerTool('read', { inputSchema: z.object({}) }, async () => shows(count));
    return server;
  });
  const listening = await listen(
    {
      fetch: async (request, env) => {
        if (request.headers.get('authorization') !== `Bearer ${token}`) return new Response(null, { status: 401 });
        const text = await request.clone().text();
        if (text.includes('"add"')) added += 1;
        if (added < dies) return mcp.fetch(request);
        env?.incoming?.socket.destroy();
        return new Response(null, { status: 503 });
      },
      close: async () => undefined,
    },
    { port: 0 },
  );
  onTestFinished(() => listening.close());
  return { at: `${listening.url}/mcp`, environment: {}, token: new Secret(token), version: '0' };
}

const scenario = (by: number, from: number) => `id: count-001-goes-up
title: The counter goes up
rules: [CT-01]
declares: { CT-01: { says: The counter never goes down. } }
observe: { counter: { call: read } }
steps:
  - call: add
    args: { by: ${by} }
    expect: { error: false }
expect:
  state: { counter.count: ${by + from} }
`;

const checked = async (server: Server, text: string) =>
  checkServer({
    ...{ paths: [fileWith(text, 'count-001-goes-up.yaml')], catalogue: await catalogueOf(server) },
    ...{ place: serverPlace(server), by: 'purser 0', watch },
  });

describe('a server at a URL', () => {
  it('is judged over Streamable HTTP, with its token; it keeps what earlier scenarios did', async () => {
    const server = await counter();
    expect((await checked(server, scenario(2, 0))).scenarios.map(({ failures }) => failures)).toEqual([[]]);
    expect((await checked(server, scenario(3, 2))).scenarios.map(({ failures }) => failures)).toEqual([[]]);
  });

  it('that dies in the middle is no verdict about it', async () => {
    const server = await counter({ dies: 2 });
    expect((await checked(server, scenario(2, 0))).summary.passed).toBe(1);
    await expect(checked(server, scenario(2, 2))).rejects.toThrow(
      `The MCP server at ${server.at} gave no answer to add.`,
    );
  });

  it('that takes no such token does not answer, and nobody reads the token', async () => {
    const server = { ...(await counter()), token: new Secret('another-token-0002') };
    const failed = await catalogueOf(server).catch((error: Error) => error);
    expect(failed).toMatchObject({ message: expect.stringContaining(`No MCP server answers at ${server.at}`) });
    expect(String(failed)).not.toContain('another-token');
  });
});
