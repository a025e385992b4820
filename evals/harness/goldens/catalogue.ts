import type { Listing } from '../world/mcp.ts';
import type { Names } from './names.ts';
import { labelled } from './values.ts';

// What a model reads before it calls anything: instructions, descriptions, hints and schemas, and what it may read. Here words count, because a model
// goes by them.

/** A list of tools has no ids or times to name. */
const asTheyAre: Names = { in: (text) => text, isOwn: () => false, moment: String };

/** The list of tools and of templates of resources, and what else the server says, as text for people. */
export function catalogueText({ instructions, tools, templates, capabilities, misuse }: Listing): string {
  const server = { name: 'the server', capabilities, misuse };
  const parts = [...tools, ...templates, server].map((tool) => {
    const { name, ...rest } = tool as { readonly name: string }; // everything that is listed has one
    return [name, ...Object.entries(rest).flatMap(([label, value]) => labelled(label, value, asTheyAre, '  '))];
  });
  return `${[instructions.split('\n'), ...parts].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
