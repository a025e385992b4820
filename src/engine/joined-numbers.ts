import { plainText } from '../screening/digits.ts';
import { isCardNumber, mostCardDigits } from '../screening/issuers.ts';

// Card numbers that are written over several cells of one line.

const day = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const time = String.raw`(?:[01]\d|2[0-4]):[0-5]\d(?::[0-6]\d(?:[.,]\d{1,3})?)?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?`;
/** An ISO date, with or without a time, or a time. */
const moment = String.raw`(?<![\p{L}\p{N}:.-])(?:${day}(?:[T ]${time})?|${time})(?![\p{L}\p{N}:-])`;
/** Whether a cell is a moment and nothing else. None is a card number: no card network uses its first digits. */
export const isMoment = (cell: string): boolean => onlyMoment.test(cell);
const onlyMoment = new RegExp(`^${moment}$`, 'u');

/** What may be the digits of a cell. */
const everyPiece = new RegExp(String.raw`(?<moment>${moment})|\p{N}(?:[ .-]{0,3}\p{N})*`, 'gu');
/** A sum of money or a rate: no part of a number. */
const sum = /^(?:\d{1,7}\.\d{2,3}|\d{1,3}\.\d{4,8})$/;
/** What may stand between two cells: no letter. */
const gap = /^[^\p{L}\p{N}]{1,6}$/u;

interface Piece {
  readonly from: number;
  readonly to: number;
  /** Empty where no number goes on. */
  readonly digits: string;
}

/**
 * A text without the card numbers that neighbouring cells hold together. Dates, times and sums belong to none. `plain` is the same
 * text, of the same length, in which a letter stands for whatever else belongs to none.
 */
export function withoutJoinedNumbers(text: string, plain: string): string {
  const pieces = [...plain.matchAll(everyPiece)].map(({ 0: found, index, groups }): Piece => {
    const isOther = groups?.moment !== undefined || sum.test(found);
    return { from: index, to: index + found.length, digits: isOther ? '' : plainText(found).replace(/\D/g, '') };
  });
  let shown = '';
  let at = 0;
  for (let first = 0; first < pieces.length; first += 1) {
    const last = lastOf(pieces, first, plain);
    if (last === undefined) continue;
    shown += `${text.slice(at, pieces[first]?.from)}*`;
    at = pieces[last]?.to ?? at;
    first = last;
  }
  return shown + text.slice(at);
}

/** The last of the pieces that are a card number with this one, by place. */
function lastOf(pieces: readonly Piece[], first: number, plain: string): number | undefined {
  let [digits, end] = ['', 0];
  for (let at = first; at < pieces.length; at += 1) {
    const piece = pieces[at];
    if (piece === undefined || piece.digits === '') return undefined;
    if (at > first && !gap.test(plain.slice(end, piece.from))) return undefined;
    [digits, end] = [digits + piece.digits, piece.to];
    if (digits.length > mostCardDigits) return undefined;
    if (isCardNumber(digits)) return at;
  }
  return undefined;
}
