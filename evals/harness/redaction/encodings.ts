// Encodings in which a secret could leak; a search for the plain text would miss them.

/** Every encoding that is searched for, by name. */
export const encodings: Readonly<Record<string, (secret: string) => string>> = {
  plain: (it) => it,
  'in groups of four': (it) => groups(it, ' '),
  'in groups with dashes': (it) => groups(it, '-'),
  'letter by letter': (it) => [...it].join(' '),
  reversed: (it) => [...it].toReversed().join(''),
  base64: (it) => Buffer.from(it).toString('base64').replace(/=+$/, ''),
  'base64 of the reverse': (it) =>
    Buffer.from([...it].toReversed().join(''))
      .toString('base64')
      .replace(/=+$/, ''),
  base64url: (it) => Buffer.from(it).toString('base64url'),
  'base64 twice': (it) => Buffer.from(Buffer.from(it).toString('base64')).toString('base64').replace(/=+$/, ''),
  hex: (it) => Buffer.from(it).toString('hex'),
  'capital hex': (it) => Buffer.from(it).toString('hex').toUpperCase(),
  'hex with blanks': (it) => (Buffer.from(it).toString('hex').match(/../g) ?? []).join(' '),
  'percent of every byte': (it) =>
    (Buffer.from(it).toString('hex').match(/../g) ?? []).map((byte) => `%${byte}`).join(''),
  'percent as addresses have it': (it) => encodeURIComponent(it),
  'HTML entities': (it) => [...it].map((sign) => `&#${sign.codePointAt(0)};`).join(''),
  'HTML hex entities': (it) => [...it].map((sign) => `&#x${hex(sign, 2)};`).join(''),
  'JavaScript escapes': (it) => [...it].map((sign) => `\\u${hex(sign, 4)}`).join(''),
  'JSON in JSON': (it) => JSON.stringify(JSON.stringify(it)).slice(3, -3),
  'full width': (it) => it.replace(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0)),
  rot13: (it) => it.replace(/[a-z]/gi, rotate),
  'character codes': (it) => [...it].map((sign) => sign.codePointAt(0)).join(','),
};

const hex = (sign: string, digits: number): string => (sign.codePointAt(0) ?? 0).toString(16).padStart(digits, '0');
const groups = (text: string, between: string): string => (text.match(/.{1,4}/gs) ?? []).join(between);
const rotate = (letter: string): string => {
  const base = letter <= 'Z' ? 65 : 97;
  return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
};

/** Size of the cache: worlds are deterministic, so the same secrets recur. */
const mostRemembered = 256;
const remembered = new Map<string, ReadonlyMap<string, string>>();

/** The encodings of a secret, without duplicates. */
export function formsOf(secret: string): ReadonlyMap<string, string> {
  const known = remembered.get(secret);
  if (known !== undefined) return known;
  const forms = new Map<string, string>();
  for (const [name, encode] of Object.entries(encodings)) {
    const form = encode(secret);
    if (!forms.has(form)) forms.set(form, name);
  }
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(secret, forms);
  return forms;
}
