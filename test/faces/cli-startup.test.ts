import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { playRowsOneIn } from '../support/drawn.ts';
import { entry, fileWith, folder, run, type Surroundings, start } from './cli.ts';

playRowsOneIn(3);

const secret = 'c2VjcmV0LXNlY3JldC1zZWNyZXQ=';
const credentials = { PURSER_MERCHANT_ID: 'shop', PURSER_KEY_ID: 'key', PURSER_SHARED_SECRET: secret };
const url = { PURSER_BASE_URL: 'https://platform.example.com' };
const merchant = { merchant: { name: 'Shop', country: 'GB', url: 'https://shop.example.com' } };

/** The environment, with a configuration file that holds this (JSON is YAML). */
const configured = (settings: unknown, env: NodeJS.ProcessEnv = {}) => ({
  env: { ...env, PURSER_CONFIG: fileWith(JSON.stringify(settings)) },
});

interface Case {
  readonly name: string;
  readonly args?: readonly string[];
  readonly around?: () => Surroundings;
  readonly says: string;
}

// biome-ignore format: a table
const cases: readonly Case[] = [
  { name: 'a wrong environment', around: () => ({ env: { PURSER_ENVIRONMENT: 'prod' } }),
    says: 'must be "sandbox", "test" or "live"' },
  { name: 'the test platform without anything', around: () => ({ env: { PURSER_ENVIRONMENT: 'test' } }),
    says: 'PURSER_BASE_URL, PURSER_MERCHANT_ID' },
  { name: 'the test platform without credentials',
    around: () => configured(merchant, { PURSER_ENVIRONMENT: 'test', ...url }),
    says: 'needs PURSER_MERCHANT_ID, PURSER_KEY_ID and PURSER_SHARED_SECRET_FILE' },
  { name: 'the live platform without its switch',
    around: () => configured(merchant, { PURSER_ENVIRONMENT: 'live', ...url, ...credentials }),
    says: 'needs PURSER_ALLOW_LIVE=true' },
  { name: 'a switch that is neither true nor false',
    around: () =>
      configured(merchant, { PURSER_ENVIRONMENT: 'live', PURSER_ALLOW_LIVE: 'yes', ...url, ...credentials }),
    says: 'PURSER_ALLOW_LIVE must be' },
  { name: 'an address in clear',
    around: () =>
      configured(merchant, {
        PURSER_ENVIRONMENT: 'test',
        PURSER_BASE_URL: 'http://platform.example.com',
        ...credentials,
      }),
    says: 'use https' },
  { name: 'a configuration file that is not there', around: () => ({ env: { PURSER_CONFIG: '/nowhere/purser.yaml' } }),
    says: '/nowhere/purser.yaml: correct --config or PURSER_CONFIG' },
  { name: 'a setting that nobody knows', around: () => configured({ enviroment: 'test' }),
    says: 'enviroment is not a setting' },
  { name: 'a rule that nobody knows', around: () => configured({ rules: { 'AP-99': 'off' } }),
    says: 'There is no rule AP-99' },
  { name: 'a shared secret file that is not there',
    around: () => ({ env: { PURSER_SHARED_SECRET_FILE: '/nowhere/secret' } }),
    says: 'correct PURSER_SHARED_SECRET_FILE' },
  { name: 'a data folder without a name', args: ['mcp', '--data', ''], says: '--data must name a folder' },
  { name: 'a tenant whose files would be elsewhere', around: () => ({ env: { PURSER_TENANT: '../shop' } }),
    says: 'PURSER_TENANT' },
  { name: 'a tenant in the file named as a path', around: () => configured({ tenant: 'a/b' }),
    says: 'Correct PURSER_TENANT or `tenant`' },
  { name: 'a data folder that can never be', args: ['mcp', '--data', '/proc/purser/data'], says: "can't be created" },
  { name: 'a data folder that is a file', args: ['mcp', '--data', 'FILE'], says: 'is not a folder' },
  { name: 'a ledger that is a folder', args: ['mcp', '--data', 'LEDGER-IS-A-FOLDER'], says: 'is not a regular file' },
  { name: 'a ledger that is something else', args: ['mcp', '--data', 'LEDGER-IS-TEXT'], says: 'is not a ledger' },
  { name: 'a port that is none', args: ['serve', '--port', '70000'], says: '--port must be a number from 0 to 65535' },
  { name: 'tokens that nothing keeps', args: ['serve', '--data', ':memory:'], says: 'name a data folder' },
  { name: 'a token that others may have read', args: ['serve', '--port', '0', '--data', 'OPEN-TOKEN'],
    says: 'Others may read' },
  { name: 'a token file without a token', args: ['serve', '--port', '0', '--data', 'EMPTY-TOKEN'],
    says: 'holds no valid token' },
  { name: 'a limit on a tool that does not exist', args: ['serve', '--port', '0'],
    around: () => configured({ limits: [{ name: 'a', tools: ['buy'], currency: 'GBP', count: 1 }] }),
    says: 'There is no tool buy' },
  { name: 'a command that nobody knows', args: ['buy'], says: "unknown command 'buy'" },
  { name: 'an option that nobody knows', args: ['mcp', '--fast'], says: "unknown option '--fast'" },
  { name: 'a number that is none', args: ['audit', 'show', '--limit', '0'], says: 'a number from 1 to 1000' },
];

/** Data folders in which something is wrong, by the name that stands for each above. */
const places: { readonly [name: string]: (data: string) => string } = {
  FILE: () => fileWith('a file'),
  'LEDGER-IS-A-FOLDER': (data) => {
    mkdirSync(join(data, 'sandbox.sqlite'));
    return data;
  },
  'LEDGER-IS-TEXT': (data) => {
    writeFileSync(
      join(data, 'sandbox.sqlite'),
      'This is no database, and it is long enough to be told from one. '.repeat(20),
    );
    return data;
  },
  'OPEN-TOKEN': (data) => {
    writeFileSync(join(data, 'app.token'), 'a'.repeat(43));
    chmodSync(join(data, 'app.token'), 0o644);
    return data;
  },
  'EMPTY-TOKEN': (data) => {
    writeFileSync(join(data, 'app.token'), '', { mode: 0o600 });
    return data;
  },
};

describe('a start', () => {
  it.each(cases)('is refused in one line, with code 2, for $name', async ({ args = ['mcp'], around, says }) => {
    const given = args.map((arg) => places[arg]?.(folder()) ?? arg);
    const { code, out, err } = await run(given, around?.());
    expect({ code, out, lines: err.trimEnd().split('\n').length, err }).toEqual({
      code: 2,
      out: '',
      lines: 1,
      err: expect.stringContaining(says),
    });
    expect(err).toMatch(/^purser: /);
    expect(err).not.toContain(secret);
  });

  it('is refused where the port is taken', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number }; // it listens on a port
    for (const command of ['serve', 'sandbox'])
      expect(await run([command, '--port', String(port), '--data', folder()])).toEqual({
        code: 2,
        out: '',
        err: expect.stringMatching(/^purser: .* is already in use; choose another port .*\n$/),
      });
    server.close();
  });

  it('is refused as a library on an old Node, by the version that package.json names', async () => {
    const old =
      'process.getBuiltinModule = () => undefined; Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})';
    const library = new URL('../../dist/lib/index.js', import.meta.url).href;
    const child = spawn(process.execPath, [
      '--import',
      `data:text/javascript,${old}`,
      '-e',
      `import(${JSON.stringify(library)}).catch((error) => console.log(error.message))`,
    ]);
    const [needed = ''] = /\d+\.\d+/.exec(manifest.engines.node) ?? [];
    expect(await text(child.stdout)).toMatch(new RegExp(`\\b${needed.replace('.', '\\.')}\\b.*\\b20\\.20\\.2\\b`));
  });

  it('is refused on an old Node, which can read the first file', async () => {
    const pretend = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.20.2"}})';
    const { code, out, err } = await run(['mcp'], { node: ['--import', `data:text/javascript,${pretend}`] });
    expect([code, out, err]).toEqual([
      2,
      '',
      'purser: Node 22.19 or newer is required, and this is 20.20.2: install a newer version.\n',
    ]);
    const first = readFileSync(new URL('../../dist/purser.js', import.meta.url), 'utf8');
    expect(
      [...first.matchAll(/\bimport\s*(?:\{[^}]*\})?\s*(?:from\s*)?["']([^"']+)["']/g)].map(([, name]) => name),
    ).toEqual(['node:module']);
  });

  it('that fails after the tools were listed says why in one line, and ends with code 2', async () => {
    const config = fileWith(JSON.stringify({ limits: [{ name: 'a', tools: ['buy'], currency: 'GBP', count: 1 }] }));
    const { child, over } = start(['mcp', '--data', folder()], { env: { PURSER_CONFIG: config } });
    const { code, err } = await over;
    child.stdin.end();
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^purser: starting with [^\n]*\npurser: There is no tool buy: [^\n]*\n$/),
    ]);
  });

  it('that fails refuses the calls that waited for it, and says that nothing was sent', async () => {
    const config = fileWith(JSON.stringify({ limits: [{ name: 'a', tools: ['buy'], currency: 'GBP', count: 1 }] }));
    const { child, line, over } = start(['mcp', '--data', folder()], { env: { PURSER_CONFIG: config } });
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
    const call = { name: 'enroll_card', arguments: { card: 'card_ada' } };
    const sent = (it: object) => `${JSON.stringify({ jsonrpc: '2.0', ...it })}\n`;
    child.stdin.write(sent({ id: 1, method: 'initialize', params: hello }));
    child.stdin.write(
      sent({ method: 'notifications/initialized' }) + sent({ id: 2, method: 'tools/call', params: call }),
    );
    await line();
    expect(JSON.parse(await line())).toMatchObject({
      id: 2,
      result: { isError: true, structuredContent: { outcome: 'refused', error: { code: 'INTERNAL_HALT' } } },
    });
    child.stdin.end();
    const { code, err } = await over;
    expect([code, err]).toEqual([2, expect.stringMatching(/^[^\n]*\npurser: There is no tool buy: [^\n]*\n$/)]);
  });
});

it.each(['002', '000'])('keeps compiled code where nobody else can write, whatever the umask: %s', (umask) => {
  const home = folder();
  const env = { HOME: home, XDG_CACHE_HOME: join(home, 'cache') };
  for (let runs = 0; runs < 2; runs++) {
    execFileSync('sh', ['-c', `umask ${umask}; exec "$0" "$@"`, process.execPath, entry, '--version'], { env });
    for (const path of ['cache', 'cache/purser']) expect(statSync(join(home, path)).mode & 0o077).toBe(0);
  }
  expect(readdirSync(join(home, 'cache/purser'))).toHaveLength(1);
});

describe('a warning of Node', () => {
  const warning = (name: string, text: string): string =>
    `--import=data:text/javascript,process.once('beforeExit',()=>process.emitWarning('${text}','${name}'))`;
  const warned = async (name: string, text: string) =>
    (await run(['doctor', '--data', folder()], { node: [warning(name, text)] })).err;

  it('about its SQLite is not shown, and every other one is', async () => {
    expect(await warned('ExperimentalWarning', 'SQLite is an experimental feature')).toBe('');
    expect(await warned('ExperimentalWarning', 'Fast shoes is an experimental feature')).toContain('Fast shoes');
    expect(await warned('DeprecationWarning', 'SQLite is old')).toContain('SQLite is old');
  });

  it('is not shown to who wants none', async () => {
    const { err } = await run(['doctor', '--data', folder()], {
      node: ['--no-warnings', warning('Warning', 'anything')],
    });
    expect(err).toBe('');
  });
});
