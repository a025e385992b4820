import { setTimeout as sleep } from 'node:timers/promises';
import { simulatedReader } from '../../domains/device/sandbox/reader.ts';
import { isThere } from '../../files/check.ts';
import { readText } from '../../files/read.ts';
import { type AppConnection, connectApp, noCalls } from '../../reader/client.ts';
import { closings } from '../../reader/protocol.ts';
import { BadConfiguration, checkedFile } from '../bad-configuration.ts';
import { wallClock } from '../compose.ts';
import { openSandbox } from '../open-resources.ts';
import type { Common } from '../options.ts';
import { NotDone, sayJson, tell } from '../output.ts';
import { configured, onStop } from '../session.ts';
import { tokenFile } from '../tokens.ts';

/** Milliseconds until the app connects again, at first and at most; the pause doubles each time. Own choice. */
const firstPause = 500;
const longestPause = 30_000;

/** What to do about a refusal, by its status. After any other, the app tries again. */
const refusals: Readonly<Record<number, string>> = {
  401: 'it does not know the token. Name the data folder of that "purser serve" with --data, or its reader.token with --token.',
  403: 'it does not take this host. Name the host in --url as that "purser serve" does when it starts.',
  404: 'it serves no card reader there. Name the address of "purser serve" with --url, such as ws://127.0.0.1:8377/reader.',
};

/** Throws BadConfiguration for an address that no WebSocket opens. */
function addressOf(url: string): string {
  const { protocol, hash } = URL.parse(url) ?? {};
  if (['ws:', 'wss:', 'http:', 'https:'].includes(protocol ?? '') && hash === '') return url;
  throw new BadConfiguration('--url must be a WebSocket address, such as ws://127.0.0.1:8377/reader.');
}

/** `purser serve` writes the token, so it has to come first. */
function tokenAt(file: string): string {
  if (!isThere(file))
    throw new NotDone(
      `There is no token in ${file}: start "purser serve" first, with the same --data, or name its reader.token with --token.`,
    );
  return checkedFile(() => readText('token', file)).trim();
}

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
    url: url !== undefined ? addressOf(url) : `ws://127.0.0.1:${configuration.port}/reader`,
    token: tokenAt(file ?? tokenFile(configuration, 'reader')),
  };
  const sandbox = await openSandbox(configuration, wallClock);
  const stopping = new AbortController();
  const calls = noCalls();
  let app: AppConnection | undefined;
  onStop(() => {
    stopping.abort();
    app?.close();
  });
  try {
    for (let pause = firstPause; !stopping.signal.aborted; pause = Math.min(pause * 2, longestPause)) {
      const onWelcome = (): void => {
        pause = firstPause;
        if (json) sayJson({ connected: to.url });
        else tell(`connected to ${to.url}.`);
      };
      app = connectApp(to, simulatedReader(sandbox), onWelcome, calls);
      const { code, refused } = await app.closed;
      if (code === closings.replaced.code) throw new NotDone(`${closings.replaced.reason}`);
      const why = refusals[refused ?? 0];
      if (why !== undefined) throw new NotDone(`${to.url} refuses the connection: ${why}`);
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
