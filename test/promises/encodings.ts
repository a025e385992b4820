/** Ways in which a secret may lie in bytes or text. A canary is looked for in every one of them. */
export const encodings: { readonly [name: string]: (secret: string) => string | Buffer } = {
  plain: (it) => it,
  spaced: (it) => [...it].join(' '),
  dashed: (it) => [...it].join('-'),
  'groups of four, spaced': (it) => groups(it).join(' '),
  'groups of four, dashed': (it) => groups(it).join('-'),
  'groups of four, dotted': (it) => groups(it).join('.'),
  reversed: (it) => [...it].toReversed().join(''),
  base64: (it) => Buffer.from(it).toString('base64').replace(/=+$/, ''),
  base64url: (it) => Buffer.from(it).toString('base64url'),
  'base64, one byte later': (it) => Buffer.from(`x${it}`).toString('base64').slice(2, -4),
  'base64, two bytes later': (it) => Buffer.from(`xx${it}`).toString('base64').slice(3, -4),
  hex: (it) => Buffer.from(it).toString('hex'),
  'upper-case hex': (it) => Buffer.from(it).toString('hex').toUpperCase(),
  'URL-encoded in full': (it) => [...Buffer.from(it)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'URL-encoded': (it) => encodeURIComponent(it),
  'UTF-16, little-endian': (it) => Buffer.from(it, 'utf16le'),
  'UTF-16, big-endian': (it) => Buffer.from(it, 'utf16le').swap16(),
  'full-width': (it) => it.replace(/[!-~]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)),
  'JSON in JSON': (it) => JSON.stringify(JSON.stringify(it)).slice(3, -3),
  'HTML entities': (it) => [...it].map((letter) => `&#${letter.codePointAt(0)};`).join(''),
  'JSON escapes': (it) =>
    [...it].map((letter) => `\\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`).join(''),
  'lower case': (it) => it.toLowerCase(),
  'upper case': (it) => it.toUpperCase(),
};

const groups = (it: string): readonly string[] => it.match(/.{1,4}/g) ?? [];

/** A place that secrets must not reach, and all that got there. */
export interface Sink {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface Hit {
  readonly sink: string;
  readonly canary: string;
  readonly encoding: string;
}

/**
 * Looks for every canary, in every encoding, in every sink; counts the searches. Each sink is walked through once, four bytes at
 * a time, and only where these may begin a needle is it compared.
 */
export function search(sinks: readonly Sink[], canaries: { readonly [name: string]: string }) {
  const needles = new Map<number, { readonly canary: string; readonly encoding: string; readonly bytes: Buffer }[]>();
  const begins = new Uint8Array(2 ** 18);
  for (const [canary, secret] of Object.entries(canaries))
    for (const [encoding, encode] of Object.entries(encodings)) {
      const bytes = Buffer.from(encode(secret));
      if (bytes.length < 4) throw new Error(`${canary} is too short to be looked for.`);
      const four = bytes.readInt32BE();
      const alike = needles.get(four);
      if (alike === undefined) needles.set(four, [{ canary, encoding, bytes }]);
      else alike.push({ canary, encoding, bytes });
      begins[slot(four)] = 1;
    }
  const hits: Hit[] = [];
  for (const { name, bytes } of sinks) {
    let four = 0;
    for (let at = 0; at < bytes.length; at++) {
      four = (four << 8) | (bytes[at] ?? 0);
      if (begins[slot(four)] === 0 || at < 3) continue;
      for (const needle of needles.get(four) ?? [])
        if (
          bytes.subarray(at - 3, at - 3 + needle.bytes.length).equals(needle.bytes) &&
          !isChance(bytes, at - 3, needle.bytes.length)
        )
          hits.push({ sink: name, canary: needle.canary, encoding: needle.encoding });
    }
  }
  return { hits, searches: sinks.length * Object.keys(canaries).length * Object.keys(encodings).length };
}

/** Eight digits also stand by chance in longer numbers, of which a long search meets many: no digit stands beside a code. */
const isChance = (bytes: Buffer, start: number, length: number): boolean =>
  length <= shortest && (isDigit(bytes[start - 1]) || isDigit(bytes[start + length]));
const shortest = 8;
const isDigit = (byte = 0): boolean => byte >= 0x30 && byte <= 0x39;

/** Four bytes as a place in a table of 2^18: what stands close together lies far apart there. */
const slot = (four: number): number => Math.imul(four, 0x9e3779b1) >>> 14;
