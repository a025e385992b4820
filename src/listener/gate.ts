import { fault } from './reply.ts';

/** Names of this machine. Accepting only these protects against DNS rebinding. */
export const loopback: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** A host name or address with an optional port. */
const hostShape = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/;

/** Whether a `Host` is one of ours: an entry names a host on any port, or a host and its port. */
export function isOurHost(host: string, hosts: readonly string[]): boolean {
  const [whole, name] = hostShape.exec(host.toLowerCase()) ?? [];
  return whole !== undefined && name !== undefined && (hosts.includes(name) || hosts.includes(whole));
}

/** Whether a page of this origin may call: our own, or a configured one. Only browsers send an origin. */
export function isOurOrigin(origin: string, host: string, origins: readonly string[]): boolean {
  return origins.includes(origin) || ['http', 'https'].some((scheme) => origin === `${scheme}://${host.toLowerCase()}`);
}

/** Refuses (403) a request to another host, or from a page of another origin. Every server of Purser checks this first. */
export function refuseForeign(
  request: Request,
  hosts: readonly string[],
  origins: readonly string[],
): Response | undefined {
  // A request line with an absolute URL may name another host than the header: both must be ours.
  const { host: addressed } = new URL(request.url);
  const host = request.headers.get('host') ?? addressed;
  if (!isOurHost(host, hosts) || !isOurHost(addressed, hosts))
    return forbidden('Requests to this host are not accepted.', 'Host');
  const origin = request.headers.get('origin');
  if (origin !== null && !isOurOrigin(origin, host, origins))
    return forbidden('Requests from this origin are not allowed.', 'Origin');
  return undefined;
}

const forbidden = (message: string, field: string): Response => fault(403, { code: 'FORBIDDEN', message, field });
