import { setTimeout as sleep } from 'node:timers/promises';
import { simulatedReader } from '../../domains/device/sandbox/reader.ts';
import { readText } from '../../files/read.ts';
import { type AppConnection, connectApp } from '../../reader/client.ts';
import { closings } from '../../reader/protocol.ts';
import { checkedFile } from '../bad-configuration.ts';
import { wallClock } from '../compose.ts';
import { openSandbox } from '../open-resources.ts';
import type { Common } from '../options.ts';
import { NotDone, sayJson, tell } from '../output.ts';
import { configured, onStop } from '../session.ts';
import { tokenFile } from '../tokens.ts';

/** Milliseconds until the app connects again, at first and at most; the pause doubles each time. Own choice. */
const firstPause = 500;
const longestPause = 30_000;

/**
 * `purser sandbox reader`: the simulated reader as an app of its own, which connects to `purser serve` as a merchant's app does. It
 * shares the sandbox of the data folder.
 */
export async function sandboxReader({
  json,
  url,
  token: file,
  ...options
}: Omit<Common, 'json'> & {
  readonly json?: boolean;
  readonly url?: string;
  readonly token?: string;
}): Promise<number> {
  process.env.PURSER_ENVIRONMENT = 'sandbox'; // the sandbox needs no other configuration
  const configuration = await configured(options);
  const to = {
    url: url ?? `ws://127.0.0.1:${configuration.port}/reader`,
    token: checkedFile(() => readText('token', file ?? tokenFile(configuration.data, 'reader'))).trim(),
  };
  const sandbox = await openSandbox(configuration, wallClock);
  const stopping = new AbortController();
  let app: AppConnection | undefined;
  onStop(() => {
    stopping.abort();
    app?.close();
  });
  try {
    for (let pause = firstPause; !stopping.signal.aborted; pause = Math.min(pause * 2, longestPause)) {
      app = connectApp(to, simulatedReader(sandbox), () => {
        pause = firstPause;
        if (json) sayJson({ connected: to.url });
        else tell(`connected to ${to.url}.`);
      });
      const code = await app.closed;
      if (code === closings.replaced.code) throw new NotDone(`${closings.replaced.reason}`);
      if (stopping.signal.aborted) break;
      tell(`not connected to ${to.url}; trying again.`);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    tell('stopped.');
    return 0;
  } finally {
    await sandbox.close();
  }
}
