import { holdsCardNumber } from './card-data.ts';
import type { OwnNumbers } from './look-alikes.ts';
import { groupsInOrder } from './split.ts';

// Card numbers in the text of a file that go on in the next line, cell or element. Half of a number isn't recognised, so they
// are looked for before the text is taken apart.

/** Marks a masked character, so that everything stays in its place. A control character, so no screened text contains it. */
const blank = '\u0000';

/** Replaces each run of marked characters with one `*`, once the text has been cut. */
export const starred = (text: string): string => text.replace(/\0+/g, '*');

/** A text of the same length, in which every card number is marked: within a cell, and over neighbouring lines and elements. */
export const blankedNumbers = (text: string, own?: OwnNumbers): string => overMembers(withinCells(text, own), own);

/** A possible card number: digits with up to six non-letters between any two, or a line break and an indentation. */
const run = /\p{N}(?:(?:[^\p{L}\p{N}]{0,6}|(?=[^\p{L}\p{N}]{7})[ -]{0,2}[\r\n]{1,2}[ \t]{0,40}-?)\p{N}){12,}/gu;
/** A cell without quotes, or a part of a text. */
const cells = /[^\r\n,;\t]+/g;

/** A line break within quotes or an element is a blank of that text; elsewhere it ends a row. */
function withinCells(text: string, own?: OwnNumbers): string {
  const parts = text.split(/(["<>]+)/);
  const isInside = (part: string, at: number): boolean =>
    /[\r\n]/.test(part) &&
    ((/[<>]$/.test(parts[at - 1] ?? '') && /^[<>]/.test(parts[at + 1] ?? '')) ||
      (at > 0 && at < parts.length - 1 && !/^[,;\t\r\n]|[,;\t\r\n]$/.test(part)));
  return parts
    .map((part, at) => {
      if (at % 2 === 1) return part;
      return isInside(part, at) ? blankedCell(part, own) : part.replace(cells, (cell) => blankedCell(cell, own));
    })
    .join('');
}

/** A text without the numbers in it. A line break within it is one blank. */
function blankedCell(cell: string, own?: OwnNumbers): string {
  const flat = (text: string): string => text.replace(/[ \t]{0,2}[\r\n]{1,2}[ \t]{0,40}/g, ' ');
  if (cell.search(run) < 0 || !holdsCardNumber(flat(cell), own)) return cell;
  return cell.replace(run, (found) => (holdsCardNumber(flat(found)) ? found.replace(/[^\r\n]/g, blank) : found));
}

/** What separates members: line breaks and mark-up. */
const border = /(<!\[CDATA\[|\]\]>|<[^<>]{1,1000}>|[\r\n]+)/;

function overMembers(text: string, own?: OwnNumbers): string {
  const parts = text.split(border);
  const places = parts.flatMap((part, at) => (at % 2 === 0 && /\S/.test(part) ? [at] : []));
  const members = places.map((at) => memberOf(parts[at] ?? ''));
  for (const { member, digits, isEnd } of groupsInOrder(members, own)) {
    const at = places[member] ?? 0;
    parts[at] = blankedDigits(parts[at] ?? '', digits, isEnd);
  }
  return parts.join('');
}

/**
 * A line without what may stand around a group. A number right beside a comma is a cell of its own, such as an amount or an id, and
 * no part of another row, unless the comma belongs to a quoted text: then the line has only one of its quotes.
 */
function memberOf(part: string): string {
  const line = part.trim().replace(/^"([^"]*)"$/, '$1');
  const isOpen = line.split('"').length % 2 === 0;
  if (isOpen) return line;
  return line.replace(/^(?=[\p{N} -]{1,40}[,;\t]\S)/u, 'x').replace(/(?<=[,;\t]\p{N}[\p{N} -]{0,40})$/u, 'x');
}

/** Marks so many digits at the end or beginning of a text. */
function blankedDigits(text: string, count: number, isEnd: boolean): string {
  const digits = [...text.matchAll(/\p{N}/gu)];
  const taken = isEnd ? digits.slice(-count) : digits.slice(0, count);
  return taken.reduce(
    (rest, { 0: digit, index }) => rest.slice(0, index) + blank.repeat(digit.length) + rest.slice(index + digit.length),
    text,
  );
}
