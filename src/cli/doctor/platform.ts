import { createHttpPlatform } from '../../client/platform.ts';
import { limits } from '../../core/limits.ts';
import { wallClock } from '../compose.ts';
import type { Configuration } from '../configuration.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Whether the platform answers and its clock agrees with ours. The embedded sandbox is always reachable. */
export async function checkPlatform({ environment, baseUrl, sandboxUrl }: Configuration): Promise<readonly Finding[]> {
  const url = environment === 'sandbox' ? sandboxUrl : baseUrl;
  if (url === undefined) return [];
  const answer = await ask(url);
  if (answer === undefined)
    return [
      fail(
        'platform',
        `${url} does not answer`,
        environment === 'sandbox'
          ? 'Start "purser sandbox", or correct PURSER_SANDBOX_URL.'
          : 'Check the network, the certificate and PURSER_BASE_URL.',
      ),
    ];
  return [ok('platform', `${url} answers`), ...skew(answer)];
}

/** Asks as calls do, so a certificate that they refuse is refused here, too. The request is unsigned: any response will do. */
async function ask(baseUrl: string): Promise<{ readonly date: number; readonly here: number } | undefined> {
  const platform = createHttpPlatform({
    baseUrl,
    timeouts: { ...limits, headersMilliseconds: limits.connectMilliseconds },
  });
  try {
    const { headers } = await platform(new Request(baseUrl, { method: 'HEAD', redirect: 'manual' }));
    return { date: Date.parse(headers.get('date') ?? ''), here: wallClock.now() };
  } catch {
    return undefined; // the caller reports it
  } finally {
    await platform.close();
  }
}

function skew({ date, here }: { readonly date: number; readonly here: number }): readonly Finding[] {
  if (Number.isNaN(date)) return [];
  const seconds = Math.round(Math.abs(here - date) / 1000);
  const found = `${seconds} s from the platform's clock`;
  const todo = `Set this machine's clock: beyond ${limits.skewSeconds} seconds Purser moves no money, and beyond ${limits.signatureMinutes} minutes the platform rejects signatures.`;
  if (seconds > limits.signatureMinutes * 60) return [fail('clock skew', found, todo)];
  return [seconds > limits.skewSeconds ? warn('clock skew', found, todo) : ok('clock skew', found)];
}
