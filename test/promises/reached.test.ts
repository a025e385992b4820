import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { entry, folder, order } from '../faces/cli.ts';
import { builtServe } from './sockets.ts';

// An answer that waits for a person says where to decide, and that works as it is printed.

interface Told {
  readonly said: string;
  readonly outcome: string;
}

/** An agent of the built `purser mcp`, which has asked for a purchase. */
async function asked(env: Record<string, string>, options: readonly string[]) {
  const client = new Client({ name: 'test', version: '0' });
  const args = [entry, 'mcp', ...options];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  onTestFinished(() => client.close());
  const call = async (name: string, args: object): Promise<Told> =>
    (await client.callTool({ name, arguments: { ...args } })).structuredContent as unknown as Told;
  await call('enroll_card', { card: order.card });
  return { call, waiting: await call('initiate_purchase', order) };
}

/** Types a line into a shell, at what looks like a terminal to Node, and says yes. */
function typed(line: string, env: Record<string, string>): Promise<number | null> {
  const terminal = join(folder(), 'terminal.mjs');
  writeFileSync(terminal, "for (const name of ['stdin', 'stdout', 'stderr']) process[name].isTTY = true;");
  const shell = spawn('/bin/sh', ['-c', line], {
    cwd: env.HOME,
    env: { ...env, NODE_OPTIONS: `--import=${terminal}` },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.stdin.end('y\n');
  return new Promise((resolve) => shell.once('close', resolve));
}

const commandIn = ({ said }: Told): string => /by the command: (.*)\. Then make/.exec(said)?.[1] ?? '';

/** A home where nothing is configured. */
function home(): Record<string, string> {
  const at = folder();
  const path = process.env.PATH ?? '';
  return {
    HOME: at,
    XDG_DATA_HOME: join(at, 'data'),
    XDG_STATE_HOME: join(at, 'state'),
    PATH: path,
    XDG_CACHE_HOME: tmpdir(),
  };
}

function fileIn(at: string, text: string): string {
  const path = join(at, 'my config.yaml');
  mkdirSync(at, { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

describe('the command in an answer, typed as it is printed, approves', () => {
  it.each<[string, (env: Record<string, string>) => readonly [readonly string[], Record<string, string>]]>([
    ['where nothing is configured', () => [[], {}]],
    ['a folder whose name a shell would split', ({ HOME }) => [['--data', `${HOME}/it's $HOME & more`], {}]],
    ['a configuration file', ({ HOME }) => [['--config', fileIn(`${HOME}`, 'tenant: shop\n')], {}]],
    [
      'a folder, state and tenant of the environment',
      ({ HOME }) => [[], { PURSER_DATA: `${HOME}/own`, PURSER_STATE: `${HOME}/own state`, PURSER_TENANT: 'shop' }],
    ],
  ])('%s', async (_, configured) => {
    const env = home();
    const [options, more] = configured(env);
    const { call, waiting } = await asked({ ...env, ...more }, options);
    expect(waiting.outcome).toBe('needs_approval');
    expect(await typed(commandIn(waiting), env)).toBe(0);
    expect((await call('initiate_purchase', order)).outcome).toBe('done');
  });

  it.each([
    ['[page, http]', false],
    ['[cli]', true],
  ])('and there is none where people may not decide so: %s', async (channels, isThere) => {
    const env = home();
    const config = fileIn(`${env.HOME}`, `approvals:\n  channels: ${channels}\n`);
    const { waiting } = await asked(env, ['--config', config]);
    expect([waiting.outcome, commandIn(waiting) !== '']).toEqual(['needs_approval', isThere]);
  });
});

it('the page in an answer of `purser serve` is there, whatever the client', async () => {
  const { url, authorization } = await builtAgent();
  const { said } = await askedOver(url, authorization);
  const [page] = /http:\/\/\S+\/approve\/apr_[a-z]+/.exec(said) ?? [];
  const response = await fetch(String(page));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
});

async function builtAgent() {
  const { port, token } = await builtServe();
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), authorization: `Bearer ${token('agent')}` };
}

/** Asks for a purchase without a session, as a client does that keeps nothing between calls. */
async function askedOver(url: URL, authorization: string): Promise<Told> {
  const headers = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const call = async (name: string, args: object): Promise<Told> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
    const text = await (await fetch(url, { method: 'POST', headers, body })).text();
    return JSON.parse(text.slice(text.indexOf('{'))).result.structuredContent;
  };
  await call('enroll_card', { card: order.card });
  return call('initiate_purchase', order);
}
