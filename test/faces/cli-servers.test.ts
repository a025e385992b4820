import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { channels } from '../../src/engine/approval-channels.ts';
import { isReadOnly, type Tool } from '../../src/engine/tool.ts';
import { listTools } from '../../src/mcp/tool-list.ts';
import type { ListedTool } from '../../src/mcp/tool-registration.ts';
import { tools } from '../../tools/index.ts';
import { fileWith, folder, proposed, run, start, state } from './cli.ts';

const hello = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};
const message = (it: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...it })}\n`;
const listing =
  message(hello) +
  message({ method: 'notifications/initialized' }) +
  message({ id: 2, method: 'tools/list', params: {} });

const named = ({ name, title, description, inputSchema, outputSchema, annotations }: ListedTool) => ({
  ...{ name, title, description, inputSchema, outputSchema, annotations },
});
/** How a list of just these tools reads to a host. */
const asListed = (listed: readonly Tool[]): unknown => JSON.parse(JSON.stringify(listTools(listed).map(named)));

describe('purser mcp', () => {
  it('lists the tools that the source has, prints nothing else, and ends with its host', async () => {
    const { child, line, over } = start(['mcp', '--data', folder()], { env: { PURSER_TOOLSETS: 'all' } });
    child.stdin.write(listing);
    expect(JSON.parse(await line())).toMatchObject({ id: 1, result: { serverInfo: { name: 'purser' } } });
    const { result } = JSON.parse(await line());
    expect(result.tools.map(named)).toEqual(asListed(tools));
    child.stdin.end();
    const { code, out } = await over;
    expect([code, out.trimEnd().split('\n').length]).toEqual([0, 2]);
  });

  it.each([
    { chosen: ['--tools', 'update_purchase'], has: ({ name }: Tool) => name === 'update_purchase' },
    { chosen: ['--toolsets', 'all', '--read-only'], has: isReadOnly },
  ])('with $chosen, lists tools in words that name no other, as HTTP does', async ({ chosen, has }) => {
    const { child, line } = start(['mcp', '--data', folder(), ...chosen]);
    child.stdin.write(listing);
    await line();
    const { result } = JSON.parse(await line());
    const listed = tools.filter((tool) => result.tools.some(({ name }: ListedTool) => name === tool.name));
    expect(chosen.includes('--read-only') ? listed : listed.filter(has)).toEqual(tools.filter(has));
    expect(result.tools.map(named)).toEqual(asListed(listed));
  });

  it('keeps what a person has said, although the host ends at once', async () => {
    const data = folder();
    const { child, line, over } = start(['mcp', '--data', data]);
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const limit = { amount: '40.00', currency: 'GBP' };
    const wish = { card: 'card_ada', reference: 'order-1', limit, until, description: 'A cable' };
    const call = (id: number, name: string, args: object) =>
      child.stdin.write(message({ id, method: 'tools/call', params: { name, arguments: args } }));
    child.stdin.write(message({ ...hello, params: { ...hello.params, capabilities: { elicitation: {} } } }));
    child.stdin.write(message({ method: 'notifications/initialized' }));
    await line();
    call(2, 'enroll_card', { card: 'card_ada' });
    await line();
    call(3, 'initiate_purchase', wish);
    const { id } = JSON.parse(await line());
    child.stdin.end(message({ id, result: { action: 'accept', content: { approve: true } } }));
    const { code, err } = await over;
    expect([code, err.split('\n').filter((it) => it !== '' && !/: (starting|stopped)/.test(it))]).toEqual([0, []]);
    expect((await run(['operations', 'list', '--data', data])).out).toContain('SUCCEEDED');
  });

  it('answers calls that come before it has opened anything, checked against their whole schema', async () => {
    const { child, line } = start(['mcp', '--data', folder()]);
    const call = { id: 3, method: 'tools/call', params: { name: 'find_shopper', arguments: { name: 'Bo' } } };
    child.stdin.write(listing + message(call));
    await line();
    const answers = [JSON.parse(await line()), JSON.parse(await line())];
    expect(answers.find(({ id }) => id === 3)).toMatchObject({
      result: { isError: false, structuredContent: { outcome: 'done', data: { items: [{ shopper: 'shopper_bo' }] } } },
    });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends cleanly on %s, and says where the audit chain ends', async (signal) => {
    const data = folder();
    await proposed(data);
    const { child, line, stop } = start(['mcp', '--data', data]);
    child.stdin.write(message(hello) + message({ method: 'notifications/initialized' }));
    await line();
    child.stdin.write(message({ id: 3, method: 'tools/call', params: { name: 'list_operations', arguments: {} } }));
    await line();
    const { code, err } = await stop(signal);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(
        /^purser: starting with [^\n]*\npurser: stopped; the audit chain ends with row \d+, [0-9a-f]{64}\.\n$/,
      ),
    ]);
  });

  it('ends with code 2 over a ledger that only a newer Purser can read', async () => {
    const data = folder();
    await proposed(data);
    const database = new DatabaseSync(join(data, 'sandbox.sqlite'));
    database.prepare("INSERT INTO migrations (name) VALUES ('9999-tomorrow')").run();
    database.close();
    const { code, err } = await start(['mcp', '--data', data]).over;
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(
        /^purser: starting with [^\n]*\npurser: The ledger .* was written by a newer Purser [^\n]*\n$/,
      ),
    ]);
  });
});

describe('purser serve', () => {
  const paths = (data: string) => ['agent', 'app', 'person'].map((role) => join(data, `${role}.token`));
  const tokensIn = (data: string) => paths(data).map((path) => readFileSync(path, 'utf8').trim());

  it('tells how to connect, in configurations that work', async () => {
    const data = folder();
    const { line, stop } = start(['serve', '--port', '0', '--data', data, '--json']);
    const { url, environment, hosts } = JSON.parse(await line());
    expect([url, environment]).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/), 'sandbox']);

    const { url: address, headers } = JSON.parse(hosts.http).mcpServers.purser;
    const post = (authorization: string) =>
      fetch(address, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: message(hello),
      });
    expect([(await post(headers.Authorization)).status, (await post('Bearer nobody')).status]).toEqual([200, 401]);

    const { command, args } = JSON.parse(hosts.stdio).mcpServers.purser;
    expect([command, args.slice(1)]).toEqual([process.execPath, ['mcp', '--data', data]]);
    expect(JSON.parse(hosts.vscode).servers).toEqual({
      purser: { type: 'stdio', command, args },
      'purser-http': { type: 'http', url: address, headers },
    });
    const { code, err } = await stop('SIGTERM');
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(
        /^purser: starting with [^\n]*\npurser: stopped; the audit chain ends with row \d+, [0-9a-f]{64}\.\n$/,
      ),
    ]);
  });

  it('tells a host of the same tools, and a person a line for the shell, whatever the folder is called', async () => {
    const data = join(folder(), "Bo's data");
    const { line, stop } = start([
      'serve',
      '--port',
      '0',
      '--data',
      data,
      '--json',
      '--toolsets',
      'all',
      '--read-only',
    ]);
    const { hosts } = JSON.parse(await line());
    const { args } = JSON.parse(hosts.stdio).mcpServers.purser;
    expect(args.slice(1)).toEqual(['mcp', '--data', data, '--toolsets', 'all', '--read-only']);
    expect(
      execFileSync('sh', ['-c', hosts.approvals], { encoding: 'utf8', env: { ...process.env, XDG_STATE_HOME: state } }),
    ).toBe('No approvals are waiting.\n');
    await stop('SIGTERM');
  });

  // biome-ignore format: a table
  it.each([
    ['by default', {}, ['page', 'cli', 'http', 'customer']],
    ['where a form over HTTP counts', { approvals: { channels: ['form', 'form-over-http', 'page', 'program'] } },
      ['form-over-http', 'page']],
    ['where forms over stdio alone count', { approvals: { channels: ['form'] } }, []],
  ])('names the channels that approve a call over HTTP: %s', async (_, settings, wanted) => {
    const config = fileWith(JSON.stringify(settings), 'purser.config.yaml');
    const { line, stop } = start(['serve', '--port', '0', '--data', folder(), '--config', config]);
    await line();
    const { out } = await stop('SIGTERM');
    const [, said = ''] = /^(.+)\. To stop: Ctrl\+C\.$/m.exec(out) ?? [];
    expect(said).not.toBe('');
    expect(said.split(/,? /).filter((one) => channels.some((channel) => channel === one))).toEqual(wanted);
  });

  it("makes three tokens once, for its owner alone, and shows the agent's alone", async () => {
    const data = folder();
    const first = start(['serve', '--port', '0', '--data', data]);
    await first.line();
    const { out, err } = await first.stop('SIGINT');
    const tokens = tokensIn(data);
    expect([new Set(tokens).size, paths(data).map((path) => statSync(path).mode & 0o777)]).toEqual([
      3,
      [0o600, 0o600, 0o600],
    ]);
    const [agentToken = '', ...others] = tokens;
    expect([out.includes(agentToken), others.some((token) => `${out}${err}`.includes(token))]).toEqual([true, false]);

    const second = start(['serve', '--port', '0', '--data', data]);
    await second.line();
    await second.stop('SIGINT');
    expect(tokensIn(data)).toEqual(tokens);
  });

  it('keeps everything else for its owner alone, too', async () => {
    const data = join(folder(), 'made', 'here');
    const served = start(['serve', '--port', '0', '--data', data]);
    await served.line();
    const modes = ['', 'sandbox.sqlite', 'sandbox-world.sqlite'].map((name) => statSync(join(data, name)).mode & 0o777);
    await served.stop('SIGINT');
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });
});

describe('purser sandbox', () => {
  it('serves the platform alone, whatever else is configured', async () => {
    const around = { env: { PURSER_ENVIRONMENT: 'live' } };
    const { line, stop } = start(['sandbox', '--port', '0', '--json', '--data', folder()], around);
    const { url, merchantId } = JSON.parse(await line());
    const clock = await fetch(`${url}/sandbox/clock`);
    const unsigned = await fetch(`${url}/acp/v1/tokens`, { method: 'POST' });
    expect([merchantId, clock.status, unsigned.status]).toEqual(['harbour_audio_test', 200, 401]);
    expect(await stop('SIGINT')).toMatchObject({ code: 0, err: 'purser: stopped.\n' });
  });
});

it("tells its version, which is the package's", async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(await run(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
});
