import { limits } from '../../core/limits.ts';
import type { Configuration } from '../configuration.ts';
import { type Finding, ok } from './finding.ts';

/** Whether the app of a card reader is connected to the `purser serve` of this machine, if there is one. */
export async function checkReader({ port }: Pick<Configuration, 'port'>): Promise<readonly Finding[]> {
  const isConnected = port === 0 ? undefined : await ask(`http://127.0.0.1:${port}/healthz`);
  if (isConnected === undefined) return [];
  return [ok('card reader', isConnected ? 'its app is connected' : 'no app is connected; docs/reader.md says how')];
}

/** No token is sent: another program may have the port. */
async function ask(url: string): Promise<boolean | undefined> {
  try {
    const signal = AbortSignal.timeout(limits.connectMilliseconds);
    const said: unknown = await (await fetch(url, { redirect: 'manual', signal })).json();
    return typeof said === 'object' && said !== null && 'reader' in said ? said.reader === 'connected' : undefined;
  } catch {
    return undefined; // nothing serves there, which is no fault
  }
}
