import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { compose } from '../../src/cli/compose.ts';
import { loadConfiguration } from '../../src/cli/config.ts';
import { simulatedReader } from '../../src/domains/device/sandbox/reader.ts';
import { sandboxPasskey } from '../../src/domains/passkey/settings.ts';
import { registerShopper } from '../../src/engine/register.ts';
import { readerTransport } from '../../src/reader/transport.ts';
import { createSandbox, sandboxSeed } from '../../src/sandbox/index.ts';
import { begins, countingIds, type World, worldOf } from '../engine/support.ts';
import { folder } from '../support/folder.ts';
import { openTestLedger } from '../support/ledger.ts';

// Purser in each environment, from a configuration file as an operator writes it. A sandbox stands in for the platform.

export const environments = ['sandbox', 'test', 'live'] as const;
export type Environment = (typeof environments)[number];

/** A world in an environment; `settings` are further settings of the file. */
export async function worldIn(environment: Environment, settings: object = {}): Promise<World> {
  const path = join(folder(), 'purser.config.yaml');
  const { merchant } = sandboxSeed;
  const { tokenRequesterId, relationshipId } = sandboxPasskey;
  const passkey = { tokenRequesterId, relationshipId };
  const real = { baseUrl: 'https://sandbox.purser.test', allowLive: true, merchant, passkey, profile: 'full' };
  const file = { environment, toolsets: ['all'], ...(environment === 'sandbox' ? {} : real), ...settings };
  writeFileSync(path, stringify(file), { mode: 0o600 });
  const configuration = await loadConfiguration({
    PURSER_CONFIG: path,
    PURSER_DATA: ':memory:',
    PURSER_MERCHANT_ID: sandboxSeed.credentials.merchantId,
    PURSER_KEY_ID: sandboxSeed.credentials.keyId,
    PURSER_SHARED_SECRET: sandboxSeed.credentials.secret,
  });
  const clock = { now: () => begins };
  const sandbox = createSandbox({ file: ':memory:', clock, frozenAt: begins });
  const running = await compose(configuration, {
    ...{ clock, ids: countingIds(), frozenAt: begins, ledger: openTestLedger },
    platform: () => (request) => sandbox.handle(request),
    reader: () => readerTransport(simulatedReader(sandbox)),
  });
  onTestFinished(async () => {
    await running.close();
    await sandbox.close();
  });
  for (const [handle, session] of Object.entries(sandboxSeed.shoppers))
    await registerShopper(running.engine.parts, 'default', { handle, ...session });
  return worldOf({ ...running, sandbox, sandboxes: new Map([['default', sandbox]]) });
}
