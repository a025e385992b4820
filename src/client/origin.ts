const ownMachine: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The origin of a base URL, for example `https://api.example.com`. Throws, without repeating the text, where it is no
 * address of a platform: it has more than an origin, or would send requests in clear to another machine.
 */
export function originOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url === null || !['https:', 'http:'].includes(url.protocol))
    throw new Error('The address does not begin with https://.');
  if (url.href !== `${url.origin}/`)
    throw new Error('The address holds more than an origin; give scheme, host and port only.');
  if (url.protocol === 'http:' && !ownMachine.includes(url.hostname))
    throw new Error('The address would send requests in clear to another machine; use https.');
  return url.origin;
}
