import { limits } from '../core/limits.ts';
import { holdsCardData } from '../screening/card-data.ts';
import type { OwnNumbers } from '../screening/look-alikes.ts';
import { blankedNumbers, starred } from '../screening/stretched.ts';
import type { PieceOfFile } from './file-pages.ts';
import { screenedLine } from './screened-line.ts';

/**
 * A page of a file without card data. Numbers are looked for in its whole text and what stands around it, because they may go on in
 * the next line, element or page; everything else is looked for line by line.
 */
export function screenedPage({ before, text, after }: PieceOfFile, own?: OwnNumbers): string {
  const whole = blankedNumbers(before + text + after, own);
  const [from, to] = [before.length, before.length + text.length];
  const lines = linesOf(whole.slice(from, to), own);
  // The page's ends may cut a line: its two parts are screened together.
  const above = linesOf(whole.slice(0, from), own).at(-1) ?? '';
  const below = linesOf(whole.slice(to), own)[0] ?? '';
  const first = lines[0] ?? '';
  if (spansCardData(above, first.slice(0, edge), own)) lines[0] = `*${first.slice(edge)}`;
  const last = lines.at(-1) ?? '';
  if (spansCardData(last.slice(-edge), below, own)) lines[lines.length - 1] = `${last.slice(0, -edge)}*`;
  return lines.join('\n');
}

/** A text of several lines without card numbers. */
export const withoutCardNumbers = (text: string): string => starred(blankedNumbers(text));

const edge = limits.fileEdgeBytes;

/** Whether two parts of a line, neither of which holds card data, hold it together. */
const spansCardData = (one: string, other: string, own?: OwnNumbers): boolean =>
  one !== '' && other !== '' && holdsCardData(one + other, own);

const linesOf = (text: string, own?: OwnNumbers): string[] =>
  starred(text)
    .split('\n')
    .map((line) => screenedLine(line, own));
