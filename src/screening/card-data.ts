import { holdsNumberIn } from './card-numbers.ts';
import { holdsCode } from './codes.ts';
import { holdsCryptogram } from './cryptograms.ts';
import { plainText } from './digits.ts';
import { decodedForms, longWord } from './encodings.ts';
import { noOwnNumbers, type OwnNumbers } from './look-alikes.ts';

/**
 * Whether a text contains a card number, a named card or one-time code, or a cryptogram. docs/screening.md lists the
 * spellings.
 */
export const holdsCardData = (text: string, own: OwnNumbers = noOwnNumbers): boolean =>
  isWorthALook(text) &&
  decodedForms(own(text)).some((form) => {
    const plain = plainText(form);
    return holdsNumberIn(plain) || holdsCode(plain) || holdsCryptogram(plain);
  });

/** Whether a text contains a card number: 13 to 19 digits with a network's first digits and a valid check digit. */
export const holdsCardNumber = (text: string, own: OwnNumbers = noOwnNumbers): boolean =>
  isWorthALook(text) && decodedForms(own(text)).some((form) => holdsNumberIn(plainText(form)));

const isWorthALook = (text: string): boolean => worthALook.test(text) || longWord.test(text);

/** A quick check: only texts with three digits, something that may be encoded, Chinese digits or many words need screening. */
const worthALook =
  /\p{N}[^\p{N}]*\p{N}[^\p{N}]*\p{N}|[\w+/-]{11}|[一二三四五六七八九零]{3}|(?<!\p{L})(?:\p{L}+[^\p{L}\p{N}]+){12}/u;
