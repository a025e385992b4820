import { oneLine, type Painted, paint, type Rich } from './output.ts';

// Column alignment takes a few lines. A library would add borders, which are unwanted in logs, and would not clean the
// cells.

/** A cell: always one line. */
export type Cell = string | Painted;

/** Columns separated by two blanks, with an optional head. On a terminal the last column is wrapped. */
export function table(rows: readonly (readonly Cell[])[], head?: readonly string[], width = terminalWidth()): Rich {
  const heading = head === undefined ? [] : [head.map((name) => paint('head', name))];
  const all = [...heading, ...rows].map((row) => row.map(asLine));
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => widthOf(row[column]?.text ?? ''))));
  const before = widths.slice(0, -1).reduce((sum, it) => sum + it + gap.length, 0);
  const indent = ' '.repeat(before);
  return all.flatMap((row, index): readonly Rich[] => {
    const filled = row.slice(0, row.findLastIndex(({ text }) => text !== '') + 1);
    const cells = filled.flatMap((cell, column): readonly Rich[] => {
      if (column === row.length - 1)
        return wrapped(cell.text, width - before).flatMap((part, line) => [
          line === 0 ? '' : `\n${indent}`,
          paint(cell.look, part),
        ]);
      const isLast = column === filled.length - 1;
      return [cell, isLast ? '' : ' '.repeat((widths[column] ?? 0) - widthOf(cell.text)) + gap];
    });
    return index === 0 ? cells : ['\n', ...cells];
  });
}

const gap = '  ';

const asLine = (cell: Cell): Painted =>
  typeof cell === 'string' ? { text: oneLine(cell) } : paint(cell.look, oneLine(cell.text));

/** The terminal's columns; unlimited for a pipe. */
const terminalWidth = (): number => (process.stdout.isTTY === true ? process.stdout.columns : Infinity);

/** A narrower wrapped column is harder to read than one that the terminal breaks. Own choice. */
const leastWrapped = 24;

/** Wraps a text between words. */
function wrapped(text: string, columns: number): readonly string[] {
  if (columns < leastWrapped || widthOf(text) <= columns) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`) <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const letters = new Intl.Segmenter();
const wide =
  /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\uFF01-\uFF60])/u;

/** The display width of a text. */
const widthOf = (text: string): number =>
  [...letters.segment(text)].reduce((sum, { segment }) => sum + (wide.test(segment) ? 2 : 1), 0);
