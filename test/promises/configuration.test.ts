import { mkdirSync, readdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { BadConfiguration } from '../../src/cli/bad-configuration.ts';
import { loadConfiguration } from '../../src/cli/config.ts';
import { configurationDigest, shortDigest, startRecord } from '../../src/cli/configuration-digest.ts';
import { variables } from '../../src/cli/environment.ts';
import { isPathSetting } from '../../src/cli/file.ts';
import { cacheFolder, configurationFile, dataFolder, stateFolder } from '../../src/cli/folders.ts';
import { limits } from '../../src/core/limits.ts';
import { fileWith, folder, order, run, runJson, type Surroundings, start, state } from '../faces/cli.ts';
import { playRowsOneIn } from '../support/drawn.ts';
import { everySetting, folderFor, settingsWith } from './settings.ts';

playRowsOneIn(3);

const generous = {
  mandates: [{ name: 'anything', tools: ['initiate_purchase'], currency: 'GBP', perCall: '99999.00' }],
};
const purchase = { ...order, limit: { amount: '99999.00', currency: 'GBP' } };
const fileIn = (inside: string, settings: object = generous): string => {
  mkdirSync(inside, { recursive: true });
  const path = join(inside, 'purser.config.yaml');
  writeFileSync(path, JSON.stringify(settings), { mode: 0o600 });
  return path;
};

const message = (it: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...it })}\n`;

/** What a Purser that a host starts answers to a large purchase, and what it says on stderr. */
async function bought(args: readonly string[], around: Surroundings) {
  const { child, line, over } = start(['mcp', ...args], around);
  const asked = async (it: object) => {
    child.stdin.write(message(it));
    return JSON.parse(await line());
  };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
  await asked({ id: 1, method: 'initialize', params });
  child.stdin.write(message({ method: 'notifications/initialized' }));
  const call = (id: number, name: string, given: object) =>
    asked({ id, method: 'tools/call', params: { name, arguments: given } });
  await call(2, 'enroll_card', { card: order.card });
  const { result } = await call(3, 'initiate_purchase', purchase);
  child.stdin.end();
  return { outcome: result.structuredContent.outcome, err: (await over).err };
}

describe('a configuration file in the working directory', () => {
  it('decides nothing, and the start says that it is ignored and how to use it', async () => {
    const cwd = realpathSync(folder());
    const path = fileIn(cwd);
    const { outcome, err } = await bought(['--data', folder()], { cwd });
    expect(outcome).toBe('needs_approval');
    const [first = ''] = err.split('\n');
    expect(first).toContain(`${path} is ignored`);
    expect([first.includes('--config'), first.includes(join('.config', 'purser', 'purser.config.yaml'))]).toEqual([
      true,
      true,
    ]);
    const { value } = await runJson(['doctor', '--data', folder()], { cwd });
    expect(value.findings).toContainEqual(expect.objectContaining({ verdict: 'warn', found: path }));
  });

  it.each([
    ['--config', (path: string) => ({ args: ['--config', path], env: {} })],
    ['PURSER_CONFIG', (path: string) => ({ args: [], env: { PURSER_CONFIG: path } })],
    [
      "the user's configuration folder",
      (path: string) => ({ args: [], env: { XDG_CONFIG_HOME: dirname(dirname(path)) } }),
    ],
  ])('decides where it comes from %s', async (_, named) => {
    const path = fileIn(join(folder(), 'purser'));
    const { args, env } = named(path);
    const { outcome, err } = await bought(['--data', folder(), ...args], { env });
    expect([outcome, err.includes('ignored'), err.includes('anything')]).toEqual(['done', false, true]);
  });

  it('is not read, in whichever folder the process is', async () => {
    const cwd = folder();
    const path = fileIn(cwd);
    vi.spyOn(process, 'cwd').mockReturnValue(cwd);
    onTestFinished(() => void vi.restoreAllMocks());
    const { mandates, file, ignored } = await loadConfiguration({ XDG_CONFIG_HOME: folder() });
    expect({ mandates, file, found: ignored?.found }).toEqual({ mandates: [], file: undefined, found: path });
  });

  it('is not called ignored where it is the one that is named', async () => {
    const cwd = realpathSync(folder());
    fileIn(cwd);
    const { value } = await runJson(['doctor', '--config', 'purser.config.yaml', '--data', folder()], { cwd });
    expect(JSON.stringify(value)).not.toContain('ignored');
    expect(JSON.stringify(value)).toContain('anything');
  });
});

const commands = [
  ['mcp'],
  ['serve', '--port', '0'],
  ['sandbox', '--port', '0'],
  ['approvals', 'list'],
  ['approvals', 'deny', 'apr_x'],
  ['operations', 'list'],
  ['shoppers', 'import', '-'],
  ['audit', 'verify'],
];

describe('a configuration file that is named and missing', () => {
  it.each(commands)('keeps %s %s from starting', async (...command) => {
    const missing = join(folder(), 'missing.yaml');
    const given = command.filter((word) => word !== undefined);
    const byOption = await run([...given, '--data', folder(), '--config', missing]);
    const byVariable = await run([...given, '--data', folder()], { env: { PURSER_CONFIG: missing } });
    for (const { code, out, err } of [byOption, byVariable])
      expect([code, out, err.includes(missing)]).toEqual([2, '', true]);
  });

  it('is a failure to the doctor', async () => {
    const { code, value } = await runJson(['doctor', '--config', '/nowhere/purser.yaml']);
    expect([code, value.findings]).toMatchObject([
      1,
      expect.arrayContaining([expect.objectContaining({ verdict: 'fail', about: 'configuration' })]),
    ]);
  });
});

describe('paths', () => {
  const settings = everySetting();

  it('in the file are relative to its folder, wherever Purser is started', async () => {
    const inside = folderFor(settings);
    const file = fileIn(inside, settingsWith(settings));
    const { data, auditAnchorFile, sharedSecretFile } = await loadConfiguration({ PURSER_CONFIG: file });
    expect({ data, auditAnchorFile, sharedSecretFile }).toEqual({
      data: join(inside, 'data.one'),
      auditAnchorFile: join(inside, 'auditAnchorFile.one'),
      sharedSecretFile: join(inside, 'sharedSecretFile.one'),
    });
  });

  it('are known as paths by their names: no other setting says that it names a file or folder', () => {
    const others = settings.filter(
      ({ path, node }) =>
        !isPathSetting(String(path.at(-1))) && /^(Path|File|Folder) of\b/.test(node.description ?? ''),
    );
    expect(others.map(({ path }) => path.join('.'))).toEqual([]);
  });

  const pathVariables = Object.entries(variables).flatMap(([name, about]) => (/absolute/i.test(about) ? [name] : []));
  it.each(pathVariables)('in the environment are absolute: %s', async (name) => {
    const inside = folder();
    const loaded = loadConfiguration({ HOME: inside, [name]: 'relative' });
    await expect(loaded).rejects.toThrow(BadConfiguration);
    await expect(loaded).rejects.toThrow(name);
  });

  it('are absolute in every variable that is named for a file or folder', () => {
    const named = Object.keys(variables).filter((name) => /_(FILE|DATA|STATE|CONFIG)$/.test(name));
    expect(pathVariables.toSorted()).toEqual(named.toSorted());
  });

  it.each(['', '.', 'relative', './x'])('of the user’s own folders depend on no working directory: "%s"', (given) => {
    const names = ['XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME', 'LOCALAPPDATA', 'APPDATA'];
    const env = Object.fromEntries(names.map((name) => [name, given]));
    expect([dataFolder(env), stateFolder(env), configurationFile(env), cacheFolder(env)]).toEqual([
      dataFolder({}),
      stateFolder({}),
      configurationFile({}),
      cacheFolder({}),
    ]);
  });

  it('leave the working directory empty, whatever the environment says of folders', async () => {
    const cwd = folder();
    const env = { HOME: '.', XDG_DATA_HOME: '', XDG_CACHE_HOME: 'cache', XDG_CONFIG_HOME: '.' };
    fileIn(join(cwd, 'purser'));
    const { value } = await runJson(['doctor', '--data', folder()], { cwd, env });
    expect([JSON.stringify(value).includes('anything'), readdirSync(cwd)]).toEqual([false, ['purser']]);
  });
});

describe('the digest of a configuration', () => {
  const settings = everySetting();
  const load = (inside: string, given: object) => loadConfiguration({ PURSER_CONFIG: fileIn(inside, given) });
  /** Decides only whether `live` starts at all. */
  const isMoot = (path: string): boolean => path === 'allowLive';

  it('is the same for the same settings, from whichever file', async () => {
    const inside = folderFor(settings);
    const one = await load(inside, settingsWith(settings));
    const file = join(inside, 'other.yaml');
    renameSync(fileIn(inside, settingsWith(settings)), file);
    const other = await loadConfiguration({ PURSER_CONFIG: file });
    expect([configurationDigest(one), one.file === other.file]).toEqual([configurationDigest(other), false]);
  });

  it.each(settings.map((setting) => [setting.path.join('.'), setting] as const))('covers %s', async (path, setting) => {
    const inside = folderFor(settings);
    const one = await load(inside, settingsWith(settings));
    const other = await load(inside, settingsWith(settings, setting));
    expect(configurationDigest(one) === configurationDigest(other)).toBe(isMoot(path));
  });

  it('covers what is one tenant’s own', async () => {
    const shop = (name: string) => ({ merchant: { name, country: 'GB', url: 'https://shop.example.com' } });
    const digestOf = async (tenants: object) => configurationDigest(await load(folder(), { tenants }));
    const [data, other] = [
      await digestOf({ a: shop('A'), b: shop('B') }),
      await digestOf({ a: shop('A'), b: shop('C') }),
    ];
    expect(data === other).toBe(false);
  });

  it('covers no secret, and shows none', async () => {
    const secret = (text: string) => ({
      PURSER_MERCHANT_ID: 'shop',
      PURSER_KEY_ID: 'key',
      PURSER_SHARED_SECRET: text,
      DATABASE_URL: `postgres://user:${text}@127.0.0.1/none`,
      PURSER_VAULT_KEY_FILE: fileWith(text.repeat(9)),
    });
    const [one, other] = [await loadConfiguration(secret('c2VjcmV0')), await loadConfiguration(secret('b3RoZXJz'))];
    expect(configurationDigest(one)).toBe(configurationDigest(other));
    expect(JSON.stringify(startRecord(one))).not.toContain('c2VjcmV0');
  });

  it('stands in the doctor, in the start line and in the audit of each start, with limits and mandates', async () => {
    const limit = { name: 'daily', tools: ['initiate_purchase'], currency: 'GBP', total: '100000.00', per: ['day'] };
    const config = fileWith(JSON.stringify({ ...generous, limits: [limit] }));
    const args = ['--data', folder(), '--config', config];
    const errs = [(await bought(args, {})).err, (await bought(args, {})).err];
    const configuration = await loadConfiguration({ PURSER_CONFIG: config, XDG_STATE_HOME: state }, { data: args[1] });
    const { value: doctor } = await runJson(['doctor', ...args]);
    const { value: audit } = await runJson(['audit', 'show', ...args, '--limit', '1000']);
    const rows = audit.rows.filter(({ event }: { event: string }) => event === 'started');
    const short = shortDigest(configuration);
    expect(rows.map(({ body }: { body: object }) => body)).toEqual([
      startRecord(configuration),
      startRecord(configuration),
    ]);
    expect(rows[0].body).toMatchObject({
      configuration: configurationDigest(configuration),
      limits: [limit],
      mandates: [generous.mandates[0]],
    });
    for (const text of [...errs, JSON.stringify(doctor)])
      expect([short, 'daily', '100000.00', 'anything', '99999.00'].filter((it) => !text.includes(it))).toEqual([]);
  });
});

it('reads a configuration within its bound', async () => {
  const large = fileWith(`# ${'x'.repeat(limits.configurationBytes)}`);
  await expect(loadConfiguration({ PURSER_CONFIG: large })).rejects.toThrow(BadConfiguration);
});
