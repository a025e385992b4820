import { limits } from '../core/limits.ts';
import { holdsCardData, holdsCardNumber } from './card-data.ts';
import { replaceCodes } from './codes.ts';
import { cryptogram } from './cryptograms.ts';

/** Few of them hold no digit; those are no long run that could be a key. */
const everyCryptogram = new RegExp(cryptogram, 'g');
/** What could be a card number: 13 digits or more, with up to two signs between any two, in any script. */
const everyNumber = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,2}\p{Nd}){12,}/gu;
/** The same with more signs between, where it is one. */
const everyWideNumber = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,6}\p{Nd}){12,}/gu;
/** What could be a key or a signed token, where a digit is in it. */
const everyRun = /[\w+/=-]{20,}|[\w+/=.-]{40,}/g;

/** Marks one character of a secret until all of them are found. It is a control, so no text that is looked at has one. */
const blank = '\u0000';
const blanked = (found: string): string => blank.repeat(found.length);

/**
 * Text from outside as one line, without invisible characters, card numbers, cryptograms, keys and named one-time codes. Only the
 * beginning of a long text is kept (`limits.maskedCharacters`). Mask before shortening: half a secret is not recognised. For the
 * same reason the end of such a beginning is left out (`limits.edgeCharacters`): a secret there may go on behind it.
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
  // Whatever is still found is spelled in a way that no pattern can cut out.
  return holdsCardData(shown) ? '*' : shown;
}
