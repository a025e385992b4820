import type { Names } from './names.ts';

// How a golden writes values: on one line where they fit, otherwise filled into lines, as prose is.

/** Characters of a line. Own choice: a review shows two columns. */
const width = 120;

/** Numbers that are moments of a story's clock: milliseconds of these years. */
const earliest = Date.UTC(2015);
const latest = Date.UTC(2045);

const plain = /^[A-Za-z$/@+_-][^"{}[\],\n:#]*(?::\/\/[^"{}[\],\n#]*)?$/;
const reserved: ReadonlySet<string> = new Set(['true', 'false', 'null', '']);

function scalar(value: unknown, names: Names): string {
  if (typeof value === 'number') return value > earliest && value < latest ? names.moment(value) : String(value);
  if (typeof value !== 'string') return String(value ?? null);
  const named = names.in(value);
  return plain.test(named) && !reserved.has(named) && named === named.trim() ? named : JSON.stringify(named);
}

export const isTree = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

type Member = readonly [name: string, value: unknown];
const membersOf = (value: object): readonly Member[] =>
  Object.entries(value).filter(([, member]) => member !== undefined);

/** A value on one line. */
export function flow(value: unknown, names: Names): string {
  if (!isTree(value)) return scalar(value, names);
  if (Array.isArray(value)) return `[${value.map((item) => flow(item, names)).join(', ')}]`;
  return `{${membersOf(value)
    .map(([name, member]) => `${names.in(name)}: ${flow(member, names)}`)
    .join(', ')}}`;
}

/** A labelled value, on as few lines as fit. */
export function labelled(label: string, value: unknown, names: Names, indent: string): readonly string[] {
  const line = `${indent}${label}: ${bare(flow(value, names))}`;
  if (line.length <= width || !isTree(value) || membersOf(value).length === 0) return [line];
  const members = Array.isArray(value)
    ? value.map((item, index): Member => [isTree(item) ? `${index + 1}` : '', item])
    : membersOf(value).map(([name, member]): Member => [names.in(name), member]);
  return [`${indent}${label}:`, ...filled(members, names, `${indent}  `)];
}

/** The outer braces of an object say nothing after a label. */
const bare = (text: string): string => (text.startsWith('{') && text !== '{}' ? text.slice(1, -1) : text);

/** Members one after the other; one that does not fit on a line has lines of its own. */
export function filled(members: readonly Member[], names: Names, indent: string): readonly string[] {
  const lines: string[] = [];
  let open = false;
  for (const [name, value] of members) {
    const text = `${name === '' ? '' : `${name}: `}${flow(value, names)}`;
    const last = lines.at(-1);
    if (open && last !== undefined && last.length + text.length + 2 <= width)
      lines[lines.length - 1] = `${last}, ${text}`;
    else if (indent.length + text.length <= width) {
      lines.push(`${indent}${text}`);
      open = true;
    } else {
      lines.push(...labelled(name, value, names, indent));
      open = false;
    }
  }
  return lines;
}

/** A title and pieces of text behind it, on one line where they fit, otherwise on lines of their own that are filled. */
export function flowing(title: string, pieces: readonly string[], indent: string): readonly string[] {
  const line = `${indent}${title} ${pieces.join('; ')}`;
  if (line.length <= width) return [line];
  const lines: string[] = [`${indent}${title}`];
  for (const piece of pieces) {
    const last = lines.at(-1) ?? '';
    if (lines.length > 1 && last.length + piece.length + 2 <= width) lines[lines.length - 1] = `${last}; ${piece}`;
    else lines.push(`${indent}  ${piece}`);
  }
  return lines;
}
