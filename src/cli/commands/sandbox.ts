import { sandboxSeed } from '../../sandbox/seed.ts';
import { serveSandbox } from '../../sandbox/serve.ts';
import { wallClock } from '../compose.ts';
import { BadConfiguration, portIn } from '../config.ts';
import type { Common } from '../main.ts';
import { openSandbox } from '../open-resources.ts';
import { say, sayJson, tell } from '../output.ts';
import { configured, failed, onStop } from '../session.ts';

/** Beside the default port of `purser serve`, so that both run at once. */
const sandboxPort = '8378';

/** `purser sandbox`: the platform alone, for any HTTP client and for `PURSER_SANDBOX_URL`. */
export async function sandbox({
  json,
  port = sandboxPort,
  ...options
}: Common & { readonly port?: string }): Promise<number> {
  process.env.PURSER_ENVIRONMENT = 'sandbox'; // whatever else is configured: the platform alone needs none of it
  const configuration = await configured(options);
  const number = portIn(port, '--port');
  const world = await openSandbox(configuration, wallClock);
  try {
    const served = await serveSandbox(world, { port: number, onFailure: failed }).catch((error: unknown) => {
      // It says in one sentence why a port can't be had; there is nothing else that it does.
      throw new BadConfiguration(error instanceof Error ? error.message : "The port can't be had.", { cause: error });
    });
    const { merchantId, keyId, secret } = sandboxSeed.credentials;
    const stopped = new Promise<void>((resolve) => onStop(resolve));
    if (json) sayJson({ url: served.url, merchantId, keyId, secret });
    else
      say(`The sandbox platform is at ${served.url}

  Merchant id    ${merchantId}
  Key id         ${keyId}
  Shared secret  ${secret}  (worth nothing: everybody's sandbox has it)
  Data           ${configuration.data}
  Control        ${served.url}/sandbox/clock, /faults, /fixtures, /cards/ID/verify, /reset, /snapshot, /effects

Purser uses it with PURSER_SANDBOX_URL=${served.url}. To stop: Ctrl+C.`);
    await stopped;
    await served.close();
    tell('stopped.');
    return 0;
  } finally {
    await world.close();
  }
}
