// Lists of what Purser works out by itself.

/** Something given and what comes of it, on each line. */
export type Lines = readonly (readonly [given: string, comes: unknown])[];

/** Lists by title. */
export type Mechanisms = Readonly<Record<string, () => Lines | Promise<Lines>>>;

/** Each line is worked out by itself. */
export const each = <T>(all: readonly T[], line: (it: T) => Promise<readonly [string, unknown]>) =>
  Promise.all(all.map(line));

/** What comes of something, as text. */
export const told = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : (JSON.stringify(value, (_, it: unknown) => (typeof it === 'bigint' ? `${it}` : it) ?? 'nothing')?.replaceAll(
        '"',
        '',
      ) ?? 'nothing');
