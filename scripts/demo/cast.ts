import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import type { Answer } from '../../src/engine/answer.ts';
import { says } from './stage.ts';

// Everybody in the demo but the agent's part: real processes of the built command.

const purser = fileURLToPath(new URL('../../dist/purser.js', import.meta.url));

/** The platform, as `purser sandbox` serves it. */
export interface Platform {
  readonly url: string;
  /** Does something from behind the stage, by the control API. */
  control(method: 'GET' | 'POST', path: string): Promise<unknown>;
  close(): Promise<void>;
}

export async function startPlatform(data: string): Promise<Platform> {
  const child = spawn(process.execPath, [purser, 'sandbox', '--port', '0', '--json', '--data', data], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) =>
      resolve(z.object({ url: z.string() }).parse(JSON.parse(line)).url),
    );
    gone.then(() =>
      reject(new Error('The sandbox did not start: run "npm run build", then "node dist/purser.js doctor".')),
    );
  });
  return {
    url,
    control: async (method, path) => (await fetch(`${url}/sandbox/${path}`, { method })).json(),
    close: () => {
      child.kill('SIGTERM');
      return gone;
    },
  };
}

/** The agent's host: an MCP client over stdio, whose user answers when an approval is asked for. */
export async function startHost(data: string, platform: Platform, approved: () => void): Promise<Client> {
  const client = new Client(
    { name: 'demo', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    says('Purser', `asks a person:\n${params.message.replace(/^/gm, '| ')}`);
    says('Approver', 'Yes, exactly this.');
    approved();
    return { action: 'accept', content: { approve: true } };
  });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [purser, 'mcp', '--data', data],
      env: { ...getDefaultEnvironment(), PURSER_SANDBOX_URL: platform.url },
      stderr: 'ignore',
    }),
  );
  return client;
}

export async function callTool(client: Client, name: string, args: object): Promise<Answer> {
  const { structuredContent } = await client.callTool({ name, arguments: { ...args } });
  return structuredContent as unknown as Answer; // every tool of Purser answers so, by its output schema
}

/** The shop's payment system tells Purser of a payment, as an operator or a job would: by the command. */
export function addReceipt(data: string, platform: Platform, receipt: object): void {
  const { status } = spawnSync(process.execPath, [purser, 'receipts', 'add', '-', '--data', data], {
    input: JSON.stringify(receipt),
    // The same as the server has: both find the same anchor.
    env: { ...getDefaultEnvironment(), PURSER_SANDBOX_URL: platform.url },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The receipt was not taken.');
}
