import { describe, expect, it } from 'vitest';
import { BadConfiguration } from '../../src/cli/bad-configuration.ts';
import { compose } from '../../src/cli/compose.ts';
import { loadConfiguration, readConfiguration } from '../../src/cli/config.ts';
import { run, runJson } from './cli.ts';

/** What the environment may say without a configuration file that the folder of the tests might have. */
const read = (env: NodeJS.ProcessEnv) => readConfiguration({ ...env }, { data: ':memory:' });
const live = {
  PURSER_BASE_URL: 'https://api.platform.example',
  PURSER_MERCHANT_ID: 'merchant',
  PURSER_KEY_ID: 'key',
  PURSER_SHARED_SECRET: 'c2VjcmV0LXNlY3JldA==',
};
const refusal = (env: NodeJS.ProcessEnv): string => {
  try {
    return `starts in ${read(env).environment}`;
  } catch (error) {
    return error instanceof BadConfiguration ? error.message : `${error}`;
  }
};

describe('the environment', () => {
  it('is the sandbox where nobody says another', () => {
    expect(read({}).environment).toBe('sandbox');
  });

  it.each([
    '',
    ' ',
    'Sandbox',
    'SANDBOX',
    'sandbox ',
    'Test',
    'prod',
    'production',
    'LIVE',
    'live ',
    'staging',
    'true',
    '1',
  ])('is refused where it is none of the three, and nothing starts: "%s"', (name) => {
    expect(refusal({ ...live, PURSER_ALLOW_LIVE: 'true', PURSER_ENVIRONMENT: name })).toBe(
      'The environment must be "sandbox", "test" or "live": correct PURSER_ENVIRONMENT or `environment`.',
    );
  });

  it.each([undefined, '', 'yes', '1', 'TRUE', 'false'])('is not live without a plain yes: %s', (allowed) => {
    expect(refusal({ ...live, PURSER_ENVIRONMENT: 'live', PURSER_ALLOW_LIVE: allowed })).toMatch(
      /^(The environment "live" needs PURSER_ALLOW_LIVE=true|PURSER_ALLOW_LIVE must be "true" or "false")/,
    );
  });

  it('with money behind it needs an address, credentials and a merchant, and says all that is missing at once', () => {
    expect(refusal({ PURSER_ENVIRONMENT: 'test' })).toBe(
      'The environment "test" needs PURSER_BASE_URL, PURSER_MERCHANT_ID, PURSER_KEY_ID, PURSER_SHARED_SECRET_FILE and `merchant` in purser.config.yaml.',
    );
  });
});

describe('a variable that begins like a setting', () => {
  it.each([
    ['PURSER_ENV', 'live', 'PURSER_ENVIRONMENT'],
    ['PURSER_PORTT', '3', 'PURSER_PORT'],
    ['PURSER_EXCLUDE_TOOL', 'enroll_card', 'PURSER_EXCLUDE_TOOLS'],
    ['PURSER_VAULT_KEY', '/run/key', 'PURSER_VAULT_KEY_FILE'],
    ['PURSER_DATA_', '/data', 'PURSER_DATA'],
    ['PURSER_READ_ONLY', 'true', undefined],
    ['PURSER_', '', undefined],
  ])('and is none keeps Purser from starting: %s', async (name, value, meant) => {
    const said = refusal({ [name]: value });
    expect(said).toMatch(new RegExp(`^There is no variable ${name}: `));
    expect(/did you mean (\w+)\?/.exec(said)?.[1]).toBe(meant);
    await expect(loadConfiguration({ [name]: value })).rejects.toThrow(said);
    for (const command of [['mcp'], ['serve', '--port', '0'], ['operations', 'list']])
      expect(await run([...command, '--data', ':memory:'], { env: { [name]: value } })).toEqual({
        code: 2,
        out: '',
        err: `purser: ${said}\n`,
      });
    const { code, value: found } = await runJson(['doctor', '--data', ':memory:'], { env: { [name]: value } });
    expect([code, found.sound, JSON.stringify(found)]).toEqual([1, false, expect.stringContaining(said)]);
  });

  it('leaves no secret in the environment, and repeats no value', () => {
    const env = { ...live, PURSER_SHARED_SECRE: 'c2VjcmV0LXNlY3JldA==' };
    expect(refusal(env)).not.toContain('c2VjcmV0');
    expect(() => readConfiguration(env)).toThrow(BadConfiguration);
    expect(env).not.toHaveProperty('PURSER_SHARED_SECRET');
  });

  it("may be one of the project's own scripts, or another program's", () => {
    expect(read({ PURSER_MUTATED: 'code', PURSERS: 'two', DATABASE: 'x' }).environment).toBe('sandbox');
  });
});

it('has a sandbox of its own in the sandbox alone: elsewhere there is none whose clock could be moved', async () => {
  const opened = async (environment: 'sandbox' | 'test' | 'live', sandboxUrl?: string) => {
    const merchant = { name: 'Shop', country: 'GB', url: 'https://shop.example.com' };
    const given = { ...read(live), environment, sandboxUrl, merchant };
    const running = await compose(given);
    await running.close();
    return running.sandbox !== undefined;
  };
  expect(await Promise.all([opened('sandbox'), opened('test'), opened('live')])).toEqual([true, false, false]);
  expect(await opened('sandbox', 'http://127.0.0.1:1')).toBe(false);
});

it('takes the shared secret out of the environment, however the reading ends', () => {
  for (const name of ['sandbox', 'nowhere']) {
    const env = { ...live, PURSER_ENVIRONMENT: name };
    try {
      readConfiguration(env, { data: ':memory:' });
    } catch {
      // It is looked at below all the same.
    }
    expect(env).not.toHaveProperty('PURSER_SHARED_SECRET');
  }
});
