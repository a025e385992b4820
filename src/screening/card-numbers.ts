import { cardLengths, isCardNumber, luhnSums, mostCardDigits } from './issuers.ts';
import { isArticleNumber, isPhoneNumber, withoutIbans } from './look-alikes.ts';

/** Digits with up to six non-letters between any two: a possible card number. */
const run = /(?:\(?\+)?\d(?:[^\p{L}\p{N}]{0,6}\d){12,}/gu;
/** Separates the members of a list: a comma, a semicolon, or more than two other non-letters. */
const listSign = /[^\p{L}\p{N}]*[,;|\n][^\p{L}\p{N}]*|[^\p{L}\p{N}]{3,6}/u;
/** A list of amounts with two decimals each. */
const sums = /^\d{1,7}[.,]\d\d(?:[^\d.]{1,6}\d{1,7}[.,]\d\d)+$/;
/** A list of amounts with four digits each, which together may be the groups of a card number. */
const fours = /^\d\d[.,]\d\d(?:[^\d.]{1,6}\d\d[.,]\d\d)+$/;
/** A word between two groups of digits when somebody reads a number out. */
const spokenJoint =
  /(?<=\d)[^\p{L}\p{N}]{1,2}(?:and|then|followed by|next|dash|hyphen|minus|space|und|dann|et|puis|tiret|y|luego|guion)[^\p{L}\p{N}]{1,2}(?=\d)/giu;

/** Whether a plain text (`plainText`) contains a card number in a usual spelling. */
export function holdsNumberIn(plain: string): boolean {
  const text = withoutIbans(plain).replace(spokenJoint, ' / ');
  for (const [digits] of text.matchAll(run)) {
    if (sums.test(digits)) {
      if (fours.test(digits) && isCardNumber(digits.replace(/\D/g, ''))) return true;
      continue;
    }
    if (digits.split(listSign).some(holdsNumber)) return true;
    if (listSign.test(digits) && holdsPrintedGroups(digits)) return true;
  }
  return false;
}

/**
 * Whether adjacent groups in a member of a list form a card number, at any offset: an expiry date may follow. Every
 * offset is checked in constant time, so the total time is linear.
 */
function holdsNumber(written: string): boolean {
  const groups = written.split(/\D+/).filter((it) => it !== '');
  const digits = groups.join('');
  const ends = new Set<number>();
  let end = 0;
  for (const group of groups) {
    end += group.length;
    ends.add(end);
  }
  // No phone number is longer. Only 13-digit card numbers are as short.
  const isPhone = isPhoneNumber(written, digits.length);
  const sumOf = luhnSums(digits);
  for (const from of [0, ...ends])
    for (const length of cardLengths(digits.slice(from, from + 4))) {
      if (!ends.has(from + length) || sumOf(from, from + length) % 10 !== 0) continue;
      const isOther = length === shortest && (isPhone || isArticleNumber(digits.slice(from, from + length)));
      if (!isOther) return true;
    }
  return false;
}

const shortest = 13;

/**
 * Whether members of a list are groups of a printed or dictated card number, all separated by the same character. Like `holdsNumber`, it
 * checks each group in constant time.
 */
function holdsPrintedGroups(written: string): boolean {
  const groups = written.split(/\D+/).filter((it) => it !== '');
  const signs = written.match(/\D+/g) ?? [];
  const digits = groups.join('');
  const sumOf = luhnSums(digits);
  let next = 0;
  return groups.some((group, from) => {
    const start = next;
    next += group.length;
    const lengths = cardLengths(digits.slice(start, start + 4));
    if (lengths.length === 0) return false;
    // What follows the number, such as its expiry, may be separated by another sign.
    const isComma = /[,;|\n]/.test(signs[from] ?? '');
    let end = start;
    for (let at = from; at < groups.length && end - start < mostCardDigits; at++) {
      if (at > from + 1 && signs[at - 1] !== signs[from]) return false;
      end += groups[at]?.length ?? 0;
      const isNumber = lengths.includes(end - start) && sumOf(start, end) % 10 === 0;
      if (isNumber && isPrinted(groups.slice(from, at + 1), isComma)) return true;
    }
    return false;
  });
}

/**
 * Groups of equal length except the last, or the groups of 14 and 15 digits. Between commas, only groups of four and
 * single digits count, because lists of phone numbers and sizes have other groups.
 */
function isPrinted(groups: readonly string[], isComma: boolean): boolean {
  const lengths = groups.map(({ length }) => length);
  if (['4,6,5', '4,6,4'].includes(lengths.join())) return true;
  const [size = 0] = lengths;
  const isLike = lengths.every((it, at) => it === size || (at === lengths.length - 1 && it < size));
  return isLike && (!isComma || size === 4 || size === 1);
}
