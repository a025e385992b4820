import { plainText } from './digits.ts';
import { cardLengths, isCardNumber } from './issuers.ts';
import { isPhoneNumber, noOwnNumbers, type OwnNumbers } from './look-alikes.ts';

/** Digits in groups, with blanks or dashes between: part of a number. */
const digits = String.raw`\d(?:[ -]{0,2}\d){3,}`;
const atEnd = new RegExp(`(?<![\\p{L}\\p{N}][.,]?)${digits}$`, 'u');
const atBeginning = new RegExp(`^${digits}(?![.,]?[\\p{L}\\p{N}])`, 'u');
const day = /^\d{4}-\d\d-\d\d$|^\d\d-\d\d-\d{4}$/;
/** Fields with digits that are compared with each other. Own choice: no tool has so many. */
const mostPieces = 200;
/** Groups of the longest number. */
const mostGroups = 5;
/** Shorter digits with a leading zero may be a group of a card number. Own choice. */
const phoneDigits = 9;

/** What a field gives to a number: the digits it ends with and those it begins with. */
interface Piece {
  readonly begins: string;
  readonly ends: string;
  /** It holds nothing else. */
  readonly isWhole: boolean;
}

/**
 * Whether a card number is split over fields of one call, between its groups: over the end of one field and the beginning of
 * another, in any order, or over neighbours that hold nothing but digits. One that is cut elsewhere is not claimed: order numbers
 * and article numbers side by side would be refused too often.
 */
export function isSplit(value: unknown, own: OwnNumbers = noOwnNumbers): boolean {
  const pieces = textsIn(value).map((text) => pieceOf(plainText(own(text)).trim()));
  const few = pieces.filter(({ begins, ends }) => begins !== '' || ends !== '').slice(0, mostPieces);
  const pairs = few.flatMap(({ ends }, from) =>
    few.flatMap(({ begins }, to) => (from === to || begins === '' || ends === '' ? [] : [[ends, begins]])),
  );
  return pairs.some(isGrouped) || pieces.some((_, from) => startsChain(pieces.slice(from, from + mostGroups)));
}

function startsChain(pieces: readonly Piece[]): boolean {
  const end = pieces.findIndex(({ isWhole }) => !isWhole);
  const groups = pieces.slice(0, end < 0 ? pieces.length : end).map(({ begins }) => begins);
  return groups.some((_, at) => at > 1 && isGrouped(groups.slice(0, at + 1)));
}

/** Whether parts are one card number that is cut between its printed groups: of four, or of 4, 6, and 4 or 5 digits. */
function isGrouped(parts: readonly string[]): boolean {
  const number = parts.join('');
  const cuts = number.length > 15 ? [4, 8, 12, 16] : [4, 10];
  let end = 0;
  const isCut = parts.slice(0, -1).every(({ length }) => {
    end += length;
    return cuts.includes(end);
  });
  return isCut && isUsual(number);
}

/** Of the lengths that a network publishes, the first one after 13 and 14, which nearly no card has, is the usual one. */
const isUsual = (number: string): boolean =>
  number.length === cardLengths(number).find((length) => length > 14) && isCardNumber(number);

const none: Piece = { begins: '', ends: '', isWhole: false };

function pieceOf(text: string): Piece {
  const { length } = text.replace(/\D/g, '');
  if (day.test(text) || (length >= phoneDigits && isPhoneNumber(text, length))) return none;
  const bare = (found: RegExpExecArray | null) => found?.[0].replace(/\D/g, '') ?? '';
  const begins = bare(atBeginning.exec(text));
  const ends = bare(atEnd.exec(text));
  return { begins, ends, isWhole: begins !== '' && /^[\d -]+$/.test(text) };
}

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
