import { holdsCardData } from '../screening/card-data.ts';
import { isOwnNumber, noOwnNumbers, type OwnNumbers } from '../screening/look-alikes.ts';
import { masked } from '../screening/mask.ts';
import { isMoment, withoutJoinedNumbers } from './joined-numbers.ts';

/**
 * A line of a file without card data, keys and invisible characters. Each cell is screened separately, because adjacent
 * numbers can look like card data; then a number that is written over several cells is masked. If the whole line still looks
 * like card data, it is masked entirely.
 */
export function screenedLine(line: string, own: OwnNumbers = noOwnNumbers): string {
  const cells = line.split(separator).map((cell, at) => (at % 2 === 0 ? maskedCell(cell, own) : cell));
  // One of the shop's own numbers is no part of another.
  const plain = cells.map((cell) => (isOwnNumber(cell.trim(), own) ? 'x'.repeat(cell.length) : cell)).join('');
  const text = withoutJoinedNumbers(cells.join(''), plain);
  return holdsCardData(text, own) ? masked(text) : text;
}

/** Keeps surrounding spaces, which may be part of the quoted text, a time, and a cell that is one of the shop's own numbers. */
function maskedCell(cell: string, own: OwnNumbers): string {
  const start = cell.length - cell.trimStart().length;
  const end = cell.trimEnd().length;
  const bare = cell.slice(start, end);
  if (isMoment(bare) || isOwnNumber(bare, own)) return cell;
  return end <= start ? cell : cell.slice(0, start) + masked(bare) + cell.slice(end);
}

/** Separates cells of CSV; in XML, tags and their contents. */
const separator = /([",;<>\t]+)/;
