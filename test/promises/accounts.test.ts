import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BadConfiguration } from '../../src/cli/bad-configuration.ts';
import { compose } from '../../src/cli/compose.ts';
import { loadConfiguration } from '../../src/cli/config.ts';
import type { Configuration } from '../../src/cli/configuration.ts';
import { checkLedger } from '../../src/cli/doctor/ledger.ts';
import type { Options } from '../../src/cli/options.ts';
import { createSandbox, sandboxSeed } from '../../src/sandbox/index.ts';
import { plan } from '../engine/billing.ts';
import { begins, countingIds } from '../engine/support.ts';
import { folder } from '../support/folder.ts';

// A ledger and the account that its rows are of. Two processes can have one data folder, which is the usual one of a user, and each its own
// merchant or platform.

interface Given {
  readonly data: string;
  readonly merchantId?: string;
  readonly keyId?: string;
  readonly baseUrl?: string;
  readonly tenant?: string;
  readonly environment?: 'sandbox' | 'test';
}

const own = sandboxSeed.credentials;

/** The configuration as `purser serve` reads it. */
async function configured(given: Given, options: Options = {}): Promise<Configuration> {
  const { data, merchantId = own.merchantId, keyId = own.keyId, tenant = 'default', environment = 'test' } = given;
  const path = join(folder(), 'purser.config.yaml');
  const { baseUrl = 'https://platform.example.com' } = given;
  const file = { environment, baseUrl, merchant: sandboxSeed.merchant, toolsets: ['all'] };
  writeFileSync(path, JSON.stringify(file), { mode: 0o600 });
  const around = {
    ...{ PURSER_CONFIG: path, PURSER_DATA: data, PURSER_STATE: join(data, 'state'), PURSER_TENANT: tenant },
    ...{ PURSER_MERCHANT_ID: merchantId, PURSER_KEY_ID: keyId, PURSER_SHARED_SECRET: own.secret },
  };
  return loadConfiguration(around, options);
}

/** A started Purser, and what it sends. */
async function starting(given: Given, options: Options = {}) {
  const { merchantId = own.merchantId, keyId = own.keyId } = given;
  const clock = { now: () => begins };
  const sent: string[] = [];
  const sandbox = createSandbox({ file: ':memory:', clock, frozenAt: begins, merchant: { ...own, merchantId, keyId } });
  onTestFinished(() => sandbox.close());
  const running = await compose(await configured(given, options), {
    ...{ clock, ids: countingIds(), frozenAt: begins },
    platform: () => (request) => {
      sent.push(new URL(request.url).pathname);
      return sandbox.handle(request);
    },
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= running.close();
    return closing;
  };
  onTestFinished(close);
  return { running: { ...running, close }, sent };
}

/** What the doctor finds wrong with the ledger, and what it says to do. */
const faultsIn = async (configuration: Configuration) =>
  (await checkLedger(configuration)).flatMap(({ about, verdict, todo }) => (verdict === 'fail' ? [[about, todo]] : []));

const planIn = ({ running }: Awaited<ReturnType<typeof starting>>, tenant = 'default') =>
  running.engine.call('create_plan', plan({ reference: 'plan-of-ours' }), { tenant, principal: 'agent' });

const others = [
  ['another merchant', { merchantId: 'elsewhere_test' }],
  ['another platform', { baseUrl: 'https://elsewhere.example.com' }],
] as const;

describe.each(others)('a ledger with the rows of one account, opened for %s', (_, other) => {
  it('is refused while it is used and later, and the doctor says why', async () => {
    const data = folder();
    const one = await starting({ data });
    expect(await planIn(one)).toMatchObject({ outcome: 'done' });
    await expect(starting({ data, ...other })).rejects.toThrow(BadConfiguration);
    await one.running.close();
    const refusal = await starting({ data, ...other }).catch((error: Error) => error.message);
    expect(refusal).toContain('--init-account');
    expect(await faultsIn(await configured({ data, ...other }))).toEqual([['account', refusal]]);
    expect(await faultsIn(await configured({ data }))).toEqual([]);
    // Whose it is serves it as before.
    expect(await planIn(await starting({ data }))).toMatchObject({ outcome: 'done', replayed: true });
  });

  it('is refused to one of two first starts at once', async () => {
    const data = folder();
    const both = await Promise.allSettled([starting({ data }), starting({ data, ...other })]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is its own from a start on with --init-account, which the audit tells', async () => {
    const data = folder();
    await (await starting({ data })).running.close();
    const { running } = await starting({ data, ...other }, { initAccount: true });
    const { rows } = await running.ledger.transaction('default', (tx) => tx.audit.list({ limit: 10 }));
    const { merchantId = own.merchantId, baseUrl: platform = 'https://platform.example.com' }: Partial<Given> = other;
    expect(rows.filter(({ event }) => event === 'account').map(({ body }) => body)).toEqual([
      { merchantId, platform },
      { merchantId: own.merchantId, platform: 'https://platform.example.com' },
    ]);
    expect(await running.ledger.verify()).toMatchObject({ ok: true });
    await running.close();
    await (await starting({ data, ...other })).running.close();
    await expect(starting({ data })).rejects.toThrow(BadConfiguration);
  });

  it('serves it as another tenant', async () => {
    const data = folder();
    const one = await starting({ data });
    expect(await planIn(one)).toMatchObject({ outcome: 'done' });
    const two = await starting({ data, ...other, tenant: 'elsewhere' });
    const answer = await planIn(two, 'elsewhere');
    expect([answer.outcome, 'replayed' in answer]).toEqual(['done', false]);
    expect(two.sent.length).toBeGreaterThan(0);
  });
});

it('a new key of the same account opens its ledger', async () => {
  const data = folder();
  await (await starting({ data })).running.close();
  await starting({ data, keyId: '00000000-0000-4000-8000-00000000beef' });
});

it('the ledger of a sandbox is opened with whichever sandbox is configured', async () => {
  const data = folder();
  await (await starting({ data, environment: 'sandbox' })).running.close();
  await starting({ data, environment: 'sandbox', merchantId: 'elsewhere_test' });
});
