import { isThere } from '../../../src/files/check.ts';
import { readText } from '../../../src/files/read.ts';
import { replaceFile } from '../../../src/files/write.ts';
import { packagedPath } from '../scenario/packaged.ts';
import type { Listing } from '../world/mcp.ts';
import { catalogueText } from './catalogue.ts';
import { turnsBetween } from './compare.ts';
import { endsText } from './ends.ts';
import { screeningText } from './screening.ts';
import { tablesText } from './tables.ts';

// Goldens that belong to no scenario: the list of tools, what the screening finds, the tables behind them, and what becomes of what stories rarely hear.

/** One such golden: what it is called, where it is, and what it should say. */
export interface Listed {
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** The golden of the tables: that a cell changed, not that it is wrong. */
export const tables = 'the tables';

/** What is recorded of a build. */
export const recordsOf = (listing: Listing): readonly Listed[] => [
  { name: 'the list of tools', file: 'evals/catalogue.golden', text: catalogueText(listing) },
  { name: 'the screening', file: 'evals/screening.golden', text: screeningText() },
  { name: tables, file: 'evals/tables.golden', text: tablesText() },
  { name: 'what stories rarely hear', file: 'evals/ends.golden', text: endsText() },
];

/** The golden of a record; undefined if there is none. */
export function recordIn({ file }: Pick<Listed, 'file'>): string | undefined {
  const path = packagedPath(file);
  return isThere(path) ? readText('golden', path) : undefined;
}

/** What differs between a golden and a record, in words. */
export const recordTurns = (
  golden: string | undefined,
  { file, text }: Pick<Listed, 'file' | 'text'>,
): readonly string[] => {
  if (golden === undefined) return [`${file} is missing; --accept records it`];
  return golden === text ? [] : turnsBetween(golden, text).map(({ at, says }) => `${at}: ${says}`);
};

export const writeRecord = ({ file, text }: Listed): void => replaceFile('golden', packagedPath(file), text);
