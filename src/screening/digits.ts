/** A text without accents and invisible characters, and with look-alike letters and digits replaced by western ones. */
export const plainText = (text: string): string =>
  text
    .replace(phrases, alef)
    .normalize('NFKD')
    .replace(unseen, '')
    .replace(otherDigits, westernDigit)
    .replace(enclosedDigits, enclosedDigit);

/** Signs that normalization writes out as a phrase of up to eighteen letters, none of them a digit: one letter does. */
const phrases = /[\ufdfa\ufdfb]/g;
const alef = '\u0627';

/** Format characters and marks: accents, keycaps, variation selectors. */
const unseen = /[\p{Cf}\p{M}]/gu;
const otherDigits = /[^\P{Nd}0-9]/gu;

/**
 * Circled and boxed digits that Unicode normalization doesn't replace: the first of each row, its value, and the length
 * of the row.
 */
const enclosed: readonly (readonly [first: number, value: number, count: number])[] = [
  [0x2776, 1, 9],
  [0x2780, 1, 9],
  [0x278a, 1, 9],
  [0x24f5, 1, 9],
  [0x24ff, 0, 1],
  [0x1f10b, 0, 1],
  [0x1f10c, 0, 1],
];
const enclosedDigits = /[\u2776-\u277e\u2780-\u2788\u278a-\u2792\u24f5-\u24fd\u24ff\u{1f10b}\u{1f10c}]/gu;

function enclosedDigit(sign: string): string {
  const point = sign.codePointAt(0) ?? 0;
  const row = enclosed.find(([first, , count]) => point >= first && point < first + count);
  return row === undefined ? sign : String(row[1] + point - row[0]);
}

const westernDigits = new Map<string, string>();

/**
 * The value of a decimal digit of any script. Unicode lists the ten digits of a script in order, and those of several scripts may
 * follow one another.
 */
function westernDigit(digit: string): string {
  const known = westernDigits.get(digit);
  if (known !== undefined) return known;
  const point = digit.codePointAt(0) ?? 0;
  let first = point;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first--;
  const value = String((point - first) % 10);
  westernDigits.set(digit, value);
  return value;
}
