import { holdsCardData } from '../screening/card-data.ts';
import { isOwnNumber, noOwnNumbers, type OwnNumbers } from '../screening/look-alikes.ts';
import { masked } from '../screening/mask.ts';

/**
 * A line of a file without card data, keys and invisible characters. Each cell is screened separately, because adjacent
 * numbers can look like card data; if the whole line still does, it is masked entirely.
 */
export function screenedLine(line: string, own?: OwnNumbers): string {
  const cells = line.split(separator).map((cell, at) => (at % 2 === 0 ? maskedCell(cell, own) : cell));
  const text = cells.join('');
  return holdsCardData(text, own) ? masked(text) : text;
}

/** Keeps surrounding spaces, which may be part of the quoted text, and a cell that is one of the shop's own numbers. */
function maskedCell(cell: string, own: OwnNumbers = noOwnNumbers): string {
  const start = cell.length - cell.trimStart().length;
  const end = cell.trimEnd().length;
  if (isOwnNumber(cell.slice(start, end), own)) return cell;
  return end <= start ? cell : cell.slice(0, start) + masked(cell.slice(start, end)) + cell.slice(end);
}

/** Separates cells of CSV; in XML, tags and their contents. */
const separator = /([",;<>\t]+)/;
