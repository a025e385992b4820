// How people and models write a card number so that nobody notices.

/** A number that nobody was issued, though its check digit is right. */
export const number = '4111110000001235';
export const spaced = (mark: string) => `4111${mark}1100${mark}0000${mark}1235`;
const shifted = (zero: number) => [...number].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');

/** What each is, and a text that holds a card number like that. */
export const disguises: readonly (readonly [string, string])[] = [
  ['as it is', number],
  ['in a sentence', `Pay with ${number}, please.`],
  ['with spaces', spaced(' ')],
  ['with two spaces', spaced('  ')],
  ['with dashes', spaced('-')],
  ['with dots', spaced('.')],
  ['with slashes', spaced('/')],
  ['with underscores', spaced('_')],
  ['with no-break spaces', spaced('\u00a0')],
  ['digit by digit', [...number].join(' ')],
  ['with its expiry right behind', `${number} 12/31`],
  ['with a number in front', `1 ${number}`],
  ['in full width', shifted(0xff10)],
  ['in Arabic digits', shifted(0x0660)],
  ['in Devanagari digits', shifted(0x0966)],
  ['in mathematical digits', shifted(0x1d7ce)],
  ['in superscripts', [...number].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('')],
  ['in circles', [...number].map((digit) => '⓪①②③④⑤⑥⑦⑧⑨'[Number(digit)]).join('')],
  ['with zero-width characters', [...number].join('\u200b')],
  ['with combining marks', [...number].join('\u0301')],
  ['with soft hyphens', spaced('\u00ad')],
  ['of 13 digits', '4000000000014'],
  ['of 15 digits', '370000000000002'],
  ['of 19 digits', '6000000000000000004'],
  ['that begins with 2', '2223000000000007'],
  ['full of nines', '4999999999999996'],
  ['with nines in every other place', '5909090909090906'],
];
