import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { add, compiler, type Unpacked, unpacked } from '../support/packed.ts';
import { type Installed, installed } from './installed.ts';

// What a new user does with the package alone: no repository, an empty folder, an empty home; and what a program makes of it.

const installMilliseconds = 300_000;
let here: Installed;
/** The same package, where nothing is that it does not need. */
let beside: Unpacked;

beforeAll(() => {
  here = installed();
  beside = unpacked(here.tarball);
}, installMilliseconds);
afterAll(() => {
  here?.remove();
  beside?.remove();
});

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
    stream.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
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
    expect(await run('eval', '--shard', '7/250')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^[1-9]\d* scenarios passed: /),
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

const execute = promisify(execFile);

const strict = {
  ...{ strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  ...{ target: 'ES2024', module: 'NodeNext' },
};

/** What the compiler says of a program, by its exit code and lines. */
async function compiled(name: string, text: string, more: object = {}): Promise<string> {
  const at = (file: string) => join(beside.folder, file);
  writeFileSync(at('package.json'), '{ "type": "module" }');
  writeFileSync(at(`${name}.ts`), text);
  writeFileSync(
    at('tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...strict, ...more }, files: [`${name}.ts`] }),
  );
  return execute(process.execPath, [compiler, '-p', beside.folder, '--checkers', '1']).then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
}

/** What a compiled program, or one in JavaScript, prints. */
const ran = async (...args: readonly string[]) =>
  (await execute(process.execPath, [...args], { cwd: beside.folder })).stdout;

const begin = `import { compose, loadConfiguration } from 'purser';
const purser = await compose(await loadConfiguration({ PURSER_DATA: ':memory:' }));
const caller = { tenant: 'default', principal: 'a program' };`;

describe('the package without its optional peers', { timeout: installMilliseconds }, () => {
  it('compiles under strict, with the declarations of libraries checked too, and runs', async () => {
    const program = `${begin}
import type { Answer, Caller } from 'purser';
const found = (by: Caller): Promise<Answer> => purser.engine.call('find_shopper', { name: 'Ada' }, by);
process.stdout.write((await found(caller)).outcome);
await purser.close();
await purser.close(); // a host closes it at a signal, and again at its end`;
    expect(await compiled('alone', program)).toBe('');
    expect(await ran('alone.js')).toBe('done');
  });

  it.each([
    ['purser/langchain', 'langchainTools(purser.engine, caller)', '@langchain/core'],
    ['purser/ai-sdk', 'aiSdkTools(purser.engine, caller)', 'ai'],
    ['purser/evals', "toVitest('scenarios')", 'vitest'],
  ])('names in one sentence what %s needs', async (entry, call, peer) => {
    const [name] = call.split('(');
    const program = `${begin}
const { ${name} } = await import('${entry}');
await ${call}.catch(({ name, message }) => process.stdout.write(name + ': ' + message));
await purser.close();`;
    const sentence = await ran('--input-type=module', '--eval', program);
    expect(sentence).toMatch(/^MissingPeer: [^\n.]+$/);
    expect(sentence).toContain(`${entry} needs the package ${peer}, which is not installed: npm install ${peer}`);
  });

  it('makes tools for the openai package, which it needs for its types alone', async () => {
    const program = `${begin}
const { openaiTools } = await import('purser/openai');
process.stdout.write(String(openaiTools(purser.engine).chat.length > 0));
await purser.close();`;
    expect(await ran('--input-type=module', '--eval', program)).toBe('true');
  });
});

describe('the package beside its optional peers', { timeout: installMilliseconds }, () => {
  it('compiles under strict in every entry, and makes their tools', async () => {
    add(beside, ['@langchain/core', 'ai', 'openai', 'vitest']);
    const program = `${begin}
import { aiSdkTools } from 'purser/ai-sdk';
import { defineScenario } from 'purser/evals';
import { langchainTools } from 'purser/langchain';
import { openaiTools } from 'purser/openai';
const { tools } = await aiSdkTools(purser.engine, caller);
const langchain = await langchainTools(purser.engine, caller);
const openai = openaiTools(purser.engine);
const counts = new Set([Object.keys(tools).length, langchain.length, openai.chat.length, openai.responses.length]);
process.stdout.write(counts.size + ' ' + typeof defineScenario);
await purser.close();`;
    // The frameworks' own declarations are not ours to check.
    expect(await compiled('beside', program, { skipLibCheck: true })).toBe('');
    expect(await ran('beside.js')).toBe('1 function');
  });
});
