import { opens, type Role, type Tokens } from '../engine/access.ts';
import { fault } from './reply.ts';

/** Names of this machine, which a page of another site can't take: the guard against DNS rebinding. */
export const loopback: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** A host name or address with an optional port, and nothing else. */
const hostShape = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/;

/** Whether a `Host` is one of ours: an entry names a host on any port, or a host and its port. */
export function isOurHost(host: string, hosts: readonly string[]): boolean {
  const [whole, name] = hostShape.exec(host.toLowerCase()) ?? [];
  return whole !== undefined && name !== undefined && (hosts.includes(name) || hosts.includes(whole));
}

/** Whether a page of this origin may call: one of our own, or one that was named. Only browsers send an origin. */
export function isOurOrigin(origin: string, host: string, origins: readonly string[]): boolean {
  return origins.includes(origin) || ['http', 'https'].some((scheme) => origin === `${scheme}://${host.toLowerCase()}`);
}

/** Refuses a request to another host than ours, or of a page that is not ours (403). */
export function refuseStranger(
  request: Request,
  hosts: readonly string[],
  origins: readonly string[],
): Response | undefined {
  // The address may name another host than the header, in a request line with a whole address: both must be ours.
  const { host: addressed } = new URL(request.url);
  const host = request.headers.get('host') ?? addressed;
  if (!isOurHost(host, hosts) || !isOurHost(addressed, hosts))
    return fault(403, { code: 'FORBIDDEN', message: 'This host name is not served here.', field: 'Host' });
  const origin = request.headers.get('origin');
  if (origin !== null && !isOurOrigin(origin, host, origins))
    return fault(403, { code: 'FORBIDDEN', message: 'Pages of this origin may not call.', field: 'Origin' });
  return undefined;
}

/** Refuses a request without the bearer token of its role (401). A token of another role is as wrong as none. */
export function refuseUnknown(request: Request, role: Role, tokens: Tokens): Response | undefined {
  const [, given] = /^Bearer +([\x21-\x7e]+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (given !== undefined && opens(tokens, role, given)) return undefined;
  const says = given === undefined ? '' : ', error="invalid_token"';
  return fault(
    401,
    { code: 'UNAUTHORIZED', message: `This needs the ${role}'s bearer token.`, field: 'Authorization' },
    { 'www-authenticate': `Bearer realm="purser"${says}` },
  );
}

/** What every answer says to browsers, proxies and caches. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
};
