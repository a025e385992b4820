import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { folder, state } from './cli.ts';

// What `npm run dev` runs, with the environment that a host or a shell has.

const dev = fileURLToPath(new URL('../../scripts/dev.ts', import.meta.url));

function started(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, line: async (): Promise<string> => String((await lines.next()).value) };
}

it('prints configurations and commands that work, in the sandbox whatever is configured', async () => {
  const home = folder();
  const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: state, PURSER_ENVIRONMENT: 'live' };
  const data = folder();
  const { child, line } = started(process.execPath, [dev, '--port', '0', '--data', data, '--json'], env);
  const { environment, hosts } = JSON.parse(await line());
  expect(environment).toBe('sandbox');
  expect(execFileSync('sh', ['-c', hosts.approvals], { encoding: 'utf8', env })).toBe('No approvals are waiting.\n');
  child.kill('SIGTERM');
  await once(child, 'close');

  const { command, args } = JSON.parse(hosts.stdio).mcpServers.purser;
  const host = started(command, args, env);
  const clientInfo = { name: 'test', version: '0' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  host.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  expect(JSON.parse(await host.line())).toMatchObject({ id: 1, result: { serverInfo: { name: 'purser' } } });
  host.child.stdin.end();
  expect(await once(host.child, 'close')).toEqual([0, null]);
});
