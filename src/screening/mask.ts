import { limits } from '../core/limits.ts';
import { holdsCardData, holdsCardNumber } from './card-data.ts';
import { replaceCodes } from './codes.ts';
import { cryptogram } from './cryptograms.ts';

// Masks what may be secret in text from outside, before a model or a log sees it. Masking errs towards too much: unlike a
// refusal, it stops no call.

/** A cryptogram without a digit is rare, and is still too short to be a key. */
const everyCryptogram = new RegExp(cryptogram, 'g');
/** A possible card number: at least 13 digits in any script, with up to two signs between any two. */
const everyNumber = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,2}\p{Nd}){12,}/gu;
/** The same with more signs between. Masked only if it is a card number. */
const everyWideNumber = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,6}\p{Nd}){12,}/gu;
/** A possible key or signed token. Masked only if it contains a digit. */
const everyRun = /[\w+/=-]{20,}|[\w+/=.-]{40,}/g;

/** Marks a masked character until all secrets are found. A control character, so no screened text contains it. */
const blank = '\u0000';
const blanked = (found: string): string => blank.repeat(found.length);

/**
 * External text as one line, without invisible characters, card numbers, cryptograms, keys and named one-time codes.
 * Only the beginning of a long text is kept (`limits.maskedCharacters`). Mask before shortening, because half a secret
 * isn't recognised. For the same reason the end of a shortened text is dropped (`limits.edgeCharacters`).
 */
export function masked(text: string): string {
  const isWhole = text.length <= limits.maskedCharacters;
  const plain = text
    .slice(0, limits.maskedCharacters)
    .toWellFormed()
    .normalize('NFKC')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .replace(/[\p{Default_Ignorable_Code_Point}\u2800]/gu, '');
  const found = replaceCodes(plain, (code) => code.replace(/\d/g, '*'))
    .replace(everyNumber, blanked)
    .replace(everyWideNumber, (run) => (holdsCardNumber(run) ? blanked(run) : run))
    .replace(everyCryptogram, blanked)
    .replace(everyRun, (run) => (/[\d\0]/.test(run) ? blanked(run) : run));
  const shown = (isWhole ? found : found.slice(0, -limits.edgeCharacters)).toWellFormed().replace(/\0+/g, '*').trim();
  // What is still found is in a spelling that can't be masked in part.
  return holdsCardData(shown) ? '*' : shown;
}
