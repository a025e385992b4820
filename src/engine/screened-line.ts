import { holdsCardData } from '../screening/card-data.ts';
import type { OwnNumbers } from '../screening/look-alikes.ts';
import { masked } from '../screening/mask.ts';

/**
 * A line of a file without card data, keys and invisible characters. Each cell is screened separately, because adjacent
 * numbers can look like card data; if the whole line still does, it is masked entirely.
 */
export function screenedLine(line: string, own?: OwnNumbers): string {
  const cells = line.split(separator).map((cell, at) => (at % 2 === 0 ? maskedCell(cell) : cell));
  const text = cells.join('');
  return holdsCardData(text, own) ? masked(text) : text;
}

/** Keeps surrounding spaces, which may be part of the quoted text. */
function maskedCell(cell: string): string {
  const start = cell.length - cell.trimStart().length;
  const end = cell.trimEnd().length;
  return end <= start ? cell : cell.slice(0, start) + masked(cell.slice(start, end)) + cell.slice(end);
}

/** Separates cells of CSV; in XML, tags and their contents. */
const separator = /([",;<>\t]+)/;
