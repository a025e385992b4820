import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The tree as the house rules read it. Everything that exists is scanned; nothing is listed by hand. */

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Line {
  /** `file:line`, as an editor opens it. */
  readonly at: string;
  readonly file: string;
  readonly text: string;
}

/** Files under top-level folders (or top-level files), by the end of their name; paths from the project's root. */
export function files(places: readonly string[], ends: readonly string[]): readonly string[] {
  const found = places
    .filter((place) => existsSync(`${root}${place}`))
    .flatMap((place) =>
      ends.some((end) => place.endsWith(end))
        ? [place]
        : readdirSync(`${root}${place}`, { recursive: true, encoding: 'utf8' }).map((file) => `${place}/${file}`),
    );
  // What is installed beside the benchmark is not ours.
  const own = found.filter((file) => !file.includes('/node_modules/'));
  return own.filter((file) => ends.some((end) => file.endsWith(end))).toSorted();
}

export const read = (file: string): string => readFileSync(`${root}${file}`, 'utf8');

/** Every line of a file. */
export const lines = (file: string): readonly Line[] =>
  read(file)
    .split('\n')
    .map((text, index) => ({ at: `${file}:${index + 1}`, file, text }));

/** The lines of a file that are code: whole lines of comment are left out, because they may name what code may not do. */
export const code = (file: string): readonly Line[] =>
  lines(file).filter(({ text }) => !/^\s*(\/\/|\/\*|\*)/.test(text));

/** What a failure shows: where, and the line itself. */
export const shown = (found: readonly Line[]): readonly string[] =>
  found.map(({ at, text }) => `${at}  ${text.trim()}`);
