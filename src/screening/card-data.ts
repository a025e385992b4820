import { holdsNumberIn } from './card-numbers.ts';
import { holdsCode } from './codes.ts';
import { holdsCryptogram } from './cryptograms.ts';
import { plainText } from './digits.ts';
import { decodedForms } from './encodings.ts';
import { noOwnNumbers, type OwnNumbers } from './look-alikes.ts';

/** Whether a text holds a card number, a named code of a card or for one use, or a cryptogram. docs/screening.md lists the spellings. */
export const holdsCardData = (text: string, own: OwnNumbers = noOwnNumbers): boolean =>
  worthALook.test(text) &&
  decodedForms(own(text)).some((form) => {
    const plain = plainText(form);
    return holdsNumberIn(plain) || holdsCode(plain) || holdsCryptogram(plain);
  });

/** Whether a text holds a card number: 13 to 19 digits that begin as a network's do and pass the check digit. */
export const holdsCardNumber = (text: string, own: OwnNumbers = noOwnNumbers): boolean =>
  worthALook.test(text) && decodedForms(own(text)).some((form) => holdsNumberIn(plainText(form)));

/** Three digits of any kind, what could be encoded, or Chinese digits: a text with less holds none of it. */
const worthALook =
  /\p{N}[^\p{N}]*\p{N}[^\p{N}]*\p{N}|[\w+/-]{11}|[一二三四五六七八九零]{3}|(?<!\p{L})(?:\p{L}+[^\p{L}\p{N}]+){12}/u;
