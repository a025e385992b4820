import { sandboxSeed } from '../../sandbox/seed.ts';
import { serveSandbox } from '../../sandbox/serve.ts';
import { BadConfiguration } from '../bad-configuration.ts';
import { wallClock } from '../compose.ts';
import { portIn } from '../environment.ts';
import { openSandbox } from '../open-resources.ts';
import type { Common } from '../options.ts';
import { failed, say, sayJson, tell } from '../output.ts';
import { delivering } from '../sandbox-deliveries.ts';
import { configured, onStop } from '../session.ts';

/** Differs from the default port of `purser serve`, so both can run. */
const sandboxPort = '8378';

/** `purser sandbox`: the platform alone, for any HTTP client and for `PURSER_SANDBOX_URL`. */
export async function sandbox({
  json,
  port = sandboxPort,
  ...options
}: Common & { readonly port?: string }): Promise<number> {
  process.env.PURSER_ENVIRONMENT = 'sandbox'; // the sandbox needs no other configuration
  const configuration = await configured(options);
  const number = portIn(port, '--port');
  const world = delivering(await openSandbox(configuration, wallClock), failed);
  try {
    const served = await serveSandbox(world, { port: number, onFailure: failed }).catch((error: unknown) => {
      // The message says why the port is unavailable. There is nothing to add.
      throw new BadConfiguration(error instanceof Error ? error.message : 'The port is unavailable.', { cause: error });
    });
    const { merchantId, keyId, secret } = sandboxSeed.credentials;
    const stopped = new Promise<void>((resolve) => onStop(resolve));
    if (json) sayJson({ url: served.url, merchantId, keyId, secret });
    else
      say(`The sandbox platform is at ${served.url}

  Merchant id    ${merchantId}
  Key id         ${keyId}
  Shared secret  ${secret}  (not secret: the same in every sandbox)
  Data           ${configuration.data}
  Control        ${served.url}/sandbox/clock, /faults, /fixtures, /cards/ID/verify, /webhooks, /deliveries, /reset, /snapshot, /effects

Purser uses it with PURSER_SANDBOX_URL=${served.url}. To stop: Ctrl+C.`);
    await stopped;
    await served.close();
    tell('stopped.');
    return 0;
  } finally {
    await world.close();
  }
}
