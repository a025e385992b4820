import { cryptogram, oneTimeCode } from '../client/mask.ts';
import { limits } from '../contract/limits.ts';
import type { Refusal } from './refuse.ts';

/**
 * Looks for card data in what the model wrote. It is the alarm, not the protection: no argument takes such data, and
 * what is found is refused without being repeated, stored or counted.
 */
export function scan(value: unknown, field = ''): Refusal | undefined {
  if (typeof value === 'string') {
    if (value.length > limits.blobCharacters) return tooMuch(field);
    if (!value.isWellFormed() || unseen.test(value)) return hidden(field);
    return holdsCardData(value) ? found(field) : undefined;
  }
  if (typeof value === 'number') return holdsCardNumber(String(value)) ? found(field) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const isTold = Array.isArray(value) ? !/\d/.test(field) : word.test(name);
    const path = [field, isTold ? name : ''].filter((step) => step !== '').join('.');
    const fault = secretNames.test(name)
      ? found(field === '' ? 'arguments' : field)
      : (scan(name, field) ?? scan(member, path));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** A name that can be a step of a path; whether it is told is decided where the tool is known (`toldFor`). */
const word = /^[a-z_]{1,30}$/i;
/** Arguments that would carry card data, whatever they hold. */
const secretNames = /^(pan|card_?number|cvv2?|cvc2?|security_?code|otp|one_?time_?(pass)?(code|word)|cryptogram)$/i;
/** Whether a text holds a card number, a code that is named so, or a cryptogram. */
export const holdsCardData = (text: string): boolean =>
  holdsCardNumber(text) || oneTimeCode.test(text) || cryptogram.test(text);

/** A run of 13 to 19 digits, alone or with one or two signs between any two, that passes the check digit, in any script's digits. */
export function holdsCardNumber(text: string): boolean {
  const plain = text.normalize('NFKC').replace(invisible, '').replace(otherDigits, westernDigit);
  const runs = plain.match(/\d(?:[^\p{L}\p{N}]{0,2}\d){12,}/gu) ?? [];
  return runs.some(holdsNumber);
}

const digitCounts = { least: 13, most: 19 } as const;
const invisible = /[\p{Cf}\p{Mn}]/gu;
const otherDigits = /[^\P{Nd}0-9]/gu;

/**
 * Whether neighbouring groups of a run read as one card number, wherever it begins and ends among them: an expiry may stand
 * right behind it. Every such reading is looked at once and in the same time, so that no text takes longer than its length.
 */
function holdsNumber(run: string): boolean {
  const groups = run.split(/\D+/);
  const digits = groups.join('');
  const ends = new Set<number>();
  let end = 0;
  for (const group of groups) {
    end += group.length;
    ends.add(end);
  }
  const sums = checkSums(digits);
  for (const from of [0, ...ends]) {
    if (!issued.test(digits.slice(from, from + 2))) continue;
    for (let to = from + digitCounts.least; to <= from + digitCounts.most; to++)
      if (ends.has(to) && sums(from, to) % 10 === 0) return true;
  }
  return false;
}

/** The leading digits that card numbers have. */
const issued = /^(?:2[2-7]|[3-6])/;

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

const found = (field: string): Refusal => ({
  code: 'INVALID_ARGUMENT',
  rule: 'EN-05',
  field: field || 'arguments',
  because:
    "This looks like a card number, security code or one-time code. Those never go through the chat: cards are named by handle, and customers give codes to the merchant's app.",
  retry: 'never',
  instead: ['list_cards'],
});

/**
 * Characters that no person sees: controls and line breaks, directions, zero widths, joiners, fillers, and selectors of a
 * variant but for the one that makes a picture of a sign.
 */
const unseenOne = String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}|(?<!\p{Extended_Pictographic})\ufe0f`;
export const unseen = new RegExp(unseenOne, 'u');
const everyUnseen = new RegExp(`(?:${unseenOne})+`, 'gu');

/** A text as one line that shows everything there is of it. */
export const oneLine = (text: string): string => text.toWellFormed().replace(everyUnseen, ' ');

const tooMuch = (field: string): Refusal => ({
  code: 'INVALID_ARGUMENT',
  rule: 'EN-01',
  field: field || 'arguments',
  because: 'This is longer than any argument may be.',
  retry: 'never',
  instead: [],
});

const hidden = (field: string): Refusal => ({
  code: 'INVALID_ARGUMENT',
  rule: 'EN-10',
  field: field || 'arguments',
  because: 'This text holds a character that nobody can see: a line break, a control, a direction or half a character.',
  retry: 'never',
  instead: [],
});
