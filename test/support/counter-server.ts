import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

// A server that is not ours, with one number in a file: the smallest thing that has a rule and a state.

const file = process.env.COUNTER_FILE;
if (file === undefined) throw new Error('COUNTER_FILE names the file of the number.');
const count = (): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
const answer = (value: object) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(value) }],
  structuredContent: { ...value },
});

serveStdio(() => {
  const server = new McpServer({ name: 'counter', version: '1' });
  server.registerTool('add', { inputSchema: z.object({ by: z.int() }) }, async ({ by }) => {
    if (by < 0) return { content: [{ type: 'text', text: 'The counter only goes up.' }], isError: true };
    writeFileSync(file, String(count() + by));
    return answer({ count: count() });
  });
  const named = z.object({ name: z.string() });
  server.registerTool('tell', { inputSchema: named }, async ({ name }) => answer({ told: process.env[name] }));
  const placed = z.object({ path: z.string() });
  server.registerTool('kept', { inputSchema: placed }, async ({ path }) => answer({ path, isFile: existsSync(path) }));
  server.registerTool('draw', { inputSchema: z.object({}) }, async () => ({
    content: [{ type: 'image', data: Buffer.from(String(count())).toString('base64'), mimeType: 'image/png' }],
  }));
  server.registerTool('reset', { inputSchema: z.object({}) }, async () => {
    writeFileSync(file, '0');
    return answer({ count: 0 });
  });
  server.registerTool('process', { inputSchema: z.object({}) }, async () => answer({ pid: process.pid }));
  server.registerTool('die', { inputSchema: z.object({}) }, async () => process.exit(1));
  server.registerTool('read', { inputSchema: z.object({}) }, async () => answer({ count: count() }));
  return server;
});
