import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Installed, installed } from './installed.ts';

// What a new user does with the package alone: no repository, an empty folder, an empty home.

const installMilliseconds = 300_000;
let here: Installed;

beforeAll(() => {
  here = installed();
}, installMilliseconds);
afterAll(() => here?.remove());

/** Starts the command as npm has linked it, in a home of its own. */
function start(args: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), 'purser-home-'));
  const child = spawn(here.purser, args, {
    cwd: here.folder,
    env: { HOME: home, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
  });
  const over = new Promise<number | null>((resolve) => child.once('close', resolve));
  const texts = { out: '', err: '' };
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const)
    stream.on('data', (chunk) => {
      texts[name] += chunk;
    });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await over;
    rmSync(home, { recursive: true, force: true });
  });
  const ended = async () => ({ code: await over, ...texts });
  return { child, ended, line: () => nextLine(child.stdout) };
}

async function nextLine(stream: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(stream)) return line;
  throw new Error('It ended without a line.');
}

async function run(...args: readonly string[]) {
  const { child, ended } = start(args);
  child.stdin.end();
  return ended();
}

describe('the package, in an empty folder', () => {
  it('says what it can do', async () => {
    expect(await run('--help')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Usage: purser ') });
    expect(await run('--version')).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it('finds that it can start', async () => {
    expect(await run('doctor')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Purser can start.') });
  });

  it('plays its scenarios', async () => {
    expect(await run('eval', '--shard', '7/60')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^(\d+) of \1 scenarios passed, /),
    });
  });

  it('answers an MCP host', async () => {
    const { child, line, ended } = start(['mcp']);
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'host', version: '1' } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    expect(JSON.parse(await line())).toMatchObject({ id: 1, result: { serverInfo: { name: 'purser' } } });
    child.stdin.end();
    expect(await ended()).toMatchObject({ code: 0 });
  });

  it('serves the sandbox', async () => {
    const { child, line, ended } = start(['sandbox', '--port', '0', '--json']);
    const { url } = JSON.parse(await line());
    const clock = await fetch(`${url}/sandbox/clock`);
    expect([clock.status, await clock.json()]).toEqual([200, expect.objectContaining({ now: expect.any(String) })]);
    child.kill('SIGTERM');
    expect(await ended()).toMatchObject({ code: 0 });
  });

  it('serves MCP over HTTP, and prints what to paste', async () => {
    const { child, line, ended } = start(['serve', '--port', '0', '--json']);
    const printed = JSON.parse(await line());
    const { status } = await fetch(new URL('/healthz', printed.url));
    expect(status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended()).toMatchObject({ code: 0 });
  });

  it('has every page and file that its pages link to', () => {
    const folder = join(here.folder, 'node_modules/purser');
    const packed = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    const lost = packed.flatMap((page) =>
      [
        ...readFileSync(join(folder, page), 'utf8')
          .replace(/^```[\s\S]*?^```$/gm, '')
          .matchAll(/\]\(([^)\s#]+)/g),
      ]
        .map(([, target = '']) => ({ page, target }))
        .filter(({ target }) => !/^https?:/.test(target) && !existsSync(join(folder, dirname(page), target))),
    );
    expect(lost).toEqual([]);
    expect(packed).toEqual(expect.arrayContaining(['README.md', 'docs/evals.md', 'evals/policy.md']));
  });
});
