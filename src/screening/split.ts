import { plainText } from './digits.ts';
import { cardLengths, isCardNumber } from './issuers.ts';
import { isPhoneNumber, noOwnNumbers, type OwnNumbers } from './look-alikes.ts';

// Card numbers that are taken apart over several fields, such as two halves in two arguments.

/** Digits in groups, separated by blanks or dashes: part of a number. */
const digits = String.raw`\d(?:[ -]{0,2}\d){3,}`;
const atEnd = new RegExp(`(?<![\\p{L}\\p{N}][.,]?)${digits}$`, 'u');
const atBeginning = new RegExp(`^${digits}(?![.,]?[\\p{L}\\p{N}])`, 'u');
const day = /^\d{4}-\d\d-\d\d$|^\d\d-\d\d-\d{4}$/;
/** The most fields that are combined. Own choice: no tool has as many. */
const mostPieces = 200;
/** The most groups of a card number. */
const mostGroups = 5;
/** Fewer digits with a leading zero may be a group of a card number. Own choice. */
const phoneDigits = 9;

/** The digits at the beginning and end of a field. */
interface Piece {
  readonly begins: string;
  readonly ends: string;
  /** The field contains nothing else. */
  readonly isWhole: boolean;
}

/**
 * Whether a card number is split between its groups over fields of one call: over the end of one field and the
 * beginning of another, in any order, or over adjacent fields of digits only. Splits elsewhere aren't detected, because
 * adjacent order and article numbers would often be refused.
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

/** So many digits at the end or beginning of a member of a list. */
export interface Part {
  readonly member: number;
  readonly digits: number;
  readonly isEnd: boolean;
}

/**
 * The parts of card numbers that are split between their groups over neighbouring members of a list: the end of one, members of
 * digits only, and the beginning of another.
 */
export function groupsInOrder(members: readonly string[], own: OwnNumbers = noOwnNumbers): readonly Part[] {
  const pieces = members.map((text) => edgesOf(plainText(own(text)).trim()));
  return pieces.flatMap(({ ends }, from) => {
    const groups = [ends];
    while (ends !== '' && groups.length < mostGroups) {
      const { begins, isWhole } = pieces[from + groups.length] ?? none;
      if (begins === '') break;
      groups.push(begins);
      if (isGrouped(groups))
        return groups.map(({ length }, at) => ({ member: from + at, digits: length, isEnd: at === 0 }));
      if (!isWhole) break;
    }
    return [];
  });
}

/** A piece of a text of any length: nothing but its beginning and end is looked at. */
function edgesOf(text: string): Piece {
  if (!/^\d|\d[ -]{0,2}$/.test(text)) return none;
  if (text.length <= longestEdge) return pieceOf(text);
  return {
    begins: pieceOf(text.slice(0, longestEdge)).begins,
    ends: pieceOf(text.slice(-longestEdge)).ends,
    isWhole: false,
  };
}

/** Longer than a card number with its blanks and dashes. */
const longestEdge = 80;

/** Whether parts form one card number split between its printed groups: of four, or of 4, 6, and 4 or 5 digits. */
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

/** The usual length of a network is its shortest published one, except 13 and 14, which hardly any card has. */
const isUsual = (number: string): boolean =>
  number.length === cardLengths(number).find((length) => length > 14) && isCardNumber(number);

const none: Piece = { begins: '', ends: '', isWhole: false };

function pieceOf(text: string): Piece {
  const { length } = text.replace(/\D/g, '');
  if (day.test(text) || (length >= phoneDigits && isPhoneNumber(text, length))) return none;
  const bare = (found: RegExpExecArray | null) => found?.[0].replace(/\D/g, '') ?? '';
  // Of a long text, only the ends are screened, with an x for the rest: the time for all of it grows with the square of its length.
  const isLong = text.length > longestEdge;
  const [head, tail] = isLong ? [`${text.slice(0, longestEdge)}x`, `x${text.slice(-longestEdge)}`] : [text, text];
  const begins = bare(atBeginning.exec(head));
  const ends = bare(atEnd.exec(tail.replace(/[ -]{1,2}$/, '')));
  return { begins, ends, isWhole: begins !== '' && /^[\d -]+$/.test(text) };
}

/** The digit groups of a list as one text, to find a number split over its items. */
export const inOneText = (list: readonly unknown[]): string =>
  list
    .map((it) => ((typeof it === 'string' || typeof it === 'number') && group.test(String(it)) ? it : 'x'))
    .join(' / ');

const group = /^ ?\p{Nd}{1,10} ?$/u;

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
