import { describe, expect, it } from 'vitest';
import { BadConfiguration } from '../../src/cli/bad-configuration.ts';
import { loadConfiguration } from '../../src/cli/config.ts';
import { deliveriesOf } from '../../src/cli/deliveries.ts';
import { accountsOf } from '../../src/cli/tenants.ts';
import { isSigned, parse } from '../../src/core/webhook-signature.ts';
import { fileWith, folder, runJson } from './cli.ts';
import { keys, signatureOf } from './deliveries.ts';

// The keys of deliveries come from files or from the environment, and nothing shows them.

const { now, next } = keys;
const filed = (...all: readonly { readonly keyId: string; readonly key: string }[]) => ({
  webhooks: { keys: all.map(({ keyId, key }) => ({ keyId, keyFile: fileWith(`${key}\n`) })) },
});
const load = (settings: object, env: NodeJS.ProcessEnv = {}) =>
  loadConfiguration({ ...env, PURSER_CONFIG: fileWith(JSON.stringify(settings)) }, { data: ':memory:' });
const fault = async (settings: object, env: NodeJS.ProcessEnv = {}): Promise<string> => {
  const thrown = await load(settings, env).catch((error: unknown) => error);
  return thrown instanceof BadConfiguration ? thrown.message : `no BadConfiguration: ${String(thrown)}`;
};

/** Which of the keys of these tests a configuration takes deliveries with. */
async function opening(configuration: Awaited<ReturnType<typeof load>>): Promise<readonly string[]> {
  const deliveries = deliveriesOf(configuration);
  const found = [];
  for (const name of ['now', 'next'] as const) {
    const signature = parse(signatureOf('body', 1, name));
    const key = await deliveries?.keyOf(keys[name].keyId);
    if (key !== undefined && signature !== null && isSigned(key, 'body', signature)) found.push(name);
  }
  return found;
}

describe('the keys of deliveries', () => {
  it('come from files, several at once, or from the environment, which is cleared', async () => {
    const env = { PURSER_WEBHOOK_KEYS: `${next.keyId.toUpperCase()}=${next.key}` };
    expect([
      await opening(await load(filed(now))),
      await opening(await load(filed(now, next))),
      await opening(await load({}, env)),
      await opening(await load(filed(now), { ...env })),
      deliveriesOf(await load({})),
    ]).toEqual([['now'], ['now', 'next'], ['next'], ['now', 'next'], undefined]);
    const given: NodeJS.ProcessEnv = { ...env, PURSER_DATA: ':memory:', PURSER_ENVIRONMENT: 'nowhere' };
    await expect(loadConfiguration(given)).rejects.toThrow(BadConfiguration);
    expect(given.PURSER_WEBHOOK_KEYS).toBeUndefined();
  });

  it('are told wrong without being quoted', async () => {
    const short = { ...now, key: 'c2hvcnQ=' };
    const told = [
      await fault(filed(short)),
      await fault(filed({ ...now, key: 'no Base64 at all, and long enough' })),
      await fault(filed({ ...now, key: '' })),
      await fault({}, { PURSER_WEBHOOK_KEYS: now.key }),
      await fault({}, { PURSER_WEBHOOK_KEYS: `${now.keyId}=${short.key}` }),
    ];
    expect(told.map((text) => /copy the key|PURSER_WEBHOOK_KEYS must be/.test(text))).toEqual(told.map(() => true));
    expect(told.filter((text) => [now.key, short.key, 'long enough'].some((key) => text.includes(key)))).toEqual([]);
    expect(await fault(filed(now, now))).toMatch(/is given twice/);
    expect(await fault({ webhooks: { keys: [{ keyId: 'x', keyFile: 'y' }] } })).toMatch(/webhooks\.keys\.0\.keyId/);
    expect(await fault({ webhooks: { keys: [{ keyId: now.keyId, keyFile: '/nowhere' }] } })).toMatch(
      /webhook key file/,
    );
  });

  it('are each tenant’s own', async () => {
    const tenants = { ada: filed(now), bo: filed(next) };
    const one = await load({ tenants });
    expect(await opening(one)).toEqual(['now']);
    expect(await opening(await load({ tenants, tenant: 'bo' }))).toEqual(['next']);
    const shared = await load({ tenants: { ada: filed(now), bo: filed(now) } });
    expect(() => accountsOf(shared)).toThrow(/Two tenants have one webhook key/);
    expect(await fault({ tenants, ...filed(now) })).toMatch(/move .*`webhooks` into them/);
    expect(await fault({ tenants }, { PURSER_WEBHOOK_KEYS: `${now.keyId}=${now.key}` })).toMatch(/into them/);
  });

  it('are counted by the doctor, which shows none', async () => {
    const about = async (env: NodeJS.ProcessEnv) => {
      const { value } = await runJson(['doctor', '--data', folder()], { env });
      expect(JSON.stringify(value)).not.toContain(now.key);
      return value.findings.find((it: { about: string }) => it.about === 'webhooks');
    };
    expect(await about({ PURSER_WEBHOOK_KEYS: `${now.keyId}=${now.key}` })).toMatchObject({
      verdict: 'ok',
      found: '1 key; deliveries are taken at POST /webhooks/platform',
    });
    expect(await about({ PURSER_CONFIG: fileWith(JSON.stringify(filed(now, next))) })).toMatchObject({
      found: '2 keys; deliveries are taken at POST /webhooks/platform',
    });
    expect(await about({})).toMatchObject({ verdict: 'ok', found: "the sandbox's own key" });
  });
});
