import { readFileSync } from 'node:fs';

/** Reads the pages of this folder: the documents' own words, copied, so that the code is compared with them and not with us. */

/** The text under a second-level heading of a page of this folder; a heading may name several things that share it. */
export function section(page: string, heading: string): string {
  const lines = readFileSync(new URL(page, import.meta.url), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith('## ') && `, ${line.slice(3)}, `.includes(`, ${heading}, `));
  if (start < 0) throw new Error(`${page} has no section "${heading}"`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith('## '));
  return rest
    .slice(0, end < 0 ? undefined : end)
    .join('\n')
    .trim();
}

/** The rows of the table in a section, without its two heading lines and without the marks of code. */
export const table = (page: string, heading: string): string[][] =>
  section(page, heading)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .replaceAll('`', '')
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/** The fields in a section, as `a.b.c`, with ` *` where required: a line names an object and its members, the first line the body's. */
export const fields = (page: string, heading: string): string[] =>
  section(page, heading)
    .replaceAll('\n  ', ' ')
    .split('\n')
    .flatMap((line) => {
      const [names = '', object = ''] = line.replace('- ', '').split(': ').toReversed();
      return names.split(', ').map((name) => (object === '' ? name : `${object}.${name}`));
    });
