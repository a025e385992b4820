import { isThere } from '../../../src/files/check.ts';
import { readText } from '../../../src/files/read.ts';
import { replaceFile } from '../../../src/files/write.ts';
import { packagedPath } from '../scenario/packaged.ts';
import type { Listing } from '../world/mcp.ts';
import { turnsBetween } from './compare.ts';
import type { Names } from './names.ts';
import { labelled } from './values.ts';

// What a model reads before it calls anything: instructions, descriptions, hints and schemas. Here words count, because a model
// goes by them.

const usualFile = 'evals/catalogue.golden';

/** A list of tools has no ids or times to name. */
const asTheyAre: Names = { in: (text) => text, isOwn: () => false, moment: String };

/** The list of tools, as text for people. */
export function catalogueText({ instructions, tools }: Listing): string {
  const parts = tools.map((tool) => {
    const { name, ...rest } = tool as { readonly name: string }; // every tool has one
    return [name, ...Object.entries(rest).flatMap(([label, value]) => labelled(label, value, asTheyAre, '  '))];
  });
  return `${[instructions.split('\n'), ...parts].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** The golden of the list of tools; undefined if there is none. */
export function catalogueGolden(): string | undefined {
  const file = packagedPath(usualFile);
  return isThere(file) ? readText('golden', file) : undefined;
}

/** What differs between the golden and a list, in words. */
export const catalogueTurns = (golden: string | undefined, text: string): readonly string[] => {
  if (golden === undefined) return [`${usualFile} is missing; --accept records it`];
  return golden === text ? [] : turnsBetween(golden, text).map(({ at, says }) => `${at}: ${says}`);
};

export const writeCatalogue = (text: string): void => replaceFile('golden', packagedPath(usualFile), text);
