import { describe, expect, it, onTestFinished } from 'vitest';
import { BadConfiguration } from '../../src/cli/bad-configuration.ts';
import { loadConfiguration } from '../../src/cli/config.ts';
import { portIn } from '../../src/cli/environment.ts';
import { openSandbox } from '../../src/cli/open-resources.ts';
import { host, signed } from '../sandbox/support.ts';
import { fileWith } from './cli.ts';

const secret = 'c2VjcmV0LXNlY3JldC1zZWNyZXQ=';

const load = (text: string, env: NodeJS.ProcessEnv = {}) =>
  loadConfiguration({ ...env, PURSER_CONFIG: fileWith(text) }, { data: ':memory:' });
/** What is wrong with a file, its path left out. */
async function fault(text: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const path = fileWith(text);
  const thrown = await loadConfiguration({ ...env, PURSER_CONFIG: path }).catch((error: unknown) => error);
  return thrown instanceof BadConfiguration ? thrown.message.replace(path, 'FILE') : String(thrown);
}

describe('the configuration file', () => {
  it('gives what it says, and the environment stands above it', async () => {
    const text =
      'environment: sandbox\nsigning: jwt\nhttp: {port: 9000}\nrules: {AP-12: warn}\nsandbox: {url: "http://localhost:1"}';
    expect(await load(text, { PURSER_PORT: '0', PURSER_SANDBOX_URL: 'http://127.0.0.1:2' })).toMatchObject({
      environment: 'sandbox',
      signing: 'jwt',
      port: 0,
      levels: { 'AP-12': 'warn' },
      sandboxUrl: 'http://127.0.0.1:2',
    });
  });

  it('says which merchant it is, and by which partner', async () => {
    const shop = { name: 'Shop', country: 'GB', url: 'https://shop.example.com' };
    const partner = { developerId: 'D-1', solutionId: 'S-1' };
    expect((await load(JSON.stringify({ merchant: { ...shop, ...partner } }))).merchant).toEqual({
      ...shop,
      ...partner,
    });
    expect((await load(JSON.stringify({ merchant: shop }))).merchant).toEqual(shop);
    expect(await fault(JSON.stringify({ merchant: { ...shop, partnerId: 'P-1' } }))).toMatch(
      /partnerId is not a setting/,
    );
  });

  it('says how long before a payment a new sandbox tells the customer (D-20)', async () => {
    const begun = async (text: string) => {
      const sandbox = await openSandbox(await load(text), { now: () => 0 });
      onTestFinished(() => sandbox.close());
      const { documents } = await sandbox.world.snapshot();
      return documents.find(({ kind }) => kind === 'origin')?.body;
    };
    expect(await begun('sandbox: {noticeDays: 7}')).toMatchObject({ noticeDays: 7 });
    expect(await begun('')).not.toHaveProperty('noticeDays');
    for (const days of ['-1', '366', '1.5', '"7"'])
      expect(await fault(`sandbox: {noticeDays: ${days}}`)).toMatch(/^FILE: sandbox\.noticeDays must be /);
  });

  it('says how many requests the sandbox takes in a while (D-30)', async () => {
    const sandbox = await openSandbox(await load('sandbox: {rateLimit: {requests: 1, seconds: 60}}'), { now: () => 0 });
    onTestFinished(() => sandbox.close());
    const read = () => sandbox.handle(signed(`http://${host}`, 'GET', '/rbs/v1/plans', undefined, { at: 0 }));
    const [first, second] = [await read(), await read()];
    expect([first.status, second.status, second.headers.get('retry-after')]).toEqual([200, 429, '60']);
    for (const limit of ['{requests: 0, seconds: 60}', '{requests: 1}', '5'])
      expect(await fault(`sandbox: {rateLimit: ${limit}}`)).toMatch(/^FILE: sandbox\.rateLimit/);
  });

  it('says where others reach Purser, as an origin and nothing more', async () => {
    expect(await load('http: {publicUrl: "https://purser.example.com"}')).toMatchObject({
      publicUrl: 'https://purser.example.com',
    });
    expect(
      await load('http: {publicUrl: "https://one.example.com"}', { PURSER_PUBLIC_URL: 'https://two.example.com/' }),
    ).toMatchObject({ publicUrl: 'https://two.example.com' });
    expect(await load('')).toMatchObject({ publicUrl: undefined });
    for (const address of ['https://purser.example.com/path', 'http://purser.example.com', 'https://a:b@example.com'])
      expect(await fault('', { PURSER_PUBLIC_URL: address })).toMatch(/^The URL .* Correct PURSER_PUBLIC_URL or/);
  });

  it('may be empty', async () => {
    expect(await load('')).toMatchObject({ environment: 'sandbox', tenant: 'default' });
  });

  // biome-ignore format: a table
  it.each([
    ['an unknown setting', 'colour: red', 'FILE: colour is not a setting; docs/configuration.md lists every setting.'],
    ['an unknown setting within', 'http: {ports: 1}',
      'FILE: http.ports is not a setting (did you mean port?); docs/configuration.md lists every setting.'],
    ['a word that is none of those', 'signing: rsa',
      'FILE: signing must be one of http-signature, jwt; docs/configuration.md lists every setting.'],
    ['another kind of value', 'allowLive: maybe',
      'FILE: allowLive must be true or false; docs/configuration.md lists every setting.'],
    ['a secret in place of its file', 'credentials: {sharedSecret: abc}',
      'FILE: credentials.sharedSecret is not a setting; docs/configuration.md lists every setting.'],
    ['a level that is none', 'rules: {AP-12: ignore}',
      'FILE: rules.AP-12 must be one of refuse, warn, off, published; docs/configuration.md lists every setting.'],
    ['a currency that is none', 'limits: [{name: a, tools: [b], currency: XXQ}]',
      'FILE: limits.0.currency is not an ISO 4217 currency; docs/configuration.md lists every setting.'],
    ['a misspelled setting that must be there', 'limits: [{names: a, tools: [b], currency: GBP}]',
      'FILE: limits.0.names is not a setting (did you mean name?); docs/configuration.md lists every setting.'],
    ['a misspelled setting where what is around it may be left out', 'device: {enrollmentConfiguration: {confirmationScreenOptions: skip}}',
      'FILE: device.enrollmentConfiguration.confirmationScreenOptions is not a setting (did you mean confirmationScreenOption?); docs/configuration.md lists every setting.'],
    ['a country that is none', 'merchant: {name: a, country: England, url: "https://shop.example.com"}',
      'FILE: merchant.country must be two capital letters, such as GB; docs/configuration.md lists every setting.'],
    ['a key of webhooks by another name', 'webhooks: {keys: [{keyId: mine, keyFile: /key}]}',
      'FILE: webhooks.keys.0.keyId must be a UUID; docs/configuration.md lists every setting.'],
    ['a pattern of every number', 'screening: {ownNumbers: ["################"]}',
      'FILE: screening.ownNumbers.0 must have a letter and a #, which means a digit; docs/configuration.md lists every setting.'],
    ['a setting that stands there twice', 'signing: jwt\nsigning: jwt', 'FILE has a setting twice: correct line 2.'],
    ['text that is no YAML', 'environment: [sandbox\nsecret: x',
      expect.stringMatching(/^FILE is not YAML: correct line \d\.$/)],
    ['a list', '- environment', 'FILE: the file must be an object; docs/configuration.md lists every setting.'],
  ])('is refused with %s, by the name of the setting and without the value', async (_, text, says) => {
    expect(await fault(text)).toEqual(says);
  });

  it.each([
    ['credentials.sharedSecretFile', 'credentials: {sharedSecretFile: /nowhere/key}'],
    ['vaultKeyFile', 'vaultKeyFile: /nowhere/key'],
  ])('that names a file which is not there is corrected in %s', async (setting, text) => {
    expect(await fault(text)).toMatch(new RegExp(`^There is no .* /nowhere/key: correct .*\`${setting}\``));
  });

  it.each([
    'https://user:password@platform.example.com',
    'https://platform.example.com/path',
    'ftp://platform.example.com',
    '2130706433',
  ])(
    'is refused with an address that holds more or less than an origin, which is not repeated: %s',
    async (address) => {
      const said = await fault('', { PURSER_SANDBOX_URL: address });
      expect([said, said.includes(address)]).toEqual([expect.stringContaining('Correct PURSER_SANDBOX_URL'), false]);
    },
  );
});

describe('the shared secret', () => {
  const env = () =>
    ({ PURSER_MERCHANT_ID: 'shop', PURSER_KEY_ID: 'key', PURSER_SHARED_SECRET: secret }) as NodeJS.ProcessEnv;

  it('leaves the environment when it is read, and shows itself nowhere', async () => {
    const given = env();
    const configuration = await loadConfiguration(given, { data: ':memory:' });
    expect([given.PURSER_SHARED_SECRET, JSON.stringify(configuration).includes(secret)]).toEqual([undefined, false]);
  });

  it('leaves the environment also where the rest is wrong', async () => {
    const given: NodeJS.ProcessEnv = { ...env(), PURSER_ENVIRONMENT: 'prod' };
    await expect(loadConfiguration(given)).rejects.toThrow(BadConfiguration);
    expect(given.PURSER_SHARED_SECRET).toBe(undefined);
  });

  it('is refused where its file is empty', async () => {
    expect(await fault('', { PURSER_SHARED_SECRET_FILE: fileWith(' \n') })).toMatch(
      /is empty: put the secret into it\.$/,
    );
  });
});

it('takes a port from 0 to 65535 and nothing else', () => {
  expect(['0', '8377', '65535'].map((text) => portIn(text, 'it'))).toEqual([0, 8377, 65_535]);
  for (const text of ['', '-1', '65536', '1e3', '80 ', '0x50'])
    expect(() => portIn(text, 'it')).toThrow(BadConfiguration);
});
