const ownMachine: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The origin of a base URL, for example `https://api.example.com`. Throws, without repeating the text, if the URL has
 * more than an origin, or would send requests unencrypted to another machine.
 */
export function originOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url === null || !['https:', 'http:'].includes(url.protocol))
    throw new Error('The URL does not begin with https://.');
  if (url.href !== `${url.origin}/`)
    throw new Error('The URL has more than an origin; give only scheme, host and port.');
  if (url.protocol === 'http:' && !ownMachine.includes(url.hostname))
    throw new Error('The URL would send requests unencrypted to another machine; use https.');
  return url.origin;
}
