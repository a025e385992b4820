import { decodedForms } from './decoded.ts';

/** Whether a text holds a card number, a code that is named as one, or a cryptogram, in any usual spelling. */
export const holdsCardData = (text: string): boolean =>
  worthALook.test(text) &&
  decodedForms(text).some((form) => {
    const plain = plainly(form);
    return holdsNumberIn(plain) || oneTimeCode.test(plain) || holdsCryptogram(plain);
  });

/** Whether a text holds a card number: 13 to 19 digits in any script that pass the check digit, in any usual spelling. */
export const holdsCardNumber = (text: string): boolean =>
  worthALook.test(text) && decodedForms(text).some((form) => holdsNumberIn(plainly(form)));

/** Three digits of any kind, or what could be coded: anything less holds no code. */
const worthALook = /\p{N}[^\p{N}]*\p{N}[^\p{N}]*\p{N}|[\w+/-]{11}/u;

/** A text without what nobody sees, in the letters and digits that it looks like. */
const plainly = (text: string): string =>
  text.normalize('NFKC').replace(invisible, '').replace(otherDigits, westernDigit);

const invisible = /[\p{Cf}\p{Mn}]/gu;
const otherDigits = /[^\P{Nd}0-9]/gu;

/** Words that may stand between the name of a code and the code itself. */
const between =
  'is|was|are|the|on|of|at|in|as|it|its|a|my|your|his|her|their|this|that|for|from|by|via|with|i|we|you|he|she|they|me|us|got|get|received|sent|gave|entered|reads?|says?|shows?|cards?|back|front|reverse|side|number|no|nr|code|digits?|sms|text|texted|message|phone|mobile|bank|app|email|mail|here';
/** Up to twelve of them. */
const gap = `(?:[^\\p{L}\\p{N}]{1,6}(?:${between})(?![\\p{L}\\p{N}])){0,12}`;
/** Three to eight digits, together or with a sign between any two. */
const code = '(?<![\\p{L}\\p{N}])\\d(?:[ -]?\\d){2,7}(?![ -]?\\d|\\p{L})';
/** What is printed on a card, in three or four digits. */
const printed = 'cvv2?|cvc2?|csc|cvn2?|card verification (?:code|value|number)|card security (?:code|number)';
/** What is sent or made for one use. */
const once =
  't?otp|one[- ]?time[- ]?(?:code|pass(?:word|code)?|pin)|pass[- ]?code|(?:verification|security|authenti(?:cation|cator)|3-?d[- ]?secure|3ds|sms)[- ]?code';
const named = `(?<![\\p{L}\\p{N}])(?:${printed}|${once})(?![\\p{L}\\p{N}])`;
/** A code of which is said how it came. */
const sent = 'sms|text message|texted|authenticator';

/** A short number that is named as a secret, before it or behind it: "otp: 1234", "the CVV on the back is 123", "482913 is the code I got by SMS". */
export const oneTimeCode = new RegExp(
  [
    `${named}\\D{0,12}\\d{3,8}(?![\\p{L}\\p{N}])`,
    `${named}${gap}[^\\p{L}\\p{N}]{0,6}${code}`,
    `(?<![\\p{L}\\p{N}])code(?=\\D{0,60}\\b(?:${sent})\\b)${gap}[^\\p{L}\\p{N}]{0,6}${code}`,
    `${code}(?:[^\\p{L}\\p{N}]{1,3}(?:is|was|as)(?![\\p{L}\\p{N}]))${gap}[^\\p{L}\\p{N}]{1,6}(?:${named}|code(?=\\D{0,40}\\b(?:${sent})\\b))`,
    `${code} ?[(=:]{1,2} ?${named}`,
    `(?<![\\p{L}\\p{N}])\\d{3,4} (?:${printed})(?![\\p{L}\\p{N}])`,
  ].join('|'),
  'iu',
);

/** Twenty bytes in Base64, as cryptograms of tokens are: their last sign carries but four bits. */
export const cryptogram = /(?<![\w+/-])[\w+/-]{26}[AEIMQUYcgkosw048]=(?!=)/;
/** The same without the sign at the end, and without the prefix that many ids have; it must look drawn by lot, too. */
const unpadded = /(?<![\w+/=-])(?![a-z]{2,}_)[\w+/-]{26}[AEIMQUYcgkosw048](?![\w+/=-])/g;
/** Runs of one kind of sign that 27 have at least where they are drawn by lot: 17 on average, and words have fewer. */
const kindsOfSigns = 10;

/** Twenty bytes in hex look like many an id: they must be named. */
const namedCryptogram = /\b(?:cryptogram|[acdt]avv|ucaf)\b.{0,40}?(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])/is;

const holdsCryptogram = (text: string): boolean =>
  cryptogram.test(text) ||
  namedCryptogram.test(text) ||
  (text.match(unpadded) ?? []).some((it) => (it.match(/[a-z]+|[A-Z]+|\d+|[_+/-]+/g) ?? []).length >= kindsOfSigns);

/** Digits with up to six signs between any two, none of them a letter: what could be a card number. */
const run = /\d(?:[^\p{L}\p{N}]{0,6}\d){12,}/gu;
/** More signs than these between two digits part them, unless they part a number into like groups. */
const wide = /[^\p{L}\p{N}]{3,6}/u;

function holdsNumberIn(text: string): boolean {
  for (const { 0: digits, index } of text.matchAll(run)) {
    if (sums.test(digits)) continue;
    const dialled = text[index - 1] === '+';
    if (digits.split(wide).some((part, at) => holdsNumber(part, dialled && at === 0))) return true;
    if (wide.test(digits) && holdsLikeGroups(digits.split(/\D+/))) return true;
  }
  return false;
}

/** A list of sums of money, each with two digits behind its point. */
const sums = /^\d{1,7}[.,]\d\d(?:[^\d.]{1,6}\d{1,7}[.,]\d\d)+$/;

/** What numbers of each beginning are long. ISO/IEC 7812 gives out the beginnings; lengths are those that networks publish. */
const issued: readonly (readonly [beginning: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 17, 18, 19]],
  [/^3[47]/, [15]],
  [/^3[0689]/, [14, 15, 16, 17, 18, 19]],
  [/^35/, [16, 17, 18, 19]],
  [/^2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)/, [16]],
  [/^5[1-5]/, [16]],
  [/^(?:5[06-9]|6)/, [13, 14, 15, 16, 17, 18, 19]],
];
const known = new Map<string, readonly number[]>();

function lengthsOf(digits: string): readonly number[] {
  const begins = digits.slice(0, 4);
  const told = known.get(begins) ?? issued.find(([beginning]) => beginning.test(begins))?.[1] ?? [];
  if (begins.length === 4) known.set(begins, told);
  return told;
}

/** No number with a country's prefix is longer (E.164); of card numbers, only those of 13 digits are as long as usual ones of phones. */
const phoneDigits = 13;

/**
 * Whether neighbouring groups of a run read as one card number, wherever it begins and ends among them: an expiry may stand
 * right behind it. Every such reading is looked at once and in the same time, so that no text takes longer than its length.
 */
function holdsNumber(text: string, dialled: boolean): boolean {
  const groups = text.split(/\D+/);
  const digits = groups.join('');
  const ends = new Set<number>();
  let end = 0;
  for (const group of groups) {
    end += group.length;
    ends.add(end);
  }
  const sumOf = checkSums(digits);
  for (const from of [0, ...ends])
    for (const length of lengthsOf(digits.slice(from, from + 4))) {
      const isPhone = dialled && from === 0 && length <= phoneDigits;
      if (!isPhone && ends.has(from + length) && sumOf(from, from + length) % 10 === 0) return true;
    }
  return false;
}

/** Whether neighbouring groups of one length, but for the last, or those that 14 and 15 digits are printed in, are a card number. */
function holdsLikeGroups(groups: readonly string[]): boolean {
  return groups.some((first, from) => {
    const size = first.length;
    let digits = '';
    for (let at = from; at < groups.length && digits.length < mostDigits; at++) {
      const length = groups[at]?.length ?? 0;
      const isPrintedSo = size === 4 && groups[from + 1]?.length === 6;
      if (isPrintedSo ? at > from + 2 : length > size) return false;
      digits += groups[at];
      if (lengthsOf(digits).includes(digits.length) && isChecked(digits)) return true;
      // A shorter group can only be the last one.
      if (length < size) return false;
    }
    return false;
  });
}

const mostDigits = 19;

const isChecked = (digits: string): boolean => checkSums(digits)(0, digits.length) % 10 === 0;

/** The sum by which a number is checked: every second digit counts double, from the last but one backwards. */
function checkSums(digits: string): (from: number, to: number) => number {
  // What all digits before a place come to, where those at even places count double, and where those at odd ones do.
  const doubled: readonly [number[], number[]] = [[0], [0]];
  for (let place = 0; place < digits.length; place++)
    for (const parity of [0, 1] as const) {
      const digit = Number(digits[place]) * (place % 2 === parity ? 2 : 1);
      doubled[parity].push((doubled[parity][place] ?? 0) + (digit > 9 ? digit - 9 : digit));
    }
  return (from, to) => {
    const sums = doubled[to % 2 === 0 ? 0 : 1];
    return (sums[to] ?? 0) - (sums[from] ?? 0);
  };
}

const westernDigits = new Map<string, string>();

/** The value of a decimal digit of any script: Unicode sets each script's ten digits in order, from a multiple of its zero. */
function westernDigit(digit: string): string {
  const known = westernDigits.get(digit);
  if (known !== undefined) return known;
  const point = digit.codePointAt(0) ?? 0;
  let zero = point;
  for (let steps = 0; steps < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1)); steps++) zero--;
  westernDigits.set(digit, String(point - zero));
  return String(point - zero);
}
