// Business numbers that would otherwise be taken for card numbers.

/** Replaces the shop's own numbers, so they are not taken for card numbers. */
export type OwnNumbers = (text: string) => string;

/** No patterns configured. */
export const noOwnNumbers: OwnNumbers = (text) => text;

/**
 * Whether a pattern is valid: `#` means a digit, other characters are literal. It needs a letter; otherwise it could
 * match a card number.
 */
export const isOwnNumberPattern = (pattern: string): boolean =>
  /^[\p{L}\p{N} #._:/-]{4,64}$/u.test(pattern) && /\p{L}/u.test(pattern) && pattern.includes('#');

/** Builds the replacement from the operator's patterns. */
export function ownNumbers(patterns: readonly string[]): OwnNumbers {
  if (patterns.length === 0) return noOwnNumbers;
  const bodies = patterns.map((it) => it.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replaceAll('#', '\\d'));
  const every = new RegExp(`(?<![\\p{L}\\p{N}])(?:${bodies.join('|')})(?![\\p{L}\\p{N}]|[ -]?\\d)`, 'giu');
  return (text) => text.replace(every, replaced);
}

/** What stands for an own number: a letter, so that digits around it don't meet. */
const replaced = 'x';

/** Whether a text is one of the shop's own numbers, and nothing else. */
export const isOwnNumber = (text: string, own: OwnNumbers): boolean => text !== replaced && own(text) === replaced;

/** Lengths of an IBAN by country. Source: the SWIFT IBAN registry. */
// biome-ignore format: a table
const ibanLengths: Readonly<Record<string, number>> = {
  AD: 24, AE: 23, AT: 20, BE: 16, BG: 22, CH: 21, CY: 28, CZ: 24, DE: 22, DK: 18, EE: 20, ES: 24, FI: 18, FR: 27, GB: 22,
  GI: 23, GR: 27, HR: 21, HU: 28, IE: 22, IS: 26, IT: 27, LI: 21, LT: 20, LU: 20, LV: 21, MC: 27, MT: 31, NL: 18, NO: 15,
  PL: 28, PT: 25, RO: 24, SA: 24, SE: 24, SI: 19, SK: 24, SM: 27, TR: 26,
};
const ibanStart = /(?<![\p{L}\p{N}])([a-z]{2})\d{2}(?=[ -]?[a-z0-9]{2})/giu;

/** Replaces every valid IBAN: correct length and check digits (ISO 7064, modulo 97). */
export function withoutIbans(text: string): string {
  let rest = text;
  for (const { 0: start, 1: country = '', index } of text.matchAll(ibanStart)) {
    const length = ibanLengths[country.toUpperCase()];
    const written = length === undefined ? undefined : leading(text.slice(index), length);
    if (start !== '' && written !== undefined && isIban(written.replace(/[ -]/g, '')))
      rest = rest.replace(written, 'x'.repeat(written.length));
  }
  return rest;
}

/**
 * The first `count` letters and digits of a text, with single blanks and dashes between; undefined if the text is
 * shorter or a letter or digit follows.
 */
const leading = (text: string, count: number): string | undefined =>
  new RegExp(`^(?:[a-z0-9][ -]?){${count - 1}}[a-z0-9](?![\\p{L}\\p{N}])`, 'iu').exec(text)?.[0];

function isIban(iban: string): boolean {
  const moved = `${iban.slice(4)}${iban.slice(0, 4)}`;
  let remainder = 0;
  for (const sign of moved)
    for (const digit of String(Number.parseInt(sign, 36))) remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder === 1;
}

/** Whether thirteen digits are an EAN: the weights of its check digit are 1 and 3. */
export function isArticleNumber(digits: string): boolean {
  if (digits.length !== 13) return false;
  const sum = [...digits].reduce((all, digit, place) => all + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/** Whether digits are written as a phone number: a country prefix or a leading zero, and at most the length of one. */
export function isPhoneNumber(written: string, digits: number): boolean {
  if (/^\+|^\(\+/.test(written)) return digits <= 15;
  if (/^\(?00/.test(written)) return digits <= 17;
  return /^\(?0/.test(written) && digits <= 13;
}
